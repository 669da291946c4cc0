package clock

import (
	"slices"
	"time"
)

// Wait is somebody who waits on a [Stepped] clock, or an instant of [Stepped.Visit].
type Wait struct {
	At    time.Time // on that clock
	Label string    // of the work, as given to [Enter], or of the visit; "" without
}

type wait struct {
	at    time.Time
	of    *attendance // nil: nobody in particular
	turn  func()      // ends the wait as it is, so that it looks anew
	woken bool        // by a step
	visit string      // the label of an instant that nobody waits for; "" for a wait
}

// waits are in order of their instants, and those of one instant in order of arrival.
type waits []*wait

func (s *Stepped) enqueue(t time.Time, of *attendance) *wait {
	w := &wait{at: t, of: of, turn: nothing}
	s.insert(w)
	if of != nil {
		of.sleep()
	}
	s.changed()
	return w
}

func (s *Stepped) insert(w *wait) {
	i, _ := slices.BinarySearchFunc(s.waits, w.at, func(other *wait, t time.Time) int {
		if other.at.After(t) {
			return 1
		}
		return -1
	})
	s.waits = slices.Insert(s.waits, i, w)
}

// Visit has steps go to an instant at which something changes though nobody waits for it, such as a slot that
// gets free. An instant that isn't ahead is left alone. The label, which isn't "", is shown by [Stepped.Waiting].
func (s *Stepped) Visit(at time.Time, label string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pass()
	if at.After(s.time()) {
		s.insert(&wait{at: at, turn: nothing, visit: label})
		s.changed()
	}
}

// pass leaves behind the visits that a running clock has passed.
func (s *Stepped) pass() {
	now := s.time()
	s.waits = slices.DeleteFunc(s.waits, func(w *wait) bool { return w.visit != "" && !w.at.After(now) })
}

// workers is how many wait, visits aside.
func (s *Stepped) workers() int {
	n := 0
	for _, w := range s.waits {
		if w.visit == "" {
			n++
		}
	}
	return n
}

// dequeue is for a wait that ends by itself: broken off, or on a clock that runs.
func (s *Stepped) dequeue(w *wait) {
	if i := slices.Index(s.waits, w); i >= 0 {
		s.waits = slices.Delete(s.waits, i, i+1)
	}
	if w.of != nil {
		w.of.rouse()
	}
	s.changed()
}

// wake ends the waits whose instants have come. Their work is awake from here on, before any of
// it runs.
func (s *Stepped) wake() {
	n := 0
	for n < len(s.waits) && !s.waits[n].at.After(s.now) {
		w := s.waits[n]
		w.woken = true
		switch {
		case w.of != nil:
			w.of.rouse()
		case w.visit == "":
			s.awake++ // until leave
		}
		w.turn()
		n++
	}
	s.waits = slices.Delete(s.waits, 0, n)
	s.changed()
}

// leave is for a wait that a step has ended.
func (s *Stepped) leave(w *wait) {
	if w.of == nil {
		s.awake--
		s.changed()
	}
}

// Waiting is what waits and what is to be visited, in order of the instants; those of one instant in order of
// arrival. It is a copy.
func (s *Stepped) Waiting() []Wait {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pass()
	all := make([]Wait, len(s.waits))
	for i, w := range s.waits {
		all[i].At, all[i].Label = w.at, w.visit
		if w.of != nil {
			all[i].Label = w.of.label
		}
	}
	return all
}

// Enter is for [Enter].
func (s *Stepped) Enter(label string) (Clock, func()) {
	a := &attendance{Stepped: s, label: label}
	s.mu.Lock()
	defer s.mu.Unlock()
	a.rouse()
	return attended{a}, a.end
}

// attendance is a piece of work. It is awake while it neither waits nor rests. Its fields are
// guarded by the clock's mu, which its methods in lower case want held, end aside.
type attendance struct {
	*Stepped
	label  string
	active bool
	over   bool
}

func (a *attendance) rouse() {
	if !a.active && !a.over {
		a.active = true
		a.Stepped.awake++
	}
}

func (a *attendance) sleep() {
	if a.active {
		a.active = false
		a.Stepped.awake--
	}
}

func (a *attendance) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sleep()
	a.over = true
	a.changed()
}
