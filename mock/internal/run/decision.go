package run

import (
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Decision is the answer to one request, wholly decided.
type Decision struct {
	Ordinal  uint64
	Timeline *timeline.Timeline
	// Headers are the scenario's own response headers.
	Headers []Field
	// Verbatim says that the head leaves with the names, order and padding of Headers.
	Verbatim bool
	// Warnings are for the journal: what is odd about the request, though it is answered.
	Warnings []string

	run      *Run
	number   uint64 // behind the request-id: the ordinal, or one of its own for a stray
	route    string
	snapshot Snapshot
	values   []any // of the facts, as facts.describe names them
	marks    []mark
	figures  []figure
	draws    []draw
	first    [4]draw // room for the draws of an ordinary request
	look     timeline.Look
	parts    []part
	hold     hold // guarded by the run once it is decided
	cached   cached
	rates    *Rates
	buckets  *buckets // that its output counts in; nil: none
	room     *room
}

// room is where a decision's answer lies.
type room struct {
	timeline timeline.Timeline
	message  wire.Message
	block    [1]wire.Block // of an ordinary message
}

// clear makes it that of no request, and keeps its room and that of its lists.
func (d *Decision) clear() {
	*d = Decision{
		Headers: d.Headers[:0], values: d.values[:0], marks: d.marks[:0], figures: d.figures[:0],
		draws: d.draws[:0], parts: d.parts[:0], room: d.room,
	}
}

// Field is one response header. Several may have one name; Remove takes that name out instead, also
// where the API has it.
type Field struct {
	Name, Value string
	Remove      bool
}

type mark struct {
	name string
	set  bool
}

type draw struct {
	place int
	n     uint64
	u     latency.U
}

// Draw is one draw of a place: the N-th, counted from 0, which came to U billionths.
type Draw struct {
	Place string
	N     uint64
	U     latency.U
}

// RequestID is the request-id of the response (R50). It is made when it is asked for, since a
// simulation doesn't.
func (d *Decision) RequestID() string {
	ids := d.run.requests
	return wire.RequestID(ids.Hash(2*d.number), ids.Hash(2*d.number+1))
}

// Default adds a header unless the scenario has one of that name.
func (d *Decision) Default(name, value string) {
	for _, f := range d.Headers {
		if strings.EqualFold(f.Name, name) {
			return
		}
	}
	d.Headers = append(d.Headers, Field{Name: name, Value: value})
}

// Scenario is the one that decided.
func (d *Decision) Scenario() *scenario.Scenario { return d.run.scenario }

// Route is the name of the route that answers; "" when none does.
func (d *Decision) Route() string { return d.route }

// Snapshot is the run's state that the decision was made from.
func (d *Decision) Snapshot() Snapshot { return d.snapshot }

// Facts are the values of all facts that the scenario reads.
func (d *Decision) Facts() map[string]any { return d.run.facts.describe(d.values) }

// Marks are the marks by name.
func (d *Decision) Marks() map[string]bool {
	all := make(map[string]bool, len(d.marks))
	for _, m := range d.marks {
		all[m.name] = m.set
	}
	return all
}

// Marked reports whether the mark of that name is set.
func (d *Decision) Marked(name string) bool {
	for i := range d.marks {
		if d.marks[i].name == name && d.marks[i].set {
			return true
		}
	}
	return false
}

// Phase is the run's phase at the request's arrival, "" without phases.
func (d *Decision) Phase() string {
	return d.run.scenario.Phases.At(d.snapshot.Elapsed, d.Ordinal)
}

// Draws are the draws that the decision took, in order. A stream's gaps count as one.
func (d *Decision) Draws() []Draw {
	all := make([]Draw, len(d.draws))
	for i, w := range d.draws {
		all[i] = Draw{d.run.scenario.Places[w.place], w.n, w.u}
	}
	return all
}

func (d *Decision) drew(place int, n uint64, u latency.U) {
	if d.draws == nil {
		d.draws = d.first[:0]
	}
	d.draws = append(d.draws, draw{place, n, u})
}

func (d *Decision) fail(e *wire.Error, at time.Duration) {
	d.Headers = nil
	d.look.RequestID = d.RequestID()
	d.Timeline = timeline.Failure(e, at, d.look)
}

// refuse makes the scenario's error the answer.
func (d *Decision) refuse(f *facts, e *scenario.Error, at time.Duration) error {
	message, err := e.Message.Text(f.env)
	if err != nil {
		return err
	}
	if message == "" {
		message = wire.MessageOf(e.Status)
	}
	kind := e.Type
	if kind == "" {
		kind = wire.TypeOf(e.Status)
	}
	d.fail(&wire.Error{Status: e.Status, Type: kind, Message: message, RetryAfter: e.RetryAfter}, at)
	if e.Body != "" {
		d.Timeline.Raw = []byte(e.Body)
	}
	return d.head(f, e.Headers)
}

// head adds the scenario's headers; one whose value comes out empty is left out.
func (d *Decision) head(f *facts, headers []scenario.Header) error {
	for _, h := range headers {
		if h.Remove || h.Empty {
			d.Headers = append(d.Headers, Field{Name: h.Name, Remove: h.Remove})
			continue
		}
		value, err := h.Value.Text(f.env)
		if err != nil {
			return err
		}
		if value != "" {
			d.Headers = append(d.Headers, Field{Name: h.Name, Value: value})
		}
	}
	return nil
}
