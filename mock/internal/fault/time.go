package fault

import (
	"errors"
	"math"
	"slices"
	"time"
)

// Stall is silence: everything behind its spot leaves later by For, never when For is [Never], or not
// before Gate is released; then the planned times are as though that took no time.
type Stall struct {
	For  time.Duration
	Gate string
	// One of them: between events, or in the middle of an event's (or a line's) bytes.
	After, Before, Inside Place
}

// Pace multiplies all offsets by Factor, 0.01 to 1000.
type Pace struct{ Factor float64 }

var (
	errNoStall   = errors.New("it needs exactly one of after, before and inside: give one")
	errNoTime    = errors.New("its time is below 0: raise it, or name a gate")
	errTooShort  = errors.New("what is there is too short to have a middle")
	errNoInside  = errors.New("inside takes an event or a line: write after")
	errPace      = errors.New("its factor isn't between 0.01 and 1000: choose one that is")
	errBodyLines = errors.New("a stream has events, not lines: name an event")
)

// place is where it stands.
func (f Stall) place() (p Place, inside bool, err error) {
	for _, given := range [...]Place{f.After, f.Before, f.Inside} {
		if given.IsZero() {
			continue
		}
		if !p.IsZero() {
			return p, false, errNoStall
		}
		p = given
	}
	if p.IsZero() {
		return p, false, errNoStall
	}
	if f.For < 0 {
		return p, false, errNoTime
	}
	return p, !f.Inside.IsZero(), nil
}

func (f Stall) apply(w *work) error {
	p, inside, err := f.place()
	switch {
	case err != nil:
		return err
	case inside && !p.namesEvents() && p.Line == 0:
		return errNoInside
	case p.isLate():
		return f.late(w, p)
	case p.Headers && !f.Before.IsZero():
		return f.beforeHead(w)
	case p.Headers:
		p = Place{Start: true}
	}
	at, err := w.gaps(p, inside, f.Before.IsZero())
	if err != nil {
		return err
	}
	return f.silence(w, at, inside)
}

// silence holds back what is behind each of the gaps or, inside, behind the middle of each of the units.
func (f Stall) silence(w *work, at []int, inside bool) error {
	var shift time.Duration
	for i := range len(w.units) + 1 {
		here := len(at) > 0 && at[0] == i
		if here {
			at = at[1:]
		}
		if here && !inside {
			shift = plus(shift, f.For)
			behind := &w.lead
			if i > 0 {
				behind = &w.units[i-1].behind
			}
			*behind = plus(*behind, f.For)
			gate := &w.Gate
			if i < len(w.units) {
				gate = &w.units[i].Gate
			}
			if err := f.gate(gate); err != nil {
				return err
			}
		}
		if i == len(w.units) {
			break
		}
		u := &w.units[i]
		u.Due = plus(u.Due, shift)
		if here && inside {
			shift = plus(shift, f.For)
			u.inside = plus(u.inside, f.For)
			if err := f.gate(&u.insideGate); err != nil {
				return err
			}
		}
	}
	w.EndDue = plus(w.EndDue, shift)
	return nil
}

// gate puts the stall's gate there.
func (f Stall) gate(there *string) error {
	if f.Gate != "" && *there != "" {
		return errTwoGates
	}
	if f.Gate != "" {
		*there = f.Gate
	}
	return nil
}

// beforeHead holds everything back.
func (f Stall) beforeHead(w *work) error {
	w.Head, w.EndDue = plus(w.Head, f.For), plus(w.EndDue, f.For)
	for i := range w.units {
		w.units[i].Due = plus(w.units[i].Due, f.For)
	}
	for i := range w.writes {
		w.writes[i].due = plus(w.writes[i].due, f.For)
	}
	return f.gate(&w.HeadGate)
}

// late holds back what is behind a byte, or due at an instant or later.
func (f Stall) late(w *work, p Place) error {
	at := 0
	switch {
	case p.AtByte && (p.Byte < 0 || p.Byte > total(w.writes)), !p.AtByte && p.After > w.EndDue:
		return errMissing
	case p.AtByte:
		w.writes, at = splitAt(w.writes, p.Byte)
	case w.Head >= p.After:
		return f.beforeHead(w)
	default:
		at = slices.IndexFunc(w.writes, func(x write) bool { return x.due >= p.After })
		if at < 0 {
			at = len(w.writes)
		}
	}
	for i := at; i < len(w.writes); i++ {
		w.writes[i].due = plus(w.writes[i].due, f.For)
	}
	w.EndDue = plus(w.EndDue, f.For)
	behind := &w.lead
	if at > 0 {
		behind = &w.writes[at-1].behind
	}
	*behind = plus(*behind, f.For)
	if at == len(w.writes) {
		return f.gate(&w.Gate)
	}
	return f.gate(&w.writes[at].gate)
}

// gaps lists, in order, the gaps that a place names: behind what it names, or before. Inside, it lists the
// units instead.
func (w *work) gaps(p Place, inside, behind bool) ([]int, error) {
	switch {
	case p.Start:
		return []int{0}, nil
	case p.End:
		return []int{len(w.units)}, nil
	case p.Line > 0 && w.Stream:
		return nil, errBodyLines
	case p.Line > 0:
		return w.line(p.Line, inside, behind)
	}
	hits, err := w.events(p)
	for i, hit := range hits {
		switch u := &w.units[hit]; {
		case inside && len(u.Bytes) < 2:
			return nil, errTooShort
		case !inside && behind:
			hits[i]++
		}
	}
	return hits, err
}

func (f Pace) apply(w *work) error {
	if !(f.Factor >= 0.01 && f.Factor <= 1000) {
		return errPace
	}
	for _, d := range [...]*time.Duration{&w.Head, &w.EndDue, &w.lead} {
		*d = f.of(*d)
	}
	for i := range w.units {
		u := &w.units[i]
		u.Due, u.inside, u.behind = f.of(u.Due), f.of(u.inside), f.of(u.behind)
	}
	return nil
}

func (f Pace) of(d time.Duration) time.Duration {
	scaled := math.Round(float64(d) * f.Factor)
	if d >= Never || scaled >= float64(Never) {
		return Never
	}
	return time.Duration(scaled)
}
