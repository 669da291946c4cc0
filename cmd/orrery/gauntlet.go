package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/clock"
)

// course is what gauntlet was asked.
type course struct {
	command    string
	timeout    time.Duration
	parallel   int
	only, skip []string
	format     string
	failOn     []string
	expect     string
	update     bool
	verbose    bool
	tls        bool
}

func gauntletCommand(c *console) *cobra.Command {
	g := course{timeout: 10 * time.Second, parallel: max(4, runtime.NumCPU()), format: "table"}
	cmd := &cobra.Command{
		Use:   "gauntlet --exec COMMAND",
		Short: "Run a client through every fault, and say how it came out",
		Long: "Runs COMMAND in a shell, once for each fault (orrery list --faults), against a server of its own. The command\n" +
			"finds in its environment ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY and ORRERY_FAULT, the fault's name. Before the\n" +
			"faults it is run without one (ORRERY_FAULT is empty) and must exit 0 after at least one request.\n\n" +
			"Prints for each fault the exit code, or that the command hung and was killed, with all that it started, after\n" +
			"--timeout; how long it took; how many requests the server saw; how the last of them ended (complete, refused,\n" +
			"broken, client-left, open) with its status; and how many were still open after the command's end.\n\n" +
			"A fault that happens over HTTP/2 alone is unmet by a client that speaks HTTP/1.1. With --tls the server offers\n" +
			"both, and the environment names the certificate to trust (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE and others).\n\n" +
			"Exits 1 if a command hung, or as --fail-on says. With --expect it exits 1 if an outcome is another than in the\n" +
			"file: exit 0, another exit code or hung, and the number of requests. --update writes the file; where you take an\n" +
			"entry's attempts out, they are compared no more.",
		Example: "  orrery gauntlet --exec 'python my_client.py'\n  orrery gauntlet --exec 'npm test' --timeout 30s --only 'overloaded-*,never-answers'\n" +
			"  orrery gauntlet --exec ./client --expect gauntlet.json --update\n  orrery gauntlet --exec ./client --expect gauntlet.json --format junit",
		Args: noArgs("did you mean --exec 'ARG'?"),
		RunE: func(*cobra.Command, []string) error {
			if err := c.settings.load(); err != nil {
				return err
			}
			return c.gauntlet(g)
		},
	}
	f := cmd.Flags()
	f.StringVar(&g.command, "exec", "", "the `COMMAND` to run, in quotes: sh -c gets it, or cmd /c on Windows")
	f.DurationVar(&g.timeout, "timeout", g.timeout, "the `TIME` that a command may take for one fault before it counts as hung")
	f.IntVar(&g.parallel, "parallel", g.parallel, "how many commands run at once, a whole `NUMBER`")
	f.StringSliceVar(&g.only, "only", nil, "only the faults that one of these `GLOBS` matches, parted by commas")
	f.StringSliceVar(&g.skip, "skip", nil, "none of the faults that one of these `GLOBS` matches")
	f.BoolVar(&g.tls, "tls", false, "serve over TLS, with HTTP/2 for who prefers it")
	f.StringVar(&g.format, "format", g.format, "the `FORMAT` of the result: "+strings.Join(gauntletFormats(), ", "))
	f.StringSliceVar(&g.failOn, "fail-on", nil, "exit 1 on any of these `REASONS`: "+strings.Join(failures(), ", ")+" (default: hung; with --expect: change)")
	f.StringVar(&g.expect, "expect", "", "compare with the outcomes in this `FILE`: written by --update, or the JSON of an earlier run")
	f.BoolVar(&g.update, "update", false, "write the outcomes to the file of --expect in place of comparing")
	f.BoolVarP(&g.verbose, "verbose", "v", false, "also show, on stderr, the last lines that a command printed which did not exit 0")
	c.settings.on(cmd, "scenarios", "seed")
	return cmd
}

// check refuses what can't be done and fills in what depends.
func (g *course) check() error {
	switch {
	case strings.TrimSpace(g.command) == "":
		return misuse("name the command that runs your client once: --exec 'python my_client.py'")
	case g.timeout <= 0:
		return misuse("--timeout %v: a command takes some time, such as 10s", g.timeout)
	case g.parallel < 1:
		return misuse("--parallel %d: run at least one command at once", g.parallel)
	case !slices.Contains(gauntletFormats(), g.format):
		return misuse("--format %q: use one of %s%s", g.format, strings.Join(gauntletFormats(), ", "), didYouMean(g.format, gauntletFormats()))
	case g.update && g.expect == "":
		return misuse("--update writes the file of --expect: name it, such as --expect gauntlet.json")
	}
	if len(g.failOn) == 0 {
		g.failOn = []string{failHung}
		if g.expect != "" {
			g.failOn = []string{failChange}
		}
	}
	for _, reason := range g.failOn {
		if !slices.Contains(failures(), reason) {
			return misuse("--fail-on %q: use %s%s", reason, strings.Join(failures(), ", "), didYouMean(reason, failures()))
		}
	}
	if slices.Contains(g.failOn, failChange) && g.expect == "" {
		return misuse("--fail-on change needs outcomes to compare with: --expect FILE")
	}
	return nil
}

func (c *console) gauntlet(g course) error {
	if err := g.check(); err != nil {
		return err
	}
	dir := string(c.settings.scenarios)
	all, err := mock.FaultsIn(dir)
	if err != nil {
		return explain(err)
	}
	faults, err := chosen(all, g.only, g.skip)
	if err != nil {
		return err
	}
	before, err := g.expectations()
	if err != nil {
		return err
	}
	options := []mock.Option{mock.Scenario(faultless)}
	if dir != "" {
		options = append(options, mock.ScenarioDir(dir))
	}
	if c.settings.seed.given {
		options = append(options, mock.Seed(c.settings.seed.number))
	}
	if g.tls {
		options = append(options, mock.TLS())
	}
	srv, err := mock.Listen("127.0.0.1:0", options...)
	if err != nil {
		return explain(err)
	}
	defer srv.Close()
	environ := os.Environ()
	if g.tls {
		trust, forget, err := trusted(srv)
		if err != nil {
			return fmt.Errorf("--tls: can't write the certificate to trust: %w", err)
		}
		defer forget()
		environ = append(environ, trust...)
	}
	library, err := mock.Library(dir)
	if err != nil {
		return explain(err)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := runner{command: g.command, timeout: g.timeout, server: srv, clock: clock.Real(), environ: environ, scenarios: library}
	if err := c.passable(ctx, run); err != nil {
		return err
	}
	step, finish := c.gauntletProgress(len(faults))
	met, err := run.all(ctx, faults, g.parallel, step)
	finish()
	interrupted := ctx.Err() != nil
	if err != nil && !interrupted {
		return err
	}
	return c.concluded(g, all, met, before, interrupted)
}

// concluded compares and prints what came out, and says whether it is good enough.
func (c *console) concluded(g course, all []mock.Fault, met []encounter, before expectations, interrupted bool) error {
	var gone []string
	if g.expect != "" && !g.update {
		gone = before.compare(met, all, g.expect)
	}
	failed := len(gone) > 0 && slices.Contains(g.failOn, failChange)
	for i := range met {
		met[i].judge(g.failOn)
		failed = failed || len(met[i].Failures) > 0
	}
	if err := c.printGauntlet(g.format, met); err != nil {
		return err
	}
	for _, what := range gone {
		fmt.Fprintln(c.stderr, what)
	}
	if g.verbose {
		for _, e := range met {
			if e.Ended != endedWell && e.Output != "" {
				fmt.Fprintf(c.stderr, "%s printed:\n%s", e.Fault, lastLines(e.Output))
			}
		}
	}
	switch {
	case interrupted:
		return fmt.Errorf("interrupted after %d faults; the commands under way were killed", len(met))
	case g.update:
		return before.update(met, all, g.expect)
	case failed:
		return errReported
	}
	return nil
}

// passable runs the command without a fault: what fails even so tells nothing about faults.
func (c *console) passable(ctx context.Context, run runner) error {
	e, err := run.meet(ctx, mock.Fault{Name: faultless})
	if err != nil {
		if ctx.Err() != nil {
			return errors.New("interrupted before the first fault")
		}
		return err
	}
	why := ""
	switch {
	case e.Ended == endedHung:
		why = fmt.Sprintf("the command hangs even without a fault: it was killed after %v; mend it, or give it longer with --timeout", run.timeout)
	case e.Ended == endedBadly:
		why = fmt.Sprintf("the command fails even without a fault, with exit code %d; mend it first", e.ExitCode)
	case e.Attempts == 0:
		why = "the command made no request to the server; its client must take the base URL from ANTHROPIC_BASE_URL"
	default:
		return nil
	}
	if e.Output != "" {
		fmt.Fprintf(c.stderr, "the command printed:\n%s", lastLines(e.Output))
	}
	return errors.New(why)
}

// chosen are the faults that one of only matches, or all, without those that one of skip matches.
func chosen(faults []mock.Fault, only, skip []string) ([]mock.Fault, error) {
	var names []string
	for _, f := range faults {
		names = append(names, f.Name)
	}
	for _, pattern := range slices.Concat(only, skip) {
		matches := func(name string) bool { return matchesAny([]string{pattern}, name) }
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, misuse("%q is no pattern: close its brackets, and use * for any characters and ? for one", pattern)
		}
		if !slices.ContainsFunc(names, matches) {
			return nil, misuse("no fault is called %q%s (orrery list --faults shows them all)", pattern, didYouMean(pattern, names))
		}
	}
	var found []mock.Fault
	for _, f := range faults {
		if (len(only) == 0 || matchesAny(only, f.Name)) && !matchesAny(skip, f.Name) {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return nil, misuse("no fault is left: --skip takes away what --only chooses")
	}
	return found, nil
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	})
}

// gauntletProgress shows a bar on a terminal, and returns what moves it and what takes it away.
func (c *console) gauntletProgress(faults int) (step, finish func()) {
	file, ok := c.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func() {}, func() {}
	}
	bar := progressbar.NewOptions(faults, progressbar.OptionSetWriter(file), progressbar.OptionSetDescription("faults"),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(barPeriod))
	return func() { _ = bar.Add(1) }, func() { _ = bar.Finish() } // a bar that can't be drawn is no reason to stop
}
