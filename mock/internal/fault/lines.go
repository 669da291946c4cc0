package fault

import (
	"bytes"
	"iter"
)

// line is one line of an event: its text and the newline behind it, which the very last may lack.
type line struct{ text, end []byte }

// linesOf cuts bytes into lines, whatever they end with.
func linesOf(b []byte) iter.Seq[line] {
	return func(yield func(line) bool) {
		for len(b) > 0 {
			i := bytes.IndexAny(b, "\r\n")
			if i < 0 {
				yield(line{text: b})
				return
			}
			n := 1
			if b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n' {
				n = 2
			}
			if !yield(line{text: b[:i], end: b[i : i+n]}) {
				return
			}
			b = b[i+n:]
		}
	}
}

// field splits a line's text into the name and the value of a field, and what stands between.
func (l line) field() (name, between, value []byte) {
	name, value, found := bytes.Cut(l.text, []byte{':'})
	if !found {
		return l.text, nil, nil
	}
	between = l.text[len(name) : len(name)+1]
	if len(value) > 0 && value[0] == ' ' {
		between, value = l.text[len(name):len(name)+2], value[1:]
	}
	return name, between, value
}

// is reports whether the line is a field of that name.
func (l line) is(field string) bool {
	name, between, _ := l.field()
	return between != nil && string(name) == field
}

func (l line) appendTo(b []byte) []byte { return append(append(b, l.text...), l.end...) }

// line lists the gap at a line's end or, not behind, at its beginning; inside, the unit that it is. The
// body is cut into units there.
func (w *work) line(nth int, inside, behind bool) ([]int, error) {
	at := int64(0)
	for i := range w.units {
		u := &w.units[i]
		if u.Times > 1 {
			at += u.len()
			continue
		}
		for l := range linesOf(u.Bytes) {
			size := int64(len(l.text) + len(l.end))
			if nth--; nth > 0 {
				at += size
				continue
			}
			if inside && size < 2 {
				return nil, errTooShort
			}
			first := w.cutBody(at)
			switch behindIt := w.cutBody(at + size); {
			case inside || !behind:
				return []int{first}, nil
			default:
				return []int{behindIt}, nil
			}
		}
	}
	return nil, errMissing
}

// cutBody sees to it that a unit begins at the offset, and returns its index.
func (w *work) cutBody(offset int64) int {
	for i := range w.units {
		u := w.units[i]
		size := u.len()
		if offset == 0 {
			return i
		}
		if offset >= size {
			offset -= size
			continue
		}
		left, right := u, u
		left.Bytes, right.Bytes = u.Bytes[:offset:offset], u.Bytes[offset:]
		left.Event, left.Tokens, left.Cut, right.Cut = "", 0, true, true
		left.behind, left.inside, left.insideGate = 0, 0, ""
		right.Gate = ""
		right.Due = u.Due
		w.units = append(w.units[:i:i], append([]unit{left, right}, w.units[i+1:]...)...)
		return i + 1
	}
	return len(w.units)
}
