package run

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// part is a named share of what the first token, or a whole answer, takes.
type part struct {
	name string
	took time.Duration
}

func (d *Decision) part(name string, took time.Duration) {
	d.parts = append(d.parts, part{name, took})
}

// Parts are the named shares of what the first token takes or, of an answer whose profile times it
// as a whole, the whole answer: those of a sum, the wait in a queue ("queue"), the time for the input
// tokens ("input_tokens"); beside these two, what isn't a sum goes by its timing point ("first-token",
// "respond"). They add up to the nanosecond. Nil for an answer that isn't made of parts.
func (d *Decision) Parts() map[string]time.Duration {
	if len(d.parts) == 0 {
		return nil
	}
	all := make(map[string]time.Duration, len(d.parts))
	for _, p := range d.parts {
		all[p.name] += p.took
	}
	return all
}

// Part is one of [Decision.Parts]; ok is false when there is none of that name.
func (d *Decision) Part(name string) (took time.Duration, ok bool) {
	for _, p := range d.parts {
		if p.name == name {
			return p.took, true
		}
	}
	return 0, false
}

// input is the time that so many input tokens take (R37).
func (s points) input(d *Decision, tokens int) time.Duration {
	if s.profile == nil || s.profile.PerInputToken == 0 {
		return 0
	}
	took := latency.Scale(int64(s.profile.PerInputToken), int64(max(tokens, 0))*one)
	d.part(scenario.InputPart, time.Duration(latency.Scale(took, s.factor)))
	return time.Duration(latency.Scale(took, s.factor))
}

// placed builds the answer, behind its wait when the profile has a queue.
func (s points) placed(d *Decision, build func(wait time.Duration) error) error {
	if s.queue == nil {
		return build(0)
	}
	return s.queued(d, build)
}

// fail answers with the outcome's error when the profile says so.
func (s points) fail(d *Decision, q *Query, o *scenario.Outcome) error {
	takes := s.respond(d) + s.input(d, q.Request.InputTokens)
	return s.placed(d, func(wait time.Duration) error {
		if err := d.refuse(s.run.facts, o.Error, wait+takes); err != nil {
			return err
		}
		d.Verbatim = o.VerbatimHead
		d.breaks(q, o)
		return nil
	})
}

// asItStands answers with the outcome's own status and body when the profile says so.
func (s points) asItStands(d *Decision, q *Query, o *scenario.Outcome) error {
	takes := s.respond(d) + s.input(d, q.Request.InputTokens)
	return s.placed(d, func(wait time.Duration) error {
		d.Timeline = timeline.Raw(o.HTTP.Status, o.HTTP.Bytes(), wait+takes, d.look)
		d.Headers = append(d.Headers, Field{Name: "Content-Type", Value: o.HTTP.ContentType, Remove: o.HTTP.ContentType == ""})
		d.breaks(q, o)
		return nil
	})
}

// silence is the plan of a request that is never answered.
func (s points) silence(d *Decision) error {
	return s.placed(d, func(time.Duration) error {
		d.Timeline = timeline.Silence(d.look)
		return nil
	})
}

// utilizations adds the facts that say how busy queues are, where an expression reads them.
func (r *Run) utilizations() {
	for _, q := range r.queues {
		if name := q.BusyFact(); r.scenario.Uses(name) {
			r.facts.reads(name, func(_ *Query, s *Snapshot) any { return q.utilization(s.Elapsed) })
		}
	}
}
