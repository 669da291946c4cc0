package fault

import (
	"errors"
	"slices"
	"time"
)

// Insert puts Content in: at each place that Before or After names, Count times in a row, or on a
// timer. Faults of the script are for streams; a body that isn't one passes them by.
type Insert struct {
	Content       Content
	Before, After Place // one of them, unless Every is given
	// Count is how many in a row; 0 is one.
	Count int
	// Every, when above 0, sends Content so often beside what else leaves, from the head on and up to the last
	// event, also in silences. In one without an end there are at most 10,000 of them. What falls into the
	// middle of an event isn't sent, and a gate's wait, which takes no planned time, holds none.
	Every time.Duration
	// Ends ends the stream behind the first one, with a terminator, as the API does behind an error event.
	Ends bool
}

// Drop takes events out. What is behind keeps its instants.
type Drop struct{ At Place }

// Duplicate sends events twice, the second right behind the first.
type Duplicate struct{ At Place }

// Move sends events elsewhere, at the instant of the event beside which they then stand.
type Move struct {
	At            Place
	Before, After Place // one of them
}

// Replace sends something else in the place of events, at their instants.
type Replace struct {
	At   Place
	With Content
}

// spot is a gap between units: before unit at, at an instant.
type spot struct {
	at  int
	due time.Duration
}

var errTwoPlaces = errors.New("it needs exactly one of before and after: give one")

// spots lists the gaps that before or after names, in order.
func (w *work) spots(before, after Place) ([]spot, error) {
	if before.IsZero() == after.IsZero() {
		return nil, errTwoPlaces
	}
	p := before
	if before.IsZero() {
		p = after
	}
	switch n := len(w.units); {
	case p.Start:
		return []spot{{0, w.Head}}, nil
	case p.End:
		return []spot{{n, w.lastDue(n)}}, nil
	case p.After > w.EndDue || p.After > 0 && p.After < w.Head:
		return nil, errMissing
	case p.After > 0:
		at := w.unitAfter(p.After)
		return []spot{{at, max(p.After, w.lastDue(at))}}, nil
	}
	hits, err := w.events(p)
	spots := make([]spot, len(hits))
	for i, hit := range hits {
		spots[i] = spot{hit, w.units[hit].Due}
		if before.IsZero() {
			spots[i] = spot{hit + 1, w.units[hit].last()}
		}
	}
	return spots, err
}

// unitAfter is the first unit that is due after the instant.
func (w *work) unitAfter(at time.Duration) int {
	i := slices.IndexFunc(w.units, func(u unit) bool { return u.Due > at })
	if i < 0 {
		return len(w.units)
	}
	return i
}

// insert puts a unit in, count times, at each of the spots, which are in order.
func (w *work) insert(added unit, count int, spots []spot) error {
	count = max(count, 1)
	if count > maxPieces || len(w.units)+count*len(spots) > maxPieces {
		return errManyPieces
	}
	units := make([]unit, 0, len(w.units)+count*len(spots))
	from := 0
	for _, s := range spots {
		units = append(units, w.units[from:s.at]...)
		from = s.at
		added.Due = s.due
		for range count {
			units = append(units, added)
		}
	}
	w.units = append(units, w.units[from:]...)
	return nil
}

// made is the content's unit.
func (w *work) made(c Content) (unit, error) {
	if c == nil {
		return unit{}, errors.New("there is nothing to put in: say what")
	}
	u, err := c.unit(w.RequestID)
	if err != nil {
		return unit{}, err
	}
	size := int64(len(u.Bytes))
	if u.fill != nil {
		size += int64(len(u.fill.bytes) + len(u.fill.rest))
	}
	return u, w.make(size)
}

func (f Insert) apply(w *work) error {
	switch {
	case !w.Stream:
		return nil
	case f.Count < 0:
		return errNegative
	case f.Every > 0:
		return f.beside(w)
	}
	spots, err := w.spots(f.Before, f.After)
	if err != nil {
		return err
	}
	added, err := w.made(f.Content)
	if err != nil {
		return err
	}
	if f.Ends {
		spots = spots[:1]
	}
	if err := w.insert(added, f.Count, spots); err != nil {
		return err
	}
	if f.Ends {
		w.end(spots[0].at + max(f.Count, 1))
		w.Ending = Ending{End: Finish}
	}
	return nil
}

// beside sends the content on a timer.
func (f Insert) beside(w *work) error {
	if len(w.units) == 0 {
		return errMissing
	}
	added, err := w.made(f.Content)
	if err != nil {
		return err
	}
	var spots []spot
	endless := 0
	next, lastDue := 0, w.lastDue(len(w.units))
	for due := plus(w.Head, f.Every); due < lastDue; due = plus(due, f.Every) {
		for next < len(w.units) && w.units[next].Due <= due {
			next++
		}
		if held := w.lastDue(next); held > due {
			if held >= Never {
				break
			}
			due += (held - due - 1) / f.Every * f.Every
			continue
		}
		if next < len(w.units) && w.units[next].Due >= Never {
			if endless++; endless > mostEndless {
				break
			}
		}
		spots = append(spots, spot{next, due})
		if len(spots) > maxPieces {
			return errManyPieces
		}
	}
	return w.insert(added, f.Count, spots)
}

// mostEndless is how often a timer fires in a silence without an end.
const mostEndless = 10_000

func (f Drop) apply(w *work) error {
	if !w.Stream {
		return nil
	}
	hits, err := w.events(f.At)
	if err != nil {
		return err
	}
	w.drop(hits)
	return nil
}

// drop takes the units at hits, which are in order, out.
func (w *work) drop(hits []int) {
	kept := make([]unit, 0, len(w.units)-len(hits))
	from := 0
	for _, hit := range hits {
		kept = append(kept, w.units[from:hit]...)
		from = hit + 1
	}
	w.units = append(kept, w.units[from:]...)
}

func (f Duplicate) apply(w *work) error {
	if !w.Stream {
		return nil
	}
	hits, err := w.events(f.At)
	if err != nil {
		return err
	}
	if len(w.units)+len(hits) > maxPieces {
		return errManyPieces
	}
	units := make([]unit, 0, len(w.units)+len(hits))
	from := 0
	for _, hit := range hits {
		units = append(append(units, w.units[from:hit+1]...), w.units[hit])
		from = hit + 1
	}
	w.units = append(units, w.units[from:]...)
	return nil
}

func (f Move) apply(w *work) error {
	if !w.Stream {
		return nil
	}
	hits, err := w.events(f.At)
	if err != nil {
		return err
	}
	spots, err := w.spots(f.Before, f.After)
	if err != nil {
		return err
	}
	to := spots[0]
	before := 0
	moved := make([]unit, len(hits))
	for i, hit := range hits {
		moved[i] = w.units[hit]
		moved[i].Due = to.due
		if hit < to.at {
			before++
		}
	}
	w.drop(hits)
	w.units = slices.Insert(w.units, to.at-before, moved...)
	return nil
}

func (f Replace) apply(w *work) error {
	if !w.Stream {
		return nil
	}
	hits, err := w.events(f.At)
	if err != nil {
		return err
	}
	u, err := w.made(f.With)
	if err != nil {
		return err
	}
	for _, hit := range hits {
		u.Due = w.units[hit].Due
		w.units[hit] = u
	}
	return nil
}
