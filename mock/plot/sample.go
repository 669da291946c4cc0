package plot

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// subject is what answers the requests of a series: an outcome that stands in place of the routes, or
// the routes themselves.
type subject struct {
	name     string
	tone     int
	route    string // that it is, "" for a profile or for all routes
	scenario *scenario.Scenario
	outcome  *scenario.Outcome // nil: the routes
	profile  *scenario.Profile // behind it; nil: none, or several
}

// alone is a profile without what routes do beside: it says what the first route that has it says, else
// what any route says.
func alone(s *scenario.Scenario, p *scenario.Profile) *subject {
	outcome := &scenario.Outcome{Profile: p}
	for _, r := range s.Routes {
		if r.Reply != nil && (r.Profile == p || outcome.Reply == nil) {
			outcome.Reply = r.Reply
			if r.Profile == p {
				break
			}
		}
	}
	if outcome.Reply == nil {
		outcome.Reply = &scenario.Reply{Text: strings.Repeat("tick tock ", 50)}
	}
	return &subject{name: p.Name, scenario: s, outcome: outcome, profile: p}
}

// asked are the bodies of the requests: a short question, for a stream or for a whole answer.
func asked(stream bool) []byte {
	return fmt.Appendf(nil, `{"model":"claude-sonnet-5","max_tokens":1024,"stream":%t,"messages":[{"role":"user","content":"Hello"}]}`, stream)
}

// How many requests a series is made of, unless the question says.
const (
	requests = 1000
	streams  = 100 // of which each has many gaps
	rows     = 12
	atOnce   = 400 // for each number in flight
)

// sampled is what came of a subject's requests, sorted. Those refused, and what never comes, are left out.
type sampled struct{ firsts, durations []time.Duration }

// sample has requests answered one after the other, each when the one before has ended (R49).
func (k *kit) sample(s *subject, stream bool) (*sampled, error) {
	made := &sampled{}
	err := k.ask(s, stream, 1, k.n(requests), func(_ int, d *run.Decision) {
		t := d.Timeline
		if t.Status >= http.StatusBadRequest || t.TTFT() >= timeline.Never {
			return
		}
		made.firsts = append(made.firsts, t.TTFT())
		if t.Duration() < timeline.Never {
			made.durations = append(made.durations, t.Duration())
		}
	})
	slices.Sort(made.firsts)
	slices.Sort(made.durations)
	return made, err
}

// streamed are the gaps of streams that follow one another, sorted.
func (k *kit) streamed(s *subject) ([]time.Duration, error) {
	var gaps []time.Duration
	err := k.ask(s, true, 1, k.n(streams), func(_ int, d *run.Decision) {
		dues := deltas(d.Timeline)
		for i := 1; i < len(dues); i++ {
			gaps = append(gaps, dues[i]-dues[i-1])
		}
	})
	slices.Sort(gaps)
	return gaps, err
}

// n is how many requests the question wants, or else.
func (k *kit) n(otherwise int) int {
	if k.N > 0 {
		return k.N
	}
	return otherwise
}

// deltas are when the events with an answer's tokens leave.
func deltas(t *timeline.Timeline) []time.Duration {
	if !t.Streams() {
		return nil
	}
	var dues []time.Duration
	for i := range t.Len() {
		s := t.Step(i)
		if (s.Kind == timeline.Delta || s.Kind == timeline.Bytes && t.Event(i) == timeline.Delta.String()) && s.Due < timeline.Never {
			dues = append(dues, s.Due)
		}
	}
	return dues
}

// ask has n requests decided by a fresh run: a closed loop of clients, each asking again when it has
// its answer. A request without an end frees its client at once.
func (k *kit) ask(s *subject, stream bool, clients, n int, each func(i int, d *run.Decision)) error {
	played := run.New(run.Config{Name: "plot", Scenario: s.scenario, Replies: k.replies, Seed: k.Seed, Unlimited: true})
	seed := s.scenario.Seed
	if k.Seed != nil {
		seed = *k.Seed
	}
	identity := latency.NewPlace(seed, "plot/identity")
	q, refusal := k.query(s, asked(stream))
	free := make([]time.Duration, clients) // when each client asks next, a heap
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		if i%64 == 0 && k.ctx.Err() != nil {
			return k.ctx.Err()
		}
		q.Arrived = start.Add(free[0])
		var d *run.Decision
		if refusal != nil {
			d = played.Refuse(q, refusal)
		} else {
			if s.outcome != nil {
				played.Next(s.outcome)
			}
			again := *q.Request
			again.Identity ^= identity.Hash(uint64(i)) // so that none is a repetition
			ask := q
			ask.Request = &again
			d = played.Decide(ask)
		}
		each(i, d)
		if took := d.Timeline.Duration(); took < timeline.Never {
			free[0] += took
		} else {
			played.Forget(d, q.Arrived)
		}
		sink(free)
		played.Release(d)
	}
	return nil
}

// sink puts the first of a heap, which may have grown, in its place.
func sink(heap []time.Duration) {
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
			if heap[child] < heap[least] {
				least = child
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}

// query reads a body as the server does. What isn't sent through the routes needn't suit them.
func (k *kit) query(s *subject, body []byte) (run.Query, *wire.Error) {
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("Anthropic-Version", "2023-06-01")
	o := wire.ReadOptions{Version: "2023-06-01", Models: run.Models(s.scenario), Listed: s.outcome == nil && s.scenario.API.Models == "listed"}
	request, refusal := k.reader.Read(body, o)
	return run.Query{
		Header: header, Method: http.MethodPost, Path: "/v1/messages", Protocol: "HTTP/1.1", Client: "orrery-plot",
		Bytes: len(body), Request: request, Key: s.scenario.KeyName("orrery-plot"), ConnectionRequests: 1,
	}, refusal
}
