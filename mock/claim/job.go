package claim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
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
	late     string     // why its times can't be trusted
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
		if reason := late(""); errors.As(err, &reason) {
			j.late = cmp.Or(j.late, reason.Error())
			continue
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

// mostTogether is how many requests a second are sent to a target by workloads that are played at
// the same time. One that sends more is played alone, for they would disturb each other.
const mostTogether = 250

// pace is about how many requests a second the workload sends at most.
func (j *job) pace() float64 {
	const perClient = 5 // answers take about 200 ms
	w, most := j.workload, 0.0
	for _, r := range w.Rates {
		for _, stage := range r {
			most = max(most, stage.PerSecond)
		}
	}
	for _, clients := range w.Clients {
		most = max(most, perClient*float64(clients))
	}
	sum := 0.0
	for i := range w.Parts {
		sum += perClient * float64(w.Parts[i].Clients)
		for _, stage := range w.Parts[i].Rate {
			sum += stage.PerSecond
		}
	}
	return max(most, sum)
}

// weight is the workload's part of mostTogether.
func (j *job) weight() int64 { return int64(min(max(j.pace(), 1), mostTogether)) }

// length orders workloads by how long they take: in seconds of a target's time, in requests of a
// simulation.
func (j *job) length(o Options) float64 {
	n := float64(j.planned(o))
	if o.Target != "" {
		n /= max(j.pace(), 1)
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
			if timed(spec) {
				reasons[spec] = cmp.Or(reasons[spec], j.late)
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
			figure := check.Measure.Value(gathered)
			slack := 0.0
			if o.Target != "" && slices.ContainsFunc(check.Measure.Gathered, timed) {
				slack = networked(check.Unit, figure)
			}
			judged := judge(v, check, len(c.Checks) > 1, figure, slack)
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
	for _, column := range columns(spec) {
		if !visible(column) {
			return column + " can't be seen from outside"
		}
	}
	return ""
}

// timed tells whether what is gathered depends on when requests were sent and answered.
func timed(spec *scenario.Gather) bool {
	return spec.Name == "rate" || spec.Name == "span" ||
		slices.ContainsFunc(columns(spec), func(c string) bool { return strings.HasSuffix(c, "_ms") })
}

// columns are all that are read for what is gathered.
func columns(spec *scenario.Gather) []string {
	var all []string
	for _, f := range []*scenario.Formula{spec.Of, spec.When, spec.Among, spec.By} {
		if f != nil {
			all = append(all, f.Columns...)
		}
	}
	if spec.Inner != nil {
		for _, one := range spec.Inner.Gathered {
			all = append(all, columns(one)...)
		}
	}
	return all
}

// networked is by how much a figure of times may miss its range when it was measured over a network,
// which adds its own: 3 ms or 2 %, whichever is more, and 2 points of a share.
func networked(unit string, figure float64) float64 {
	switch unit {
	case "ms":
		return max(3, 0.02*math.Abs(figure))
	case "%":
		return 0.02
	}
	return 0.02 * math.Abs(figure)
}

// judge is the verdict on a figure that may miss its range by the slack.
func judge(v Verdict, check *scenario.Check, several bool, figure, slack float64) Verdict {
	v.Check, v.Measure, v.Figure = check.Says, check.Measure.Source, figure
	if several && v.Check == "" {
		v.Check = v.Measure
	}
	v.Measured, v.Within, v.Contradicts = check.Show(figure), check.Within(), check.Contradicts
	holds := check.Holds(figure)
	if !holds && v.Contradicts == "" && figure >= check.Low-slack && figure <= check.High+slack {
		holds, v.Reason = true, "as near as a network lets it be measured"
	}
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
