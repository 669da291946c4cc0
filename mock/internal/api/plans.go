package api

import (
	"bytes"
	"context"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// Plans are the entries that the next n requests like r would leave in the journal of an idle
// server, each arriving when the one before has ended (R49). Nothing is played, so no step has an
// actual time. An error is about reading r's body.
func (s *Service) Plans(r *http.Request, n int) ([]journal.Entry, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	rehearsal := s.Config
	rehearsal.Default, rehearsal.Library = s.Playing(), s.Scenarios()
	rehearsal.Journal = journal.New(math.MaxInt64)
	rehearsal.Logger = nil
	rehearsal.Store = nil // what is only planned leaves nothing behind
	rehearsal.Clock = &still{s.Clock.Now()}
	idle := New(rehearsal)
	idle.named, idle.drafts = s.Store, s.drafts
	idle.perform = (*exchange).rehearse
	// A router of its own finds the way: one that led r here has gone another.
	ctx := context.WithValue(r.Context(), chi.RouteCtxKey, (*chi.Context)(nil))
	for range n {
		again := r.Clone(ctx)
		again.Body = io.NopCloser(bytes.NewReader(body))
		again.ContentLength = int64(len(body))
		idle.ServeHTTP(nobody{}, again)
	}
	return idle.Journal.All(), nil
}

// rehearse puts the decision in the journal, and moves on to its end.
func (x *exchange) rehearse(d *run.Decision) {
	x.entry.Decided(d.Ordinal, d.RequestID(), decided{d})
	x.outcome, x.phase = journal.Open, journal.Waiting
	if d.Timeline.Duration() >= timeline.Never { // its client leaves at once
		x.run.Forget(d, x.query.Arrived)
		return
	}
	x.entry.Released(d.Released())
	// A still clock has no error to give.
	_ = x.clock.WaitUntil(x.r.Context(), x.query.Arrived.Add(d.Timeline.Duration()))
}

// still is a clock that stands until it is waited on, and then is there at once. Only one
// goroutine may use it.
type still struct{ now time.Time }

func (c *still) Now() time.Time { return c.now }

func (c *still) WaitUntil(_ context.Context, t time.Time) error {
	if t.After(c.now) {
		c.now = t
	}
	return nil
}

// nobody is where the answer to a rehearsal goes.
type nobody struct{}

func (nobody) Header() http.Header         { return http.Header{} }
func (nobody) Write(b []byte) (int, error) { return len(b), nil }
func (nobody) WriteHeader(int)             {}
