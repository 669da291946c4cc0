package claim

import (
	"context"
	"runtime"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// job is one workload and all that claims gather of it.
type job struct {
	scenario *scenario.Scenario
	workload *scenario.Workload
	wanted   []*scenario.Gather
	figures  []func() float64 // of wanted, once it has been played
}

func goroutines() int { return runtime.GOMAXPROCS(0) }

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

// play plays all variants of the workload, each against a fresh run.
func (j *job) play(ctx context.Context, replies *reply.Library, o Options) error {
	seed := j.scenario.Seed
	if o.Seed != nil {
		seed = *o.Seed
	}
	g := newGathering(j.scenario, j.planned(o))
	for _, spec := range j.wanted {
		j.figures = append(j.figures, g.figureOf(spec))
	}
	variants, err := newTemplates(j.scenario, seed).variants(j.workload, o)
	if err != nil {
		return j.fail(err)
	}
	for _, t := range variants {
		if err := newSimulation(t, j.scenario, replies, seed, g).play(ctx, o.Progress); err != nil {
			return j.fail(err)
		}
	}
	return nil
}

// planned is about how many requests the workload sends.
func (j *job) planned(o Options) uint64 {
	w := j.workload
	var n uint64
	variants := choicesOf(w.Request).count()
	for pace := range max(len(w.Rates), len(w.Clients), 1) {
		var rate scenario.Rate
		if len(w.Rates) > 0 {
			rate = w.Rates[pace]
		}
		n += uint64(variants) * uint64(unitsOf(w, rate, o))
	}
	return n
}

func unitsOf(w *scenario.Workload, rate scenario.Rate, o Options) int {
	length := w.For
	switch {
	case o.Soak:
		length = w.Soak
	case w.Requests > 0 && o.Requests > 0:
		return min(w.Requests, o.Requests) + w.Warmup
	case w.Requests > 0:
		return w.Requests + w.Warmup
	}
	n := 0.0
	for i, stage := range rate {
		lasts := stage.For
		if lasts == 0 || i == len(rate)-1 && length > 0 {
			lasts = max(length, 0)
		}
		n += stage.PerSecond * lasts.Seconds()
		length -= lasts
	}
	for i := range w.Parts {
		for _, stage := range w.Parts[i].Rate {
			n += stage.PerSecond * max(length, time.Duration(0)).Seconds()
			break
		}
	}
	if o.Requests > 0 {
		return min(int(n), o.Requests)
	}
	return int(n)
}

// verdictsOf judges the claims of one scenario.
func verdictsOf(s *scenario.Scenario, jobs []*job, o Options) []Verdict {
	figures := map[*scenario.Gather]float64{}
	for _, j := range jobs {
		for i, spec := range j.wanted {
			figures[spec] = j.figures[i]()
		}
	}
	var all []Verdict
	for _, c := range s.Claims {
		v := Verdict{Scenario: s.Name, Claim: c.ID, Says: c.Says, ShownBy: c.ShownBy}
		if len(c.Checks) == 0 && !o.Soak {
			v.Verdict, v.Reason = NotMeasured, c.NotMeasured
			all = append(all, v)
		}
		for i := range c.Checks {
			check := &c.Checks[i]
			gathered := make([]float64, len(check.Measure.Gathered))
			played := true
			for k, spec := range check.Measure.Gathered {
				var ok bool
				gathered[k], ok = figures[spec]
				played = played && ok
			}
			if o.Soak && !played {
				continue
			}
			all = append(all, judge(v, check, len(c.Checks) > 1, check.Measure.Value(gathered)))
		}
	}
	return all
}

// judge is the verdict on a figure.
func judge(v Verdict, check *scenario.Check, several bool, figure float64) Verdict {
	v.Check, v.Measure, v.Figure = check.Says, check.Measure.Source, figure
	if several && v.Check == "" {
		v.Check = v.Measure
	}
	v.Measured, v.Within, v.Contradicts = check.Show(figure), check.Within(), check.Contradicts
	holds := check.Holds(figure)
	switch {
	case figure != figure:
		v.Verdict, v.Reason = Fail, "there is no figure: no row of the workload has what is measured"
	case v.Contradicts == "" && holds:
		v.Verdict = Pass
	case v.Contradicts == "":
		v.Verdict = Fail
	case holds:
		v.Verdict, v.Reason = Fail, "it holds, though "+v.Contradicts+" says that it can't"
	default:
		v.Verdict = Contradicts
	}
	return v
}
