// Package clock tells the time and waits for it: the one place in the program that reads the
// machine's clock or sets a timer, so that a test can put another clock in its stead.
//
// Waiting is always until an instant, never for a while: a deadline reckoned from a request's
// arrival doesn't drift, however late the waits before it were. There are four clocks:
//
//   - [Real] is as exact as Go's timers: late by up to a millisecond on Linux, to the nanosecond
//     in a testing/synctest bubble.
//   - [Precise] is the same clock, on Linux late by some tens of microseconds.
//   - [Scaled] runs so many times faster than another one; at [MaxSpeed] nothing is waited for.
//   - [Stepped] stands until it is told to go on.
//
// Only the mock's own time is held or scaled. A client's time-outs keep running in real time.
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

func (machine) waitWith(ctx context.Context, t time.Time, w *Waiter) error { return w.machine(ctx, t) }

// Waiter waits on a clock again and again, for one goroutine at a time: what one wait needs is kept
// for the next. The zero value with a Clock is ready, and needs no closing.
type Waiter struct {
	Clock Clock
	timer *time.Timer
	wish  *wish
}

// withWaiter is a clock whose waits can keep something for the next.
type withWaiter interface {
	waitWith(ctx context.Context, t time.Time, w *Waiter) error
}

// WaitUntil is what the clock's own WaitUntil is.
func (w *Waiter) WaitUntil(ctx context.Context, t time.Time) error { return w.on(ctx, w.Clock, t) }

func (w *Waiter) on(ctx context.Context, c Clock, t time.Time) error {
	if c, ours := c.(withWaiter); ours {
		return c.waitWith(ctx, t, w)
	}
	return c.WaitUntil(ctx, t)
}

func (w *Waiter) machine(ctx context.Context, t time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d := time.Until(t)
	if d <= 0 {
		return nil
	}
	w.set(d)
	return w.fired(ctx)
}

func (w *Waiter) set(d time.Duration) {
	if w.timer == nil {
		w.timer = time.NewTimer(d)
	} else {
		w.timer.Reset(d)
	}
}

func (w *Waiter) fired(ctx context.Context) error {
	select {
	case <-w.timer.C:
		return nil
	case <-ctx.Done():
		w.timer.Stop()
		return ctx.Err()
	}
}
