package run

import "time"

// UnderWay is what a run holds at an instant.
type UnderWay struct {
	// Requests have arrived, and their planned last byte lies ahead (R17).
	Requests int
	Queues   []Queued // in the scenario's order
}

// Queued is a profile's slots at an instant, in one run or in several together.
type Queued struct {
	Profile              string
	Runs                 int
	Slots, Busy, Waiting int
}

// UnderWay tells what the run holds. An instant before the last arrival counts as that.
func (r *Run) UnderWay(at time.Time) UnderWay {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := at.Sub(r.started)
	held := UnderWay{Requests: r.load.inFlight(now)}
	for _, q := range r.queues {
		q.pass(max(now, q.passed))
		held.Queues = append(held.Queues, Queued{q.Profile, 1, q.Slots, q.busy(), len(q.froms)})
	}
	return held
}
