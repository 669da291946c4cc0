package clock_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

const ms = time.Millisecond

func noon() time.Time { return time.Date(2024, 10, 18, 12, 0, 0, 0, time.UTC) }

// streams are pieces of work that each count up at their instants.
type streams struct {
	sync.WaitGroup
	counts []atomic.Int32
	seen   [][]time.Duration // what time it was, from the start
}

// play begins so many streams of so many events, the i-th with its own gap.
func play(ctx context.Context, c clock.Clock, n, events int, gap func(i int) time.Duration) *streams {
	s := &streams{counts: make([]atomic.Int32, n), seen: make([][]time.Duration, n)}
	for i := range n {
		s.Go(func() {
			work, leave := clock.Enter(c, fmt.Sprint("stream ", i))
			defer leave()
			arrived, w := work.Now(), clock.Waiter{Clock: work}
			for k := range events {
				if w.WaitUntil(ctx, arrived.Add(time.Duration(k+1)*gap(i))) != nil {
					return
				}
				s.seen[i] = append(s.seen[i], work.Now().Sub(arrived))
				s.counts[i].Add(1)
			}
		})
	}
	return s
}

func TestAfterKStepsEveryOneOfTwentyStreamsIsAtItsKthEvent(t *testing.T) {
	c := clock.NewStepped(clock.Real(), noon())
	s := play(t.Context(), c, 20, 50, func(int) time.Duration { return 10 * ms })
	require.NoError(t, c.Await(t.Context(), 20))
	for k := 1; k <= 50; k++ {
		n, err := c.NextEvent(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, noon().Add(time.Duration(k)*10*ms), c.Now())
		for i := range s.counts {
			require.EqualValues(t, k, s.counts[i].Load())
		}
	}
	s.Wait()
	require.Empty(t, c.Waiting())
}

func TestNextEventGoesToOneInstantAfterAnother(t *testing.T) {
	c := clock.NewStepped(clock.Real(), noon())
	s := play(t.Context(), c, 2, 3, func(i int) time.Duration { return []time.Duration{10 * ms, 15 * ms}[i] })
	require.NoError(t, c.Await(t.Context(), 2))
	var at []time.Duration
	for range 4 {
		_, err := c.NextEvent(t.Context(), 1)
		require.NoError(t, err)
		at = append(at, c.Now().Sub(noon()))
	}
	require.Equal(t, []time.Duration{10 * ms, 15 * ms, 20 * ms, 30 * ms}, at)
	n, err := c.NextEvent(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	s.Wait()
	require.Equal(t, [][]time.Duration{{10 * ms, 20 * ms, 30 * ms}, {15 * ms, 30 * ms, 45 * ms}}, s.seen)
}

func TestAdvanceWakesEachAtItsOwnInstant(t *testing.T) {
	c := clock.NewStepped(clock.Real(), noon())
	s := play(t.Context(), c, 2, 20, func(i int) time.Duration { return time.Duration(10+i) * ms })
	require.NoError(t, c.Await(t.Context(), 2))
	require.NoError(t, c.Advance(t.Context(), 105*ms))
	require.Equal(t, noon().Add(105*ms), c.Now())
	require.EqualValues(t, 10, s.counts[0].Load())
	require.EqualValues(t, 9, s.counts[1].Load())
	require.Equal(t, []clock.Wait{{At: noon().Add(110 * ms), Label: "stream 0"}, {At: noon().Add(110 * ms), Label: "stream 1"}}, byLabel(c.Waiting()))
	require.NoError(t, c.Advance(t.Context(), time.Second))
	s.Wait()
	for i, seen := range s.seen {
		for k, at := range seen {
			require.Equal(t, time.Duration(k+1)*time.Duration(10+i)*ms, at)
		}
	}
}

func byLabel(waits []clock.Wait) []clock.Wait {
	if len(waits) == 2 && waits[0].Label > waits[1].Label {
		waits[0], waits[1] = waits[1], waits[0]
	}
	return waits
}

func TestNothingMovesBetweenSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.NewStepped(clock.Real(), noon())
		s := play(t.Context(), c, 3, 5, func(int) time.Duration { return ms })
		for k := range int32(5) {
			time.Sleep(time.Hour)
			require.Equal(t, noon().Add(time.Duration(k)*ms), c.Now())
			require.Equal(t, k, s.counts[0].Load())
			_, err := c.NextEvent(t.Context(), 1)
			require.NoError(t, err)
		}
		s.Wait()
	})
}

func TestStepUntilStopsWhereTheCallerSees(t *testing.T) {
	c := clock.NewStepped(clock.Real(), noon())
	ctx, cancel := context.WithCancel(t.Context())
	s := play(ctx, c, 1, 50, func(int) time.Duration { return 10 * ms })
	seven := func() bool { return s.counts[0].Load() == 7 }
	steps, err := c.StepUntil(t.Context(), seven)
	require.NoError(t, err)
	require.Equal(t, 7, steps)
	steps, err = c.StepUntil(t.Context(), seven)
	require.NoError(t, err)
	require.Zero(t, steps, "it's true already")
	cancel()
	s.Wait()
}

func TestAReleasedClockGoesOnAndCanBeHeldAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.NewStepped(clock.Real(), noon())
		s := play(t.Context(), c, 2, 100, func(int) time.Duration { return 10 * ms })
		require.NoError(t, c.Await(t.Context(), 2))
		_, err := c.NextEvent(t.Context(), 3)
		require.NoError(t, err)
		time.Sleep(time.Minute)
		c.Release()
		c.Release()
		require.False(t, c.Held())
		time.Sleep(55 * ms)
		require.Equal(t, noon().Add(85*ms), c.Now())
		require.EqualValues(t, 8, s.counts[0].Load())
		require.ErrorIs(t, c.Advance(t.Context(), ms), clock.ErrRuns)
		c.Hold()
		time.Sleep(time.Minute)
		require.Equal(t, noon().Add(85*ms), c.Now())
		require.Len(t, c.Waiting(), 2)
		_, err = c.NextEvent(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, noon().Add(90*ms), c.Now())
		c.Release()
		s.Wait()
		require.Equal(t, noon().Add(time.Second), c.Now())
		for _, seen := range s.seen {
			for k, at := range seen {
				require.Equal(t, time.Duration(k+1)*10*ms, at)
			}
		}
	})
}

func TestAHeldWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, held := range []bool{true, false} {
			c := clock.NewStepped(clock.Real(), noon())
			ctx, cancel := context.WithTimeout(t.Context(), 3*ms)
			defer cancel()
			work, leave := clock.Enter(c, "leaves")
			if !held {
				c.Release()
			}
			began := time.Now()
			require.ErrorIs(t, work.WaitUntil(ctx, noon().Add(time.Hour)), context.DeadlineExceeded)
			require.Equal(t, 3*ms, time.Since(began))
			require.Empty(t, c.Waiting())
			leave()
			c.Hold()
			require.NoError(t, c.Advance(t.Context(), time.Hour), "it is not awake any more")
		}
	})
}

func TestAStepThatCanNotSettleSaysSoInFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.NewStepped(clock.Real(), noon())
		work, leave := clock.Enter(c, "stuck in a write")
		stuck, began := make(chan struct{}), time.Now()
		go func() {
			defer leave()
			if work.WaitUntil(t.Context(), noon().Add(ms)) == nil {
				<-stuck
			}
		}()
		n, err := c.NextEvent(t.Context(), 2)
		require.ErrorIs(t, err, clock.ErrBusy)
		require.Equal(t, 1, n)
		require.Equal(t, clock.SettleLimit, time.Since(began))
		require.Equal(t, noon().Add(ms), c.Now())
		close(stuck)
		require.NoError(t, c.Advance(t.Context(), 0))
	})
}

func TestWorkThatRestsHoldsNoStepUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.NewStepped(clock.Real(), noon())
		work, leave := clock.Enter(c, "at a gate")
		gate, began := make(chan struct{}), time.Now()
		go func() {
			defer leave()
			resume := clock.Rest(work)
			<-gate
			resume()
			_ = work.WaitUntil(t.Context(), noon().Add(time.Hour+ms))
		}()
		require.NoError(t, c.Advance(t.Context(), time.Hour))
		require.Zero(t, time.Since(began))
		close(gate)
		_, err := c.NextEvent(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, noon().Add(time.Hour+ms), c.Now())
	})
}

func TestAStepWithNothingToStepToWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, began := clock.NewStepped(clock.Real(), noon()), time.Now()
		n, err := c.NextEvent(t.Context(), 1)
		require.ErrorIs(t, err, clock.ErrNothingWaits)
		require.Zero(t, n)
		require.Equal(t, clock.SettleLimit, time.Since(began))
		require.Equal(t, noon(), c.Now())

		ctx, cancel := context.WithTimeout(t.Context(), ms)
		defer cancel()
		_, err = c.NextEvent(ctx, 1)
		require.ErrorIs(t, err, context.DeadlineExceeded)

		time.AfterFunc(time.Second, func() { _ = c.WaitUntil(t.Context(), noon().Add(ms)) })
		n, err = c.NextEvent(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, 1, n)
	})
}

func TestAStepRefusesWhatMakesNoSense(t *testing.T) {
	c := clock.NewStepped(clock.Real(), noon())
	require.ErrorContains(t, c.Advance(t.Context(), -ms), "give a duration of 0 or more")
	_, err := c.NextEvent(t.Context(), 0)
	require.ErrorContains(t, err, "give a number from 1")
}

func TestAStepWaitsForWaitsThatBelongToNoWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, ended := clock.NewStepped(clock.Real(), noon()), make(chan time.Time, 3)
		for i := range 3 {
			go func() {
				_ = c.WaitUntil(t.Context(), noon().Add(time.Duration(i)*ms))
				ended <- c.Now()
			}()
		}
		require.NoError(t, c.Await(t.Context(), 2))
		require.NoError(t, c.Advance(t.Context(), 2*ms))
		synctest.Wait()
		require.Empty(t, c.Waiting())
		require.Len(t, ended, 3)
	})
}

func TestAScaledClockOverASteppedOneIsSteppedToo(t *testing.T) {
	c := clock.NewStepped(clock.Real(), noon())
	fast, err := clock.Scaled(c, 10)
	require.NoError(t, err)
	s := play(t.Context(), fast, 3, 4, func(int) time.Duration { return 10 * ms })
	require.NoError(t, c.Await(t.Context(), 3))
	for k := int32(1); k <= 4; k++ {
		require.NoError(t, c.Advance(t.Context(), ms))
		require.Equal(t, k, s.counts[2].Load())
	}
	s.Wait()
}

func TestEnteringAClockThatDoesNotCareGivesItBack(t *testing.T) {
	work, leave := clock.Enter(clock.Real(), "any")
	require.Equal(t, clock.Real(), work)
	clock.Rest(work)()
	leave()
}
