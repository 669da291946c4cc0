package run

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// times counts how often a request has passed the other tests of a route that says `times`,
// for the run, for each key or for each body.
type times struct {
	run []int // by route
	per *lru.Cache[passer, int]
}

type passer struct {
	route    int
	client   string
	identity uint64
}

func newTimes(routes []*scenario.Route) *times {
	t := &times{run: make([]int, len(routes))}
	for _, r := range routes {
		if r.Times != nil && r.Times.Per != "run" {
			t.per = must(lru.New[passer, int](remembered))
			break
		}
	}
	return t
}

// pass counts the request and says whether it is one that the route takes.
func (t *times) pass(r *scenario.Route, q *Query) bool {
	n := t.count(r, q)
	if r.Times.Every > 0 {
		return n%r.Times.Every == 0
	}
	return n >= r.Times.First && n <= r.Times.Last
}

func (t *times) count(r *scenario.Route, q *Query) int {
	if r.Times.Per == "run" {
		t.run[r.Index]++
		return t.run[r.Index]
	}
	p := passer{route: r.Index}
	if r.Times.Per == "key" {
		p.client = q.Client
	} else {
		p.identity = q.Request.Identity
	}
	n, _ := t.per.Get(p)
	t.per.Add(p, n+1)
	return n + 1
}
