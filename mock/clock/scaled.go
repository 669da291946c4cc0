package clock

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// MaxSpeed is the factor at which nothing is waited for.
func MaxSpeed() float64 { return math.Inf(1) }

// The speeds that a clock may have, beside [MaxSpeed].
const (
	SlowestSpeed = 0.001
	FastestSpeed = 1_000_000
)

// Scaled runs factor times as fast as base: at 10 every delay takes a tenth. It shows base's time
// at first. The factor is from [SlowestSpeed] to [FastestSpeed], or [MaxSpeed]; any other is an
// error. Its instants are as coarse as the factor: at 1,000 a wait may end up to a microsecond of
// its own time (a nanosecond of base's) after its instant, and never before.
//
// At MaxSpeed a wait until t returns at once, and afterwards it is t or later for everybody;
// between waits the clock goes as base does. Each piece of work (see [Enter]) has a time of its
// own, which begins when the work does, stands still between its waits, and is exactly t after each:
// so what is done at the same time doesn't make one another late.
func Scaled(base Clock, factor float64) (Clock, error) {
	switch {
	case factor == MaxSpeed():
		return &leaping{base: base}, nil
	case factor >= SlowestSpeed && factor <= FastestSpeed:
		return &scaled{base: base, origin: base.Now(), factor: factor}, nil
	}
	return nil, fmt.Errorf("a clock's speed: %v; it is a number from %v to %d, or max", factor, SlowestSpeed, FastestSpeed)
}

type scaled struct {
	base   Clock
	origin time.Time // on both clocks
	factor float64
}

func (s *scaled) Now() time.Time { return s.origin.Add(s.since(s.base.Now().Sub(s.origin))) }

// since is how long it is since the origin on this clock, when it is d on base. It never falls
// as d rises.
func (s *scaled) since(d time.Duration) time.Duration {
	ns := math.Floor(float64(d) * s.factor)
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

// toBase is the least d for which since(d) reaches x.
func (s *scaled) toBase(x time.Duration) time.Duration {
	ns := math.Ceil(float64(x) / s.factor)
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	d := time.Duration(ns)
	for s.since(d-1) >= x { // rounding has gone up
		d--
	}
	for s.since(d) < x { // or down
		d++
	}
	return d
}

func (s *scaled) WaitUntil(ctx context.Context, t time.Time) error {
	return s.base.WaitUntil(ctx, s.origin.Add(s.toBase(t.Sub(s.origin))))
}

func (s *scaled) waitWith(ctx context.Context, t time.Time, w *Waiter) error {
	return w.on(ctx, s.base, s.origin.Add(s.toBase(t.Sub(s.origin))))
}

// Enter is for [Enter].
func (s *scaled) Enter(label string) (Clock, func()) {
	if _, host := s.base.(Host); !host {
		return s, nothing
	}
	work, leave := Enter(s.base, label)
	return &scaled{base: work, origin: s.origin, factor: s.factor}, leave
}

// Rest is for [Rest].
func (s *scaled) Rest() func() { return Rest(s.base) }

// leaping is base's time, and what has been leapt over.
type leaping struct {
	base  Clock
	leapt atomic.Int64 // in ns; it only rises
}

func (l *leaping) Now() time.Time { return l.base.Now().Add(time.Duration(l.leapt.Load())) }

func (l *leaping) WaitUntil(ctx context.Context, t time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.reach(t)
	return nil
}

func (l *leaping) reach(t time.Time) {
	missing := int64(t.Sub(l.base.Now()))
	for {
		leapt := l.leapt.Load()
		if leapt >= missing || l.leapt.CompareAndSwap(leapt, missing) {
			return
		}
	}
}

// Enter is for [Enter].
func (l *leaping) Enter(string) (Clock, func()) {
	o := &own{shared: l}
	o.now.Store(new(l.Now()))
	return o, nothing
}

// own is the time of one piece of work.
type own struct {
	shared *leaping
	now    atomic.Pointer[time.Time]
}

func (o *own) Now() time.Time { return *o.now.Load() }

func (o *own) WaitUntil(ctx context.Context, t time.Time) error {
	if err := o.shared.WaitUntil(ctx, t); err != nil {
		return err
	}
	for {
		now := o.now.Load()
		if !now.Before(t) || o.now.CompareAndSwap(now, &t) {
			return nil
		}
	}
}
