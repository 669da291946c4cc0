package journal_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

func TestAQueryFindsWhatItNames(t *testing.T) {
	j := journal.New(0)
	whole(j, journal.Arrival{Path: "1", Scenario: "zio", Run: "a"}, `{"model":"m1"}`, &plan{status: 200, route: "fast"})
	whole(j, journal.Arrival{Path: "2", Scenario: "zio", Run: "b"}, `{"model":"m2"}`, &plan{status: 429, route: "slow"})
	whole(j, journal.Arrival{Path: "3", Scenario: "zlip", Run: "a"}, `{"model":"m1"}`,
		&plan{status: 200, route: "slow", marks: map[string]bool{"cached": true, "late": false}})
	j.Open(journal.Arrival{Path: "4", Scenario: "zio", Run: "a"})
	j.Open(journal.Arrival{Path: "5", Scenario: "zlip"}).Close(journal.Refused, journal.Reading, 0)
	for name, test := range map[string]struct {
		query journal.Query
		want  []string
	}{
		"everything":  {journal.Query{}, []string{"1", "2", "3", "4", "5"}},
		"a scenario":  {journal.Query{Scenario: "zio"}, []string{"1", "2", "4"}},
		"a run":       {journal.Query{Scenario: "zio", Run: "a"}, []string{"1", "4"}},
		"a route":     {journal.Query{Route: "slow"}, []string{"2", "3"}},
		"a mark":      {journal.Query{Mark: "cached"}, []string{"3"}},
		"a false one": {journal.Query{Mark: "late"}, nil},
		"a status":    {journal.Query{Status: 200}, []string{"1", "3"}},
		"an outcome":  {journal.Query{Outcome: journal.Open}, []string{"4"}},
		"a model":     {journal.Query{Model: "m1"}, []string{"1", "3"}},
		"several":     {journal.Query{Model: "m1", Route: "slow", Status: 200}, []string{"3"}},
		"nothing":     {journal.Query{Model: "m1", Run: "b"}, nil},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, paths(j.Find(test.query))) })
	}
}

func TestAModelIsFoundByItsValueNotItsSpelling(t *testing.T) {
	j := journal.New(0)
	whole(j, journal.Arrival{Path: "escaped"}, `{"model":"\u006d1"}`, &plan{})
	whole(j, journal.Arrival{Path: "in the text"}, `{"model":"m2","messages":[{"role":"user","content":"m1"}]}`, &plan{})
	whole(j, journal.Arrival{Path: "no JSON"}, `m1`, &plan{})
	require.Equal(t, []string{"escaped"}, paths(j.Find(journal.Query{Model: "m1"})))
}

func TestWaitReturnsAtTheInstantThatEnoughHaveEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(0)
		whole(j, journal.Arrival{Path: "/a", Run: "t"}, "", &plan{})
		go func() {
			b, other := j.Open(journal.Arrival{Path: "/b", Run: "t"}), j.Open(journal.Arrival{Path: "/other"})
			c := j.Open(journal.Arrival{Path: "/c", Run: "t"})
			time.Sleep(time.Second)
			c.Close(journal.Complete, journal.Done, time.Second)
			other.Close(journal.Complete, journal.Done, time.Second)
			time.Sleep(time.Second)
			b.Close(journal.ClientLeft, journal.Waiting, 2*time.Second)
		}()
		start := time.Now()
		got, err := j.Wait(t.Context(), 3, journal.Query{Run: "t"})
		require.NoError(t, err)
		require.Equal(t, 2*time.Second, time.Since(start))
		require.Equal(t, []string{"/a", "/b", "/c"}, paths(got), "in order of arrival")
		got, err = j.Wait(t.Context(), 1, journal.Query{Run: "t"})
		require.NoError(t, err)
		require.Len(t, got, 3, "all that there are")
	})
}

func TestWaitFindsWhatIsThereEvenWhenItsContextHasEnded(t *testing.T) {
	j := journal.New(0)
	whole(j, journal.Arrival{Path: "/a"}, "", &plan{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := j.Wait(ctx, 1, journal.Query{})
	require.NoError(t, err)
	require.Len(t, got, 1)
	got, err = j.Wait(ctx, 0, journal.Query{Run: "none"})
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestWaitTellsEvictedFromNeverCame(t *testing.T) {
	for name, test := range map[string]struct {
		first   string // the run of the one that is evicted
		why     error
		message string
	}{
		"never came": {"other", journal.ErrNeverCame,
			"1 of 3 requests ended (1 under way, 0 evicted): never came: context deadline exceeded"},
		"evicted": {"t", journal.ErrEvicted,
			"1 of 3 requests ended (1 under way, 1 evicted): evicted: context deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := journal.New(2000) // room for three
				whole(j, journal.Arrival{Path: "/first", Run: test.first}, "", &plan{})
				whole(j, journal.Arrival{Path: "/other"}, "", &plan{})
				whole(j, journal.Arrival{Path: "/a", Run: "t"}, "", &plan{})
				j.Open(journal.Arrival{Path: "/b", Run: "t"})
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				got, err := j.Wait(ctx, 3, journal.Query{Run: "t"})
				require.ErrorIs(t, err, test.why)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.EqualError(t, err, test.message)
				require.Equal(t, []string{"/a"}, paths(got), "what there is comes all the same")
				require.Equal(t, 1, j.Evicted())
			})
		})
	}
}

func TestWhatIsEvictedDuringAWaitStillCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(2000) // room for three
		go func() {
			early := j.Open(journal.Arrival{Path: "early"})
			for range 9 {
				time.Sleep(time.Second)
				whole(j, journal.Arrival{Path: "x"}, "", &plan{})
			}
			early.Close(journal.Complete, journal.Done, 9*time.Second)
		}()
		got, err := j.Wait(t.Context(), 10, journal.Query{})
		require.NoError(t, err)
		require.Len(t, got, 10)
		require.Equal(t, "early", got[0].Path)
		require.Greater(t, j.Evicted(), 5)
	})
}

// hooked is a Decision that does something when it is asked for its route.
type hooked struct {
	*plan
	asked func()
}

func (h hooked) Route() string {
	h.asked()
	return h.plan.Route()
}

func TestWhatEndsWhileWaitLooksIsCountedOnce(t *testing.T) {
	j := journal.New(0)
	a, b := j.Open(journal.Arrival{Path: "/a"}), j.Open(journal.Arrival{Path: "/b"})
	b.Decided(1, "req_2", &plan{route: "answer"})
	a.Decided(1, "req_1", hooked{&plan{route: "answer"}, func() { b.Close(journal.Complete, journal.Done, 0) }})
	a.Close(journal.Complete, journal.Done, 0)
	got, err := j.Wait(t.Context(), 2, journal.Query{Route: "answer"})
	require.NoError(t, err)
	require.Equal(t, []string{"/a", "/b"}, paths(got))
}

func TestAfterAResetOnlyWhatArrivesThenCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(0)
		whole(j, journal.Arrival{Path: "/old"}, "", &plan{})
		old := j.Open(journal.Arrival{Path: "/old"})
		go func() {
			time.Sleep(time.Second)
			j.Reset()
			old.Close(journal.Complete, journal.Done, 0)
			whole(j, journal.Arrival{Path: "/new"}, "", &plan{})
			time.Sleep(time.Second)
			whole(j, journal.Arrival{Path: "/new"}, "", &plan{})
		}()
		start := time.Now()
		got, err := j.Wait(t.Context(), 2, journal.Query{})
		require.NoError(t, err)
		require.Equal(t, []string{"/new", "/new"}, paths(got))
		require.Equal(t, 2*time.Second, time.Since(start))
	})
}
