package metrics

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Holdings are what a server holds at the moment, and what it had to drop or to leave waiting since its
// start.
type Holdings struct {
	// Runs but for the default one, which is never forgotten.
	Runs, RunsLimit             int
	RunsForgotten, RunsRefused  int
	BodiesWaiting, BodiesWaited int // large ones, for room
	BodiesLimit                 int64
	Connections                 *Connections // nil: nothing listens
	Scenarios                   []Scenario
}

// Connections are those of a server that listens.
type Connections struct {
	Open, Limit           int
	Full, Refused         uint64 // how often there was no place
	Requests              int    // under way
	Streams, StreamsLimit int    // of them over HTTP/2 and HTTP/3
	StreamsRefused        uint64
	StoodStill            uint64 // requests whose bodies did
}

// Scenario is what the runs of a scenario hold together.
type Scenario struct {
	Name     string
	Requests int // planned to be under way
	Queues   []Queue
}

// Queue are a profile's slots.
type Queue struct {
	Profile              string
	Slots, Busy, Waiting int
}

// holdings tells of them at each scrape.
type holdings struct{ Config }

// Describe tells nothing beforehand: what there is depends on what is played.
func (*holdings) Describe(chan<- *prometheus.Desc) {}

func (h *holdings) Collect(to chan<- prometheus.Metric) {
	tell := func(kind prometheus.ValueType, name, help string, v float64) {
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, nil), kind, v)
	}
	gauge := func(name, help string, v int) { tell(prometheus.GaugeValue, name, help, float64(v)) }
	count := func(name, help string, v uint64) { tell(prometheus.CounterValue, name, help, float64(v)) }

	held := h.Holdings()
	gauge("orrery_runs", "Runs that are kept, but for the default one.", held.Runs)
	gauge("orrery_runs_limit", "Runs that are kept at most.", held.RunsLimit)
	count("orrery_runs_forgotten_total", "Runs that made room for others.", uint64(held.RunsForgotten))
	count("orrery_runs_refused_total", "Runs there was no room for.", uint64(held.RunsRefused))
	gauge("orrery_large_bodies_waiting", "Large request bodies that wait for room.", held.BodiesWaiting)
	count("orrery_large_bodies_waited_total", "Large request bodies that had to wait.", uint64(held.BodiesWaited))
	gauge("orrery_large_bodies_limit_bytes", "Room for large request bodies.", int(held.BodiesLimit))
	// Gauges, since who clears a run's records takes its requests out.
	gauge("orrery_journal_requests", "Requests that have arrived, but for those of runs that were cleared.", h.Journal.Len())
	gauge("orrery_journal_evicted", "Records of them that made room for others.", h.Journal.Evicted())
	if f := h.Journal.File(); f != nil {
		lost, _ := f.Lost()
		count("orrery_journal_file_lost_lines_total", "Lines that couldn't be written to the journal's file.", uint64(lost))
	}
	if c := held.Connections; c != nil {
		gauge("orrery_connections", "Connections that are open.", c.Open)
		gauge("orrery_connections_limit", "Connections that may be open at once; 0: any number.", c.Limit)
		count("orrery_connections_full_total", "How often no place was left, so that further connections had to wait.", c.Full)
		count("orrery_connections_refused_total", "HTTP/3 connections that came when no place was left.", c.Refused)
		gauge("orrery_requests_under_way", "Requests that are being answered.", c.Requests)
		gauge("orrery_streams", "Streams of HTTP/2 and HTTP/3 that are open.", c.Streams)
		gauge("orrery_streams_limit", "Streams that may be open at once.", c.StreamsLimit)
		count("orrery_streams_refused_total", "Streams that came when no place was left.", c.StreamsRefused)
		count("orrery_bodies_given_up_total", "Requests whose bodies stood still.", c.StoodStill)
	}
	for _, s := range held.Scenarios {
		of := func(name, help string, v int, labels ...string) {
			names := []string{"scenario", "profile"}[:len(labels)]
			to <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, names, nil), prometheus.GaugeValue, float64(v), labels...)
		}
		of("orrery_concurrency", "Requests whose planned end lies ahead, in all runs of the scenario.", s.Requests, s.Name)
		for _, q := range s.Queues {
			of("orrery_slots", "Simulated slots, of all runs of the scenario.", q.Slots, s.Name, q.Profile)
			of("orrery_slots_busy", "Simulated slots that are taken.", q.Busy, s.Name, q.Profile)
			of("orrery_queue_waiting", "Requests that wait for a simulated slot.", q.Waiting, s.Name, q.Profile)
		}
	}
}
