package plot

import (
	"math"

	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// tooMany requests keep a claim from being drawn: its workload would take seconds to play.
const tooMany = 100_000

// drawable is a range and the column that it is about.
type drawable struct {
	Range
	column string
}

// ranges are those of the claims on a percentile of a time, or on the share of the gaps between two
// lengths, whose requests are answered with what is drawn. Each carries its figure on its own workload.
func (k *kit) ranges() ([]drawable, error) {
	var all []drawable
	for _, s := range k.scenarios {
		found, err := k.rangesOf(s)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func (k *kit) rangesOf(s *scenario.Scenario) ([]drawable, error) {
	o := claim.Options{Seed: k.Seed}
	var made []drawable
	var checks []*scenario.Check
	var gathers []*scenario.Gather
	for _, c := range s.Claims {
		for i := range c.Checks {
			check := &c.Checks[i]
			d, ok := about(check)
			if !ok || claim.Requests(s, check.Measure.Gathered[0], o) > tooMany {
				continue
			}
			d.Claim, d.Says, d.Measure, d.Within, d.Contradicts = c.ID, c.Says, check.Measure.Source, check.Within(), check.Contradicts
			if check.Says != "" {
				d.Says += ": " + check.Says
			}
			made, checks, gathers = append(made, d), append(checks, check), append(gathers, check.Measure.Gathered[0])
		}
	}
	found, err := claim.Find(k.ctx, s, gathers, o)
	if err != nil {
		return nil, err
	}
	var kept []drawable
	for i, d := range made {
		subject := k.answering(s, found[i].Routes)
		if subject == nil || math.IsNaN(found[i].Figure) {
			continue
		}
		d.Tone, d.Figure, d.Measured, d.Holds = subject.tone, found[i].Figure, checks[i].Show(found[i].Figure), checks[i].Holds(found[i].Figure)
		kept = append(kept, d)
	}
	return kept, nil
}

// answering is the subject that answered more than half of the rows; nil when none of those drawn did.
func (k *kit) answering(s *scenario.Scenario, routes map[string]int) *subject {
	for _, one := range k.subjects {
		its, all := 0, 0
		for route, n := range routes {
			all += n
			if one.scenario == s && one.answers(route) {
				its += n
			}
		}
		if 2*its > all {
			return one
		}
	}
	return nil
}

// answers tells whether what a route answers is what is drawn.
func (s *subject) answers(route string) bool {
	if s.route != "" {
		return s.route == route
	}
	for _, r := range s.scenario.Routes {
		if r.Name == route {
			return r.Profile != nil && r.Profile == s.profile
		}
	}
	return false
}

// about is what a check is about, when that can be drawn.
func about(c *scenario.Check) (drawable, bool) {
	m := c.Measure
	if len(m.Gathered) != 1 || m.Value([]float64{1}) != 1 || m.Value([]float64{0.125}) != 0.125 || m.Value([]float64{1e9}) != 1e9 {
		return drawable{}, false // arithmetic is none of either
	}
	g := m.Gathered[0]
	switch {
	case g.Name == "percentile" && g.Of != nil && (g.Of.Plain == "ttft_ms" || g.Of.Plain == "duration_ms"):
		q := float64(g.Quantile[0]) / float64(g.Quantile[1])
		return drawable{Range{From: q, To: q, Low: bound(c.Low), High: bound(c.High)}, g.Of.Plain}, true
	case g.Name == "share" && g.Gaps && g.When != nil && c.High > 0:
		low, high, ok := between(g.When.Test)
		return drawable{Range{From: low, To: high, Low: bound(c.Low), High: bound(c.High)}, "gap_ms"}, ok
	}
	return drawable{}, false
}

// bound is the end of a range; nil when it is open there.
func bound(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// between are the lengths that a test holds gaps between, whatever else it asks.
func between(t *scenario.Test) (low, high float64, ok bool) {
	low, high = math.Inf(-1), math.Inf(1)
	var look func(*scenario.Test)
	look = func(t *scenario.Test) {
		switch {
		case t == nil:
		case t.Op == "and":
			look(t.Of[0])
			look(t.Of[1])
		case t.Column != "gap_ms":
		case t.Op == ">=" || t.Op == ">":
			low = math.Max(low, t.Number)
		case t.Op == "<=" || t.Op == "<":
			high = math.Min(high, t.Number)
		}
	}
	look(t)
	return low, high, low < high && !math.IsInf(low, 0) && !math.IsInf(high, 0)
}
