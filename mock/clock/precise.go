package clock

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// PreciseClock is the clock that [Precise] makes.
type PreciseClock struct {
	machine
	opened atomic.Pointer[opened]
}

// opened is what waits have needed since the first of them, and stays until Close.
type opened struct {
	kicks *kicker // nil where there are none
}

// Precise is the machine's clock, waited on with Go's own timers that are kicked on time: on Linux
// a wait ends some tens of microseconds after its instant instead of up to a millisecond; elsewhere,
// in a testing/synctest bubble, and where the kernel has no timerfd it is what [Real] is.
//
// It costs nothing but memory while nobody waits, and has no goroutine. The first wait opens a file
// descriptor, which Close closes; that of a clock that was forgotten is closed when the memory is
// reclaimed. While few wait (at most 32), up to 80 µs of each wait are spent spinning, if there is
// more than one processor.
//
// A busy machine meets no deadline however it is kicked: then the kicks grow rarer, and the clock
// is for moments what [Real] is.
func Precise() *PreciseClock { return &PreciseClock{} }

// Close gives the file descriptor back. Waits under way end no later than those of [Real], and so
// do later ones. Closing twice does nothing. It never fails.
func (c *PreciseClock) Close() error {
	if o := c.opened.Swap(&opened{}); o != nil && o.kicks != nil {
		o.kicks.close()
	}
	return nil
}

// WaitUntil is [Clock.WaitUntil].
func (c *PreciseClock) WaitUntil(ctx context.Context, t time.Time) error {
	return c.waitWith(ctx, t, new(Waiter))
}

func (c *PreciseClock) waitWith(ctx context.Context, t time.Time, w *Waiter) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := time.Now()
	if !now.Before(t) {
		return nil
	}
	k := c.kicker(now)
	if k == nil {
		return w.machine(ctx, t)
	}
	return k.wait(ctx, w, now, t)
}

// kicker is nil when there is nothing to kick with.
func (c *PreciseClock) kicker(now time.Time) *kicker {
	if inBubble(now) {
		return nil
	}
	o := c.opened.Load()
	if o == nil {
		o = c.open()
	}
	return o.kicks
}

func (c *PreciseClock) open() *opened {
	o := &opened{}
	if a, start, err := openAlarm(); err == nil {
		o.kicks = newKicker(a, start)
		o.kicks.spins = runtime.GOMAXPROCS(0) > 1
	}
	if c.opened.CompareAndSwap(nil, o) {
		return o
	}
	if o.kicks != nil {
		o.kicks.close()
	}
	return c.opened.Load()
}

// inBubble tells the made-up time of a testing/synctest bubble by its having no monotonic reading.
func inBubble(now time.Time) bool { return now == now.Round(0) }
