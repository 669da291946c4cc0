package fault

import (
	"errors"
	"slices"
	"time"
)

// The bounds of what Apply makes. A fault that would break one isn't produced, and is named in Missed.
const (
	maxPieces   = 1_000_000
	maxOwnBytes = 64 << 20
	// maxFiller is the largest filler that is written out in order to be cut or joined.
	maxFiller = 1 << 20
)

var (
	errMissing    = errors.New("its place isn't in this answer")
	errNotEvents  = errors.New("its place names no events")
	errManyPieces = errors.New("it would make more than 1,000,000 pieces: make its place rarer or its size larger")
	errManyBytes  = errors.New("it would make more than 64 MiB of bytes: make it smaller")
	errTwoGates   = errors.New("two gates would stand at one place: take one away")
	errFiller     = errors.New("it can't change a filler: give it another place")
	errNegative   = errors.New("a number of its is below 0: raise it")
)

// Apply makes the faults happen to an answer. The answer's pieces and their bytes stay as they were; those of the
// result may share them, so nobody may change bytes of either. Of faults of one stage, the earlier in
// the list goes first. The result has at most 1,000,000 pieces, and at most 64 MiB of bytes that
// Apply made.
func Apply(a Answer, faults []Fault) Answer {
	if len(faults) == 0 {
		return a
	}
	w := newWork(a)
	for s := script; s <= late; s++ {
		if s == buffering {
			w.lay()
		}
		for _, f := range faults {
			if f.stage() == s {
				w.try(f)
			}
		}
	}
	return w.answer()
}

// work is an answer under way: its units up to the script's end and the bytes' forms, then its writes.
type work struct {
	Answer
	units []unit
	// lead is the silence between the headers and the first unit, which dues hold already.
	lead time.Duration

	writes []write
	marks  []mark
	own    int64 // bytes made
	lost   int64 // bytes that an end has kept from leaving
}

func newWork(a Answer) *work {
	w := &work{Answer: a, units: make([]unit, len(a.Pieces))}
	w.Pieces, w.Missed = nil, slices.Clone(a.Missed)
	for i, p := range a.Pieces {
		w.units[i].Piece = p
		if !a.Stream || p.Cut || p.Times > 1 {
			w.units[i].form = opaque
		}
	}
	return w
}

// try applies a fault or, when it can't be, leaves everything as it was.
func (w *work) try(f Fault) {
	before := *w
	w.units, w.writes, w.marks = slices.Clone(w.units), slices.Clone(w.writes), slices.Clone(w.marks)
	err := f.apply(w)
	if err == nil && w.size() > maxPieces {
		err = errManyPieces
	}
	if err != nil {
		*w = before
		w.Missed = append(w.Missed, f.String()+": "+err.Error())
	}
}

// size is how many pieces there would be.
func (w *work) size() int {
	n := len(w.writes)
	for i := range w.units {
		n += w.units[i].pieces()
	}
	return n
}

// make books bytes that are about to be made.
func (w *work) make(n int64) error {
	if n > maxOwnBytes-w.own {
		return errManyBytes
	}
	w.own += n
	return nil
}

// events lists the units at a place.
func (w *work) events(p Place) ([]int, error) {
	if !p.namesEvents() {
		return nil, errNotEvents
	}
	if !w.Stream {
		return nil, errMissing
	}
	hits := p.pick(len(w.units), func(i int) string { return w.units[i].Event })
	if hits == nil {
		return nil, errMissing
	}
	return hits, nil
}

// chosen says of each unit whether it is at the place; all events are when there is none.
func (w *work) chosen(p Place) ([]bool, error) {
	if p.IsZero() {
		p = Place{Every: true}
	}
	hits, err := w.events(p)
	if err != nil {
		return nil, err
	}
	at := make([]bool, len(w.units))
	for _, i := range hits {
		at[i] = true
	}
	return at, nil
}

// lastDue is when the last byte before unit i leaves.
func (w *work) lastDue(i int) time.Duration {
	if i == 0 {
		return w.Head
	}
	return w.units[i-1].last()
}

// answer is what has come of it.
func (w *work) answer() Answer {
	a := w.Answer
	a.Pieces = w.pieces()
	a.EndDue = max(a.EndDue, a.Head)
	if n := len(a.Pieces); n > 0 {
		a.EndDue = max(a.EndDue, a.Pieces[n-1].Due)
	}
	if a.Ending.End == Short {
		a.Length = total(w.writes) + max(w.lost, 1)
	}
	return a
}

// plus adds two offsets. Nothing is later than [Never].
func plus(a, b time.Duration) time.Duration {
	if a >= Never-b {
		return Never
	}
	return a + b
}
