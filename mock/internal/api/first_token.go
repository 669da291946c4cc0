package api

import (
	"sync/atomic"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/play"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// firstToken is the record of an answer whose first token is counted, so that a clock can be stepped to it.
type firstToken struct {
	*journal.Record
	plan  *timeline.Timeline
	begun *atomic.Int64
	sent  bool
}

const contentDelta = "content_block_delta"

// Wrote is told of a step that was sent.
func (f *firstToken) Wrote(step int, at time.Duration, bytes int) {
	f.Record.Wrote(step, at, bytes)
	if !f.sent && f.plan.Event(step) == contentDelta {
		f.sent = true
		f.begun.Add(1)
	}
}

// none reports whether the answer has no token to wait for.
func (f *firstToken) none() bool {
	for i := range f.plan.Len() {
		if f.plan.Event(i) == contentDelta {
			return false
		}
	}
	return true
}

// recorder is who is told of the answer's steps: the entry, and on a stepped clock whoever waits for the first token.
func (x *exchange) recorder(d *run.Decision) play.Recorder {
	if x.run.stepped == nil {
		return x.entry
	}
	x.first = &firstToken{Record: x.entry, plan: d.Timeline, begun: &x.run.begun}
	return x.first
}

// spoke counts an answer that has ended and had no token to send: nobody need wait for one any more.
func (x *exchange) spoke() {
	if x.run.stepped != nil && (x.first == nil || x.first.none()) {
		x.run.begun.Add(1)
	}
}
