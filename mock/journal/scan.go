package journal

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
)

// cursor goes through JSON once, without checking it: a condition looks at 100,000 bodies in the time in
// which encoding/json reads a few thousand. What isn't JSON gives whatever it gives, and no panic.
type cursor struct {
	text []byte
	at   int
}

// peek is the next byte that isn't white space; 0 at the end.
func (c *cursor) peek() byte {
	for ; c.at < len(c.text); c.at++ {
		switch b := c.text[c.at]; b {
		case ' ', '\n', '\t', '\r':
		default:
			return b
		}
	}
	return 0
}

// pass goes behind a byte, if it comes next.
func (c *cursor) pass(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.at++
	return true
}

// members are the keys of the object that comes next, in order. At each of them the cursor stands before the
// value; whoever doesn't take it passes it over.
func (c *cursor) members() iter.Seq[scanned] {
	return func(yield func(key scanned) bool) {
		if !c.pass('{') {
			return
		}
		for c.peek() == '"' {
			key := c.value()
			if !c.pass(':') {
				return
			}
			c.peek()
			before := c.at
			if !yield(key) {
				return
			}
			if c.at == before {
				c.value()
			}
			c.pass(',')
		}
		c.pass('}')
	}
}

// items is once for each value of the array that comes next. The cursor stands before the value, as in members.
func (c *cursor) items() iter.Seq[int] {
	return func(yield func(i int) bool) {
		if !c.pass('[') {
			return
		}
		for i := 0; c.at < len(c.text) && c.peek() != ']'; i++ {
			before := c.at
			if !yield(i) {
				return
			}
			if c.at == before {
				c.value()
			}
			c.pass(',')
		}
		c.pass(']')
	}
}

// value goes behind the value that comes next.
func (c *cursor) value() scanned {
	first := c.peek()
	from := c.at
	switch first {
	case '"':
		c.quoted()
	case '{', '[':
		c.nested()
	default:
		if c.bare(); c.at == from && from < len(c.text) {
			c.at++ // it isn't JSON
		}
	}
	return scanned(c.text[from:c.at])
}

// quoted goes behind the string that comes next. Most are short, and quickest gone through byte by byte.
func (c *cursor) quoted() {
	const short = 32
	i := c.at + 1
	for end := min(len(c.text), i+short); i < end; i++ {
		switch c.text[i] {
		case '"':
			c.at = i + 1
			return
		case '\\':
			i++
		}
	}
	for i < len(c.text) {
		end := bytes.IndexByte(c.text[i:], '"')
		if end < 0 {
			break
		}
		i += end + 1
		escapes := 0
		for c.text[i-2-escapes] == '\\' { // the string begins with a quote
			escapes++
		}
		if escapes%2 == 0 {
			c.at = i
			return
		}
	}
	c.at = len(c.text)
}

// bare goes behind the number or word that comes next.
func (c *cursor) bare() {
	for ; c.at < len(c.text); c.at++ {
		switch c.text[c.at] {
		case ',', ':', ']', '}', ' ', '\t', '\r', '\n':
			return
		}
	}
}

// nested goes behind the object or array that comes next.
func (c *cursor) nested() {
	for depth := 0; c.at < len(c.text); {
		switch c.text[c.at] {
		case '"':
			c.quoted()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		c.at++
		if depth == 0 {
			return
		}
	}
}

// member is the member of that name, nil when there is none; the last of several, as in encoding/json.
func (c cursor) member(name string) scanned {
	var found scanned
	for key := range c.members() {
		if key.says(name) {
			found = c.value()
		}
	}
	return found
}

// scanned is one value of the JSON.
type scanned []byte

func (s scanned) cursor() cursor { return cursor{text: s} }

// says reports whether it is this string.
func (s scanned) says(text string) bool {
	if len(s) <= len(text)+2 { // an escape is longer than what it says
		return len(s) == len(text)+2 && s[0] == '"' && string(s[1:len(s)-1]) == text
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
	blocks := s.cursor()
	for range blocks.items() {
		var kind, text scanned
		for key := range blocks.members() {
			switch {
			case key.says("type"):
				kind = blocks.value()
			case key.says("text"):
				text = blocks.value()
			}
		}
		if kind.says("text") {
			texts = append(texts, text.text())
		}
	}
	return strings.Join(texts, "\n")
}
