package clock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

func TestAStepGoesToAnInstantThatNobodyWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.NewStepped(clock.Real(), noon())
		c.Visit(noon(), "over")
		require.Empty(t, c.Waiting())
		c.Visit(noon().Add(20*ms), "slot")
		s := play(t.Context(), c, 1, 3, func(int) time.Duration { return 15 * ms })
		require.NoError(t, c.Await(t.Context(), 1))
		require.Equal(t, []clock.Wait{{At: noon().Add(15 * ms), Label: "stream 0"}, {At: noon().Add(20 * ms), Label: "slot"}}, c.Waiting())
		require.ErrorIs(t, c.Await(t.Context(), 2), clock.ErrNothingWaits, "a visit is nobody who waits")
		for _, at := range []time.Duration{15 * ms, 20 * ms, 30 * ms} {
			_, err := c.NextEvent(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, noon().Add(at), c.Now())
		}
		require.NoError(t, c.Advance(t.Context(), time.Second))
		s.Wait()
	})
}

func TestAVisitThatARunningClockHasPassedIsNoStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.NewStepped(clock.Real(), noon())
		c.Visit(noon().Add(20*ms), "slot")
		c.Release()
		time.Sleep(30 * ms)
		require.Empty(t, c.Waiting())
		c.Visit(c.Now().Add(20*ms), "another")
		time.Sleep(30 * ms)
		c.Hold()
		_, err := c.NextEvent(t.Context(), 1)
		require.ErrorIs(t, err, clock.ErrNothingWaits)
		require.Equal(t, noon().Add(60*ms), c.Now())
	})
}
