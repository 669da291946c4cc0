package mock_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// twentyEvents answers with six events around fourteen deltas, at odd nanoseconds.
const twentyEvents = `
orrery: 1
name: twenty-events
seed: 20
profiles:
  odd:
    headers: {uniform: [1ms, 2ms]}
    message-start: {uniform: [3ms, 40ms]}
    first-token: {lognormal: {p50: 100ms, p99: 300ms, min: 50ms}}
    token-gap: {lognormal: {p50: 10ms, p99: 60ms}}
    stop: {uniform: [0, 3ms]}
routes: [{name: all, profile: odd, reply: {tokens: 14}}]
`

// TestEveryEventLeavesAtItsPlannedNanosecond reads 10,000 streams, 50 at any time.
func TestEveryEventLeavesAtItsPlannedNanosecond(t *testing.T) {
	requests := 10_000
	if testing.Short() || raceDetector {
		requests = 500
	}
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(twentyEvents))
		c := calling(srv)
		ask := body(fields{"stream": true})
		seen := map[string][]time.Duration{} // at the client, by request-id
		var mu sync.Mutex
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				for range requests / 50 {
					l, err := c.listen(t.Context(), ask)
					if err != nil {
						return
					}
					events, _ := l.rest()
					mu.Lock()
					seen[l.Header.Get("Request-Id")] = each(events, func(e event) time.Duration { return e.at })
					mu.Unlock()
				}
			})
		}
		group.Wait()

		entries := srv.Journal().All()
		require.Len(t, entries, requests)
		distinct := map[time.Duration]bool{}
		for _, e := range entries {
			require.Equal(t, journal.Complete, e.Outcome)
			require.Equal(t, e.Planned(), e.Actual())
			require.Equal(t, e.PlannedDuration(), e.Ended)
			events := make([]time.Duration, 0, 20)
			for _, s := range e.Steps {
				if s.Kind == "event" {
					events = append(events, s.Planned)
				}
			}
			require.Len(t, events, 20)
			require.Equal(t, events, seen[e.RequestID])
			distinct[e.PlannedDuration()] = true
		}
		require.Greater(t, len(distinct), requests*9/10, "plans differ")
	})
}

func TestWholeAnswersLeaveAtTheirPlannedNanosecond(t *testing.T) {
	for _, scenario := range []string{"messages", "zero-plane", "zio", "zlip"} {
		t.Run(scenario, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := mock.StartInMemory(t, mock.Scenario(scenario))
				seen := map[string]time.Duration{}
				for _, a := range calling(srv).postAll(t, 200, 20, question(nil)) {
					seen[a.header.Get("Request-Id")] = a.took
				}
				for _, e := range srv.Journal().All() {
					require.Equal(t, e.Planned(), e.Actual())
					require.Equal(t, e.PlannedDuration(), seen[e.RequestID])
				}
			})
		})
	}
}
