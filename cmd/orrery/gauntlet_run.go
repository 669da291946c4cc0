package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// faultless is the scenario that a command meets before the faults.
const faultless = "instant"

// faultVariable tells a command which fault it meets.
const faultVariable = envPrefix + "FAULT"

// gauntletRun is the run that each command gets of its fault's scenario.
const gauntletRun = "gauntlet"

const (
	// outputLimit is how many bytes of a command's output are kept, the last ones.
	outputLimit = 64 << 10
	// outputDelay is how long a command that has ended, or was killed, may hold its output open: something
	// that it started may have inherited it.
	outputDelay = 500 * time.Millisecond
	// hangUpDelay is how long the server may take to notice that the connections of an ended command are closed.
	hangUpDelay = time.Second
)

// runner runs a command against the faults of a server.
type runner struct {
	command   string
	timeout   time.Duration
	server    *mock.Server
	clock     clock.Clock
	environ   []string
	scenarios *scenario.Library
}

// all runs the command once for each fault, so many at once, and returns what came out in the order of the faults.
// When ctx ends first, commands under way are killed and left out; the error is ctx's, or about the shell.
func (r runner) all(ctx context.Context, faults []mock.Fault, parallel int, step func()) ([]encounter, error) {
	found := make([]*encounter, len(faults))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, f := range faults {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			e, err := r.meet(ctx, f)
			if err != nil {
				return err
			}
			found[i] = &e
			step()
			return nil
		})
	}
	err := group.Wait()
	var met []encounter
	for _, e := range found {
		if e != nil {
			met = append(met, *e)
		}
	}
	return met, err
}

// meet runs the command against one fault.
func (r runner) meet(ctx context.Context, f mock.Fault) (encounter, error) {
	limited, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	cmd := shell(limited, r.command)
	out := &tail{}
	cmd.Env = r.environment(f)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = outputDelay
	killed := false
	cmd.Cancel = func() error {
		err := killGroup(cmd)
		killed = err == nil
		return err
	}
	began := r.clock.Now()
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return encounter{}, ctx.Err()
		}
		return encounter{}, fmt.Errorf("can't run a shell for the command: %w", err)
	}
	waited := cmd.Wait()
	took := r.clock.Now().Sub(began)
	var exit *exec.ExitError
	if waited != nil && !killed && !errors.As(waited, &exit) && !errors.Is(waited, exec.ErrWaitDelay) {
		return encounter{}, fmt.Errorf("running the command: %w", waited)
	}
	entries := r.settled(ctx, f.Name)
	_ = killGroup(cmd) // what it has left behind, if anything
	if ctx.Err() != nil {
		return encounter{}, ctx.Err()
	}

	e := encounter{Fault: f.Name, Symptom: f.Symptom, Ended: endedBadly, ExitCode: exitCode(cmd.ProcessState), TimeMS: took.Milliseconds()}
	switch {
	case killed:
		e.Ended, e.ExitCode = endedHung, -1
	case e.ExitCode == 0:
		e.Ended = endedWell
	}
	e.Output, e.OutputDropped = out.text()
	e.saw(entries)
	if e.Ended == endedWell {
		s, err := r.scenarios.Load(f.Name)
		if err != nil {
			return encounter{}, explain(err)
		}
		if e.Unmet = unmet(needs(s), entries); e.Unmet != "" {
			e.Ended = endedUnmet
		}
	}
	return e, nil
}

// settled is what the server knows of a command that has ended: it may need a moment to see the connections closed.
func (r runner) settled(ctx context.Context, scenario string) []journal.Entry {
	asked := journal.Query{Scenario: scenario, Run: gauntletRun}
	ctx, cancel := context.WithTimeout(ctx, hangUpDelay)
	defer cancel()
	_, _ = r.server.Journal().Wait(ctx, len(r.server.Journal().Find(asked)), asked) // what is open even then is the result
	return r.server.Journal().Find(asked)
}

// environment is this process's own, with what a client of the API reads. A real key or token doesn't reach the
// server, and no proxy stands between.
func (r runner) environment(f mock.Fault) []string {
	direct := "127.0.0.1"
	environ := slices.DeleteFunc(slices.Clone(r.environ), func(entry string) bool {
		name, value, _ := strings.Cut(entry, "=")
		if name == "no_proxy" || name == "NO_PROXY" {
			direct = strings.Trim(value+","+direct, ",")
			return true
		}
		return name == "ANTHROPIC_AUTH_TOKEN"
	})
	name := f.Name
	if name == faultless {
		name = ""
	}
	return append(environ,
		"ANTHROPIC_BASE_URL="+r.server.URL+"/scenarios/"+f.Name+"/runs/"+gauntletRun,
		"ANTHROPIC_API_KEY=any", faultVariable+"="+name, "NO_PROXY="+direct, "no_proxy="+direct)
}

// tail keeps the last bytes that are written to it.
type tail struct {
	mu      sync.Mutex // guards the rest: what outlives the command may still write
	kept    []byte
	written int64
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.written += int64(len(p))
	t.kept = append(t.kept, p[max(0, len(p)-outputLimit):]...)
	// Moving only once there is twice as much moves each byte once at most.
	if len(t.kept) >= 2*outputLimit {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-outputLimit:]...)
	}
	return len(p), nil
}

// text is what is kept, and how many bytes before it are not.
func (t *tail) text() (string, int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept[max(0, len(t.kept)-outputLimit):]
	return strings.ToValidUTF8(string(kept), "\uFFFD"), t.written - int64(len(kept))
}

// lastLines is the end of an output, indented, for people.
func lastLines(output string) string {
	const most = 10
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	lines = lines[max(0, len(lines)-most):]
	return "    " + strings.Join(lines, "\n    ") + "\n"
}
