package clock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

func TestWaitUntilReturnsAtTheNanosecond(t *testing.T) {
	for _, d := range []time.Duration{1, 17*time.Millisecond + 3, 70 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			c := clock.Real()
			start := c.Now()
			require.NoError(t, c.WaitUntil(t.Context(), start.Add(d)))
			require.Equal(t, d, c.Now().Sub(start))
		})
	}
}

func TestWaitUntilAnInstantThatHasPassedReturnsAtOnce(t *testing.T) {
	for _, d := range []time.Duration{0, -1, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			c := clock.Real()
			start := c.Now()
			require.NoError(t, c.WaitUntil(t.Context(), start.Add(d)))
			require.Zero(t, c.Now().Sub(start))
		})
	}
}

func TestWaitUntilEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.Real()
		start := c.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, c.WaitUntil(ctx, start.Add(time.Hour)), context.DeadlineExceeded)
		require.Equal(t, 3*time.Millisecond, c.Now().Sub(start))
	})
}

func TestAContextThatHasEndedBeatsAnInstantThatHasPassed(t *testing.T) {
	c := clock.Real()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, c.WaitUntil(ctx, c.Now().Add(-time.Hour)), context.Canceled)
}

func TestAWaiterWaitsAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.Real()
		w := clock.Waiter{Clock: c}
		start := c.Now()
		for _, d := range []time.Duration{time.Second, time.Hour, 0, time.Hour + 1} {
			require.NoError(t, w.WaitUntil(t.Context(), start.Add(d)))
			require.GreaterOrEqual(t, c.Now().Sub(start), d)
		}
		require.Equal(t, time.Hour+1, c.Now().Sub(start))
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		require.ErrorIs(t, w.WaitUntil(ctx, c.Now().Add(time.Second)), context.DeadlineExceeded)
		time.Sleep(2 * time.Second) // past the instant that nobody waited for
		again := c.Now()
		require.NoError(t, w.WaitUntil(t.Context(), again.Add(time.Minute)), "after a wait that was broken off")
		require.Equal(t, time.Minute, c.Now().Sub(again))
	})
}

// leaps is a clock that goes to wherever it is waited for.
type leaps struct{ now time.Time }

func (l *leaps) Now() time.Time { return l.now }

func (l *leaps) WaitUntil(_ context.Context, t time.Time) error {
	l.now = t
	return nil
}

func TestAWaiterLeavesAnotherClockItsOwnWay(t *testing.T) {
	c := &leaps{}
	w := clock.Waiter{Clock: c}
	later := c.now.Add(time.Hour)
	require.NoError(t, w.WaitUntil(t.Context(), later))
	require.Equal(t, later, c.now)
}

func BenchmarkWaitUntilThePast(b *testing.B) {
	c, ctx := clock.Real(), b.Context()
	t := c.Now()
	b.ReportAllocs()
	for b.Loop() {
		if c.WaitUntil(ctx, t) != nil {
			b.Fatal("it must not fail")
		}
	}
}
