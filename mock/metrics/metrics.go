// Package metrics are a server's time series, for Prometheus: what the journal is told of each request, what
// the server holds, and the series that scenarios name themselves under `metrics:`.
//
// A label's values come from scenario files and from the API, never from a client: scenario, route,
// mark, profile, status, outcome. Runs are taken together. Times are in seconds on the runs' own clocks,
// as the answers were really sent.
//
//	m := metrics.New(metrics.Config{…})
//	http.Handle("/metrics", m)
package metrics

import (
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Config is where a server's series come from. All of it must be given.
type Config struct {
	Journal *journal.Journal
	// Scenario is the one of that name; nil when there is none any more.
	Scenario func(name string) *scenario.Scenario
	// Times tells what time it is in each run.
	Times func() func(scenario, run string) time.Time
	// Holdings tells what the server holds.
	Holdings func() Holdings
}

// Metrics are the series of one server. They are counted from New on, whether anybody scrapes or not.
type Metrics struct {
	registry *prometheus.Registry
	process  sync.Once // adds the series of the process, which are made when somebody wants them
	scrape   http.Handler
}

// mostScrapes is how many scrapes are answered at once.
const mostScrapes = 4

// New counts the requests that end from here on.
func New(c Config) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	r := newRequests()
	m.registry.MustRegister(r, &holdings{Config: c}, &own{Config: c, helps: map[string]string{}})
	c.Journal.Observe(r.see)
	m.scrape = promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, EnableOpenMetrics: true, MaxRequestsInFlight: mostScrapes,
	})
	return m
}

// ServeHTTP answers a scrape: as text, OpenMetrics or protobuf, which has native histograms.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.process.Do(func() {
		m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	})
	m.scrape.ServeHTTP(w, r)
}
