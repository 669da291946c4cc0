package api

import (
	"net/http"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// headers are response header values that never change, made once and shared by all answers.
type headers struct {
	json, events, text, noCache, organization []string
}

func newHeaders() headers {
	return headers{
		json:         []string{"application/json"},
		events:       []string{"text/event-stream; charset=utf-8"},
		text:         []string{"text/plain; charset=utf-8"},
		noCache:      []string{"no-cache"},
		organization: []string{wire.OrganizationID(0)},
	}
}

func (p program) Header(h http.Header) {
	h["Request-Id"] = []string{p.RequestID()}
	if p.Timeline.Status != http.StatusUnauthorized { // or else nobody knows whose request it was
		h["Anthropic-Organization-Id"] = p.service.headers.organization
	}
	if p.Timeline.Streams() {
		h["Content-Type"] = p.service.headers.events
		if p.Timeline.RawText() {
			h["Content-Type"] = p.service.headers.text
		}
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
	if !p.Verbatim {
		own(h, p.Headers)
	}
	p.framing(h)
}

// own puts the scenario's headers in the place of those of the same name. They leave as the file
// spells them, several of one name one after another; one that is to be removed takes the API's with it.
func own(h http.Header, fields []run.Field) {
	for i, f := range fields {
		canonical := http.CanonicalHeaderKey(f.Name)
		name := f.Name
		switch canonical {
		case "Content-Length", "Transfer-Encoding", "Connection": // net/http looks for these
			name = canonical
		}
		if first(fields, i, canonical) {
			h[canonical] = nil // which also keeps net/http from adding its own
		}
		if !f.Remove {
			h[name] = append(h[name], f.Value)
		}
	}
}

// first reports whether no field before i has that name.
func first(fields []run.Field, i int, canonical string) bool {
	for _, f := range fields[:i] {
		if http.CanonicalHeaderKey(f.Name) == canonical {
			return false
		}
	}
	return true
}
