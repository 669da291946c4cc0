package claim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// DefaultTime is the longest that a workload takes against a target unless [Options] say otherwise.
const DefaultTime = time.Minute

// rehearsal is what the simulation says of workloads before they are played in real time: how long
// that takes, at which size it fits into the time there is, and which claims can be answered then.
type rehearsal struct {
	sizes     map[*job]size
	simulated measured // at that size
	// unanswerable says why a check isn't measured.
	unanswerable map[*scenario.Check]string
	of           map[*scenario.Gather]*job
}

// rehearse simulates the workloads at the size at which they will be driven. Checks that miss their
// range for no other reason than that size are found by a simulation at full size.
func rehearse(ctx context.Context, scenarios []*scenario.Scenario, jobs []*job, replies *reply.Library, o Options) (*rehearsal, error) {
	o.Progress = func(int) {}
	r := &rehearsal{sizes: map[*job]size{}, unanswerable: map[*scenario.Check]string{}, of: map[*scenario.Gather]*job{}}
	sizes := make([]size, len(jobs))
	err := inParallel(ctx, o.goroutines(), jobs, func(ctx context.Context, i int) (err error) {
		sizes[i], err = jobs[i].fit(ctx, replies, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, j := range jobs {
		r.sizes[j] = sizes[i]
		for _, spec := range j.wanted {
			r.of[spec] = j
		}
	}
	r.simulated = measuredOf(jobs, Options{})
	doubtful := map[*job]bool{}
	checks := checksOf(scenarios)
	for _, c := range checks {
		if reason := r.unfit(c); reason != "" {
			r.unanswerable[c] = reason
			continue
		}
		if figure, _, _, _ := r.simulated.figure(c); len(r.cut(c)) > 0 && !c.Holds(figure) {
			for _, spec := range c.Measure.Gathered {
				doubtful[r.of[spec]] = true
			}
		}
	}
	return r, r.doubt(ctx, checks, doubtful, replies, o)
}

// doubt simulates at full size what checks that miss are made of. Those that hold there were missed
// for the size alone.
func (r *rehearsal) doubt(ctx context.Context, checks []*scenario.Check, doubtful map[*job]bool, replies *reply.Library, o Options) error {
	var again []*job
	for j := range doubtful {
		again = append(again, &job{scenario: j.scenario, workload: j.workload, wanted: j.wanted})
	}
	err := inParallel(ctx, o.goroutines(), again, func(ctx context.Context, i int) error {
		_, err := again[i].simulate(ctx, replies, Options{Seed: o.Seed, Progress: o.Progress})
		return err
	})
	if err != nil {
		return err
	}
	whole := measuredOf(again, Options{})
	for _, c := range checks {
		figure, _, _, played := whole.figure(c)
		small, _, _, _ := r.simulated.figure(c)
		if cut := r.cut(c); r.unanswerable[c] == "" && len(cut) > 0 && played && c.Holds(figure) && !c.Holds(small) {
			r.unanswerable[c] = fmt.Sprintf("%s too few for it: simulated, so many come to %s, all of the file's to %s", cut[0], c.Show(small), c.Show(figure))
		}
	}
	return nil
}

// fit simulates the workload at the largest size that takes no longer than it may.
func (j *job) fit(ctx context.Context, replies *reply.Library, o Options) (size, error) {
	limit := o.time()
	for {
		s, err := j.simulate(ctx, replies, o)
		if err != nil || s.hurdle != "" || s.takes <= limit {
			return s, err
		}
		if s.units == 1 {
			s.hurdle = fmt.Sprintf("one request of each kind takes %s, longer than the %s there are", s.takes.Round(time.Millisecond), limit)
			return s, nil
		}
		// A little less than what would just fit, for a size isn't quite in proportion to its time.
		j.most = max(min(int(0.97*float64(s.units)*float64(limit)/float64(s.takes)), s.units-1), 1)
		o.Requests = j.most
	}
}

// unfit is the reason why the size of a check's workloads keeps it from being answered; "" when
// nothing does.
func (r *rehearsal) unfit(c *scenario.Check) string {
	for _, spec := range c.Measure.Gathered {
		j := r.of[spec]
		if j == nil {
			continue
		}
		s := r.sizes[j]
		if reason := hidden(spec); reason != "" {
			return reason
		}
		if s.hurdle != "" {
			return s.hurdle
		}
		if s.crowd > 0 && timed(spec) {
			return fmt.Sprintf("%d requests don't keep %d clients busy", s.units, s.crowd)
		}
		if spec.Name == "percentile" && s.cut {
			if need := rowsFor(spec.Quantile); r.simulated.rows[spec] < need {
				return fmt.Sprintf("such a percentile needs %d requests, not %d", need, r.simulated.rows[spec])
			}
		}
	}
	return ""
}

// rowsFor is how many rows have one beyond a quantile.
func rowsFor(quantile [2]uint64) uint64 {
	of, whole := quantile[0], quantile[1]
	if of >= whole {
		return 1
	}
	return (whole + whole - of - 1) / (whole - of)
}

// cut are the workloads of a check that are shorter than the file says, in words.
func (r *rehearsal) cut(c *scenario.Check) []string {
	var all []string
	for _, spec := range c.Measure.Gathered {
		if j := r.of[spec]; j != nil && r.sizes[j].cut {
			if said := fmt.Sprintf("%d requests of %s are", r.sizes[j].requests, j.workload.Name); !slices.Contains(all, said) {
				all = append(all, said)
			}
		}
	}
	return all
}

// worth tells whether playing the workload answers a check.
func (r *rehearsal) worth(j *job, checks []*scenario.Check) bool {
	if r.sizes[j].hurdle != "" {
		return false
	}
	return slices.ContainsFunc(checks, func(c *scenario.Check) bool {
		return r.unanswerable[c] == "" && slices.ContainsFunc(c.Measure.Gathered, func(spec *scenario.Gather) bool { return r.of[spec] == j })
	})
}

// sureHeft is up to how many plain requests per second a figure of a target's times is trusted, even
// when it misses its range: beyond, it may be the machine's.
const sureHeft = 600

// shown is what the simulation gives for a check; "" when nothing was rehearsed.
func (r *rehearsal) shown(c *scenario.Check) string {
	if r == nil {
		return ""
	}
	figure, _, _, _ := r.simulated.figure(c)
	return c.Show(figure)
}

// compare puts the simulated figure beside one that was measured. A miss that may be the machine's is
// no verdict.
func (r *rehearsal) compare(v *Verdict, c *scenario.Check, slack float64) {
	simulated, _, _, _ := r.simulated.figure(c)
	v.Simulated = r.shown(c)
	if v.Verdict != Fail || slack == 0 || !c.Holds(simulated) {
		return
	}
	missed := max(c.Low-v.Figure, v.Figure-c.High)
	for _, spec := range c.Measure.Gathered {
		j := r.of[spec]
		if !timed(spec) || j == nil {
			continue
		}
		switch s := r.sizes[j]; {
		case s.heft > sureHeft:
			v.Reason = fmt.Sprintf("it came to %s, at %s requests/s as heavy as %.0f plain ones: the machine may be what was measured", v.Measured, short(j.rate), s.heft)
		case c.Unit == "ms" && r.few(spec) && missed <= milliseconds(j.worst):
			v.Reason = fmt.Sprintf("it came to %s; this machine was late by up to %s", v.Measured, j.worst.Round(time.Millisecond/10))
		default:
			continue
		}
		v.Verdict, v.Measured, v.Figure = NotMeasured, "", math.NaN()
		return
	}
}

// fewRows is how many of a burst's requests one pause of a machine delays.
const fewRows = 10

// few tells whether a figure rests on a few rows, so that one pause of the machine moves it.
func (r *rehearsal) few(spec *scenario.Gather) bool {
	switch spec.Name {
	case "min", "max", "value", "span", "sigma":
		return true
	case "percentile":
		return r.simulated.rows[spec]*(spec.Quantile[1]-spec.Quantile[0]) <= fewRows*spec.Quantile[1]
	}
	return false
}

func checksOf(scenarios []*scenario.Scenario) []*scenario.Check {
	var all []*scenario.Check
	for _, s := range scenarios {
		for _, c := range s.Claims {
			for i := range c.Checks {
				all = append(all, &c.Checks[i])
			}
		}
	}
	return all
}

// inParallel does it for every job, on so many goroutines at most.
func inParallel(ctx context.Context, most int, jobs []*job, do func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(most)
	for i := range jobs {
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}
