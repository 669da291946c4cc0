// Package claim proves what scenario files claim: it plays their workloads, measures, and says of
// each claim whether the figure lies where it must.
//
// The workloads are played in virtual time, event by event, against the same decisions that the
// server plays: there is no second model. A figure is made of what requests got, never of what the
// file says. An endpoint can be measured in their stead, in real time, by the same claims; then only
// what a client sees is measured.
//
//	verdicts, err := claim.Verify(ctx, scenarios, claim.Options{})
package claim

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/seed-954e9acd/orrery/fixtures"
	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Options say how claims are verified. The zero value is a full simulation.
type Options struct {
	// Requests, when not 0, is the most units that a workload sends; claims about rare things need more
	// than a few. One whose rate changes in steps is simulated whole; sent to a target, its steps are
	// shorter.
	Requests int
	// Seed is that of the runs and workloads; nil: each scenario's own.
	Seed *uint64
	// Background simulates on one goroutine, which lets others go first: for a server that answers meanwhile.
	Background bool
	// Soak plays only the workloads that have a soak, for its length, and the claims about them.
	Soak bool
	// Target is the base URL of an endpoint that is measured in real time, in place of a simulation:
	// http://127.0.0.1:4010. It must play each scenario when it is named in the header
	// X-Orrery-Scenario. What can't be seen from outside, or not be driven, isn't measured; neither is
	// what the workload at its size can't answer, which the simulation at that size tells.
	Target string
	// Time is the longest that a workload may take against the target, all its variants together; 0:
	// [DefaultTime]. One that takes longer sends fewer requests.
	Time time.Duration
	// Outlook is told once, before the first request to the target, what lies ahead. Nil: nobody is.
	Outlook func(Outlook)
	// Client lends its transport to requests to the target; nil: an ordinary one.
	Client *http.Client
	// Progress is told of every few thousand requests, from several goroutines. Nil: nobody is.
	Progress func(requests int)
}

// The verdicts.
const (
	Pass        = "pass"         // the figure lies in the range
	Fail        = "fail"         // it doesn't, or it does where a contradiction says that it can't
	Contradicts = "contradicts"  // it lies outside, as a contradiction says
	NotMeasured = "not-measured" // nothing was measured, for a reason
)

// Verdict is what became of one check of a claim.
type Verdict struct {
	Scenario string `json:"scenario"`
	Claim    string `json:"claim"`
	// Says is what is claimed, Check what this figure of several is.
	Says  string `json:"says"`
	Check string `json:"check,omitempty"`
	// Measure is the figure's formula, Measured the figure with its unit, Within the range in words.
	Measure  string `json:"measure,omitempty"`
	Measured string `json:"measured"`
	Within   string `json:"within"`
	Verdict  string `json:"verdict"`
	// Simulated is the figure that the simulation gives of the same requests that a target was sent.
	Simulated string `json:"simulated,omitempty"`
	// Contradicts is the id of the contradiction, ShownBy the test or scenario that shows the claim.
	Contradicts string `json:"contradicts,omitempty"`
	ShownBy     string `json:"shown_by,omitempty"`
	// Reason says why nothing was measured, or what else is to be said.
	Reason string `json:"reason,omitempty"`
	// Figure is the figure as a plain number: milliseconds, or parts of one. NaN when there is none.
	Figure float64 `json:"-"`
}

// Verify plays the scenarios' workloads and returns a verdict for every check of every claim, in the
// order of scenarios and files. Workloads are played on as many goroutines as there are processors;
// the verdicts are the same however many. An error is about a workload that can't be played.
func Verify(ctx context.Context, scenarios []*scenario.Scenario, o Options) ([]Verdict, error) {
	replies, err := reply.Open(fixtures.FS)
	if err != nil {
		return nil, err
	}
	var jobs []*job
	var all [][]*job
	for _, s := range scenarios {
		own := jobsOf(s, o)
		jobs, all = append(jobs, own...), append(all, own)
	}
	if o.Progress == nil {
		o.Progress = func(int) {}
	}
	var r *rehearsal
	if o.Target != "" {
		r, err = against(ctx, scenarios, jobs, replies, o)
	} else {
		// The longest first, so that none is left over at the end.
		slices.SortStableFunc(jobs, func(a, b *job) int { return cmp.Compare(b.planned(o), a.planned(o)) })
		err = inParallel(ctx, o.goroutines(), jobs, func(ctx context.Context, i int) error {
			_, err := jobs[i].simulate(ctx, replies, o)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	var verdicts []Verdict
	for i, s := range scenarios {
		verdicts = append(verdicts, verdictsOf(s, measuredOf(all[i], o), r, o)...)
	}
	return verdicts, nil
}

// Planned is how many requests the scenarios' workloads send, as far as that is known before, for
// showing progress.
func Planned(scenarios []*scenario.Scenario, o Options) (requests uint64) {
	for _, s := range scenarios {
		for _, j := range jobsOf(s, o) {
			requests += j.planned(o)
		}
	}
	return requests
}

func (o Options) time() time.Duration { return cmp.Or(o.Time, DefaultTime) }
