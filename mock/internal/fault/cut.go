package fault

import (
	"bytes"
	"errors"
	"slices"
	"time"
	"unicode/utf8"
)

// Cuts breaks writes in two, all of them or those in which the events at At end. A write without such a
// spot stays whole.
type Cuts struct {
	At   CutAt
	Byte int64 // with [AtByte]: so many bytes of the body lie before the cut
	Of   Place // the file's "at"
	// Gap stands between the halves; 0 is two writes at one instant.
	Gap time.Duration
}

// CutAt is a spot of a write, the first of its kind in it.
type CutAt uint8

// The spots.
const (
	InsideCharacter CutAt = iota // behind the first byte of a character that has several
	InsideEvent                  // in the middle of a data line
	InsideCRLF                   // between a CR and its LF
	BeforeBlankLine              // before the blank line that ends an event
	AtByte                       // behind so many bytes of the body
)

var (
	errCompressed = errors.New("the bytes are compressed, so they show no such spot: cut at a byte")
	errNoCut      = errors.New("no write has such a spot")
)

func (f Cuts) apply(w *work) error {
	switch {
	case f.Gap < 0 || f.Byte < 0:
		return errNegative
	case f.At == AtByte:
		return f.atByte(w)
	case w.Encoding != "":
		return errCompressed
	}
	at, err := f.writes(w)
	if err != nil {
		return err
	}
	out := make([]write, 0, 2*len(w.writes))
	var late []int // the second halves
	for i := range w.writes {
		p := &w.writes[i]
		offset := 0
		if at == nil || at[i] {
			offset = f.At.in(p.bytes)
		}
		if offset == 0 {
			out = append(out, *p)
			continue
		}
		left, right := p.split(int64(offset))
		right[len(right)-1].behind = p.behind
		late = append(late, len(out)+len(left))
		out = append(append(out, left...), right...)
	}
	if late == nil {
		return errNoCut
	}
	w.writes = out
	w.delay(late, f.Gap)
	return nil
}

// writes says of each write whether an event of the place ends in it; nil when all are meant.
func (f Cuts) writes(w *work) ([]bool, error) {
	switch {
	case f.Of.IsZero():
		return nil, nil
	case !f.Of.namesEvents():
		return nil, errNotEvents
	case !w.Stream:
		return nil, errMissing
	}
	hits := f.Of.pick(len(w.marks), func(i int) string { return w.marks[i].event })
	if hits == nil {
		return nil, errMissing
	}
	at := make([]bool, len(w.writes))
	ends := begins(w.writes)[1:]
	for _, hit := range hits {
		i, _ := slices.BinarySearch(ends, w.marks[hit].end)
		at[i] = true
	}
	return at, nil
}

func (f Cuts) atByte(w *work) error {
	if f.Byte == 0 || f.Byte >= total(w.writes) {
		return errMissing
	}
	var i int
	w.writes, i = splitAt(w.writes, f.Byte)
	w.writes[i].alone, w.writes[i-1].alone = true, true
	w.delay([]int{i}, f.Gap)
	return nil
}

// delay puts a gap before the writes at late, in order. What is behind them waits only if it would
// overtake them.
func (w *work) delay(late []int, gap time.Duration) {
	var is time.Duration
	for i := range w.writes {
		p := &w.writes[i]
		p.due = max(p.due, is)
		if len(late) > 0 && late[0] == i {
			p.due, late = plus(p.due, gap), late[1:]
		}
		is = p.due
	}
	w.EndDue = max(w.EndDue, is)
}

// in is the offset of the spot in a write's bytes, 0 when they have none.
func (c CutAt) in(b []byte) int {
	switch c {
	case InsideCharacter:
		return insideCharacter(b)
	case InsideEvent:
		return insideData(b)
	case InsideCRLF:
		return 1 + bytes.Index(b, []byte("\r\n"))
	default:
		return beforeBlank(b)
	}
}

func insideCharacter(b []byte) int {
	for i := 0; i < len(b); {
		_, n := utf8.DecodeRune(b[i:])
		if n > 1 {
			return i + 1
		}
		i++
	}
	return 0
}

func insideData(b []byte) int {
	at := 0
	for l := range linesOf(b) {
		if l.is("data") && l.end != nil && len(l.text) > 1 {
			return at + len(l.text)/2
		}
		at += len(l.text) + len(l.end)
	}
	return 0
}

func beforeBlank(b []byte) int {
	at := 0
	for l := range linesOf(b) {
		if at > 0 && len(l.text) == 0 && l.end != nil {
			return at
		}
		at += len(l.text) + len(l.end)
	}
	return 0
}
