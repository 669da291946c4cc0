// Package clock tells the time and waits for it: the one place in the program that reads the
// machine's clock or sets a timer, so that a test can put another clock in its stead.
//
// Waiting is always until an instant, never for a while: a deadline reckoned from a request's
// arrival doesn't drift, however late the waits before it were. [Real] is as exact as Go's
// timers: late by up to a millisecond on Linux, to the nanosecond in a testing/synctest bubble.
//
//	c := clock.Real()
//	arrived := c.Now()
//	err := c.WaitUntil(ctx, arrived.Add(150*time.Millisecond))
package clock

import (
	"context"
	"time"
)

// Clock is a source of time that can be waited on. Its methods may be called from any number of
// goroutines at once. Instants of different clocks don't compare.
type Clock interface {
	// Now is the instant on this clock.
	Now() time.Time
	// WaitUntil returns nil at t, or at once when t has passed. It returns ctx's error when ctx
	// ends first, and also when ctx had ended before the call, even if t has passed.
	WaitUntil(ctx context.Context, t time.Time) error
}

// Real is the machine's clock, waited on with Go's own timers. Its instants carry a monotonic
// reading, so a change of the machine's date moves no deadline.
func Real() Clock { return machine{} }

type machine struct{}

func (machine) Now() time.Time { return time.Now() }

func (machine) WaitUntil(ctx context.Context, t time.Time) error {
	return new(Waiter).machine(ctx, t)
}

// Waiter waits on a clock again and again, for one goroutine at a time: on the machine's clock
// with one timer for all its waits.
type Waiter struct {
	Clock Clock
	timer *time.Timer
}

// WaitUntil is what the clock's own WaitUntil is.
func (w *Waiter) WaitUntil(ctx context.Context, t time.Time) error {
	if _, real := w.Clock.(machine); real {
		return w.machine(ctx, t)
	}
	return w.Clock.WaitUntil(ctx, t)
}

func (w *Waiter) machine(ctx context.Context, t time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d := time.Until(t)
	if d <= 0 {
		return nil
	}
	if w.timer == nil {
		w.timer = time.NewTimer(d)
	} else {
		w.timer.Reset(d)
	}
	select {
	case <-w.timer.C:
		return nil
	case <-ctx.Done():
		w.timer.Stop()
		return ctx.Err()
	}
}
