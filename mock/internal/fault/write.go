package fault

import (
	"slices"
	"time"
)

// write is bytes that leave together. What events they are is in the marks.
type write struct {
	due   time.Duration
	bytes []byte
	times int64
	gate  string
	alone bool
	// behind is the silence between it and whatever follows.
	behind time.Duration
}

func (p *write) len() int64 { return int64(len(p.bytes)) * max(p.times, 1) }

// isBig reports whether the write is a filler too large to be written out.
func (p *write) isBig() bool { return p.times > 1 && p.len() > maxFiller }

// appendTo adds all bytes of the write.
func (p *write) appendTo(b []byte) []byte {
	for range max(p.times, 1) {
		b = append(b, p.bytes...)
	}
	return b
}

// unknown is where something begins that was no whole event.
const unknown = -1

// mark says which bytes of the body, from begin up to end, are an event or a body.
type mark struct {
	begin, end int64
	event      string
	index      int
	tokens     int
}

// total is how many bytes the writes have.
func total(writes []write) int64 {
	var n int64
	for i := range writes {
		n += writes[i].len()
	}
	return n
}

// splitAt sees to it that a write begins at the offset, and returns its index, len(writes) for the
// very end. The slice is changed in place where it has room.
func splitAt(writes []write, offset int64) ([]write, int) {
	i := 0
	for ; i < len(writes); i++ {
		if offset < writes[i].len() {
			break
		}
		offset -= writes[i].len()
	}
	if offset == 0 || i == len(writes) {
		return writes, i
	}
	left, right := writes[i].split(offset)
	right[len(right)-1].behind = writes[i].behind
	return slices.Replace(writes, i, i+1, append(left, right...)...), i + len(left)
}

// split breaks a write before the offset, which lies inside it. Both sides keep to themselves.
func (p *write) split(offset int64) (left, right []write) {
	size := int64(len(p.bytes))
	reps, rest := offset/size, offset%size
	part := func(b []byte, times int64) []write {
		if times == 0 || len(b) == 0 {
			return nil
		}
		return []write{{due: p.due, bytes: b, times: times, alone: true}}
	}
	left = append(part(p.bytes, reps), part(p.bytes[:rest:rest], 1)...)
	behind := max(p.times, 1) - reps
	if rest > 0 {
		right, behind = part(p.bytes[rest:], 1), behind-1
	}
	right = append(right, part(p.bytes, behind)...)
	left[0].gate = p.gate
	return left, right
}

// begins lists the offset at which each write begins, and the end of all.
func begins(writes []write) []int64 {
	at := make([]int64, len(writes)+1)
	for i := range writes {
		at[i+1] = at[i] + writes[i].len()
	}
	return at
}

// pieces turns writes into pieces, with what ends in each.
func (w *work) pieces() []Piece {
	pieces := make([]Piece, len(w.writes))
	marks := w.marks
	var from int64
	due := w.Head
	for i := range w.writes {
		p := &w.writes[i]
		to := from + p.len()
		due = max(due, p.due)
		out := Piece{Due: due, Bytes: p.bytes, Times: p.times, Gate: p.gate, Alone: p.alone, Cut: true}
		n := 0
		for n < len(marks) && marks[n].end <= to {
			n++
		}
		out.carry(marks[:n])
		if n == 1 && marks[0].begin == from && marks[0].end == to {
			out.Cut = false
		}
		marks, from = marks[n:], to
		pieces[i] = out
	}
	return pieces
}

// carry says which events end in a piece.
func (p *Piece) carry(marks []mark) {
	for _, m := range marks {
		if p.Event != deltaName || m.event == deltaName {
			p.Event, p.Index = m.event, m.index
		}
		p.Tokens += m.tokens
	}
}

// keep drops the writes from i on, and the events that don't end before.
func (w *work) keep(i int) {
	w.lost += total(w.writes[i:])
	w.writes = w.writes[:i]
	size := total(w.writes)
	n := 0
	for n < len(w.marks) && w.marks[n].end <= size {
		n++
	}
	w.marks = w.marks[:n]
}
