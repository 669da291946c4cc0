package claim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
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
func (j *job) play(ctx context.Context, replies *reply.Library, o Options, c clock.Clock) error {
	seed := j.scenario.Seed
	if o.Seed != nil {
		seed = *o.Seed
	}
	g := newGathering(j.scenario, j.planned(o))
	for _, spec := range j.wanted {
		if o.Target != "" && hidden(spec) != "" {
			j.gathered = append(j.gathered, nil)
			continue
		}
		j.gathered = append(j.gathered, g.of(spec))
	}
	variants, err := newTemplates(j.scenario, seed).variants(j.workload, o)
	if err != nil {
		return j.fail(err)
	}
	begun := strconv.FormatInt(c.Now().UnixNano(), 36)
	for i, t := range variants {
		var err error
		if o.Target == "" {
			err = newSimulation(t, j.scenario, replies, seed, g).play(ctx, o.Progress)
		} else {
			h := http.Header{"X-Orrery-Scenario": {j.scenario.Name}, "X-Orrery-Run": {fmt.Sprintf("verify-%s-%s-%d", begun, j.workload.Name, i+1)}}
			err = (&drive{traffic: t, gather: g, target: o.Target, client: o.Client, header: h, clock: c, progress: o.Progress}).play(ctx)
		}
		if reason := undriven(""); errors.As(err, &reason) {
			j.reason = reason.Error()
			return nil
		}
		if err != nil {
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
	length, most := w.For, o.Requests
	if staged(w) {
		most = 0
	}
	switch {
	case o.Soak:
		length = w.Soak
	case w.Requests > 0 && most > 0:
		return min(w.Requests, most) + w.Warmup
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
	if most > 0 {
		return min(int(n), most)
	}
	return int(n)
}

// verdictsOf judges the claims of one scenario.
func verdictsOf(s *scenario.Scenario, jobs []*job, o Options) []Verdict {
	figures := map[*scenario.Gather]float64{}
	reasons, remarks := map[*scenario.Gather]string{}, map[*scenario.Gather]string{}
	for _, j := range jobs {
		for i, spec := range j.wanted {
			figures[spec] = math.NaN()
			if o.Target != "" {
				reasons[spec] = cmp.Or(hidden(spec), j.reason)
			}
			if j.gathered[i] != nil {
				figures[spec] = j.gathered[i].figure()
			}
			if f, ok := j.gathered[i].(*function); ok {
				remarks[spec] = f.remark()
			}
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
			played, reason, remark := true, "", ""
			for k, spec := range check.Measure.Gathered {
				var ok bool
				gathered[k], ok = figures[spec]
				played = played && ok
				reason, remark = cmp.Or(reason, reasons[spec]), cmp.Or(remark, remarks[spec])
			}
			if o.Soak && !played {
				continue
			}
			if reason != "" {
				all = append(all, unmeasured(v, check, reason))
				continue
			}
			judged := judge(v, check, len(c.Checks) > 1, check.Measure.Value(gathered))
			judged.Reason = cmp.Or(judged.Reason, remark)
			all = append(all, judged)
		}
	}
	return all
}

// unmeasured is the verdict on a figure that there is none of, for a reason.
func unmeasured(v Verdict, check *scenario.Check, reason string) Verdict {
	v.Check, v.Measure, v.Figure = check.Says, check.Measure.Source, math.NaN()
	v.Within, v.Contradicts, v.Verdict, v.Reason = check.Within(), check.Contradicts, NotMeasured, reason
	return v
}

// hidden is the reason why what is gathered can't be seen from outside; "" when it can.
func hidden(spec *scenario.Gather) string {
	switch spec.Name {
	case "utilization", "gpu_seconds":
		return spec.Name + " can't be seen from outside"
	}
	for _, f := range []*scenario.Formula{spec.Of, spec.When, spec.Among, spec.By} {
		if f == nil {
			continue
		}
		for _, column := range f.Columns {
			if !visible(column) {
				return column + " can't be seen from outside"
			}
		}
	}
	if spec.Inner != nil {
		for _, one := range spec.Inner.Gathered {
			if reason := hidden(one); reason != "" {
				return reason
			}
		}
	}
	return ""
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
