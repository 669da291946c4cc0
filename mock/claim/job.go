package claim

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// job is one workload and all that claims gather of it.
type job struct {
	scenario *scenario.Scenario
	workload *scenario.Workload
	wanted   []*scenario.Gather
	gathered []gatherer // for wanted, once it has been played; nil: not visible
	reason   string     // why it could not be driven
	late     string     // why its times can't be trusted

	// Of what is driven.
	most   int // units of a variant, when they are fewer than asked for
	begun  time.Time
	played []*drive      // a variant each
	worst  time.Duration // by how much the machine that drove it was late at worst
	rate   float64       // reached, in requests per second
}

func (o Options) goroutines() int {
	if o.Background {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// jobsOf are those of the workloads that claims speak of.
func jobsOf(s *scenario.Scenario, o Options) []*job {
	var jobs []*job
	for _, w := range s.Workloads {
		if o.Soak && w.Soak == 0 {
			continue
		}
		j := &job{scenario: s, workload: w}
		for _, c := range s.Claims {
			for i := range c.Checks {
				for _, g := range c.Checks[i].Measure.Gathered {
					if g.Workload == w.Name {
						j.wanted = append(j.wanted, g)
					}
				}
			}
		}
		if len(j.wanted) > 0 {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

func (j *job) seed(o Options) uint64 {
	if o.Seed != nil {
		return *o.Seed
	}
	return j.scenario.Seed
}

func (j *job) variants(o Options) ([]*traffic, error) {
	all, err := newTemplates(j.scenario, j.seed(o)).variants(j.workload, o)
	if err != nil {
		return nil, j.fail(err)
	}
	return all, nil
}

// simulate plays all variants of the workload in virtual time, each against a fresh run, and returns
// how large they were.
func (j *job) simulate(ctx context.Context, replies *reply.Library, o Options) (size, error) {
	all := size{}
	g := newGathering(j.scenario, j.planned(o))
	j.gathered = nil
	for _, spec := range j.wanted {
		j.gathered = append(j.gathered, g.of(spec))
	}
	if o.Target != "" {
		g.requests = append(g.requests, &all)
	}
	variants, err := j.variants(o)
	if err != nil {
		return all, err
	}
	for _, t := range variants {
		all.of(t)
		m := newSimulation(t, j.scenario, replies, j.seed(o), g)
		m.background = o.Background
		if err := m.play(ctx, o.Progress); err != nil {
			return all, j.fail(err)
		}
		all.end(m.requests)
		all.units = max(all.units, m.begun-t.warmup)
	}
	return all, nil
}

// names are the headers that choose a variant's scenario and a fresh run of it.
func (j *job) names(variant, try int) http.Header {
	run := fmt.Sprintf("verify-%s-%s-%d-%d", strconv.FormatInt(j.begun.UnixNano(), 36), j.workload.Name, variant+1, try+1)
	return http.Header{"X-Orrery-Scenario": {j.scenario.Name}, "X-Orrery-Run": {run}}
}

func (j *job) fail(err error) error {
	return fmt.Errorf("scenario %s, workload %s: %w", j.scenario.Name, j.workload.Name, err)
}
