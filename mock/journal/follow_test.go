package journal_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

func TestAFollowerGetsWhatEndsInThatOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(0)
		whole(j, journal.Arrival{Path: "before", Run: "t"}, "", &plan{})
		a := j.Open(journal.Arrival{Path: "a", Run: "t"})
		f := j.Follow(journal.Query{Run: "t"})
		ctx, cancel := context.WithCancel(t.Context())
		var got []journal.Entry
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for e := range f.Entries(ctx) {
				got = append(got, e)
			}
		}()
		whole(j, journal.Arrival{Path: "b", Run: "t"}, "", &plan{})
		whole(j, journal.Arrival{Path: "c", Run: "other"}, "", &plan{})
		synctest.Wait()
		require.Equal(t, []string{"b"}, paths(got), "at once")
		a.Close(journal.Complete, journal.Done, 0)
		synctest.Wait()
		require.Equal(t, []string{"b", "a"}, paths(got))
		cancel()
		<-ended
		f.Close()
		f.Close()
		whole(j, journal.Arrival{Path: "after", Run: "t"}, "", &plan{})
		require.Zero(t, f.Dropped())
	})
}

func TestASlowFollowerLosesEntriesAndKnowsHowMany(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		held int
	}{
		"by number": {"", 1024},
		"by bytes":  {string(make([]byte, 1<<20)), 7}, // of 8 MB, with what else a record costs
	} {
		t.Run(name, func(t *testing.T) {
			j := journal.New(1 << 20)
			f := j.Follow(journal.Query{})
			defer f.Close()
			for i := range 1500 {
				whole(j, journal.Arrival{Path: fmt.Sprint(i)}, test.body, &plan{})
			}
			require.Equal(t, 1500-test.held, f.Dropped())
			var got []journal.Entry
			for e := range f.Entries(t.Context()) {
				if got = append(got, e); len(got) == test.held {
					break
				}
			}
			require.Equal(t, "0", got[0].Path, "evicted or not")
			require.Equal(t, fmt.Sprint(test.held-1), got[test.held-1].Path)
			whole(j, journal.Arrival{Path: "next"}, test.body, &plan{})
			for e := range f.Entries(t.Context()) {
				require.Equal(t, "next", e.Path, "there is room again")
				break
			}
		})
	}
}

func TestUntilAsksAgainWheneverARequestEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(0)
		a, b := j.Open(journal.Arrival{}), j.Open(journal.Arrival{})
		go func() {
			time.Sleep(time.Second)
			a.Close(journal.Complete, journal.Done, 0)
			time.Sleep(time.Second)
			b.Close(journal.Complete, journal.Done, 0)
		}()
		start := time.Now()
		require.NoError(t, j.Until(t.Context(), func() bool { return j.UnderWay(journal.Query{}).Seen == 0 }))
		require.Equal(t, 2*time.Second, time.Since(start))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, j.Until(ctx, func() bool { return false }), context.DeadlineExceeded)
	})
}

func TestLatenessIsMeasuredPerRequestAndPerRun(t *testing.T) {
	j := journal.New(0)
	steps := make([]time.Duration, 197) // 200 with head, start and end
	for i := range steps {
		steps[i] = time.Duration(i) * ms
	}
	for run, late := range map[string]time.Duration{"a": ms, "b": 10 * ms} {
		p := streamed(steps...)
		r := j.Open(journal.Arrival{Run: run})
		r.Decided(1, "req_1", p)
		for i, s := range p.steps[:199] {
			by := late
			if i < 2 { // 1 % of all, and one more
				by = 5 * late
			}
			r.Wrote(i, s.Planned+by, 1)
		}
		r.Close(journal.ClientLeft, journal.Streaming, 0)
	}
	e := j.Find(journal.Query{Run: "a"})[0]
	require.Equal(t, 5*ms, e.Lateness())
	require.Equal(t, 5*ms, e.LatenessP99(), "198 of 199 steps, by the nearest rank")
	l := j.Lateness(journal.Query{Run: "b"})
	require.Equal(t, 1, l.Requests)
	require.EqualValues(t, 199, l.Steps)
	require.Equal(t, 50*ms, l.Max)
	require.InEpsilon(t, 50*ms, l.P99, 0.001)
	both := j.Lateness(journal.Query{})
	require.EqualValues(t, 398, both.Steps)
	require.InEpsilon(t, 10*ms, both.P99, 0.001)
	require.GreaterOrEqual(t, both.P99, 10*ms)
	require.Equal(t, journal.Lateness{}, j.Lateness(journal.Query{Run: "none"}))
	require.Zero(t, journal.Entry{}.LatenessP99())
}

func TestAGateMovesThePlan(t *testing.T) {
	j := journal.New(0)
	r := j.Open(journal.Arrival{})
	r.Decided(1, "req_1", streamed(10*ms, 20*ms))
	r.Held(3, time.Second)
	r.Wrote(3, 1020*ms, 10)
	require.Zero(t, j.Last().Lateness())
	require.Equal(t, []time.Duration{10 * ms, 10 * ms, 10 * ms, 1020 * ms, 1020 * ms}, j.Last().Planned())
}
