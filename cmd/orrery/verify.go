package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// barPeriod is how often the bar is drawn anew.
const barPeriod = 100 * time.Millisecond

// proof is what verify was asked.
type proof struct {
	requests int
	format   string
	soak     bool
	target   string
	time     time.Duration
	counted  bool // requests were given
}

func verifyCommand(c *console) *cobra.Command {
	p := proof{format: "table", time: claim.DefaultTime}
	cmd := &cobra.Command{
		Use:   "verify [SCENARIO...]",
		Short: "Measure what scenarios claim, and say what holds",
		Long: "Plays the workloads of every SCENARIO (default: of all that claim something) in virtual time, with the\n" +
			"decisions that a server makes, and compares what comes out with the claims. Prints a verdict for each:\n" +
			"pass, fail, contradicts (it lies outside, as a stated contradiction says) or not-measured. Exits 1 if one fails.\n\n" +
			"With --target the same traffic goes to a server, in real time: no workload takes longer than --time, and sends\n" +
			"fewer requests where it would. Light ones are played side by side. The built-in zero-plane, zio and zlip with\n" +
			"--requests 500 take three to four minutes; a terminal says beforehand how long it will be, and what is shortened.\n" +
			"A figure of times may miss its range by 3 ms or 2 %, whichever is more. What so few requests can't answer, or\n" +
			"what this machine was too slow to send on time, is not-measured, with the reason.",
		Example: "  orrery verify\n  orrery verify zero-plane --format json\n  orrery verify ./own.yaml --requests 1000\n" +
			"  orrery verify zero-plane --target http://127.0.0.1:4010 --requests 2000",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			p.counted = cmd.Flags().Changed("requests")
			return c.verify(p, args)
		},
		ValidArgsFunction: c.completeScenario,
	}
	f := cmd.Flags()
	f.IntVar(&p.requests, "requests", 0, "send at most `N` requests per workload; claims on rare things need more than a few (default: as the files say)")
	f.DurationVar(&p.time, "time", p.time, "with --target, the longest `TIME` that a workload takes")
	f.StringVar(&p.format, "format", p.format, "the `FORMAT` of the result: "+strings.Join(claim.Formats(), ", "))
	f.BoolVar(&p.soak, "soak", false, "play the workloads that have a soak, in its whole length, and nothing else")
	f.StringVar(&p.target, "target", "", "measure the endpoint at this base `URL` in real time in place of a simulation: an orrery serve that has the scenarios")
	c.settings.on(cmd, "scenarios", "seed")
	return cmd
}

func (c *console) verify(p proof, args []string) error {
	switch {
	case !slices.Contains(claim.Formats(), p.format):
		return misuse("--format %q: use one of %s%s", p.format, strings.Join(claim.Formats(), ", "), didYouMean(p.format, claim.Formats()))
	case p.soak && p.target != "":
		return misuse("--soak runs in virtual time only: leave --target out")
	case p.time <= 0:
		return misuse("--time %v: a workload takes some time, such as 30s", p.time)
	}
	if u, err := url.Parse(p.target); p.target != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return misuse("--target %q is no base URL such as http://127.0.0.1:4010", p.target)
	}
	if err := answers(p.target); err != nil {
		return err
	}
	measured, verdicts, err := c.verdicts(p, args)
	if err != nil {
		return err
	}
	for _, s := range measured {
		if len(s.Claims) == 0 {
			c.notice(slog.LevelWarn, s.Name+" claims nothing: give it workloads, and claims about them")
		}
	}
	if err := claim.Write(c.stdout, p.format, verdicts); err != nil {
		return err
	}
	if slices.ContainsFunc(verdicts, func(v claim.Verdict) bool { return v.Verdict == claim.Fail }) {
		return errReported
	}
	return nil
}

// answers asks a target whether anybody is there; what is answered doesn't matter.
func answers(target string) error {
	if target == "" {
		return nil
	}
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Get(target)
	if err != nil {
		return fmt.Errorf("--target: nobody answers there: %w", err)
	}
	return response.Body.Close()
}

// verdicts plays what the named scenarios claim or, without a name, all that claim something.
func (c *console) verdicts(p proof, names []string) ([]*scenario.Scenario, []claim.Verdict, error) {
	if p.requests < 0 || p.counted && p.requests == 0 {
		return nil, nil, misuse("--requests %d: the number of requests is 1 or more", p.requests)
	}
	scenarios, err := c.claiming(names)
	if err != nil {
		return nil, nil, err
	}
	// A simulation lives on little and makes much garbage: collecting it less often costs a few
	// megabytes and saves a tenth of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	o := claim.Options{Requests: p.requests, Soak: p.soak, Target: p.target, Time: p.time}
	if c.settings.seed.given {
		o.Seed = &c.settings.seed.number
	}
	if p.soak && claim.Planned(scenarios, o) == 0 {
		return nil, nil, misuse("none of these scenarios has a workload with a soak")
	}
	finish := c.verifyProgress(&o, scenarios)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	verdicts, err := claim.Verify(ctx, scenarios, o)
	finish()
	return scenarios, verdicts, err
}

// claiming loads the named scenarios or, without a name, all that claim something.
func (c *console) claiming(names []string) ([]*scenario.Scenario, error) {
	library, err := mock.Library(string(c.settings.scenarios))
	if err != nil {
		return nil, explain(err)
	}
	all := len(names) == 0
	if all {
		names = library.Names()
	}
	var found []*scenario.Scenario
	for _, name := range names {
		var s *scenario.Scenario
		var err error
		if isPath(name) {
			s, err = library.LoadFile(name)
		} else {
			s, err = library.Load(name)
		}
		switch {
		case err != nil:
			return nil, explain(err)
		case !all || len(s.Claims) > 0:
			found = append(found, s)
		}
	}
	return found, nil
}

// verifyProgress shows a bar on a terminal, and returns what takes it away.
func (c *console) verifyProgress(o *claim.Options, scenarios []*scenario.Scenario) (finish func()) {
	file, ok := c.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func() {}
	}
	bar := progressbar.NewOptions64(int64(claim.Planned(scenarios, *o)),
		progressbar.OptionSetWriter(file), progressbar.OptionSetDescription("requests"), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(barPeriod))
	o.Progress = func(n int) { _ = bar.Add(n) } // a bar that can't be drawn is no reason to stop
	o.Outlook = func(ahead claim.Outlook) {
		_ = bar.Clear()
		fmt.Fprintln(file, foretold(ahead))
		bar.ChangeMax(ahead.Requests)
	}
	return func() { _ = bar.Finish() }
}

// foretold says what a measurement in real time will be.
func foretold(o claim.Outlook) string {
	said := fmt.Sprintf("about %s: %d requests of %d workloads", o.Takes.Round(time.Second), o.Requests, o.Workloads)
	if o.Shortened > 0 {
		said += fmt.Sprintf(", %d of them shortened", o.Shortened)
	}
	if o.Skipped > 0 {
		said += fmt.Sprintf("; %d others can't be measured so", o.Skipped)
	}
	return said
}
