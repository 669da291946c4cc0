package run

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Speaks reports whether a route of the scenario is for that endpoint.
func (r *Run) Speaks(endpoint string) bool {
	for _, route := range r.scenario.Routes {
		if route.Endpoint == endpoint {
			return true
		}
	}
	return false
}

// further lets the routes of an endpoint that isn't messages do something to its answer, which is in
// the plan already. Where none takes the request it stays as it is.
func (r *Run) further(d *Decision, q *Query) {
	if !r.Speaks(q.Endpoint) {
		return
	}
	if q.Request == nil {
		q.Request = &wire.Request{}
	}
	retried, _ := retries(q)
	d.snapshot.Repeats, d.snapshot.Attempt = 1, retried+1
	if err := r.facts.set(d, q); err != nil {
		d.fail(wire.Own(500, err.Error()), 0)
		return
	}
	outcome, _ := r.find(d, q)
	if outcome == nil {
		return
	}
	if err := r.answerFurther(d, q, outcome); err != nil {
		d.drop()
		d.fail(wire.Own(500, err.Error()), 0)
	}
	r.warn(d, outcome)
	r.occupy(d, q)
}

func (r *Run) answerFurther(d *Decision, q *Query, o *scenario.Outcome) error {
	points, err := r.points(d, q, o.Profile)
	if err != nil {
		return err
	}
	ready := d.Timeline
	switch {
	case o.Error != nil:
		err = points.fail(d, q, o)
	case o.Never:
		err = points.silence(d)
	case o.HTTP != nil:
		err = points.asItStands(d, q, o)
	default:
		takes := points.respond(d)
		err = points.placed(d, func(wait time.Duration) error {
			d.Timeline = timeline.Raw(ready.Status, ready.Raw, wait+takes, d.look)
			d.breaks(q, o)
			return nil
		})
	}
	if err != nil || o.Error != nil {
		return err
	}
	r.facts.plan(d.Timeline)
	d.Verbatim = o.VerbatimHead
	if err := d.head(r.facts, o.Headers); err != nil {
		return err
	}
	return r.mark(d, o.Marks)
}
