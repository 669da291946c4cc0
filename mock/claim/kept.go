package claim

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Kept is a request that the journal has, and how long ago it ended.
type Kept struct {
	journal.Closed
	Age time.Duration
}

// Metrics works out the scenario's metrics, in their order, from requests of its runs: by the measures of claims,
// over what was really sent and when. One without a value is NaN, as the share of nothing is. The error
// is that of the first formula that can't be worked out.
func Metrics(s *scenario.Scenario, requests []Kept) ([]float64, error) {
	spans := map[time.Duration]*gathering{}
	gathered := make([][]gatherer, len(s.Metrics))
	for i, m := range s.Metrics {
		g := spans[m.Over]
		if g == nil {
			g = newGathering(s, uint64(len(requests)))
			spans[m.Over] = g
		}
		for _, spec := range m.Measure.Gathered {
			gathered[i] = append(gathered[i], g.of(spec))
		}
	}
	// What asks for the time between requests wants those of a run behind one another.
	requests = slices.Clone(requests)
	slices.SortStableFunc(requests, func(a, b Kept) int { return cmp.Compare(a.Run(), b.Run()) })
	var longest time.Duration
	for over := range spans {
		longest = max(longest, over)
	}
	var r row
	last := ""
	for i := range requests {
		k := &requests[i]
		if k.Age > longest || !r.keep(s, k) {
			continue
		}
		for over, g := range spans {
			if last != k.Run() {
				g.fresh()
			}
			if k.Age <= over {
				g.add(&r)
			}
		}
		last = k.Run()
	}
	figures := make([]float64, len(s.Metrics))
	for i, m := range s.Metrics {
		values := make([]float64, len(gathered[i]))
		for k, one := range gathered[i] {
			values[k] = one.figure()
		}
		figures[i] = m.Measure.Value(values)
		if math.IsInf(figures[i], 0) {
			figures[i] = math.NaN()
		}
	}
	for _, g := range spans {
		if g.problem != nil {
			return figures, g.problem
		}
	}
	return figures, nil
}

// keep makes it the row of a request to the messages endpoint or the older one; not ok of any other, and
// of one that ended before anything was decided.
func (r *row) keep(s *scenario.Scenario, k *Kept) (ok bool) {
	of, ok := k.Decision().(interface{ Decided() *run.Decision })
	if !ok || !generates(s, k.Path()) {
		return false
	}
	d := of.Decided()
	connection, requests := k.Connection()
	status := d.Timeline.Status
	*r = row{
		seen: played{decided{d}, k}, decision: d, sent: asked{k}, elapsed: d.Snapshot().Elapsed, status: status,
		answered: k.Outcome() == journal.Complete && status/100 == 2 && whole(d),
		left:     k.Outcome() == journal.ClientLeft, try: k.Attempt(), connection: connection, requests: requests,
	}
	sent := 0
	for _, at := range k.Sent() {
		r.ended, sent = max(r.ended, at), sent+1
	}
	if r.answered {
		r.has |= scenario.Answered
	}
	if r.left {
		r.has |= scenario.Left
		r.ended, r.released = k.Ended(), max(k.Released()-k.Ended(), 0)
		if sent == 0 {
			r.status = 0
		}
	}
	if d.Timeline.Streams() {
		r.has |= scenario.Streamed
	}
	return true
}

// generates reports whether a request to the path is for a message or a completion.
func generates(s *scenario.Scenario, path string) bool {
	if strings.HasSuffix(path, "/v1/messages") || strings.HasSuffix(path, "/v1/complete") {
		return true
	}
	for own := range s.API.Paths {
		if strings.HasSuffix(path, own) {
			return true
		}
	}
	return false
}

// played is an answer as it was really sent.
type played struct {
	decided
	kept *Kept
}

func (p played) bytes(time.Duration) int { return int(p.kept.Bytes()) }

func (p played) ttft() time.Duration {
	last := time.Duration(0)
	for i, at := range p.kept.Sent() {
		if p.isDelta(i) {
			return at
		}
		last = at
	}
	return last
}

func (p played) isDelta(step int) bool {
	s := p.Timeline.Step(step)
	return s.Kind == timeline.Delta || s.Kind == timeline.Bytes && p.Timeline.Event(step) == timeline.Delta.String()
}

func (p played) gaps(_ time.Duration, each func(gap time.Duration, tokens int)) {
	before := time.Duration(-1)
	for i, at := range p.kept.Sent() {
		if !p.isDelta(i) {
			continue
		}
		if before >= 0 {
			each(at-before, p.Timeline.Step(i).Tokens())
		}
		before = at
	}
}

// asked is a request as the journal has it: of what was sent, only what scenario files may ask of metrics.
type asked struct{ *Kept }

func (a asked) headerOf(name string) string { return a.Header(name) }

func (a asked) value(name string) any {
	switch _, requests := a.Connection(); name {
	case "protocol":
		return a.Protocol()
	case "connection":
		if requests > 1 {
			return "reuse"
		}
		return "new"
	}
	return nil
}
