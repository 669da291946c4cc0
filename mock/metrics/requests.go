package metrics

import (
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// mostSeries bounds how many pairs of scenario and route, how many kinds of ends and how many marks are told
// apart. Further ones, which only ever new files can bring about, are counted together.
const mostSeries = 1000

const (
	otherName = "(other)"
	noRoute   = "(none)"
)

// requests are the series of requests that have ended.
type requests struct {
	ended    *prometheus.CounterVec
	marked   *prometheus.CounterVec
	ttft     *prometheus.HistogramVec
	gap      *prometheus.HistogramVec
	duration *prometheus.HistogramVec
	late     *prometheus.HistogramVec

	mu     sync.RWMutex // guards what follows
	routes map[route]*times
	ends   map[end]prometheus.Counter
	marks  map[mark]prometheus.Counter
}

type (
	route struct{ scenario, route string }
	end   struct {
		route
		status  int
		outcome journal.Outcome
	}
	mark struct{ scenario, mark string }
)

// times are the histograms of one route.
type times struct{ ttft, gap, duration, late prometheus.Observer }

func newRequests() *requests {
	histogram := func(name, help string, buckets ...float64) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: name, Help: help, Buckets: buckets, NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 160,
		}, []string{"scenario", "route"})
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	return &requests{
		ended:  counter("orrery_requests_total", "Requests that have ended, by how.", "scenario", "route", "status", "outcome"),
		marked: counter("orrery_marks_total", "Requests that carry a mark of the scenario's.", "scenario", "mark"),
		// Among the bounds are those that the articles name: 17 and 20 ms, 85 and 92, 185, 312, 342.
		ttft: histogram("orrery_time_to_first_token_seconds", "From arrival to the first content of a stream.",
			.005, .01, .017, .02, .03, .05, .1, .15, .2, .25, .312, .5, 1, 2.5, 5, 10, 30),
		gap: histogram("orrery_token_gap_seconds", "From one content event of a stream to the next.",
			.0025, .005, .0075, .01, .017, .023, .03, .045, .06, .075, .085, .092, .11, .25, .5, 1, 2.5),
		duration: histogram("orrery_request_duration_seconds", "From arrival to the last byte of a whole answer with a status of 2xx.",
			.01, .025, .062, .1, .15, .175, .185, .2, .25, .342, .5, .75, 1, 2.5, 5, 10, 30, 60),
		late: histogram("orrery_lateness_seconds", "By how much the latest step of an answer left after its planned instant: the server's own fault.",
			.0001, .00025, .0005, .001, .002, .005, .01, .025, .05, .1, .25, 1),
		routes: map[route]*times{}, ends: map[end]prometheus.Counter{}, marks: map[mark]prometheus.Counter{},
	}
}

func (r *requests) vectors() []prometheus.Collector {
	return []prometheus.Collector{r.ended, r.marked, r.ttft, r.gap, r.duration, r.late}
}

func (r *requests) Describe(to chan<- *prometheus.Desc) {
	for _, v := range r.vectors() {
		v.Describe(to)
	}
}

func (r *requests) Collect(to chan<- prometheus.Metric) {
	for _, v := range r.vectors() {
		v.Collect(to)
	}
}

// see counts a request that has ended. Whoever closes it waits for this.
func (r *requests) see(c journal.Closed) {
	of, status := route{c.Scenario(), noRoute}, 0
	d := c.Decision()
	if d != nil {
		status = d.Status()
		if name := d.Route(); name != "" {
			of.route = name
		}
	}
	r.end(end{of, status, c.Outcome()}).Inc()
	if d == nil {
		return
	}
	for name, set := range d.Marks() {
		if set {
			r.mark(mark{of.scenario, name}).Inc()
		}
	}
	r.timesOf(of).observe(&c, d, status)
}

// observe looks at each step that was sent.
func (t *times) observe(c *journal.Closed, d journal.Decision, status int) {
	var last, late time.Duration
	before := time.Duration(-1)
	for i, at := range c.Sent() {
		s := d.Step(i)
		last, late = at, max(late, at-s.Planned)
		if s.Event != journal.ContentDelta {
			continue
		}
		if before < 0 {
			t.ttft.Observe(at.Seconds())
		} else {
			t.gap.Observe((at - before).Seconds())
		}
		before = at
	}
	if c.Outcome() == journal.Complete && status/100 == 2 {
		t.duration.Observe(last.Seconds())
	}
	if !c.Held() {
		t.late.Observe(late.Seconds())
	}
}

func (r *requests) timesOf(of route) *times {
	return kept(r, r.routes, of, route{otherName, otherName}, func(of route) *times {
		return &times{
			r.ttft.WithLabelValues(of.scenario, of.route), r.gap.WithLabelValues(of.scenario, of.route),
			r.duration.WithLabelValues(of.scenario, of.route), r.late.WithLabelValues(of.scenario, of.route),
		}
	})
}

func (r *requests) end(of end) prometheus.Counter {
	other := end{route{otherName, otherName}, of.status, of.outcome}
	return kept(r, r.ends, of, other, func(of end) prometheus.Counter {
		return r.ended.WithLabelValues(of.scenario, of.route.route, strconv.Itoa(of.status), string(of.outcome))
	})
}

func (r *requests) mark(of mark) prometheus.Counter {
	return kept(r, r.marks, of, mark{otherName, otherName}, func(of mark) prometheus.Counter { return r.marked.WithLabelValues(of.scenario, of.mark) })
}

// kept is a series of the requests', made when it is first wanted; once there are too many it is the other one.
func kept[K comparable, S any](r *requests, all map[K]S, key, other K, make func(K) S) S {
	r.mu.RLock()
	s, ok := all[key]
	r.mu.RUnlock()
	if ok {
		return s
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(all) >= mostSeries {
		key = other
	}
	if s, ok = all[key]; !ok {
		s = make(key)
		all[key] = s
	}
	return s
}
