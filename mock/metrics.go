package mock

import (
	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/metrics"
)

// measure has the handler's time series counted.
func (h *Handler) measure() {
	h.service.Metrics = metrics.New(metrics.Config{
		Journal: h.service.Journal, Scenario: h.service.Named, Times: h.service.Times, Holdings: h.holdings,
	})
}

func (h *Handler) holdings() metrics.Holdings {
	s := h.service.Holdings()
	held := metrics.Holdings{
		Runs: s.Runs.Kept, RunsLimit: s.MostRuns, RunsForgotten: s.Runs.Forgotten, RunsRefused: s.Runs.Refused,
		BodiesWaiting: s.BodiesWaiting, BodiesWaited: int(s.BodiesWaited), BodiesLimit: s.BodiesRoom,
	}
	if h.counts != nil {
		c := h.counts()
		held.Connections = &metrics.Connections{
			Open: c.Connections, Limit: c.MostConnections, Full: c.Full, Refused: c.Refused, Requests: c.Requests,
			Streams: c.Streams, StreamsLimit: c.MostStreams, StreamsRefused: c.StreamsRefused, StoodStill: c.StoodStill,
		}
	}
	for _, one := range s.Scenarios {
		held.Scenarios = append(held.Scenarios, heldBy(one))
	}
	return held
}

func heldBy(s api.Held) metrics.Scenario {
	made := metrics.Scenario{Name: s.Scenario, Requests: s.Requests}
	for _, q := range s.Queues {
		made.Queues = append(made.Queues, metrics.Queue{Profile: q.Profile, Slots: q.Slots, Busy: q.Busy, Waiting: q.Waiting})
	}
	return made
}
