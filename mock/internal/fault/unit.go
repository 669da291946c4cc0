package fault

import (
	"slices"
	"time"
)

// unit is one event, comment or body, or anything else that the script knows as one.
type unit struct {
	Piece // its Bytes are all of it or, before a filler, what comes first
	fill  *filler
	form  form
	// inside is a silence in the middle of its bytes, behind one between it and whatever follows. Dues hold
	// both already.
	inside, behind time.Duration
	insideGate     string
}

// filler is the long middle of a unit.
type filler struct {
	bytes []byte
	times int64
	rest  []byte
}

// form is what a unit's bytes are.
type form uint8

const (
	event form = iota
	comment
	opaque // raw bytes, or a body
)

// last is when its last byte leaves.
func (u *unit) last() time.Duration { return plus(u.Due, u.inside) }

// len is how many bytes it has.
func (u *unit) len() int64 {
	n := u.Len()
	if u.fill != nil {
		n += int64(len(u.fill.bytes))*u.fill.times + int64(len(u.fill.rest))
	}
	return n
}

// pieces is how many pieces it makes at most.
func (u *unit) pieces() int {
	n := 1
	if u.fill != nil {
		n += 2
	}
	if u.inside > 0 || u.insideGate != "" {
		n += 3
	}
	return n
}

// lay turns units into writes and marks.
func (w *work) lay() {
	w.writes = make([]write, 0, len(w.units))
	w.marks = make([]mark, 0, len(w.units))
	var from int64
	for i := range w.units {
		u := &w.units[i]
		parts := u.writes()
		size := total(parts)
		begin := from
		from += size
		if u.Cut {
			begin = unknown
		}
		if !u.Cut || u.Event != "" || u.Tokens != 0 {
			w.marks = append(w.marks, mark{begin: begin, end: from, event: u.Event, index: u.Index, tokens: u.Tokens})
		}
		w.writes = append(w.writes, parts...)
	}
	w.units = nil
}

// writes lays one unit.
func (u *unit) writes() []write {
	parts := []write{{due: u.Due, bytes: u.Bytes, times: u.Times, gate: u.Gate, alone: u.Alone}}
	if u.fill != nil {
		parts = append(parts,
			write{due: u.Due, bytes: u.fill.bytes, times: u.fill.times, alone: u.Alone},
			write{due: u.Due, bytes: u.fill.rest, alone: u.Alone})
	}
	if u.inside > 0 || u.insideGate != "" {
		var half int
		parts, half = splitAt(parts, total(parts)/2)
		for i := half; i < len(parts); i++ {
			parts[i].due = u.last()
		}
		if half < len(parts) && parts[half].gate == "" {
			parts[half].gate = u.insideGate
		}
	}
	if len(parts) > 1 {
		parts = slices.DeleteFunc(parts, func(p write) bool { return len(p.bytes) == 0 && p.gate == "" })
	}
	parts[len(parts)-1].behind = u.behind
	return parts
}
