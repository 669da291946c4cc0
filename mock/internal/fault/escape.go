package fault

import (
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape writes what isn't ASCII in JSON as \uXXXX, in a stream's data lines or in a body.
type Escape struct{}

func (f Escape) apply(w *work) error {
	for i := range w.units {
		u := &w.units[i]
		if w.Stream && u.form == event {
			if err := w.escapeData(u); err != nil {
				return err
			}
		}
		if !w.Stream {
			if err := w.make(int64(len(u.Bytes))); err != nil {
				return err
			}
			u.Bytes = escaped(u.Bytes)
		}
	}
	return nil
}

func (w *work) escapeData(u *unit) error {
	err := w.change(u, func(lines []line) ([]line, error) {
		for i, l := range lines {
			if l.is("data") {
				lines[i].text = escaped(l.text)
			}
		}
		return lines, nil
	})
	if u.fill != nil && err == nil {
		u.fill = &filler{bytes: escaped(u.fill.bytes), times: u.fill.times, rest: escaped(u.fill.rest)}
	}
	return err
}

// escaped writes what isn't ASCII as \uXXXX, beyond the first plane as two of them.
func escaped(b []byte) []byte {
	if !slices.ContainsFunc(b, func(c byte) bool { return c >= utf8.RuneSelf }) {
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/2)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch high, low := utf16.EncodeRune(r); {
		case r < utf8.RuneSelf:
			out = append(out, b[0])
		case high != utf8.RuneError:
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[n:]
	}
	return out
}
