package run

import (
	"slices"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// queue is a profile's slots as arithmetic: since every plan says when its slot gets free, the
// start of the next service is known on arrival. Instants are offsets from the run's start.
type queue struct {
	*scenario.Queue
	froms  []time.Duration // starts of service that lie ahead, rising: those of the waiting
	untils []time.Duration // ends of service that lie ahead, rising, also of the waiting
	// uneven: one of several has left, so that the waiting no longer follow one another without
	// a break. It ends with the waiting.
	uneven bool
	passed time.Duration // up to where froms and untils have been cleared
	// held is the slot-time of all holds, past and to come. It may run over: only differences count.
	held time.Duration
}

// hold is the time in which a request has a slot.
type hold struct {
	queue       *queue // nil: none
	from, until time.Duration
}

func newQueues(s *scenario.Scenario) []*queue {
	all := make([]*queue, len(s.Queues))
	for i, q := range s.Queues {
		all[i] = &queue{Queue: q}
	}
	return all
}

// pass leaves behind what is over at that instant.
func (q *queue) pass(now time.Duration) {
	q.passed = max(q.passed, now)
	n := 0
	for n < len(q.untils) && q.untils[n] <= now {
		n++
	}
	q.untils = q.untils[n:]
	n = 0
	for n < len(q.froms) && q.froms[n] <= now {
		n++
	}
	q.froms = q.froms[n:]
	q.uneven = q.uneven && len(q.froms) > 0
}

// busy is how many slots are taken at the instant that was passed last.
func (q *queue) busy() int { return len(q.untils) - len(q.froms) }

// utilization is the share of the slots that are busy at that instant (R19).
func (q *queue) utilization(now time.Duration) float64 {
	q.pass(now)
	return min(float64(q.busy())/float64(q.Slots), 1)
}

// start is when a request that arrives now gets a slot, behind all that came before.
func (q *queue) start(now time.Duration) time.Duration {
	q.pass(now)
	if ahead := len(q.untils) - q.Slots; ahead >= 0 {
		return max(now, q.untils[ahead])
	}
	return now
}

// search is start where someone has left: the plans of those who wait stay as they are, so what
// was given up can only be had by whom it is long enough for.
func (q *queue) search(now, takes time.Duration) time.Duration {
	q.pass(now)
	busy, i := q.busy(), 0
	start, found := now, busy < q.Slots
	for _, until := range q.untils {
		for ; i < len(q.froms) && q.froms[i] < until; i++ {
			if found && start+takes <= q.froms[i] {
				return start
			}
			if busy++; busy >= q.Slots {
				found = false
			}
		}
		if busy--; busy < q.Slots && !found {
			start, found = max(now, until), true
		}
	}
	return start
}

// take reserves a slot.
func (q *queue) take(h hold) {
	insert(&q.untils, h.until)
	if h.from > q.passed {
		insert(&q.froms, h.from)
	}
	q.held += h.until - h.from
}

// leave gives a slot back before its time, for those who come later: one that is served at once
// or, with work under way, a while after the client has left. It returns when.
func (q *queue) leave(h *hold, at time.Duration) time.Duration {
	if h.until <= at {
		return h.until
	}
	waiting := h.from > at
	until := min(h.until, at+q.Cancel)
	if waiting {
		until = h.from
		remove(&q.froms, h.from)
	}
	remove(&q.untils, h.until)
	if !waiting {
		insert(&q.untils, until)
	}
	q.held -= h.until - until
	q.uneven = len(q.froms) > 0
	h.until = until
	if waiting {
		h.from, h.until = at, at
		return at
	}
	return until
}

// used is the slot-time that has been used up by that instant: all but what lies ahead.
func (q *queue) used(now time.Duration) time.Duration {
	used := q.held
	for _, until := range q.untils {
		used -= max(until-now, 0)
	}
	for _, from := range q.froms {
		used += max(from-now, 0)
	}
	return used
}

func insert(rising *[]time.Duration, at time.Duration) {
	i, _ := slices.BinarySearch(*rising, at)
	*rising = slices.Insert(*rising, i, at)
}

func remove(rising *[]time.Duration, at time.Duration) {
	if i, ok := slices.BinarySearch(*rising, at); ok {
		*rising = slices.Delete(*rising, i, i+1)
	}
}

// queued finds the request's place in its profile's queue and has the answer built behind the wait.
// One that would wait too long is refused on arrival: the wait is known, so nobody waits in vain.
func (s points) queued(d *Decision, build func(wait time.Duration) error) error {
	q, now := s.queue, d.snapshot.Elapsed
	start := q.start(now)
	if q.uneven {
		if err := build(0); err != nil {
			return err
		}
		start = q.search(now, d.Timeline.Duration())
	}
	wait := start - now
	if wait > q.Wait {
		return s.full(d)
	}
	if err := build(wait); err != nil {
		return err
	}
	d.part(scenario.QueuePart, wait)
	d.hold = hold{q, start, now + d.Timeline.Duration()}
	return nil
}

// crowded reports whether the queue is too long before anything is drawn.
func (s points) crowded(d *Decision) bool {
	if s.queue == nil {
		return false
	}
	now := d.snapshot.Elapsed
	return s.queue.start(now)-now > s.queue.Wait && !s.queue.uneven
}

// full refuses the request for want of a slot.
func (s points) full(d *Decision) error {
	d.drop()
	err := d.refuse(s.run.facts, s.queue.Full, 0)
	s.run.facts.plan(d.Timeline) // for the warnings
	return err
}

// drop takes back what only an answer as it was planned has.
func (d *Decision) drop() {
	d.hold = hold{}
	d.parts = nil
}

// Hold is the time for which a request has a slot of its profile's queue, as offsets from its arrival.
type Hold struct {
	Queue *scenario.Queue
	// From is the start of service and so the wait, Until the slot's release: the planned last byte,
	// or a while after the client left. It is [timeline.Never] or more while there is no end to it.
	From, Until time.Duration
}

// Hold is the slot that the request has or had; ok is false without one.
func (d *Decision) Hold() (h Hold, ok bool) {
	if d.run == nil || d.hold.queue == nil {
		return Hold{}, false
	}
	d.run.mu.Lock()
	defer d.run.mu.Unlock()
	at := d.snapshot.Elapsed
	return Hold{d.hold.queue.Queue, d.hold.from - at, d.hold.until - at}, true
}

// Released is the offset from arrival at which the request's slot gets free; 0 when it has none, or
// has it until its client leaves.
func (d *Decision) Released() time.Duration {
	if h, ok := d.Hold(); ok && h.Until < timeline.Never {
		return h.Until
	}
	return 0
}

// Capacity is how much of a profile's slots has been used.
type Capacity struct {
	Queue *scenario.Queue
	// Busy is the slot-time used up since the run's first request.
	Busy time.Duration
}

// Capacity tells of each queue of the scenario, in its order, what has been used by that instant, as
// far as is known. An instant before the last arrival counts as that.
func (r *Run) Capacity(at time.Time) []Capacity {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]Capacity, len(r.queues))
	for i, q := range r.queues {
		all[i] = Capacity{q.Queue, q.used(max(at.Sub(r.started), q.passed))}
	}
	return all
}
