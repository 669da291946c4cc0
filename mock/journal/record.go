package journal

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Arrival is what is known of a request before it is read.
type Arrival struct {
	Scenario, Run string
	Method, Path  string
	Protocol      string // as the request line has it: HTTP/1.1
	Client        string // who asks: the key's fingerprint, else the remote address (R16)
	Key           string // the key's fingerprint, never the key
	// Connection numbers the connection, ConnectionRequests the requests on it, this one included.
	Connection         uint64
	ConnectionRequests int
	Arrived            time.Time // on the run's clock
	Header             http.Header
	Head               []byte // of HTTP/1.1: the request's head as it came, else nil
}

// told is an arrival as a record keeps it: without its headers, which it has as text.
type told struct {
	Scenario, Run, Method, Path, Protocol, Client, Key string
	Connection                                         uint64
	ConnectionRequests                                 int
	Arrived                                            time.Time
}

func (a *Arrival) told() told {
	return told{
		a.Scenario, a.Run, a.Method, a.Path, a.Protocol, a.Client, a.Key,
		a.Connection, a.ConnectionRequests, a.Arrived,
	}
}

// Decision is what was decided about a request. It is asked when somebody reads the entry, from
// any goroutine and at any time later, so it must not change once handed over; nor may it wait for
// whoever is using the journal. One that also has a method Size() int says with it how many bytes
// it holds, which then count towards the journal's limit.
type Decision interface {
	Status() int
	Route() string
	Facts() map[string]any
	Marks() map[string]bool
	Draws() []Draw
	Parts() map[string]time.Duration
	Warnings() []string
	// Charge is what the request is billed with, nil when it isn't answered with a message.
	Charge() *Charge
	// Len is the number of the plan's steps.
	Len() int
	// Step describes the i-th step but for Actual, which is the record's to know. Its Bytes are
	// replaced by what was sent, once it was.
	Step(i int) Step
}

// What a record is taken to cost beside its body and its texts: itself, and each step with the
// share that the Decision holds of it.
const (
	recordCost = 640
	stepCost   = 32
)

// Record is the entry of one request while it is being written. Its methods may be called from
// any goroutine; once its place in the journal is gone they do no harm.
type Record struct {
	journal  *Journal
	sequence uint64
	arrival  told
	header   packed
	lines    string // the header lines as they came
	// Guarded by the journal.
	cost    int64
	gone    bool // the journal has it no more
	cleared bool // and wants to hear nothing of it

	closed    bool       // guarded by mu
	attempt   int32      // likewise
	mu        sync.Mutex // guards the rest
	body      []byte
	ordinal   uint64
	requestID string
	decision  Decision
	tally     *tally          // that counts it, once it was evicted
	sentAt    []time.Duration // per step, one more than the offset; 0: not sent
	sentBytes []uint32        // per step
	held      *[]held         // nil: none
	bytes     int64
	outcome   Outcome
	phase     Phase
	ended     time.Duration
	released  time.Duration
}

// Read keeps the request's body, which is the record's own from here on: nobody may change it.
func (r *Record) Read(body []byte) {
	if !r.journal.charge(r, int64(len(body))) {
		return
	}
	r.mu.Lock()
	r.body = body
	r.mu.Unlock()
}

// Decided keeps the run's ordinal, the request-id of the response, and what was decided. The first
// call counts.
func (r *Record) Decided(ordinal uint64, requestID string, d Decision) {
	n := d.Len()
	cost := int64(n*stepCost + len(requestID))
	if sized, ok := d.(interface{ Size() int }); ok {
		cost += int64(sized.Size())
	}
	at, bytes := make([]time.Duration, n), make([]uint32, n)
	attempt := int32(0)
	if told, ok := d.(interface{ Attempt() int }); ok {
		attempt = int32(told.Attempt())
	}

	r.mu.Lock()
	if r.decision != nil {
		r.mu.Unlock()
		return
	}
	r.ordinal, r.requestID, r.decision = ordinal, requestID, d
	if attempt > 0 {
		r.attempt = attempt
	}
	r.sentAt, r.sentBytes = at, bytes
	counts := r.tally
	r.mu.Unlock()
	if counts != nil {
		r.journal.mu.Lock()
		r.journal.gone.decided(counts, d)
		r.journal.mu.Unlock()
	}
	r.journal.charge(r, cost)
}

// Wrote keeps that a step of the plan was sent, at this offset from arrival, with this many bytes.
func (r *Record) Wrote(step int, at time.Duration, bytes int) {
	r.mu.Lock()
	if uint(step) < uint(len(r.sentAt)) {
		r.sentAt[step] = max(at, 0) + 1
		r.sentBytes[step] = uint32(bytes)
	}
	r.bytes += int64(bytes)
	r.mu.Unlock()
}

// held says that a gate moved the planned instants of a step and all behind it.
type held struct {
	step int
	by   time.Duration
}

// Held keeps by how much a gate moved the planned instants of a step and all behind it.
func (r *Record) Held(step int, by time.Duration) {
	r.mu.Lock()
	if r.held == nil {
		r.held = new([]held)
	}
	*r.held = append(*r.held, held{step, by})
	r.mu.Unlock()
}

// Released keeps when the request's slot got free, as an offset from arrival; 0: it had none.
func (r *Record) Released(at time.Duration) {
	r.mu.Lock()
	r.released = at
	r.mu.Unlock()
}

// Close ends the record: how the request ended, how far it had come, and when, as an offset from
// arrival. The first call counts. Close before the client can see the answer's last byte, so that
// a test which has seen it finds the entry closed.
func (r *Record) Close(o Outcome, p Phase, at time.Duration) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return
	}
	r.closed = true
	r.outcome, r.phase, r.ended = o, p, at
	counts := r.tally
	r.mu.Unlock()

	j := r.journal
	if f := j.file.Load(); f != nil {
		f.append(r.entry())
	}
	j.mu.Lock()
	if counts != nil { // else whoever evicts it sees that it is closed
		j.gone.ended(counts, o)
	}
	hearers, cost := j.hearers, r.cost
	if r.forgotten() {
		hearers = nil
	}
	j.mu.Unlock()
	for _, h := range hearers {
		h.hear(r, cost)
	}
}

// forgotten reports whether the journal wants to hear of the record no more. The journal is locked.
func (r *Record) forgotten() bool {
	return r.cleared || r.sequence <= r.journal.reset || r.tally != nil && r.tally.cleared
}

func (r *Record) isClosed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

// entry is the record as it stands.
func (r *Record) entry() Entry {
	a := &r.arrival
	e := Entry{
		Sequence: r.sequence, Scenario: a.Scenario, Run: a.Run,
		Method: a.Method, Path: a.Path, Protocol: a.Protocol, Client: a.Client, Key: a.Key,
		Connection: a.Connection, ConnectionRequests: a.ConnectionRequests,
		Arrived: a.Arrived, Header: r.header.header(), HeaderLines: asLines(r.lines),
	}
	r.mu.Lock()
	e.Ordinal, e.RequestID, e.Body = r.ordinal, r.requestID, r.body
	e.Outcome, e.Phase, e.Ended, e.Bytes = r.outcome, r.phase, r.ended, r.bytes
	e.Released, e.Attempt = r.released, int(r.attempt)
	d := r.decision
	r.mu.Unlock()
	e.RetryCount = r.header.get(retryCount)
	if d == nil {
		return e
	}
	if s, ok := d.(interface{ Seed() uint64 }); ok {
		e.Seed = s.Seed()
	}
	// Cloned, because it says nowhere that a Decision makes them anew.
	e.Status, e.Route = d.Status(), d.Route()
	e.Facts, e.Marks = maps.Clone(d.Facts()), maps.Clone(d.Marks())
	e.Parts = maps.Clone(d.Parts())
	e.Draws, e.Warnings = slices.Clone(d.Draws()), slices.Clone(d.Warnings())
	if c := d.Charge(); c != nil {
		usage := c.Usage
		e.Usage, e.Figures = &usage, maps.Clone(c.Figures)
	}
	e.Steps = slices.Grow(e.Steps, d.Len())
	r.each(func(s Step) { e.Steps = append(e.Steps, s) })
	return e
}

// each calls see for each step of the plan.
func (r *Record) each(see func(Step)) {
	r.mu.Lock()
	d := r.decision
	at, bytes := slices.Clone(r.sentAt), slices.Clone(r.sentBytes)
	var gates []held
	if r.held != nil {
		gates = slices.Clone(*r.held)
	}
	r.mu.Unlock()
	for i := range at {
		s := d.Step(i)
		s.Actual = at[i] - 1
		if at[i] > 0 {
			s.Bytes = int(bytes[i])
		}
		s.Planned = delayed(s.Planned, i, gates)
		see(s)
	}
}

// delayed is when a step is due that gates have held back.
func delayed(planned time.Duration, step int, gates []held) time.Duration {
	for _, g := range gates {
		if step >= g.step && planned < Never {
			planned += g.by
		}
	}
	return planned
}

// opened is what a record is taken to cost before its request is read.
func (r *Record) opened() int64 {
	a := &r.arrival
	return int64(recordCost + len(a.Scenario) + len(a.Run) + len(a.Path) + len(a.Client) + len(a.Key) + len(r.header) + len(r.lines))
}
