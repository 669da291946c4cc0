package claim

import (
	"context"

	"github.com/seed-954e9acd/orrery/fixtures"
	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Finding is what came of one thing that a measure gathers.
type Finding struct {
	// Figure is in milliseconds, or a part of one; NaN when no row has it.
	Figure float64
	// Routes says how many of the rows that count each route answered.
	Routes map[string]int
}

// Find plays the workloads that the gathers of a scenario speak of, as [Verify] does, and returns a
// finding for each. Of the options only Requests and Seed count.
func Find(ctx context.Context, s *scenario.Scenario, gathers []*scenario.Gather, o Options) ([]Finding, error) {
	replies, err := reply.Open(fixtures.FS)
	if err != nil {
		return nil, err
	}
	o = Options{Requests: o.Requests, Seed: o.Seed}
	found := make([]Finding, len(gathers))
	for _, w := range s.Workloads {
		j := &job{scenario: s, workload: w}
		rows := newGathering(s, 0)
		made := map[int]*witness{}
		for i, g := range gathers {
			if g.Workload == w.Name {
				made[i] = rows.witness(g)
			}
		}
		if len(made) == 0 {
			continue
		}
		variants, err := j.variants(o)
		if err != nil {
			return nil, err
		}
		for _, t := range variants {
			if err := newSimulation(t, s, replies, j.seed(o), rows).play(ctx, func(int) {}); err != nil {
				return nil, j.fail(err)
			}
		}
		for i, one := range made {
			found[i] = Finding{one.figure(), one.routes}
		}
	}
	return found, nil
}

// Requests is how many requests a gather's workload sends, all its variants together, as far as that
// is known before.
func Requests(s *scenario.Scenario, g *scenario.Gather, o Options) uint64 {
	for _, w := range s.Workloads {
		if w.Name == g.Workload {
			return (&job{scenario: s, workload: w}).planned(o)
		}
	}
	return 0
}

// witness counts by route the rows that a gatherer makes its figure of.
type witness struct {
	gatherer
	when   func(*row) bool
	routes map[string]int
}

func (g *gathering) witness(spec *scenario.Gather) *witness {
	among := spec.When
	if spec.Among != nil {
		among = spec.Among
	}
	w := &witness{gatherer: g.of(spec), when: g.condition(among), routes: map[string]int{}}
	if spec.Name == "share" && spec.Among == nil {
		w.when = nil
	}
	if spec.Gaps {
		g.gaps = append(g.gaps, seenBy{w})
	} else {
		g.requests = append(g.requests, seenBy{w})
	}
	return w
}

// seenBy lets a witness see rows that its gatherer sees anyway.
type seenBy struct{ *witness }

func (s seenBy) add(r *row) {
	if s.when == nil || s.when(r) {
		s.routes[r.decision.Route()]++
	}
}
