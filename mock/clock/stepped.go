package clock

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Stepped is a clock that stands until it is told to go on: by a while ([Stepped.Advance]), to what
// is waited for next ([Stepped.NextEvent]), or for good ([Stepped.Release]). It has no goroutine
// and needs no closing. Only those who wait on it stand still; a client's own time-outs keep
// running in real time.
//
// A step goes from one awaited instant to the next, and at each wakes all who wait for it. Before
// it goes on, and before it returns, it lets the work that is awake come to rest: to its next wait,
// to [Rest], or to its end. So nothing moves between steps, and the time that work sees on waking
// is the instant it waited for. This holds for work that was begun with [Enter]; of a wait without
// it no more is known than that it has ended.
//
// For work that doesn't come to rest, such as a write to a client that doesn't read, a step waits
// [SettleLimit] of real time and then fails with [ErrBusy], having gone no further.
type Stepped struct {
	base  Clock
	steps chan struct{} // holds a token while a step is under way

	mu     sync.Mutex // guards what follows
	held   bool
	now    time.Time // while held; else at the time of release
	freed  time.Time // on base, at the time of release
	waits  waits
	awake  int           // pieces of work, and waits of nobody's that a step has ended
	change chan struct{} // closed at the next change of waits or awake
}

// SettleLimit is for how long, in real time, a step waits for work to come to rest, and for
// something to step to.
const SettleLimit = 5 * time.Second

// What can go wrong with a step.
var (
	// ErrBusy: some work that is awake neither waits nor ends.
	ErrBusy = errors.New("work that was woken doesn't come to rest: its client may not read; look at it in the journal, or end it")
	// ErrNothingWaits: there is nothing to step to.
	ErrNothingWaits = errors.New("nothing waits on the clock: send the request first, or stop stepping when its answer has ended")
	// ErrRuns: the clock isn't held.
	ErrRuns = errors.New("the clock runs: hold it before stepping it")
)

// NewStepped is a clock that stands at start. Released, it goes as base goes; between waits on
// base, such as [Real] or [Precise], there is no difference to it.
func NewStepped(base Clock, start time.Time) *Stepped {
	return &Stepped{base: base, held: true, now: start, steps: make(chan struct{}, 1), change: make(chan struct{})}
}

// Now stands while the clock is held.
func (s *Stepped) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.time()
}

func (s *Stepped) time() time.Time {
	if s.held {
		return s.now
	}
	return s.now.Add(s.base.Now().Sub(s.freed))
}

// Held says whether the clock stands.
func (s *Stepped) Held() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

// Hold stops the clock where it is. It does nothing to one that stands.
func (s *Stepped) Hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held {
		return
	}
	s.now, s.held = s.time(), true
	s.pass()
	s.turn()
}

// Release lets the clock go on as its base does, until Hold. It does nothing to one that goes.
func (s *Stepped) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.held {
		return
	}
	s.freed, s.held = s.base.Now(), false
	s.turn()
}

// turn sends every wait to look anew whether the clock is held.
func (s *Stepped) turn() {
	for _, w := range s.waits {
		w.turn()
	}
	s.changed()
}

// changed wakes the steps that wait for the clock's work.
func (s *Stepped) changed() {
	close(s.change)
	s.change = make(chan struct{})
}

// WaitUntil is [Clock.WaitUntil].
func (s *Stepped) WaitUntil(ctx context.Context, t time.Time) error {
	return s.wait(ctx, t, nil)
}

// wait waits for one piece of work, or for nobody in particular.
func (s *Stepped) wait(ctx context.Context, t time.Time, of *attendance) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.time().Before(t) {
		return nil
	}
	w := s.enqueue(t, of)
	for {
		err := s.waitOnce(ctx, w)
		if w.woken {
			s.leave(w)
			return nil // a step woke it, whatever has happened to ctx since
		}
		if err == nil && s.time().Before(t) {
			continue // held or released
		}
		s.dequeue(w)
		return err
	}
}

// waitOnce waits as the clock is, held or released, until that changes. It is called with mu
// held, and returns so.
func (s *Stepped) waitOnce(ctx context.Context, w *wait) error {
	turned := make(chan struct{})
	if s.held {
		w.turn = sync.OnceFunc(func() { close(turned) })
		s.mu.Unlock()
		defer s.mu.Lock()
		select {
		case <-turned:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	on := s.freed.Add(w.at.Sub(s.now))
	until, cancel := context.WithCancel(ctx)
	w.turn = cancel
	s.mu.Unlock()
	defer s.mu.Lock()
	defer cancel()
	if err := s.base.WaitUntil(until, on); err != nil {
		return ctx.Err() // nil when it was turned
	}
	return nil
}
