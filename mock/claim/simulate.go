package claim

import (
	"context"
	"runtime"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// simulation plays one variant of a workload against a fresh run, in virtual time: each request is
// decided when it arrives, by what the server decides with, and everything that follows from its
// plan is an event later on.
type simulation struct {
	*traffic
	run      *run.Run
	scenario *scenario.Scenario
	gather   *gathering
	start    time.Time
	real     bool // texts must really differ, for something reads them
	// background lets other goroutines go first.
	background bool

	events   events
	over     []*unit // whose room may be used again
	made     uint64  // events so far
	begun    int     // units
	row      row
	clients  int
	first    time.Time // measured arrival
	last     time.Time
	any      bool
	requests uint64
	thoughts uint64
}

// Day one of every run whose scenario names no other.
func dayOne() time.Time { return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC) }

func newSimulation(t *traffic, s *scenario.Scenario, replies *reply.Library, seed uint64, g *gathering) *simulation {
	m := &simulation{
		traffic: t, scenario: s, gather: g, start: dayOne(),
		run: run.New(run.Config{Name: "verify", Scenario: s, Replies: replies, Seed: &seed}),
	}
	for _, fact := range []string{"text", "system", "cache", "repeats_of", "template_tokens"} {
		m.real = m.real || s.Uses(fact)
	}
	return m
}

// unit is what a client wants: a request with its retries, or a chain of them.
type unit struct {
	number   uint64
	from     *source
	template *template
	measured bool
	began    time.Duration
	calls    int // still to come, with this one
	all      int
	try      int
	rate     float64
	label    uint64 // which variant of the template's text its call has

	// Of the call under way: its query, and its request where that is no other's.
	asked   bool
	query   run.Query
	request wire.Request
	turns   []wire.Turn    // of request
	content []wire.Content // of its last turn
}

// play runs to the end. It looks at the context now and then.
func (m *simulation) play(ctx context.Context, progress func(n int)) error {
	m.gather.fresh()
	for _, s := range m.sources {
		m.clients += s.clients
		if len(s.rate) > 0 {
			m.arrive(s)
			continue
		}
		for range s.clients {
			m.push(0, event{kind: begins, from: s})
		}
	}
	const glance, stretch = 1 << 13, 1 << 6
	done := uint64(0)
	for n := 0; len(m.events) > 0; n++ {
		if m.background && n%stretch == 0 {
			runtime.Gosched()
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		e := m.events.pop()
		m.handle(e)
		if m.requests-done >= glance {
			progress(int(m.requests - done))
			done = m.requests
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	progress(int(m.requests - done))
	if m.any {
		for _, s := range m.gather.stretches {
			s.end(m.run, m.last)
		}
	}
	return m.gather.problem
}

func (m *simulation) handle(e event) {
	switch e.kind {
	case begins:
		if u := m.unit(e.from, e.at); u != nil {
			if len(e.from.rate) > 0 {
				u.rate = e.from.now()
				m.arrive(e.from)
			}
			m.send(u, e.at)
		}
	case sends:
		m.send(e.unit, e.at)
	case leaves:
		m.leave(e)
	}
}

// arrive puts the next arrival of an open loop before us.
func (m *simulation) arrive(s *source) {
	if at, ok := s.arrival(); ok {
		m.push(at, event{kind: begins, from: s})
	}
}

// unit starts the next unit, unless there are none left.
func (m *simulation) unit(s *source, at time.Duration) *unit {
	if m.units > 0 && m.begun >= m.units+m.warmup || m.length > 0 && at >= m.length {
		return nil
	}
	u := m.blank()
	*u = unit{
		number: uint64(m.begun), from: s, template: s.next(), measured: m.begun >= m.warmup, began: at, calls: 1, all: 1,
		turns: u.turns, content: u.content,
	}
	m.begun++
	if c := m.workload.Chain; len(c) > 0 {
		u.all = pickCalls(c, m.place.Exact(u.number))
		u.calls = u.all
	}
	return u
}

// blank is room for a unit: that of one that is over, if there is any.
func (m *simulation) blank() *unit {
	if n := len(m.over) - 1; n >= 0 {
		u := m.over[n]
		m.over = m.over[:n]
		return u
	}
	return &unit{}
}

func pickCalls(all []scenario.Calls, u latency.U) int {
	var below latency.U
	for _, c := range all {
		if below += c.Share; u < below {
			return c.Calls
		}
	}
	return all[len(all)-1].Calls
}

// send has the unit's next request decided, and puts what follows from it before us.
func (m *simulation) send(u *unit, at time.Duration) {
	m.requests++
	if !u.asked {
		m.ask(u)
	}
	u.try++
	m.prepare(u, at)
	var d *run.Decision
	if u.template.refusal != nil {
		d = m.run.Refuse(u.query, u.template.refusal)
	} else {
		d = m.run.Decide(u.query)
	}
	ends := d.Timeline.Duration()
	patience := m.workload.GiveUp
	if c := m.workload.CancelAfter; c != nil {
		patience = min(patience, time.Duration(c.At(m.place.For(leaving).Exact(m.requests-1))))
	}
	if ends > patience {
		m.push(at+patience, event{kind: leaves, unit: u, decision: d, since: at})
		return
	}
	status := d.Timeline.Status
	answered := status >= 200 && status < 300 && whole(d)
	m.account(u, d, at, ends, status, answered, false, 0)
	m.run.Release(d)
	m.follow(u, at+ends, answered, status)
}

// connection numbers the connection of the unit's request: one of its own, or its source's.
func (m *simulation) connection(u *unit) uint64 {
	if u.template.ask.connection == "reuse" && u.from.connection != 0 {
		return u.from.connection
	}
	m.gather.connections++
	if u.template.ask.connection == "reuse" {
		u.from.connection = m.gather.connections
	}
	return m.gather.connections
}

func (m *simulation) leave(e event) {
	released := m.run.Forget(e.decision, m.start.Add(e.at)) - (e.at - e.since)
	status := 0
	if t := e.decision.Timeline; t.Len() > 0 && t.Step(0).Kind == timeline.Head && t.Step(0).Due <= e.at-e.since {
		status = t.Status
	}
	m.account(e.unit, e.decision, e.since, e.at-e.since, status, false, true, max(released, 0))
	m.run.Release(e.decision)
	m.follow(e.unit, e.at, false, 0)
}

// account tells the gatherers of one request that is over.
func (m *simulation) account(u *unit, d *run.Decision, at, ended time.Duration, status int, answered, left bool, released time.Duration) {
	if !u.measured {
		return
	}
	arrived := m.start.Add(at)
	if !m.any {
		m.any, m.first = true, arrived
		for _, s := range m.gather.stretches {
			s.begin(m.run, arrived)
		}
	}
	m.last = arrived
	r := &m.row
	*r = row{
		seen: decided{d}, decision: d, sent: u.template, rate: u.rate, clients: m.clients, elapsed: d.Snapshot().Elapsed, ended: ended,
		status: status, left: left, released: released, try: u.try,
		connection: m.connection(u), requests: u.query.ConnectionRequests,
		answered: answered,
	}
	if r.answered {
		r.has |= scenario.Answered
	}
	if left {
		r.has |= scenario.Left
	}
	if d.Timeline.Streams() {
		r.has |= scenario.Streamed
	}
	if m.workload.Chain != nil && u.calls == 1 && !m.again(u, r.answered, status) {
		r.has |= scenario.ChainEnded
		r.chain, r.calls = at+ended-u.began, u.all
	}
	m.gather.add(r)
}

// again tells whether the client will send the request another time.
func (m *simulation) again(u *unit, answered bool, status int) bool {
	return wantsRetry(m.workload.Retry, u.try, answered, status)
}

// wantsRetry tells whether a client sends a request again after that many tries.
func wantsRetry(r *scenario.Retry, try int, answered bool, status int) bool {
	if r == nil || answered || try >= r.Tries {
		return false
	}
	return status == 0 || status == 408 || status == 409 || status == 429 || status >= 500
}

// follow puts before us what a client does once a request is over.
func (m *simulation) follow(u *unit, at time.Duration, answered bool, status int) {
	if m.again(u, answered, status) {
		m.push(at+m.workload.Retry.After, event{kind: sends, unit: u})
		return
	}
	if u.calls > 1 {
		u.calls--
		u.asked, u.try = false, 0
		m.push(at+m.think(), event{kind: sends, unit: u})
		return
	}
	if len(u.from.rate) == 0 {
		m.push(at+m.think(), event{kind: begins, from: u.from})
	}
	m.over = append(m.over, u)
}

func (m *simulation) think() time.Duration {
	if m.workload.Think == nil {
		return 0
	}
	m.thoughts++
	return time.Duration(m.workload.Think.At(m.place.For(1).Exact(m.thoughts - 1)))
}
