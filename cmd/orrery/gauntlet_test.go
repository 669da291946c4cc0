package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

func runnerOf(t *testing.T, command string, timeout time.Duration) runner {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are written for sh")
	}
	library, err := mock.Library("")
	require.NoError(t, err)
	return runner{
		command: command, timeout: timeout, server: mock.Start(t, mock.Scenario(faultless)), clock: clock.Real(), environ: os.Environ(),
		scenarios: library,
	}
}

func TestWhatACommandHasStartedIsKilledWithIt(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "pid")
	r := runnerOf(t, "sleep 600 & echo $! > '"+mark+"'; wait", 300*time.Millisecond)
	e, err := r.meet(t.Context(), mock.Fault{Name: "never-answers"})
	require.NoError(t, err)
	require.Equal(t, endedHung, e.Ended)
	require.Equal(t, -1, e.ExitCode)
	requireGone(t, mark)
}

func TestWhatACommandLeavesBehindIsKilledAfterIt(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "pid")
	r := runnerOf(t, "sleep 600 & echo $! > '"+mark+"'; exit 4", time.Minute)
	e, err := r.meet(t.Context(), mock.Fault{Name: "never-answers"})
	require.NoError(t, err)
	require.Equal(t, endedBadly, e.Ended)
	require.Equal(t, 4, e.ExitCode)
	require.Less(t, e.TimeMS, time.Minute.Milliseconds(), "the output that sleep holds open is not waited for")
	requireGone(t, mark)
}

func TestAnInterruptKillsWhatIsUnderWay(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "pid")
	r := runnerOf(t, `case $ORRERY_FAULT in never-answers) sleep 600 & echo $! > '`+mark+`'; wait;; *) exit 0;; esac`, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	type result struct {
		met []encounter
		err error
	}
	done := make(chan result, 1)
	go func() {
		met, err := r.all(ctx, []mock.Fault{{Name: "truncated-200"}, {Name: "never-answers"}, {Name: "always-overloaded"}}, 1, func() {})
		done <- result{met, err}
	}()
	started := func() bool {
		text, err := os.ReadFile(mark)
		return err == nil && strings.HasSuffix(string(text), "\n")
	}
	require.Eventually(t, started, 30*time.Second, 10*time.Millisecond)
	cancel()
	got := <-done
	require.ErrorIs(t, got.err, context.Canceled)
	require.Len(t, got.met, 1, "what was done counts, what was killed and what was not begun don't")
	require.Equal(t, "truncated-200", got.met[0].Fault)
	requireGone(t, mark)
}

// requireGone waits until the process is no more: to be killed takes a moment. Only Linux says.
func requireGone(t *testing.T, mark string) {
	t.Helper()
	pid, err := os.ReadFile(mark)
	require.NoError(t, err)
	gone := func() bool {
		state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		return errors.Is(err, os.ErrNotExist) || err == nil && strings.Contains(string(state), ") Z ")
	}
	require.Eventually(t, func() bool { return runtime.GOOS != "linux" || gone() }, 10*time.Second, 10*time.Millisecond)
}

func TestASignalCountsAsAShellCountsIt(t *testing.T) {
	r := runnerOf(t, "kill -KILL $$", time.Minute)
	e, err := r.meet(t.Context(), mock.Fault{Name: "never-answers"})
	require.NoError(t, err)
	require.Equal(t, endedBadly, e.Ended)
	require.Equal(t, 137, e.ExitCode)
}

func TestACommandsEnvironmentHoldsNoRealKeyAndNoProxy(t *testing.T) {
	r := runner{server: mock.Start(t, mock.Scenario(faultless)),
		environ: []string{"HOME=/h", "ANTHROPIC_API_KEY=real", "ANTHROPIC_AUTH_TOKEN=real", "NO_PROXY=here", "HTTPS_PROXY=p"}}
	require.Equal(t, []string{"HOME=/h", "ANTHROPIC_API_KEY=real", "HTTPS_PROXY=p",
		"ANTHROPIC_BASE_URL=" + r.server.URL + "/scenarios/x/runs/gauntlet", "ANTHROPIC_API_KEY=any", "ORRERY_FAULT=x",
		"NO_PROXY=here,127.0.0.1", "no_proxy=here,127.0.0.1"}, r.environment(mock.Fault{Name: "x"}), "of a name given twice a process gets the last")
	require.Contains(t, r.environment(mock.Fault{Name: faultless}), "ORRERY_FAULT=")
}

func TestOfAnOutputTheEndIsKept(t *testing.T) {
	whole := bytes.Repeat([]byte("0123456789"), 40_000)
	for _, size := range []int{1, 999, outputLimit, len(whole)} {
		out := &tail{}
		for at := 0; at < len(whole); at += size {
			n, err := out.Write(whole[at:min(at+size, len(whole))])
			require.NoError(t, err)
			require.Equal(t, min(size, len(whole)-at), n)
			require.Less(t, cap(out.kept), 8*outputLimit)
		}
		text, dropped := out.text()
		require.Equal(t, string(whole[len(whole)-outputLimit:]), text, size)
		require.Equal(t, int64(len(whole)-outputLimit), dropped)
	}
	out := &tail{}
	_, _ = out.Write([]byte("a\xe5\x8c"))
	text, dropped := out.text()
	require.Equal(t, "a\uFFFD", text)
	require.Zero(t, dropped)
}

func TestAnEncounterCountsWhatTheServerSaw(t *testing.T) {
	var e encounter
	e.saw([]journal.Entry{{Ordinal: 7, Outcome: journal.Open}, {Ordinal: 8, Outcome: journal.Refused, Status: 529}})
	require.Equal(t, encounter{Attempts: 8, Last: journal.Refused, Status: 529, Open: 1}, e, "the journal had to drop the first six")
	e.judge([]string{failOpen, failHung})
	require.Equal(t, []string{"1 request still open after the command's end"}, e.Failures)
}
