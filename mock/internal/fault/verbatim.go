package fault

import (
	"bytes"
	"errors"
	"slices"
)

// LineEnding ends the lines of a stream with the newlines of Cycle in turn. Raw content keeps its own.
type LineEnding struct{ Cycle []Newline }

// Newline is how a line ends.
type Newline uint8

// The newlines of server-sent events.
const (
	LF Newline = iota
	CRLF
	CR
)

// EventLines leaves the event lines out, of all events or of those at Of.
type EventLines struct{ Of Place }

// Fields adds lines to events, before their other lines: to all events or to those at Of.
type Fields struct {
	Lines []Field
	Of    Place
}

// Field is one line of an event.
type Field struct{ Name, Value string }

var (
	errNoNewline = errors.New("it names no newline: give lf, crlf or cr")
)

func (n Newline) text() string {
	switch n {
	case CRLF:
		return "\r\n"
	case CR:
		return "\r"
	default:
		return "\n"
	}
}

func (f LineEnding) apply(w *work) error {
	if !w.Stream {
		return nil
	}
	if len(f.Cycle) == 0 {
		return errNoNewline
	}
	next := 0
	end := func(b []byte) []byte {
		out := make([]byte, 0, len(b)+bytes.Count(b, []byte{'\n'}))
		for l := range linesOf(b) {
			out = append(out, l.text...)
			if l.end != nil {
				out = append(out, f.Cycle[next%len(f.Cycle)].text()...)
				next++
			}
		}
		return out
	}
	for i := range w.units {
		u := &w.units[i]
		if u.form == opaque {
			continue
		}
		if err := w.rewrite(u, end); err != nil {
			return err
		}
	}
	return nil
}

// rewrite changes a unit's bytes around its filler, which has no newline.
func (w *work) rewrite(u *unit, change func([]byte) []byte) error {
	u.Bytes = change(u.Bytes)
	size := int64(len(u.Bytes))
	if u.fill != nil {
		u.fill = &filler{bytes: u.fill.bytes, times: u.fill.times, rest: change(u.fill.rest)}
		size += int64(len(u.fill.rest))
	}
	return w.make(size)
}

// lines changes the lines of the events at a place: change gets all of an event's, without the blank
// one at its end, and returns what they are to be. Of an event with a filler, the last one ends in it.
func (w *work) lines(of Place, change func([]line) ([]line, error)) error {
	if !w.Stream {
		return nil
	}
	at, err := w.chosen(of)
	if err != nil {
		return err
	}
	for i := range w.units {
		u := &w.units[i]
		if !at[i] || u.form != event {
			continue
		}
		if err := w.change(u, change); err != nil {
			return err
		}
	}
	return nil
}

func (w *work) change(u *unit, change func([]line) ([]line, error)) error {
	var lines []line
	for l := range linesOf(u.Bytes) {
		lines = append(lines, l)
	}
	var blank []line
	for len(lines) > 0 && len(lines[len(lines)-1].text) == 0 && u.fill == nil {
		blank = append(blank, lines[len(lines)-1])
		lines = lines[:len(lines)-1]
	}
	lines, err := change(lines)
	if err != nil {
		return err
	}
	size := 0
	for _, l := range append(lines, blank...) {
		size += len(l.text) + len(l.end)
	}
	if err := w.make(int64(size)); err != nil {
		return err
	}
	b := make([]byte, 0, size)
	for _, l := range append(lines, blank...) {
		b = l.appendTo(b)
	}
	u.Bytes = b
	return nil
}

func (f EventLines) apply(w *work) error {
	return w.lines(f.Of, func(lines []line) ([]line, error) {
		return slices.DeleteFunc(lines, func(l line) bool { return l.is("event") }), nil
	})
}

func (f Fields) apply(w *work) error {
	return w.lines(f.Of, func(lines []line) ([]line, error) {
		end := []byte("\n")
		if len(lines) > 0 && lines[0].end != nil {
			end = lines[0].end
		}
		var added []line
		for _, field := range f.Lines {
			added = append(added, line{text: []byte(field.Name + ": " + field.Value), end: end})
		}
		return append(added, lines...), nil
	})
}
