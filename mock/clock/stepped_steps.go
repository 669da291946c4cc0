package clock

import (
	"context"
	"fmt"
	"time"
)

// attended is a [Stepped] clock as a piece of work sees it.
type attended struct{ work *attendance }

func (a attended) Now() time.Time { return a.work.Now() }

func (a attended) WaitUntil(ctx context.Context, t time.Time) error {
	return a.work.wait(ctx, t, a.work)
}

// Rest is for [Rest].
func (a attended) Rest() func() {
	s := a.work.Stepped
	s.mu.Lock()
	defer s.mu.Unlock()
	a.work.sleep()
	s.changed()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		a.work.rouse()
	}
}

// Advance takes the clock on by d, from one awaited instant to the next, and returns when all work
// that this woke has come to rest. At 0 it only waits for that. The error is ctx's, [ErrBusy] or
// [ErrRuns], or that d is negative; the clock then stands where it came to.
func (s *Stepped) Advance(ctx context.Context, d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("advancing a clock by %v: it can't go back; give a duration of 0 or more", d)
	}
	return s.stepping(ctx, func() error {
		end := s.Now().Add(d)
		for {
			if err := s.settle(ctx); err != nil {
				return err
			}
			more, err := s.goOn(end)
			if !more {
				return err
			}
		}
	})
}

// goOn goes to the next awaited instant up to end, or to end when there is none before.
func (s *Stepped) goOn(end time.Time) (more bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.held {
		return false, ErrRuns
	}
	if len(s.waits) == 0 || s.waits[0].at.After(end) {
		s.now = end
		return false, nil
	}
	s.now = s.waits[0].at
	s.wake()
	return true, nil
}

// NextEvent takes the clock n times to the earliest instant that is waited for, each time waking
// all who wait for it and letting them come to rest; an instant of [Stepped.Visit] counts as one. n is 1 or more. Where nothing waits, it waits
// [SettleLimit] of real time for something that does. It returns how many instants it went to.
// The error is ctx's, [ErrNothingWaits], [ErrBusy] or [ErrRuns], or that n is less than 1.
func (s *Stepped) NextEvent(ctx context.Context, n int) (int, error) {
	if n < 1 {
		return 0, fmt.Errorf("stepping a clock by %d events: give a number from 1", n)
	}
	gone := 0
	return s.StepUntil(ctx, func() bool { gone++; return gone > n })
}

// StepUntil is NextEvent again and again until done, which is asked first and after each instant,
// with all work at rest. done may read this clock, and may not step it. For the first token of a
// stream, say, let done look for it in the journal.
func (s *Stepped) StepUntil(ctx context.Context, done func() bool) (steps int, err error) {
	err = s.stepping(ctx, func() error {
		for {
			if err := s.settle(ctx); err != nil {
				return err
			}
			if done() {
				return nil
			}
			if err := s.until(ctx, ErrNothingWaits, func() bool { return len(s.waits) > 0 }); err != nil {
				return err
			}
			// What came meanwhile may not have come alone, nor to its wait.
			if err := s.settle(ctx); err != nil {
				return err
			}
			went, err := s.next()
			if err != nil {
				return err
			}
			if went {
				steps++
			}
		}
	})
	return steps, err
}

func (s *Stepped) next() (went bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.held {
		return false, ErrRuns
	}
	if len(s.waits) == 0 {
		return false, nil
	}
	s.now = s.waits[0].at
	s.wake()
	return true, nil
}

// stepping lets one step be made at a time, and only on a clock that is held.
func (s *Stepped) stepping(ctx context.Context, step func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case s.steps <- struct{}{}:
		defer func() { <-s.steps }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if !s.Held() {
		return ErrRuns
	}
	return step()
}

// Await returns when at least n wait on the clock: so many streams, say, that are to be stepped
// together. The error is ctx's, or [ErrNothingWaits] after [SettleLimit] of real time.
func (s *Stepped) Await(ctx context.Context, n int) error {
	return s.AwaitThat(ctx, func() bool { return s.workers() >= n })
}

// AwaitThat returns when holds does, which is asked first and whenever work comes to wait or ends. It may not use
// this clock. The error is ctx's, or [ErrNothingWaits] after [SettleLimit] of real time. The clock isn't moved.
func (s *Stepped) AwaitThat(ctx context.Context, holds func() bool) error {
	return s.until(ctx, ErrNothingWaits, holds)
}

// settle waits for the work that is awake.
func (s *Stepped) settle(ctx context.Context) error {
	return s.until(ctx, ErrBusy, func() bool { return s.awake == 0 })
}

// until waits for a condition that is asked under mu, after each change.
func (s *Stepped) until(ctx context.Context, late error, holds func() bool) error {
	var limit *time.Timer
	for {
		s.mu.Lock()
		met, change := holds(), s.change
		s.mu.Unlock()
		if met {
			return nil
		}
		if limit == nil {
			limit = time.NewTimer(SettleLimit)
			defer limit.Stop()
		}
		select {
		case <-change:
		case <-limit.C:
			return late
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
