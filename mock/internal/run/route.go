package run

import (
	"fmt"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// test is one of the three that a request must pass to be a route's, in their order (R21).
type test int

const (
	whenTest test = iota
	shareTest
	timesTest
	passed
)

// route finds the outcome of the first route that takes the request. Without one it fails the
// decision with an error that names the nearest miss, and returns nil.
func (r *Run) route(d *Decision, q *Query) *scenario.Outcome {
	outcome, problem := r.find(d, q)
	if outcome == nil && q.Endpoint != "" { // what has no routes of its own is answered like a message
		q.Endpoint = ""
		outcome, problem = r.find(d, q)
	}
	if problem != nil {
		d.fail(problem, 0)
	}
	return outcome
}

func (r *Run) find(d *Decision, q *Query) (*scenario.Outcome, *wire.Error) {
	var nearest *scenario.Route
	reached := whenTest
	for _, route := range r.scenario.Routes {
		if route.Endpoint != q.Endpoint || route.Protocol != "" && route.Protocol != q.Protocol {
			continue
		}
		got, err := r.try(d, q, route)
		if err != nil {
			return nil, wire.Own(500, fmt.Sprintf("route %q: %v", route.Name, err))
		}
		if got == passed {
			d.route = route.Name
			return &route.Outcome, nil
		}
		if nearest == nil || got > reached {
			nearest, reached = route, got
		}
	}
	return nil, noRoute(r.scenario.Name, nearest, reached)
}

func (r *Run) try(d *Decision, q *Query, route *scenario.Route) (test, error) {
	if route.When != nil {
		holds, err := route.When.Bool(r.facts.env)
		if err != nil || !holds {
			return whenTest, err
		}
	}
	if route.Share != nil && r.draw(d, route.Share.Place) >= route.Share.Below {
		return shareTest, nil
	}
	if route.Times != nil && !r.times.pass(route, q) {
		return timesTest, nil
	}
	return passed, nil
}

func noRoute(name string, nearest *scenario.Route, failed test) *wire.Error {
	if nearest == nil {
		return wire.Own(400, fmt.Sprintf("scenario %q has no routes, so nothing answers this request.", name))
	}
	why := map[test]string{
		whenTest:  "its condition is false",
		shareTest: "it takes only a share of the requests, and this one isn't in it",
		timesTest: "it has already answered as often as it may",
	}[failed]
	if failed == whenTest {
		why += ": " + nearest.When.Source
	}
	return wire.Own(400, fmt.Sprintf("no route of scenario %q answers this request. The nearest is %q; %s", name, nearest.Name, why))
}
