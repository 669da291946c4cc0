package api

import (
	"net/http"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/play"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// headers are response header values that never change, made once and shared by all answers.
type headers struct {
	json, events, noCache, organization []string
}

func newHeaders() headers {
	return headers{
		json:         []string{"application/json"},
		events:       []string{"text/event-stream; charset=utf-8"},
		noCache:      []string{"no-cache"},
		organization: []string{wire.OrganizationID(0)},
	}
}

// program is a decision as package play plays it.
type program struct {
	service *Service
	*run.Decision
	complete bool // as a completion
}

func (p program) Status() int { return p.Timeline.Status }

func (p program) Header(h http.Header) {
	h["Request-Id"] = []string{p.RequestID()}
	if p.Timeline.Status != http.StatusUnauthorized { // or else nobody knows whose request it was
		h["Anthropic-Organization-Id"] = p.service.headers.organization
	}
	if p.Timeline.Streams() {
		h["Content-Type"] = p.service.headers.events
		h["Cache-Control"] = p.service.headers.noCache
	} else {
		h["Content-Type"] = p.service.headers.json
	}
	if p.Timeline.Error != nil {
		p.Timeline.Error.Header(h.Set)
	}
	if rates := p.Rates(); rates != nil && (p.Timeline.Status == http.StatusOK || p.Timeline.Status == http.StatusTooManyRequests) {
		rateHeaders(h, rates)
	}
	if p.Scenario().API.CDNHeaders {
		cdnHeaders(h, p)
	}
	for _, f := range p.Headers {
		h.Set(f.Name, f.Value)
	}
}

func (p program) Len() int { return p.Timeline.Len() }

func (p program) Step(i int) (time.Duration, play.Kind) {
	s := p.Timeline.Step(i)
	switch s.Kind {
	case timeline.Head:
		return s.Due, play.Head
	case timeline.End:
		return s.Due, play.End
	default:
		return s.Due, play.Write
	}
}

func (p program) Append(dst []byte, i int) []byte { return appendStep(dst, p.Timeline, i, p.complete) }

func appendStep(dst []byte, t *timeline.Timeline, i int, complete bool) []byte {
	if complete && t.Message != nil {
		return appendCompletion(dst, t, i)
	}
	return t.Append(dst, i)
}

// decided is a decision as the journal describes it.
type decided struct {
	*run.Decision
	complete bool // as a completion
}

func (d decided) Status() int        { return d.Timeline.Status }
func (d decided) Warnings() []string { return d.Decision.Warnings }

func (d decided) Charge() *journal.Charge {
	m := d.Timeline.Message
	if m == nil {
		return nil
	}
	return &journal.Charge{
		Date: d.Date(), Model: m.Model, Figures: d.Figures(),
		Usage: journal.Usage{
			Input: m.Usage.Input, Output: m.Usage.Output, CacheCreation: m.Usage.CacheCreation, CacheRead: m.Usage.CacheRead,
		},
	}
}

func (d decided) Draws() []journal.Draw {
	draws := d.Decision.Draws()
	all := make([]journal.Draw, len(draws))
	for i, w := range draws {
		all[i] = journal.Draw{Place: w.Place, N: w.N, U: uint32(w.U)}
	}
	return all
}

func (d decided) Len() int { return d.Timeline.Len() }

func (d decided) Step(i int) journal.Step {
	s := d.Timeline.Step(i)
	step := journal.Step{
		Kind: s.Kind.String(), Index: int(s.Block), Tokens: s.Tokens(),
		Planned: s.Due, Actual: -1, Bytes: len(appendStep(nil, d.Timeline, i, d.complete)),
	}
	if m := d.Timeline.Message; s.Kind == timeline.Body && m != nil {
		step.Tokens = m.Usage.Output
	}
	if s.Kind.IsEvent() {
		step.Kind, step.Event = "event", s.Kind.String()
	}
	return step
}
