package clock

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// notes is an alarm that writes down what it is told; -1 is off.
type notes struct {
	told   []int64
	closed int
}

func (n *notes) set(at int64) { n.told = append(n.told, at) }
func (n *notes) off()         { n.told = append(n.told, -1) }
func (n *notes) close()       { n.closed++ }

const us = 1000

func noted() (*kicker, *notes) {
	n := &notes{}
	return newKicker(n, time.Now()), n
}

func TestTheAlarmIsSetJustAfterTheEarliestInstant(t *testing.T) {
	k, n := noted()
	k.add(&wish{}, 5000*us, 0)
	k.add(&wish{}, 9000*us, 0)
	k.add(&wish{}, 2000*us, 0)
	require.Equal(t, []int64{5000*us + pastDue, 2000*us + pastDue}, n.told)
	k.woken(2000*us, 2010*us)
	require.Equal(t, int64(5000*us+pastDue), n.told[2])
	k.woken(5000*us, 5010*us)
	require.Equal(t, int64(9000*us+pastDue), n.told[3])
}

func TestTheAlarmIsOffWhenNobodyWaits(t *testing.T) {
	k, n := noted()
	a, b := &wish{}, &wish{}
	k.add(a, 5000*us, 0)
	k.add(b, 9000*us, 0)
	k.woken(5000*us, 5010*us)
	k.drop(b, 6000*us)
	require.Equal(t, []int64{5000*us + pastDue, 9000*us + pastDue, -1}, n.told)
	require.Empty(t, k.wishes)
	require.Zero(t, a.place+b.place)

	k.add(a, 10_000*us, 7000*us)
	k.woken(10_000*us, 10_010*us)
	require.EqualValues(t, -1, n.told[len(n.told)-1], "when the last has been woken, too")
}

func TestAWishBrokenOffLeavesTheAlarmToTheNext(t *testing.T) {
	k, n := noted()
	first := &wish{}
	k.add(first, 5000*us, 0)
	k.add(&wish{}, 9000*us, 0)
	k.drop(first, us)
	require.Equal(t, []int64{5000*us + pastDue, 9000*us + pastDue}, n.told)
}

func TestAKickThatFoundNobodyDoesNotSilenceTheNext(t *testing.T) {
	k, n := noted()
	k.add(&wish{}, 5000*us, 0)
	k.add(&wish{}, 8000*us, 6000*us)
	require.Equal(t, int64(8000*us+pastDue), n.told[len(n.told)-1])
}

func TestKicksKeepTheirDistance(t *testing.T) {
	k, n := noted()
	for i := range int64(10) {
		k.add(&wish{}, 1000*us+i*10*us, 0)
	}
	k.woken(1000*us, 1005*us)
	require.Equal(t, []int64{1000*us + pastDue, 1000*us + pastDue + shortestGap}, n.told)
}

func TestABusyMachineIsKickedRarelyAndThenNotForAWhile(t *testing.T) {
	k, n := noted()
	now := int64(0)
	late := func(by int64) {
		w := &wish{}
		k.add(w, now+10_000*us, now)
		now += 10_000*us + by
		k.woken(w.at, now)
	}
	var gaps []int64
	for range 4 {
		late(4000 * us)
		gaps = append(gaps, k.gap)
	}
	require.Equal(t, []int64{400 * us, 800 * us, 1600 * us, 1600 * us}, gaps)
	k.add(&wish{}, now+us, now)
	require.Equal(t, now+busyPause, n.told[len(n.told)-1], "the next is tried after a pause")

	k, _ = noted()
	for range 3 {
		late(3000 * us)
	}
	for range 40 {
		late(20 * us)
	}
	require.EqualValues(t, shortestGap, k.gap, "and it finds back")
}

func TestABacklogIsBusyThoughTheKickIsNoticedAtOnce(t *testing.T) {
	k, _ := noted()
	k.add(&wish{}, 1000*us, 0)
	k.add(&wish{}, 30_000*us, 0)
	k.woken(1000*us, 1001*us+pastDue)
	require.EqualValues(t, shortestGap, k.gap)
	k.woken(10_000*us, 30_000*us+2*pastDue) // twenty milliseconds late, just after a kick
	require.EqualValues(t, 2*shortestGap, k.gap)
}

func TestTheLeadIsLearnedAndOnlyUsedWhileFewWait(t *testing.T) {
	k, _ := noted()
	k.spins = true
	learn := func(takes int64) {
		for i := range int64(500) {
			w := &wish{}
			k.add(w, i*10_000*us+5000*us, i*10_000*us)
			k.woken(w.at, w.at+takes)
		}
		k.forget(0)
	}
	learn(40 * us)
	require.InDelta(t, 40*us, k.lead.Load(), 3*us)
	learn(5000 * us)
	require.EqualValues(t, longestLead, k.lead.Load())
	for i := range int64(few + 1) {
		k.add(&wish{}, never/2+i, 0)
	}
	require.EqualValues(t, dontSpin, k.lead.Load())
}

func TestClosingSilencesTheAlarmOnce(t *testing.T) {
	k, n := noted()
	k.add(&wish{}, 5000*us, 0)
	k.close()
	k.close()
	told := len(n.told)
	k.add(&wish{}, 2000*us, 0)
	k.woken(5000*us, 6000*us)
	require.Equal(t, 1, n.closed)
	require.Len(t, n.told, told)
}

func TestAPreciseClockIsExactInABubbleAndKicksNobodyThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Precise()
		start, w := c.Now(), Waiter{Clock: c}
		for i := range 5 {
			due := start.Add(time.Duration(i) * 17_000_003)
			require.NoError(t, w.WaitUntil(t.Context(), due))
			require.Equal(t, due, c.Now())
		}
		require.Nil(t, c.opened.Load())
	})
}

func TestAPreciseWaitEndsWithItsContextAndNeverEarly(t *testing.T) {
	c := Precise()
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- c.WaitUntil(ctx, c.Now().Add(time.Hour)) }()
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.ErrorIs(t, c.WaitUntil(ctx, c.Now()), context.Canceled)

	w := Waiter{Clock: c}
	for range 50 {
		due := c.Now().Add(20 * time.Microsecond)
		require.NoError(t, w.WaitUntil(t.Context(), due))
		require.False(t, c.Now().Before(due))
	}
}

func TestAPreciseClockIsUsableWhenClosed(t *testing.T) {
	c := Precise()
	for range 2 {
		require.NoError(t, c.WaitUntil(t.Context(), c.Now().Add(time.Microsecond)))
		require.NoError(t, c.Close())
	}
}
