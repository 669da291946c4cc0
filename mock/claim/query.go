package claim

import (
	"net/http"
	"strconv"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// query is a unit's request as the run sees it.
type query struct{ run.Query }

// query makes the request of a unit's next call from its template. Its tries are all the same.
func (m *simulation) query(u *unit) *query {
	t := u.template
	q := &query{run.Query{
		Header: t.header, Method: http.MethodPost, Path: t.ask.path, Protocol: t.ask.protocol, Client: t.ask.key,
		Bytes: len(t.body), Request: t.request, Key: m.scenario.KeyName(t.ask.key),
	}}
	if t.keys > 0 {
		q.Client = "KEY-" + strconv.FormatUint(u.number%uint64(t.keys)+1, 10)
		q.Key = m.scenario.KeyName(q.Client)
	}
	if t.vary != "none" && t.refusal == nil {
		q.Request = m.varied(t, m.requests)
	}
	return q
}

// varied is the template's request with another text or system prompt of as many tokens.
func (m *simulation) varied(t *template, n uint64) *wire.Request {
	made := *t.request
	made.Identity ^= m.place.Hash(n)
	switch {
	case !m.real:
	case t.vary == "system":
		made.System = vary(made.System, n)
	default:
		last := len(made.Messages) - 1
		made.Messages = append([]wire.Turn(nil), made.Messages...)
		turn := &made.Messages[last]
		turn.Content = append([]wire.Content(nil), turn.Content...)
		at := len(turn.Content) - 1
		turn.Content[at].Text = vary(turn.Content[at].Text, n)
	}
	return &made
}

// prepare sets what differs from try to try.
func (m *simulation) prepare(u *unit, at time.Duration) *run.Query {
	q, t := &u.request.Query, u.template
	q.Arrived = m.start.Add(at)
	q.ConnectionRequests = 1
	if t.ask.connection == "reuse" {
		u.from.connections++
		q.ConnectionRequests = u.from.connections
	}
	counted := m.workload.Retry != nil && m.workload.Retry.Counted
	if len(t.clocked) > 0 || counted {
		q.Header = t.header.Clone()
		for i := range t.clocked {
			q.Header.Set(t.clocked[i].name, t.clocked[i].at(q.Arrived))
		}
		if counted {
			q.Header.Set("X-Stainless-Retry-Count", strconv.Itoa(u.try-1))
		}
	}
	return q
}
