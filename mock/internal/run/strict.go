package run

import "github.com/seed-954e9acd/orrery/mock/internal/wire"

// Unscripted is the route of a request that came beyond a strict run's script.
const Unscripted = "(unscripted)"

// beyondScript is no status of the API's, and one that no well-known client retries of its own accord
// once it is told not to.
const beyondScript = 501

// Strict makes the run refuse every request that no scripted outcome waits for, from here on.
func (r *Run) Strict() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.strict = true
}

// unscripted refuses a request that came beyond the script.
func (r *Run) unscripted(d *Decision) {
	d.route = Unscripted
	d.fail(wire.Own(beyondScript, "the script has no answer left for this request, and the run is strict. "+
		"Script one more with Next, or see why the client asks again."), 0)
	d.Headers = append(d.Headers, Field{Name: "X-Should-Retry", Value: "false"})
}

// Seed is what the run draws from.
func (r *Run) Seed() uint64 { return r.seed }

// Seed is what the decision's run draws from.
func (d *Decision) Seed() uint64 { return d.run.seed }

// Attempt is which attempt of a retrying client this is (R14); 0 for a request that wasn't read.
func (d *Decision) Attempt() int { return d.snapshot.Attempt }
