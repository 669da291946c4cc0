package mock

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

const (
	// patience is how long an assertion waits for what is under way to end.
	patience = 2 * time.Second
	// pollEvery is how often the number of open connections is looked at: they tell nobody.
	pollEvery = 5 * time.Millisecond
)

// RequireCount fails the test unless exactly n requests match, whether they have ended or not; those
// count too whose records the journal had to drop. While there are fewer it waits up to 2 s for
// requests under way to end, but for none to arrive: that is what [journal.Journal.Wait] is for. A
// failure shows the nearest requests, their plans, and the command that plans them again.
func (h *Handler) RequireCount(tb TB, n int, q journal.Query) {
	tb.Helper()
	c := h.settled(q, func(c journal.Count) bool { return c.Kept >= n || c.Exact && c.Seen >= n })
	switch {
	case !c.Exact:
		tb.Fatalf("%s", h.report(fmt.Sprintf("nobody knows whether %d requests match %s: it is %s; raise the journal's limit, "+
			"or ask for one of scenario, run, route, status, outcome and mark alone, which are counted", n, q, c), q))
	case c.Seen != n:
		tb.Fatalf("%s", h.report(fmt.Sprintf("%s requests match %s, not %d", c, q, n), q))
	}
}

// RequireNone fails the test when a request matches, or when one may have whose record is gone. It
// waits up to 2 s for requests under way when the query asks how they end.
func (h *Handler) RequireNone(tb TB, q journal.Query) {
	tb.Helper()
	c := h.settled(q, func(c journal.Count) bool {
		return c.Kept > 0 || q.Outcome == "" && q.Phase == "" && q.Where == nil
	})
	switch {
	case c.Seen == 0:
	case c.Kept == 0 && !c.Exact:
		tb.Fatalf("%s", h.report(fmt.Sprintf("nobody knows whether a request matched %s: %d that may have were evicted", q, c.Evicted), q))
	default:
		tb.Fatalf("%s", h.report(fmt.Sprintf("%s requests match %s, not one should", c, q), q))
	}
}

// settled counts what matches once that is enough, or no request of the query's runs is under way.
func (h *Handler) settled(q journal.Query, enough func(journal.Count) bool) journal.Count {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var c journal.Count
	_ = h.Journal().Until(ctx, func() bool { // what counts is the count, also after the time is up
		open := h.Journal().UnderWay(journal.Query{Scenario: q.Scenario, Run: q.Run})
		c = h.Journal().Count(q)
		return enough(c) || open.Seen == 0
	})
	return c
}

// RequireIdle fails the test when a request is still under way, or a connection open that carries
// one, after up to 2 s: the code under test has left a stream unread or unclosed. Connections
// that idle in a client's pool don't count.
func (h *Handler) RequireIdle(tb TB) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	open := journal.Query{Outcome: journal.Open}
	if h.Journal().Until(ctx, func() bool { return h.Journal().Count(open).Seen == 0 }) != nil {
		tb.Fatalf("%s", h.report(fmt.Sprintf("%s requests are still under way", h.Journal().Count(open)), open))
		return
	}
	if n := h.connectionsLeft(ctx); n > 0 {
		tb.Fatalf("orrery: %d connections are still open with a request on them, though the journal knows of none under way", n)
	}
}

func (h *Handler) connectionsLeft(ctx context.Context) int {
	if h.openConnections == nil {
		return 0
	}
	c := clock.Real()
	for {
		n := h.openConnections()
		if n == 0 || c.WaitUntil(ctx, c.Now().Add(pollEvery)) != nil {
			return n
		}
	}
}

// RequireScriptUsed fails the test unless every answer that [Handler.Next] scripted was asked for
// and, in strict mode, no request came beyond them. [Strict] does it at the test's end.
func (h *Handler) RequireScriptUsed(tb TB) {
	tb.Helper()
	extra := journal.Query{Route: api.Unscripted}
	left, beyond := h.service.Waiting(), h.Journal().Count(extra)
	switch {
	case left > 0:
		tb.Fatalf("%s", h.report(fmt.Sprintf("%d scripted answers were never asked for", left), journal.Query{}))
	case beyond.Seen > 0:
		tb.Fatalf("%s", h.report(fmt.Sprintf("%s requests came beyond the script", beyond), extra))
	}
}
