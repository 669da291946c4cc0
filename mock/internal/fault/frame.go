package fault

import (
	"errors"
	"slices"
	"time"
)

// WriteSize sends the body in writes of exactly Size bytes; only the last may be smaller. A write leaves when its
// last byte is due. A filler above 1 MiB is left as it is, and the count starts anew behind it.
type WriteSize struct {
	Size int
	// Gap stands between the writes of what was due at one instant.
	Gap time.Duration
	// Within starts anew at each event.
	Within bool
}

// Coalesce joins the bytes of Events events, or with All of the whole body, into one write, which leaves
// when its last byte is due. A filler above 1 MiB isn't joined.
type Coalesce struct {
	Events int
	All    bool
}

var (
	errWriteSize = errors.New("its size isn't above 0: raise it")
	errCoalesce  = errors.New("it needs a number of events above 0, or all")
)

func (f WriteSize) apply(w *work) error {
	switch {
	case f.Size < 1:
		return errWriteSize
	case f.Gap < 0:
		return errNegative
	}
	if n := total(w.writes) / int64(f.Size); n > maxPieces && !slices.ContainsFunc(w.writes, func(p write) bool { return p.isBig() }) {
		return errManyPieces
	}
	var out []write
	for _, run := range w.runs(f.Within) {
		if run[0].isBig() {
			out = append(out, run...)
			continue
		}
		cut, err := w.cut(run, int64(f.Size))
		if err != nil {
			return err
		}
		if out = append(out, cut...); len(out) > maxPieces {
			return errManyPieces
		}
	}
	w.writes = out
	w.space(f.Gap)
	return nil
}

// runs groups the writes between large fillers, each of which is a run of its own, and with events
// also behind each event.
func (w *work) runs(events bool) [][]write {
	ends := map[int64]bool{}
	if events {
		for _, m := range w.marks {
			ends[m.end] = true
		}
	}
	var runs [][]write
	first, at := 0, int64(0)
	for i := range w.writes {
		p := &w.writes[i]
		at += p.len()
		if p.isBig() || i+1 == len(w.writes) || w.writes[i+1].isBig() || ends[at] {
			runs = append(runs, w.writes[first:i+1])
			first = i + 1
		}
	}
	return runs
}

// cut cuts a run into writes of a size.
func (w *work) cut(run []write, size int64) ([]write, error) {
	n := total(run)
	if n == 0 {
		return run, nil
	}
	if err := w.make(n); err != nil {
		return nil, err
	}
	if n/size > maxPieces {
		return nil, errManyPieces
	}
	all := make([]byte, 0, n)
	for i := range run {
		all = run[i].appendTo(all)
	}
	at := begins(run)
	out := make([]write, 0, n/size+1)
	next := 0 // the first of the run that no write has begun
	for from := int64(0); from < n; from += size {
		to := min(from+size, n)
		p := write{bytes: all[from:to:to], alone: true}
		for ; next < len(run) && (at[next] < to || to == n); next++ {
			if run[next].gate != "" && p.gate != "" {
				return nil, errTwoGates
			}
			if run[next].gate != "" {
				p.gate = run[next].gate
			}
		}
		p.due = run[next-1].due
		if to == at[next] {
			p.behind = run[next-1].behind
		}
		out = append(out, p)
	}
	return out, nil
}

// space puts a gap between writes of what was due at one instant. What is behind them waits, if need be.
func (w *work) space(gap time.Duration) {
	was, is := time.Duration(-1), time.Duration(0)
	for i := range w.writes {
		p := &w.writes[i]
		due := p.due
		switch {
		case gap > 0 && (due == was || due < is):
			p.due = max(due, plus(is, gap))
		default:
			p.due = max(due, is)
		}
		was, is = due, p.due
	}
	w.EndDue = max(w.EndDue, is)
}

func (f Coalesce) apply(w *work) error {
	if f.Events < 0 || f.Events == 0 && !f.All || f.Events > 0 && f.All {
		return errCoalesce
	}
	var out []write
	marks := w.marks
	first, events, at := 0, 0, int64(0)
	for i := range w.writes {
		at += w.writes[i].len()
		for len(marks) > 0 && marks[0].end <= at {
			if marks[0].event != "" {
				events++
			}
			marks = marks[1:]
		}
		if i+1 < len(w.writes) && (f.All || events < f.Events) {
			continue
		}
		joined, err := w.join(w.writes[first : i+1])
		if err != nil {
			return err
		}
		out = append(out, joined...)
		first, events = i+1, 0
	}
	w.writes = out
	return nil
}

// join makes one write of several, or as many as large fillers need.
func (w *work) join(writes []write) ([]write, error) {
	due := writes[len(writes)-1].due
	part := work{writes: writes}
	var out []write
	for _, run := range part.runs(false) {
		p := run[0]
		if len(run) > 1 {
			n := total(run)
			if err := w.make(n); err != nil {
				return nil, err
			}
			p = write{gate: p.gate, bytes: make([]byte, 0, n), behind: run[len(run)-1].behind}
			for i := range run {
				p.bytes = run[i].appendTo(p.bytes)
				if i > 0 && run[i].gate != "" {
					if p.gate != "" {
						return nil, errTwoGates
					}
					p.gate = run[i].gate
				}
			}
		}
		p.due, p.alone = due, true
		out = append(out, p)
	}
	return out, nil
}
