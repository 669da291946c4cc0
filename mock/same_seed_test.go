package mock_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// played is a run's plans and answers, in the order of its ordinals.
type played struct {
	plans, answers []string
	times          []string          // the plans' alone
	draws          map[string]uint32 // by place and number
}

// asked is how many requests playAll makes.
func asked() int {
	if testing.Short() || raceDetector {
		return 80
	}
	return 200
}

// playAll asks so many at once, and gathers what came of it.
func playAll(t *testing.T, scenario string, seed *uint64, atOnce int, body func(i int) []byte) (p played) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		options := []mock.Option{mock.Scenario(scenario)}
		if seed != nil {
			options = append(options, mock.Seed(*seed))
		}
		srv := mock.StartInMemory(t, options...)
		answers := calling(srv, optIn, "zero-plane-2024").postAll(t, asked(), atOnce, body)

		entries := srv.Journal().All()
		slices.SortFunc(entries, func(a, b journal.Entry) int { return int(a.Ordinal) - int(b.Ordinal) })
		ordinals := map[string]uint64{}
		p.draws = map[string]uint32{}
		for _, e := range entries {
			ordinals[e.RequestID] = e.Ordinal
			p.plans = append(p.plans, plan(t, e))
			p.times = append(p.times, fmt.Sprint(e.Planned()))
			for _, d := range e.Draws {
				p.draws[fmt.Sprint(d.Place, " ", d.N)] = d.U
			}
		}
		p.answers = make([]string, len(answers))
		for _, a := range answers {
			p.answers[ordinals[a.header.Get("Request-Id")]-1] = string(a.body)
		}
	})
	return p
}

// plan is the entry's JSON without what depends on the moment: arrival, connection, actual times,
// and how many others were under way.
func plan(t *testing.T, e journal.Entry) string {
	t.Helper()
	b, err := json.Marshal(e)
	require.NoError(t, err)
	var all map[string]any
	require.NoError(t, json.Unmarshal(b, &all))
	for _, moment := range []string{"sequence", "arrived", "ended_ns", "connection", "connection_requests"} {
		require.Contains(t, all, moment)
		delete(all, moment)
	}
	for _, moment := range []string{"arrived_unix_ns", "client_qps", "qps", "concurrency", "connection.requests"} {
		delete(all["facts"].(map[string]any), moment)
	}
	for _, step := range all["steps"].([]any) {
		delete(step.(map[string]any), "actual_ns")
	}
	b, err = json.Marshal(all)
	require.NoError(t, err)
	return string(b)
}

// requireSame compares one by one, so that what differs can be read.
func requireSame(t *testing.T, want, got played) {
	t.Helper()
	require.Equal(t, want.draws, got.draws)
	require.Len(t, got.plans, len(want.plans))
	for i := range want.plans {
		require.Equal(t, want.plans[i], got.plans[i])
		require.Equal(t, want.answers[i], got.answers[i])
	}
}

func TestASeedDecidesEverything(t *testing.T) {
	for _, scenario := range []string{"messages", "zero-plane", "zio", "zlip"} {
		for name, members := range map[string]fields{"whole": nil, "streamed": {"stream": true}} {
			if scenario == "zero-plane" && name == "streamed" {
				continue // it refuses
			}
			t.Run(scenario+" "+name, func(t *testing.T) {
				same := func(int) []byte { return body(members) }
				alone := playAll(t, scenario, nil, 1, same)
				again := playAll(t, scenario, nil, 1, same)
				crowded := playAll(t, scenario, nil, 64, same)
				requireSame(t, alone, again)
				requireSame(t, alone, crowded)

				other := uint64(99)
				others := playAll(t, scenario, &other, 64, same)
				require.Len(t, others.plans, len(alone.plans))
				for i := range alone.plans {
					require.NotEqual(t, alone.plans[i], others.plans[i])
					require.NotEqual(t, alone.answers[i], others.answers[i])
					require.NotEqual(t, alone.times[i], others.times[i])
				}
			})
		}
	}
}

func TestASeedDecidesEachDrawWhateverIsAsked(t *testing.T) {
	mixed := func(i int) []byte {
		members := fields{"max_tokens": 1 + i, "stream": i%3 == 0}
		if i%4 == 0 {
			members["model"] = "claude-3-opus-20240229"
		}
		return question(members)(i)
	}
	backwards := func(i int) []byte { return mixed(asked() - 1 - i) }
	for _, scenario := range []string{"messages", "zero-plane", "zio", "zlip"} {
		t.Run(scenario, func(t *testing.T) {
			alone := playAll(t, scenario, nil, 1, mixed)
			require.NotEmpty(t, alone.draws)
			require.Equal(t, alone.draws, playAll(t, scenario, nil, 64, mixed).draws)
			require.Equal(t, alone.draws, playAll(t, scenario, nil, 64, backwards).draws)
		})
	}
}

func TestPlansAreWhatIsPlayed(t *testing.T) {
	for _, scenario := range []string{"messages", "zio", "zlip"} {
		t.Run(scenario, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := mock.StartInMemory(t, mock.Scenario(scenario))
				c := calling(srv)
				request, err := c.request(t.Context(), "/v1/messages", body(nil))
				require.NoError(t, err)
				promised, err := srv.Plans(request, 5)
				require.NoError(t, err)
				require.Zero(t, srv.Journal().Len(), "planning leaves no trace")
				c.postAll(t, 5, 1, func(int) []byte { return body(nil) })
				for i, e := range srv.Journal().All() {
					require.Equal(t, promised[i].Planned(), e.Planned())
					require.Equal(t, e.Planned(), e.Actual())
					require.Equal(t, promised[i].RequestID, e.RequestID)
				}
			})
		})
	}
}
