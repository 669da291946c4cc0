package api

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Holdings are what the service holds of that which has a bound, and what it had to drop or to leave
// waiting since its start.
type Holdings struct {
	// Runs but for the default one, which is never forgotten.
	Runs     run.RunCounts
	MostRuns int
	// Large bodies that wait for room, how often one had to, and how much room there is in all.
	BodiesWaiting int
	BodiesWaited  uint64
	BodiesRoom    int64
	// Scenarios are those that have runs, by name; their runs are taken together.
	Scenarios []Held
}

// Held is what the runs of one scenario hold.
type Held struct {
	Scenario string
	run.UnderWay
}

// Holdings tells what the service holds at the moment.
func (s *Service) Holdings() Holdings {
	h := Holdings{Runs: s.runs.Counts(), MostRuns: run.Most, BodiesRoom: mostAtOnce}
	h.BodiesWaiting, h.BodiesWaited = s.room.counts()
	for _, one := range append(s.runs.All(), s.home.Load()) {
		h.add(one)
	}
	slices.SortFunc(h.Scenarios, func(a, b Held) int { return cmp.Compare(a.Scenario, b.Scenario) })
	return h
}

// add adds a run to those of its scenario. One with an older version of the file may have other profiles.
func (h *Holdings) add(one *session) {
	held := one.UnderWay(one.clock.Now())
	at := slices.IndexFunc(h.Scenarios, func(of Held) bool { return of.Scenario == one.Scenario().Name })
	if at < 0 {
		h.Scenarios = append(h.Scenarios, Held{one.Scenario().Name, held})
		return
	}
	all := &h.Scenarios[at]
	all.Requests += held.Requests
	for _, q := range held.Queues {
		same := slices.IndexFunc(all.Queues, func(of run.Queued) bool { return of.Profile == q.Profile })
		if same < 0 {
			all.Queues = append(all.Queues, q)
			continue
		}
		sum := &all.Queues[same]
		sum.Runs, sum.Slots, sum.Busy, sum.Waiting = sum.Runs+q.Runs, sum.Slots+q.Slots, sum.Busy+q.Busy, sum.Waiting+q.Waiting
	}
}

// Times tells what time it is in each run; in one that is no more, what the server's clock says.
func (s *Service) Times() func(of, name string) time.Time {
	type run struct{ scenario, name string }
	times := map[run]time.Time{}
	for _, one := range append(s.runs.All(), s.home.Load()) {
		times[run{one.Scenario().Name, one.Name()}] = one.clock.Now()
	}
	now := s.Clock.Now()
	return func(of, name string) time.Time {
		if at, kept := times[run{of, name}]; kept {
			return at
		}
		return now
	}
}

// Named is the scenario of that name as it is played from here on; nil when there is none.
func (s *Service) Named(name string) *scenario.Scenario {
	if p, problem := s.load(name); problem == nil {
		return p.Scenario
	}
	return nil
}

// metrics hands out the time series.
func (s *Service) metrics(w http.ResponseWriter, r *http.Request) {
	if s.Metrics == nil {
		refuse(w, http.StatusNotFound, "", "this server counts nothing")
		return
	}
	s.Metrics.ServeHTTP(w, r)
}
