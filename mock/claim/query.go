package claim

import (
	"net/http"
	"strconv"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
)

// ask makes the query of a unit's next call from its template. Its tries are all the same.
func (m *simulation) ask(u *unit) {
	t := u.template
	u.asked = true
	u.query = run.Query{
		Header: t.header, Method: http.MethodPost, Path: t.ask.path, Protocol: t.ask.protocol, Client: t.ask.key,
		Bytes: len(t.body), Request: t.request, Key: t.key, Facts: t.ask.facts,
	}
	if t.keys > 0 {
		u.query.Client = "KEY-" + strconv.FormatUint(u.number%uint64(t.keys)+1, 10)
		u.query.Key = m.scenario.KeyName(u.query.Client)
	}
	if t.vary != "none" && t.refusal == nil {
		m.varied(u, m.requests)
	}
}

// varied makes the unit's request the template's with another text or system prompt of as many tokens.
func (m *simulation) varied(u *unit, n uint64) {
	made := &u.request
	*made = *u.template.request
	made.Identity ^= m.place.Hash(n)
	u.query.Request = made
	switch {
	case !m.real:
	case u.template.vary == "system":
		made.System = u.template.varied(n)
	default:
		u.turns = append(u.turns[:0], made.Messages...)
		last := &u.turns[len(u.turns)-1]
		u.content = append(u.content[:0], last.Content...)
		u.content[len(u.content)-1].Text = u.template.varied(n)
		made.Messages, last.Content = u.turns, u.content
	}
}

// prepare sets what differs from try to try.
func (m *simulation) prepare(u *unit, at time.Duration) {
	q, t := &u.query, u.template
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
}
