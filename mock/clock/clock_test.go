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

func TestWaitForWaitsFromNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.Real()
		start := c.Now()
		require.NoError(t, clock.WaitFor(t.Context(), c, time.Second))
		require.NoError(t, clock.WaitFor(t.Context(), c, -time.Second))
		require.Equal(t, time.Second, c.Now().Sub(start))
	})
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
