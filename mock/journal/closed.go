package journal

import (
	"iter"
	"time"
)

// Closed is a record that has ended, looked at where it lies: unlike an [Entry] it copies nothing, so many
// can be looked at often. Its methods may be called from any goroutine.
type Closed struct {
	record   *Record
	decision Decision
	outcome  Outcome
	ended    time.Duration
	attempt  int
	released time.Duration
	bytes    int64
	sentAt   []time.Duration // as in the record, where nobody writes to it any more
}

// closedAs looks at a record; ok is false while it is open.
func (r *Record) closedAs() (c Closed, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Closed{r, r.decision, r.outcome, r.ended, int(r.attempt), r.released, r.bytes, r.sentAt}, r.closed
}

// Closed are the records kept that have ended, in order of arrival.
func (j *Journal) Closed() []Closed {
	var all []Closed
	for _, r := range j.kept() {
		if c, ok := r.closedAs(); ok {
			all = append(all, c)
		}
	}
	return all
}

// Observe has each record told as it closes, by the goroutine that closes it: before its client can see
// the answer's last byte. So it must be quick, and must not wait for whoever uses the journal.
func (j *Journal) Observe(see func(Closed)) (stop func()) { return j.listen(&observer{see}) }

type observer struct{ see func(Closed) }

func (o *observer) hear(r *Record, _ int64) {
	if c, ok := r.closedAs(); ok {
		o.see(c)
	}
}

// forget changes nothing: what was seen was seen.
func (o *observer) forget(func(*Record) bool) {}

// Scenario is the name of the one that answered.
func (c *Closed) Scenario() string { return c.record.arrival.Scenario }

// Run is the name of the request's run.
func (c *Closed) Run() string { return c.record.arrival.Run }

// Path is the request's, with what chooses scenario and run.
func (c *Closed) Path() string { return c.record.arrival.Path }

// Protocol is what the request came over: HTTP/1.1.
func (c *Closed) Protocol() string { return c.record.arrival.Protocol }

// Arrived is when the request came, on its run's clock.
func (c *Closed) Arrived() time.Time { return c.record.arrival.Arrived }

// Connection numbers the connection, and counts the requests that had come on it, this one included.
func (c *Closed) Connection() (number uint64, requests int) {
	return c.record.arrival.Connection, c.record.arrival.ConnectionRequests
}

// Header is the first value of a request header, by its canonical name; withheld as in an [Entry].
func (c *Closed) Header(canonical string) string { return c.record.header.get(canonical) }

// Decision is what was decided; nil when the request ended before that.
func (c *Closed) Decision() Decision { return c.decision }

// Outcome says how the request ended.
func (c *Closed) Outcome() Outcome { return c.outcome }

// Ended is when it did, as an offset from its arrival.
func (c *Closed) Ended() time.Duration { return c.ended }

// Attempt is which attempt of its client's this was, from 1.
func (c *Closed) Attempt() int { return c.attempt }

// Released is the offset from arrival at which the request's slot got free; 0 when it had none.
func (c *Closed) Released() time.Duration { return c.released }

// Bytes are those of the response's body, as sent.
func (c *Closed) Bytes() int64 { return c.bytes }

// Sent is when each step that was sent was, by its place in the plan, as offsets from arrival.
func (c *Closed) Sent() iter.Seq2[int, time.Duration] {
	return func(yield func(int, time.Duration) bool) {
		for i, at := range c.sentAt {
			if at > 0 && !yield(i, at-1) {
				return
			}
		}
	}
}

// Held reports whether a gate held the answer back, so that it left later than was planned.
func (c *Closed) Held() bool {
	c.record.mu.Lock()
	defer c.record.mu.Unlock()
	return c.record.held != nil
}
