package fault

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Place is a spot in an answer. The zero Place is none.
//
// As text: 3 (the third event), message_stop (the first of that name), content_block_delta 5 (the
// fifth of them), last content_block_delta, every content_block_delta, last (event), every 3 (each third event),
// every content_block_delta 3 (each third of them), all (every event), headers (before them), start
// (behind the headers), end (behind the last byte), line 2 (of a body that isn't a stream), byte 100 (of
// what is really sent), 2s (an offset from arrival).
//
// Comments and raw bytes count as no events. An event without a name counts as one named message.
type Place struct {
	Event string // a name of events; "" with Nth: any event
	Nth   int    // counted from 1; 0 with Event: the first
	Last  bool
	Every bool

	Headers    bool // before the headers
	Start, End bool
	Line       int   // counted from 1
	Byte       int64 // so many bytes lie before; with AtByte
	AtByte     bool
	After      time.Duration // an offset from arrival; 0: not given
}

// IsZero reports whether no place is given.
func (p Place) IsZero() bool { return p == Place{} }

// String is the place as a file spells it; "" for none.
func (p Place) String() string {
	switch {
	case p.Headers:
		return "headers"
	case p.Start:
		return "start"
	case p.End:
		return "end"
	case p.Line > 0:
		return "line " + strconv.Itoa(p.Line)
	case p.AtByte:
		return "byte " + strconv.FormatInt(p.Byte, 10)
	case p.After > 0:
		return p.After.String()
	}
	return p.eventString()
}

func (p Place) eventString() string {
	var words []string
	switch {
	case p.Every && p.Event == "" && p.Nth == 0:
		return "all"
	case p.Every:
		words = append(words, "every")
	case p.Last:
		words = append(words, "last")
	}
	if p.Event != "" {
		words = append(words, p.Event)
	}
	if p.Nth > 0 {
		words = append(words, strconv.Itoa(p.Nth))
	}
	return strings.Join(words, " ")
}

var (
	eventName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	plainCount = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
	plainBytes = regexp.MustCompile(`^(0|[1-9][0-9]{0,17})$`)
)

// ParsePlace reads a place as a file spells it. Its error says what is wrong and what a place looks like.
func ParsePlace(text string) (Place, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Place{}, fmt.Errorf("a place is empty: write one such as 3, message_stop, last content_block_delta, start, end, byte 100 or 2s")
	}
	if len(words) == 1 {
		return parseWord(words[0])
	}
	first, rest := words[0], words[1:]
	switch first {
	case "byte":
		if len(rest) != 1 || !plainBytes.MatchString(rest[0]) {
			return Place{}, fmt.Errorf("place %q: byte takes one whole number from 0, such as byte 100", text)
		}
		n, _ := strconv.ParseInt(rest[0], 10, 64)
		return Place{Byte: n, AtByte: true}, nil
	case "line":
		if len(rest) != 1 || !plainCount.MatchString(rest[0]) {
			return Place{}, fmt.Errorf("place %q: line takes one whole number from 1, such as line 2", text)
		}
		return Place{Line: number(rest[0])}, nil
	case "last":
		if len(rest) != 1 || !isEventName(rest[0]) {
			return Place{}, fmt.Errorf("place %q: last takes the name of an event, such as last content_block_delta", text)
		}
		return Place{Event: rest[0], Last: true}, nil
	case "every":
		p, ok := parseEvents(rest)
		if !ok {
			return Place{}, fmt.Errorf("place %q: every takes the name of an event, a whole number from 1, or both, such as every 3", text)
		}
		p.Every = true
		return p, nil
	}
	if p, ok := parseEvents(words); ok && len(words) == 2 {
		return p, nil
	}
	return Place{}, fmt.Errorf("place %q can't be read: write one such as 3, content_block_delta 5, last content_block_delta, every 3, byte 100 or 2s", text)
}

func parseWord(word string) (Place, error) {
	switch word {
	case "all":
		return Place{Every: true}, nil
	case "last":
		return Place{Last: true}, nil
	case "headers":
		return Place{Headers: true}, nil
	case "start":
		return Place{Start: true}, nil
	case "end":
		return Place{End: true}, nil
	case "every", "line", "byte":
		return Place{}, fmt.Errorf("place %q lacks its number: write one such as %s 3", word, word)
	}
	if p, ok := parseEvents([]string{word}); ok {
		return p, nil
	}
	d, err := time.ParseDuration(word)
	switch {
	case err != nil:
		return Place{}, fmt.Errorf("place %q can't be read: write a count from 1, the name of an event, start, end or an offset such as 2s", word)
	case d <= 0 || d >= Never:
		return Place{}, fmt.Errorf("place %q: an offset from the request's arrival lies above 0 and below 146 years; for the very start write start", word)
	}
	return Place{After: d}, nil
}

// parseEvents reads a name, a number, or both.
func parseEvents(words []string) (Place, bool) {
	var p Place
	if len(words) > 0 && isEventName(words[0]) {
		p.Event, words = words[0], words[1:]
	}
	if len(words) > 0 && plainCount.MatchString(words[0]) {
		p.Nth, words = number(words[0]), words[1:]
	}
	return p, len(words) == 0
}

func isEventName(word string) bool {
	switch word {
	case "all", "last", "every", "headers", "start", "end", "line", "byte":
		return false
	}
	return eventName.MatchString(word)
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// namesEvents reports whether the place is events, not a spot between them.
func (p Place) namesEvents() bool { return p.Event != "" || p.Nth > 0 || p.Last || p.Every }

// isLate reports whether the place is one of what is really sent.
func (p Place) isLate() bool { return p.AtByte || p.After > 0 }

// pick lists which of n things, of which those without a name are no events, the place names.
func (p Place) pick(n int, name func(int) string) []int {
	var hits []int
	seen := 0
	for i := range n {
		is := name(i)
		if is == "" || p.Event != "" && is != p.Event {
			continue
		}
		seen++
		switch {
		case p.Every:
			if seen%max(p.Nth, 1) == 0 {
				hits = append(hits, i)
			}
		case p.Last:
			hits = []int{i}
		case seen == max(p.Nth, 1):
			return []int{i}
		}
	}
	return hits
}
