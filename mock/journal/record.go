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
	arrival  Arrival // but for its headers
	header   packed
	cost     int64 // guarded by the journal

	mu        sync.Mutex // guards the rest
	closed    bool
	body      []byte
	ordinal   uint64
	requestID string
	decision  Decision
	sentAt    []time.Duration // per step, one more than the offset; 0: not sent
	sentBytes []uint32        // per step
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

	r.mu.Lock()
	if r.decision != nil {
		r.mu.Unlock()
		return
	}
	r.ordinal, r.requestID, r.decision = ordinal, requestID, d
	r.sentAt, r.sentBytes = at, bytes
	r.mu.Unlock()
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
	r.mu.Unlock()

	r.journal.mu.Lock()
	waiters := r.journal.waiters
	if r.sequence <= r.journal.reset {
		waiters = nil
	}
	r.journal.mu.Unlock()
	for _, w := range waiters {
		w.offer(r)
	}
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
		Arrived: a.Arrived, Header: r.header.header(),
	}
	r.mu.Lock()
	e.Ordinal, e.RequestID, e.Body = r.ordinal, r.requestID, r.body
	e.Outcome, e.Phase, e.Ended, e.Bytes = r.outcome, r.phase, r.ended, r.bytes
	e.Released = r.released
	d := r.decision
	at, bytes := slices.Clone(r.sentAt), slices.Clone(r.sentBytes)
	r.mu.Unlock()
	if d == nil {
		return e
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
	if len(at) > 0 {
		e.Steps = make([]Step, len(at))
	}
	for i := range e.Steps {
		s := d.Step(i)
		s.Actual = at[i] - 1
		if at[i] > 0 {
			s.Bytes = int(bytes[i])
		}
		e.Steps[i] = s
	}
	return e
}

// opened is what a record is taken to cost before its request is read.
func (r *Record) opened() int64 {
	a := &r.arrival
	return int64(recordCost + len(a.Scenario) + len(a.Run) + len(a.Path) + len(a.Client) + len(a.Key) + len(r.header))
}
