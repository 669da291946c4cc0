package journal_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// B97: of 150 requests only some are kept, and yet all are counted.
func TestCountsGoOnWhenRecordsAreEvicted(t *testing.T) {
	j := journal.New(70_000)
	for i := range 150 {
		p := &plan{status: 200, route: "answer", marks: map[string]bool{"hit": i%3 == 0, "miss": false}}
		if i%10 == 0 {
			p.status, p.route = 429, "refused"
		}
		whole(j, journal.Arrival{Scenario: "zio", Run: fmt.Sprint("t", i%2)}, "", p)
	}
	kept := len(j.All())
	require.Less(t, kept, 120)
	require.Greater(t, kept, 20)
	for name, test := range map[string]struct {
		query journal.Query
		seen  int
	}{
		"all":                      {journal.Query{}, 150},
		"a run":                    {journal.Query{Scenario: "zio", Run: "t1"}, 75},
		"a run by name":            {journal.Query{Run: "t0"}, 75},
		"a route":                  {journal.Query{Route: "refused"}, 15},
		"a status":                 {journal.Query{Status: 429}, 15},
		"a range":                  {journal.Query{StatusFrom: 200, StatusTo: 299}, 135},
		"a mark":                   {journal.Query{Mark: "hit"}, 50},
		"a mark that isn't":        {journal.Query{Mark: "miss"}, 0},
		"an outcome":               {journal.Query{Outcome: journal.Complete}, 150},
		"none":                     {journal.Query{Run: "t9"}, 0},
		"a run's route":            {journal.Query{Run: "t0", Route: "refused"}, 15},
		"two, of which one is all": {journal.Query{Status: 429, Outcome: journal.Complete}, 15},
	} {
		c := j.Count(test.query)
		require.True(t, c.Exact, name)
		require.Equal(t, test.seen, c.Seen, name)
		require.Equal(t, len(j.Find(test.query)), c.Kept, name)
		require.Equal(t, c.Seen, c.Kept+c.Evicted, name)
		require.Equal(t, test.seen == 0, c.Never(), name)
	}
}

func TestACountThatCannotBeKnownSaysSo(t *testing.T) {
	j := journal.New(2000) // room for three
	for i := range 10 {
		status := 200
		if i < 4 {
			status = 429
		}
		whole(j, journal.Arrival{Run: "t"}, `{"model":"m"}`, &plan{status: status, marks: map[string]bool{"hit": i%2 == 0}})
	}
	c := j.Count(journal.Query{Status: 429, Mark: "hit"})
	require.Equal(t, journal.Count{Seen: 4, Evicted: 4}, c, "it can't be more than have the status")
	require.Equal(t, "0 to 4 (4 evicted may have matched)", c.String())
	require.False(t, c.Never())
	c = j.Count(journal.Query{Model: "m"})
	require.Equal(t, journal.Count{Seen: 10, Kept: 3, Evicted: 7}, c)
	c = j.Count(journal.Query{Model: "m", Run: "other"})
	require.Equal(t, journal.Count{Exact: true}, c, "no record of that run was evicted")
	require.Equal(t, "10 (7 evicted)", j.Count(journal.Query{Run: "t"}).String())
}

func TestWhatIsDecidedAndEndsAfterItsEvictionIsCounted(t *testing.T) {
	j := journal.New(2000)
	early, decided := j.Open(journal.Arrival{Run: "t"}), j.Open(journal.Arrival{Run: "t"})
	decided.Decided(1, "req_1", &plan{status: 200, route: "answer"})
	for range 3 {
		whole(j, journal.Arrival{Run: "other"}, "", &plan{status: 500})
	}
	require.Equal(t, 2, j.Evicted())
	require.Equal(t, journal.Count{Seen: 2, Evicted: 2, Exact: true}, j.UnderWay(journal.Query{Run: "t"}))
	require.Equal(t, 1, j.Count(journal.Query{Route: "answer"}).Seen)
	early.Decided(2, "req_2", &plan{status: 429, route: "answer", marks: map[string]bool{"hit": true}})
	early.Close(journal.Refused, journal.Done, ms)
	decided.Close(journal.ClientLeft, journal.Streaming, ms)
	decided.Close(journal.Complete, journal.Done, ms)
	require.Zero(t, j.UnderWay(journal.Query{}).Seen)
	for q, want := range map[string]journal.Query{
		"2 answer": {Route: "answer"}, "1 429": {Status: 429}, "1 hit": {Mark: "hit"},
		"1 left": {Outcome: journal.ClientLeft}, "1 refused": {Outcome: journal.Refused}, "0 complete": {Outcome: journal.Complete, Run: "t"},
	} {
		require.Equal(t, q[:1], fmt.Sprint(j.Count(want).Seen), q)
	}
}

func TestClearingARunLeavesTheOthers(t *testing.T) {
	j := journal.New(4600) // room for seven
	open := j.Open(journal.Arrival{Run: "a"})
	for range 5 {
		whole(j, journal.Arrival{Run: "a"}, "", &plan{status: 200})
		whole(j, journal.Arrival{Run: "b"}, "", &plan{status: 200})
	}
	late := j.Open(journal.Arrival{Run: "a"})
	require.NotZero(t, j.Evicted())
	j.Clear("", "a")
	require.Equal(t, journal.Count{Exact: true}, j.Count(journal.Query{Run: "a"}))
	require.Equal(t, 5, j.Count(journal.Query{Run: "b"}).Seen)
	require.Equal(t, 5, j.Len())
	require.Equal(t, 5, j.Evicted()+len(j.All()))
	open.Close(journal.Complete, journal.Done, 0)
	late.Decided(3, "req_3", &plan{status: 500})
	late.Close(journal.Failed, journal.Done, 0)
	require.Equal(t, journal.Count{Exact: true}, j.Count(journal.Query{Run: "a"}), "what was under way leaves no trace")
	require.Zero(t, j.Count(journal.Query{Outcome: journal.Failed}).Seen)
	whole(j, journal.Arrival{Run: "a"}, "", &plan{status: 200})
	require.Equal(t, 1, j.Count(journal.Query{Run: "a"}).Seen)
	require.EqualValues(t, 13, j.Last().Sequence, "sequences go on")
}

func TestCountersAreBoundedAndSayWhatTheyCantTell(t *testing.T) {
	j := journal.New(700) // room for one
	const runs = journal.MostCounters
	for i := range runs {
		whole(j, journal.Arrival{Run: fmt.Sprint(i)}, "", &plan{status: 200})
	}
	require.Equal(t, runs, j.Len())
	require.Equal(t, journal.Count{Seen: runs, Kept: 1, Evicted: runs - 1, Exact: true}, j.Count(journal.Query{}), "all together they are known")
	c := j.Count(journal.Query{Run: "9999"})
	require.False(t, c.Exact)
	require.Equal(t, 1, c.Kept)
	require.Greater(t, c.Seen, runs/2, "it may be any of those that share a counter")
	j.Reset()
	for i := range 3 {
		whole(j, journal.Arrival{Run: fmt.Sprint(i)}, "", &plan{status: 200})
	}
	require.Equal(t, journal.Count{Seen: 1, Evicted: 1, Exact: true}, j.Count(journal.Query{Run: "0"}), "there is room again")
}
