package claim

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// measured is what came of one playing of a scenario's workloads.
type measured struct {
	figures map[*scenario.Gather]float64
	rows    map[*scenario.Gather]uint64 // behind a percentile
	reasons map[*scenario.Gather]string // why there is no figure
	remarks map[*scenario.Gather]string
}

// measuredOf is what the jobs have gathered.
func measuredOf(jobs []*job, o Options) measured {
	m := measured{map[*scenario.Gather]float64{}, map[*scenario.Gather]uint64{}, map[*scenario.Gather]string{}, map[*scenario.Gather]string{}}
	for _, j := range jobs {
		for i, spec := range j.wanted {
			m.figures[spec] = math.NaN()
			if o.Target != "" {
				m.reasons[spec] = cmp.Or(hidden(spec), j.reason)
			}
			if timed(spec) {
				m.reasons[spec] = cmp.Or(m.reasons[spec], j.late)
			}
			if i >= len(j.gathered) || j.gathered[i] == nil {
				continue
			}
			m.figures[spec] = j.gathered[i].figure()
			if f, ok := j.gathered[i].(*function); ok {
				m.remarks[spec], m.rows[spec] = f.remark(), f.of.n
			}
		}
	}
	return m
}

// figure is that of a check, and why there is none; played is false when nothing of it was asked for.
func (m measured) figure(check *scenario.Check) (figure float64, reason, remark string, played bool) {
	gathered := make([]float64, len(check.Measure.Gathered))
	played = true
	for k, spec := range check.Measure.Gathered {
		var ok bool
		gathered[k], ok = m.figures[spec]
		played = played && ok
		reason, remark = cmp.Or(reason, m.reasons[spec]), cmp.Or(remark, m.remarks[spec])
	}
	return check.Measure.Value(gathered), reason, remark, played
}

// verdictsOf judges the claims of one scenario. The rehearsal is nil unless a target was measured.
func verdictsOf(s *scenario.Scenario, m measured, r *rehearsal, o Options) []Verdict {
	var all []Verdict
	for _, c := range s.Claims {
		v := Verdict{Scenario: s.Name, Claim: c.ID, Says: c.Says, ShownBy: c.ShownBy}
		if len(c.Checks) == 0 && !o.Soak {
			v.Verdict, v.Reason = NotMeasured, c.NotMeasured
			all = append(all, v)
		}
		for i := range c.Checks {
			check := &c.Checks[i]
			figure, reason, remark, played := m.figure(check)
			if o.Soak && !played {
				continue
			}
			if r != nil {
				reason = cmp.Or(r.unanswerable[check], reason)
			}
			if reason != "" {
				v := unmeasured(v, check, reason)
				v.Simulated = r.shown(check)
				all = append(all, v)
				continue
			}
			slack := 0.0
			if r != nil && slices.ContainsFunc(check.Measure.Gathered, timed) {
				slack = networked(check, figure)
			}
			judged := judge(v, check, len(c.Checks) > 1, figure, slack)
			judged.Reason = cmp.Or(judged.Reason, remark)
			if r != nil {
				r.compare(&judged, check, slack)
			}
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
	if spec.Writes {
		return "a server's writes can't be seen from outside"
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

// leastSlack is in milliseconds.
const leastSlack = 3

// networked is by how much a figure of times may miss its range when it was measured over a network,
// which adds its own: 3 ms or 2 %, whichever is more, and 2 points of a share.
// A slope misses by that much over all it follows.
func networked(check *scenario.Check, figure float64) float64 {
	switch check.Unit {
	case "ms":
		slack := max(leastSlack, 0.02*math.Abs(figure))
		for _, spec := range check.Measure.Gathered {
			if spec.Name == "slope" {
				slack = min(slack, leastSlack/(spec.High-spec.Low))
			}
		}
		return slack
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
