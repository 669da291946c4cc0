// Package run is a scenario being played: it turns requests into decisions.
//
// A decision depends on the scenario, the seed, the request and the run's state at the moment
// of its ordinal, and on nothing else. State is read and written in one critical section a
// request, so decisions are the same however many requests are under way.
// It knows no socket and waits for nothing: "now" is what the request brings along.
//
//	r := run.New(run.Config{Scenario: s, Replies: lib})
//	d := r.Decide(run.Query{Arrived: now, Request: request})
package run

import (
	"container/heap"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Config is what a run is made of.
type Config struct {
	Name     string
	Scenario *scenario.Scenario
	Replies  *reply.Library
	Seed     *uint64 // nil: the scenario's
	// Note is a warning of the run's first request, for the journal; "" for none.
	Note string
	// Unlimited says that the keys' limits don't count here, as they don't in a batch.
	Unlimited bool
	// Attempts says that attempts are numbered (R14) even where no expression reads the number.
	Attempts bool
}

// Query is a request as the run sees it.
type Query struct {
	Arrived  time.Time
	Request  *wire.Request
	Header   http.Header
	Method   string
	Path     string
	Endpoint string // as a route names it
	Protocol string
	Client   string // the key's fingerprint, else the remote address
	Key      string // the name of the key's entry in the scenario (scenario.KeyName)
	Bytes    int    // of the body

	ConnectionRequests int // this one included; 0 when not known
	// Facts stand in place of those that would be read, of the same types. Nil but in simulations.
	Facts map[string]any
}

// Run is one playing of a scenario. It is safe for concurrent use.
type Run struct {
	name     string
	note     string // a warning of the first request
	scenario *scenario.Scenario
	replies  *reply.Library
	seed     uint64
	places   []latency.Place // by the scenario's place number
	messages latency.Place   // message ids
	requests latency.Place   // request ids
	padding  latency.Place
	chances  latency.Place // what an answer's blocks are made from

	mu      sync.Mutex // guards what follows
	ordinal uint64
	strays  uint64
	started time.Time // the first request's arrival
	drawn   []uint64  // draws so far, by place
	// exact makes a place's exact draws one after another, which is cheaper than one at a time; by
	// place, nil until the first.
	exact   []*latency.Sequence
	times   *times
	load    load
	history *history
	memory  *memory
	cache   cache
	limits  limits
	facts   *facts
	queues  []*queue // by the scenario's queue number
	next    []*scenario.Outcome
	strict  bool        // what isn't scripted is refused
	query   Query       // the one under decision
	spare   []*Decision // whose room may be used again
}

// New makes a run that nobody has asked yet.
func New(c Config) *Run {
	seed := c.Scenario.Seed
	if c.Seed != nil {
		seed = *c.Seed
	}
	r := &Run{
		name:     c.Name,
		note:     c.Note,
		scenario: c.Scenario,
		replies:  c.Replies,
		seed:     seed,
		places:   make([]latency.Place, len(c.Scenario.Places)),
		drawn:    make([]uint64, len(c.Scenario.Places)),
		exact:    make([]*latency.Sequence, len(c.Scenario.Places)),
		messages: latency.NewPlace(seed, "ids/message/"+c.Name),
		requests: latency.NewPlace(seed, "ids/request/"+c.Name),
		padding:  latency.NewPlace(seed, "padding"),
		chances:  latency.NewPlace(seed, "reply/"+c.Name),
		times:    newTimes(c.Scenario.Routes),
		load:     newLoad(c.Scenario),
		history:  newHistory(c.Scenario, c.Attempts),
		memory:   newMemory(c.Scenario),
		cache:    cache{Cache: c.Scenario.Cache},
		limits:   newLimits(c.Scenario),
		facts:    newFacts(c.Scenario),
		queues:   newQueues(c.Scenario),
	}
	if c.Unlimited {
		r.limits = limits{}
	}
	r.utilizations()
	r.remembering()
	for i, name := range c.Scenario.Places {
		r.places[i] = latency.NewPlace(seed, name)
	}
	return r
}

// Name is the run's name.
func (r *Run) Name() string { return r.name }

// Scenario is what the run plays.
func (r *Run) Scenario() *scenario.Scenario { return r.scenario }

// Next scripts the outcomes of the next requests that can be read, in place of the routes.
func (r *Run) Next(outcomes ...*scenario.Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = append(r.next, outcomes...)
}

// Waiting is how many scripted outcomes nobody has taken yet.
func (r *Run) Waiting() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.next)
}

// Refuse decides for a request that couldn't be read: the error leaves at once. It takes an
// ordinal, and draws nothing.
func (r *Run) Refuse(q Query, e *wire.Error) *Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.arrive(&q)
	d.fail(e, 0)
	d.freeze()
	return d
}

// Direct decides on a body that is ready, for another endpoint than messages. It takes an ordinal,
// and draws only when a route speaks of the endpoint.
func (r *Run) Direct(q Query, body []byte) *Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.arrive(&q)
	d.Timeline = timeline.Raw(http.StatusOK, body, 0, d.look)
	r.further(d, &q)
	d.freeze()
	return d
}

// Stray decides for a request that is none of the API's (R1): it takes no ordinal.
func (r *Run) Stray(q Query, e *wire.Error) *Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.strays++
	d := &Decision{run: r, number: math.MaxUint64 - r.strays}
	d.fail(e, 0)
	return d
}

// Decide decides the answer to a request that has been read. One that is over its limits gets the
// API's error, draws nothing and uses up no scripted outcome (R25).
func (r *Run) Decide(q Query) *Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.query = q // it needs no room of its own
	d := r.decide(&r.query)
	r.query = Query{}
	return d
}

func (r *Run) decide(q *Query) *Decision {
	d := r.arrive(q)
	d.cached = r.cache.look(q)
	d.snapshot.Repeats, d.snapshot.Attempt = r.history.see(q)
	if problem := r.limits.take(d, q, d.cached.read); problem != nil {
		d.fail(problem, 0)
		r.settle(d, q)
		return d
	}
	r.memory.look(q)
	if err := r.facts.set(d, q); err != nil {
		d.fail(wire.Own(500, err.Error()), 0)
	} else {
		outcome := r.outcome(d, q)
		if outcome != nil {
			r.plan(d, q, outcome)
		}
		r.warn(d, outcome)
	}
	r.settle(d, q)
	return d
}

// Release gives back the room of a decision, for others. Nobody may look at it, or at what it holds,
// any more. It is for simulations, which play millions: a server's journal keeps what was decided.
func (r *Run) Release(d *Decision) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spare = append(r.spare, d)
}

// blank is a decision on nothing yet.
func (r *Run) blank() *Decision {
	n := len(r.spare) - 1
	if n < 0 {
		return &Decision{room: &room{}}
	}
	d := r.spare[n]
	r.spare = r.spare[:n]
	d.clear()
	return d
}

// outcome is the next scripted one, else that of a route (R26).
func (r *Run) outcome(d *Decision, q *Query) *scenario.Outcome {
	if o := r.scripted(d); o != nil {
		r.lend(d, q, o.Reads)
		return o
	}
	if r.strict {
		r.unscripted(d)
		return nil
	}
	return r.route(d, q)
}

// Forget takes a request off the load: its client has left, at that instant, before the planned end.
// It returns the offset from arrival at which the slot of its profile's queue gets free; 0 when it had none.
func (r *Run) Forget(d *Decision, at time.Time) (released time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.load.leave(d.Ordinal)
	if d.buckets != nil {
		d.buckets.cut(d.Ordinal, at, d.abandoned(at.Sub(r.started)-d.snapshot.Elapsed))
	}
	if q := d.hold.queue; q != nil {
		released = q.leave(&d.hold, at.Sub(r.started)) - d.snapshot.Elapsed
	}
	return released
}

// Idle reports whether nothing is in flight at that time.
func (r *Run) Idle(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.load.inFlight(now.Sub(r.started)) == 0
}

func (r *Run) arrive(q *Query) *Decision {
	r.ordinal++
	if r.ordinal == 1 {
		r.started = q.Arrived
	}
	d := r.blank()
	d.Ordinal, d.run, d.number, d.snapshot = r.ordinal, r, r.ordinal, r.snapshot(q)
	if q.Request != nil {
		d.Warnings = q.Request.Warnings
	}
	if r.ordinal == 1 && r.note != "" {
		d.warn("%s", r.note)
	}
	d.look = timeline.Look{Padded: r.scenario.API.Padding, Padding: r.padding.For(r.ordinal), Completion: q.Endpoint == "complete", Room: &d.room.timeline}
	return d
}

// snapshot is the run's state but for what depends on the request's body. One that arrived first
// but took longer to be read counts as having arrived with the run's first.
func (r *Run) snapshot(q *Query) Snapshot {
	s := Snapshot{Ordinal: r.ordinal, Elapsed: max(q.Arrived.Sub(r.started), 0)}
	s.Concurrency = r.load.inFlight(q.Arrived.Sub(r.started)) + 1
	s.QPS, s.ClientQPS = r.load.rate(q.Arrived, q.Client)
	return s
}

// scripted takes the next scripted outcome, if one waits.
func (r *Run) scripted(d *Decision) *scenario.Outcome {
	if len(r.next) == 0 {
		return nil
	}
	outcome := r.next[0]
	r.next = r.next[1:]
	d.route = "(scripted)"
	return outcome
}

// settle keeps what later requests may ask about this one.
func (r *Run) settle(d *Decision, q *Query) {
	d.freeze()
	refused := d.Timeline.Status >= http.StatusBadRequest
	r.history.answered(q, d.snapshot.Repeats, refused)
	r.memory.keep(q, d.Timeline.Status)
	if !refused {
		r.cache.keep(&d.cached, q.Arrived)
	}
	d.cached = cached{} // The decision outlives the request.
	if m := d.Timeline.Message; m != nil && d.buckets != nil {
		heap.Push(&d.buckets.produced, produced{q.Arrived.Add(d.Timeline.Duration()), d.Ordinal, m.Usage.Output})
	}
	r.occupy(d, q)
}

// occupy puts the request onto the load, and into its slot, for as long as its plan takes.
func (r *Run) occupy(d *Decision, q *Query) {
	if takes := d.Timeline.Duration(); takes > 0 {
		r.load.enter(d.Ordinal, q.Arrived.Sub(r.started)+takes)
	}
	if d.hold.queue != nil {
		d.hold.queue.take(d.hold)
	}
}

// draw takes the next exact draw of a place, all of whose draws are exact.
func (r *Run) draw(d *Decision, place int) latency.U {
	n := r.drawn[place]
	r.drawn[place]++
	if r.exact[place] == nil {
		s := r.places[place].Sequence(false)
		r.exact[place] = &s
	}
	u := r.exact[place].Next()
	d.drew(place, n, u)
	return u
}
