package journal_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// The bound is that of the server: a run more takes its share from the others. What goes on beside it are the
// counters, whose number has a bound of its own.
func TestTheJournalHasOneBoundHoweverManyRunsThereAre(t *testing.T) {
	const limit, requests, counters = 4 << 20, 20_000, 4 << 20
	for _, runs := range []int{1, 1000, 20_000} {
		t.Run(fmt.Sprint(runs), func(t *testing.T) {
			before := heap()
			j := journal.New(limit)
			for i := range requests {
				a := arrival()
				a.Run = fmt.Sprint("run-", i%runs)
				whole(j, a, string(make([]byte, 2000)), &plan{status: 200, route: fmt.Sprint("route ", i%100), steps: make([]journal.Step, 20)})
			}
			require.Less(t, heap()-before, int64(limit+counters))
			kept := j.All()
			require.Equal(t, requests, len(kept)+j.Evicted())
			require.Greater(t, len(kept), limit/(2000+20*32+2000), "what fits is kept")
			require.Equal(t, fmt.Sprint("run-", (requests-1)%runs), j.Last().Run)
			require.Equal(t, requests, j.Count(journal.Query{Status: 200}).Seen, "counts go on")
		})
	}
}
