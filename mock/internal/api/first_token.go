package api

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/play"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// firstToken is the record of an answer whose first token is counted, so that a clock can be stepped to it.
type firstToken struct {
	*journal.Record
	plan          *timeline.Timeline
	begun, silent *atomic.Int64
	sent          bool
}

// Wrote is told of a step that was sent.
func (f *firstToken) Wrote(step int, at time.Duration, bytes int) {
	f.Record.Wrote(step, at, bytes)
	if !f.sent && f.plan.Event(step) == journal.ContentDelta {
		f.sent = true
		f.begun.Add(1)
		f.silent.Add(-1)
	}
}

// none reports whether the answer has no token to wait for.
func (f *firstToken) none() bool {
	for i := range f.plan.Len() {
		if f.plan.Event(i) == journal.ContentDelta {
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
	x.first = &firstToken{Record: x.entry, plan: d.Timeline, begun: &x.run.begun, silent: &x.run.silent}
	return x.first
}

// spoke counts an answer that has ended and had no token to send: nobody need wait for one any more.
func (x *exchange) spoke() {
	if x.first == nil || !x.first.sent {
		x.run.silent.Add(-1)
	}
	if x.run.stepped != nil && (x.first == nil || x.first.none()) {
		x.run.begun.Add(1)
	}
}

// errNoFirstToken is told to whoever steps to a first token that can't come.
var errNoFirstToken = errors.New("nothing open is before its first token: send another request first; {\"next\": 1} or {\"release\": true} goes on with what is open")

// stepToFirstToken goes to the next first token of those under way. While none of them is before its own, the clock
// stands: a request that is on its way has [clock.SettleLimit] to arrive.
func (s *session) stepToFirstToken(ctx context.Context) (steps int, err error) {
	before := s.begun.Load()
	begun := func() bool { return s.begun.Load() > before }
	if err := s.stepped.Advance(ctx, 0); err != nil {
		return 0, err
	}
	err = s.stepped.AwaitThat(ctx, func() bool { return begun() || s.silent.Load() > 0 })
	if err != nil {
		if errors.Is(err, clock.ErrNothingWaits) && s.answering.Load() > 0 {
			err = errNoFirstToken
		}
		return 0, err
	}
	steps, err = s.stepped.StepUntil(ctx, func() bool { return begun() || s.silent.Load() == 0 })
	if err == nil && !begun() {
		err = errNoFirstToken // its client has left meanwhile
	}
	return steps, err
}
