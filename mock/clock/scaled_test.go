package clock_test

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

func TestAScaledClockDividesEveryDelay(t *testing.T) {
	for factor, want := range map[float64]time.Duration{
		10: 30 * time.Second, 1000: 300 * time.Millisecond, 1: 5 * time.Minute, 0.5: 10 * time.Minute,
	} {
		synctest.Test(t, func(t *testing.T) {
			c, err := clock.Scaled(clock.Real(), factor)
			require.NoError(t, err)
			start, began := c.Now(), time.Now()
			require.Equal(t, began, start)
			require.NoError(t, c.WaitUntil(t.Context(), start.Add(5*time.Minute)))
			require.Equal(t, want, time.Since(began))
			require.Equal(t, 5*time.Minute, c.Now().Sub(start))
			w := clock.Waiter{Clock: c}
			require.NoError(t, w.WaitUntil(t.Context(), start.Add(10*time.Minute)))
			require.Equal(t, 2*want, time.Since(began))
		})
	}
}

func TestAScaledWaitNeverEndsEarlyAndAtMostAFactorOfNanosecondsLate(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		factor := math.Pow(10, 7*draw.Float64()-2)
		d := time.Duration(draw.Int64N(int64(time.Hour)))
		synctest.Test(t, func(t *testing.T) {
			c, err := clock.Scaled(clock.Real(), factor)
			require.NoError(t, err)
			start := c.Now()
			require.NoError(t, c.WaitUntil(t.Context(), start.Add(d)))
			over := c.Now().Sub(start) - d
			require.GreaterOrEqual(t, over, time.Duration(0), "factor %v, %v", factor, d)
			require.LessOrEqual(t, float64(over), factor+1, "factor %v, %v", factor, d)
		})
	}
}

func TestAScaledClockRefusesAnImpossibleSpeed(t *testing.T) {
	for _, factor := range []float64{0, -1, math.NaN(), math.Inf(-1), 1e-4, 1e7} {
		_, err := clock.Scaled(clock.Real(), factor)
		require.ErrorContains(t, err, "a number from 0.001 to 1000000, or max")
	}
}

func TestAScaledWaitEndsWithItsContext(t *testing.T) {
	for _, factor := range []float64{10, clock.MaxSpeed()} {
		c, err := clock.Scaled(clock.Real(), factor)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, c.WaitUntil(ctx, c.Now().Add(time.Hour)), context.Canceled)
	}
}

func TestAtMaxSpeedAWaitTakesNoTimeAndIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := clock.Scaled(clock.Real(), clock.MaxSpeed())
		require.NoError(t, err)
		start, began := c.Now(), time.Now()
		require.NoError(t, c.WaitUntil(t.Context(), start.Add(time.Hour)))
		require.Equal(t, start.Add(time.Hour), c.Now())
		require.NoError(t, c.WaitUntil(t.Context(), start.Add(time.Minute)))
		require.Equal(t, start.Add(time.Hour), c.Now(), "it doesn't go back")
		require.Zero(t, time.Since(began))
		time.Sleep(time.Second)
		require.Equal(t, start.Add(time.Hour+time.Second), c.Now(), "a client that waits really does")
	})
}

func TestAtMaxSpeedWorkAtTheSameTimeMakesNoneLate(t *testing.T) {
	c, err := clock.Scaled(clock.Real(), clock.MaxSpeed())
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			work, leave := clock.Enter(c, "")
			defer leave()
			w, arrived, before := clock.Waiter{Clock: work}, work.Now(), c.Now()
			for i := range 100 {
				due := arrived.Add(time.Duration(i) * time.Second)
				if w.WaitUntil(t.Context(), due) != nil || !work.Now().Equal(due) {
					t.Errorf("at %v, due %v", work.Now(), due)
					return
				}
				now := c.Now()
				if now.Before(before) || now.Before(due) {
					t.Errorf("%v comes after %v and is past %v", now, before, due)
				}
				before = now
			}
		})
	}
	all.Wait()
}
