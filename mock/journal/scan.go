package journal

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
)

// scanned is a piece of JSON that is looked into without being checked: a condition looks at 100,000
// bodies in the time in which encoding/json reads a few thousand. What isn't JSON gives whatever it
// gives, and no panic.
type scanned []byte

func (s scanned) trim() scanned {
	for i, b := range s {
		if b != ' ' && b != '\n' && b != '\t' && b != '\r' {
			return s[i:]
		}
	}
	return nil
}

// next is the value that s begins with, and what is behind it.
func (s scanned) next() (value, rest scanned) {
	s = s.trim()
	if len(s) == 0 {
		return nil, nil
	}
	end := 0
	switch s[0] {
	case '"':
		end = s.quoted()
	case '{', '[':
		end = s.nested()
	default:
		if end = s.bare(); end == 0 {
			end = 1 // it isn't JSON
		}
	}
	if end < 0 {
		return s, nil
	}
	return s[:end], s[end:]
}

// quoted is the length of the string that s begins with, -1 when it has no end.
func (s scanned) quoted() int {
	for i := 1; i < len(s); {
		end := bytes.IndexByte(s[i:], '"')
		if end < 0 {
			return -1
		}
		i += end
		escapes := 0
		for s[i-1-escapes] == '\\' { // s begins with a quote
			escapes++
		}
		i++
		if escapes%2 == 0 {
			return i
		}
	}
	return -1
}

// bare is the length of the number or word that s begins with.
func (s scanned) bare() int {
	for i, b := range s {
		switch b {
		case ',', ':', ']', '}', ' ', '\t', '\r', '\n':
			return i
		}
	}
	return len(s)
}

// nested is the length of the object or array that s begins with, -1 when it has no end.
func (s scanned) nested() int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			n := s[i:].quoted()
			if n < 0 {
				return -1
			}
			i += n - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// members are an object's, in order.
func (s scanned) members() iter.Seq2[scanned, scanned] {
	return func(yield func(key, value scanned) bool) {
		if s = s.trim(); len(s) == 0 || s[0] != '{' {
			return
		}
		for s = s[1:].trim(); len(s) > 0 && s[0] == '"'; {
			var key, value scanned
			key, s = s.next()
			if s = s.trim(); len(s) == 0 || s[0] != ':' {
				return
			}
			value, s = s[1:].next()
			if len(value) == 0 || !yield(key, value) {
				return
			}
			if s = s.trim(); len(s) > 0 && s[0] == ',' {
				s = s[1:].trim()
			}
		}
	}
}

// member is the member of that name, nil when there is none; the last of several, as in
// encoding/json.
func (s scanned) member(name string) scanned {
	var found scanned
	for key, value := range s.members() {
		if key.says(name) {
			found = value
		}
	}
	return found
}

// items are an array's.
func (s scanned) items() iter.Seq[scanned] {
	return func(yield func(scanned) bool) {
		if s = s.trim(); len(s) == 0 || s[0] != '[' {
			return
		}
		for s = s[1:].trim(); len(s) > 0 && s[0] != ']'; {
			var value scanned
			value, s = s.next()
			if len(value) == 0 || !yield(value) {
				return
			}
			if s = s.trim(); len(s) > 0 && s[0] == ',' {
				s = s[1:].trim()
			}
		}
	}
}

// says reports whether it is this string.
func (s scanned) says(text string) bool {
	if len(s) == len(text)+2 && string(s[1:len(s)-1]) == text {
		return true
	}
	return bytes.IndexByte(s, '\\') >= 0 && s.text() == text
}

// text is what a string says, "" for anything else.
func (s scanned) text() string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return ""
	}
	if bytes.IndexByte(s, '\\') < 0 {
		return string(s[1 : len(s)-1])
	}
	var said string
	lenient(json.RawMessage(s), &said)
	return said
}

// prose is a string's text, or that of an array's text blocks, joined by a newline.
func (s scanned) prose() string {
	if len(s) > 0 && s[0] == '"' {
		return s.text()
	}
	var texts []string
	for block := range s.items() {
		if block.member("type").says("text") {
			texts = append(texts, block.member("text").text())
		}
	}
	return strings.Join(texts, "\n")
}
