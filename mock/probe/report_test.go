package probe_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/probe"
)

func TestAReportAddsUp(t *testing.T) {
	var p probe.Report
	require.Zero(t, p.Rate()+p.PlannedRate())
	first := errors.New("first")
	deltas := []probe.Delta{{At: 50 * ms}, {At: 70 * ms}, {At: 160 * ms}}
	for _, r := range []probe.Result{
		{Outcome: probe.Answered, Planned: 2 * s, Sent: 2*s + 5*ms, FirstToken: 50 * ms, Deltas: deltas, Duration: 200 * ms, Status: 200,
			Usage: probe.Usage{Input: 1, Output: 2, CacheCreation: 3, CacheRead: 4}},
		{Outcome: probe.Answered, Planned: 0, Sent: 5 * ms, FirstToken: probe.Never, Duration: 400 * ms, Status: 200,
			Usage: probe.Usage{Input: 10, Output: 20, CacheCreation: 30, CacheRead: 40}},
		{Outcome: probe.Refused, Planned: s, Sent: s, FirstToken: probe.Never, Duration: 3 * ms, Status: 429, ErrorType: "rate_limit_error"},
		{Outcome: probe.Cut, Planned: s, Sent: s, FirstToken: 30 * ms, Duration: 9 * s, Status: 200, Err: first},
		{Outcome: probe.Cut, Planned: s, Sent: s, FirstToken: probe.Never, Duration: 9 * s, Status: 200, Err: errors.New("second")},
		{Outcome: probe.TimedOut, Planned: s, Sent: s, FirstToken: probe.Never, Duration: 9 * s},
		{Outcome: probe.Failed, Planned: s, Sent: s, FirstToken: probe.Never, Duration: 9 * s},
		{Outcome: probe.Left, Planned: s, Sent: s, FirstToken: probe.Never, Duration: 9 * s},
		{Outcome: probe.Stopped, Planned: s, Sent: s, FirstToken: probe.Never, Duration: 9 * s},
		{Outcome: probe.NotDriven, Planned: 4 * s, Sent: probe.Never, FirstToken: probe.Never},
	} {
		p.Add(&r)
	}

	require.Equal(t, 10, p.Shots)
	require.Equal(t, 9, p.Sent)
	require.Equal(t, 5, p.Unanswered)
	total := 0
	for _, o := range probe.Outcomes() {
		require.NotZero(t, p.Count(o), o)
		total += p.Count(o)
	}
	require.Equal(t, p.Shots, total)
	require.Equal(t, map[int]int{200: 4, 429: 1}, p.Statuses)
	require.Equal(t, map[string]int{"rate_limit_error": 1}, p.ErrorTypes)
	require.Equal(t, first, p.First(probe.Cut))
	require.NoError(t, p.First(probe.Answered))

	require.EqualValues(t, 2, p.Duration.Count())
	require.Equal(t, 300*ms, p.Duration.Mean())
	require.Equal(t, 3*ms, p.Refusal.Max())
	require.EqualValues(t, 2, p.TTFT.Count())
	require.Equal(t, 40*ms, p.TTFT.Mean())
	require.EqualValues(t, 2, p.Gap.Count())
	require.Equal(t, 20*ms, p.Gap.Min())
	require.Equal(t, 90*ms, p.Gap.Max())
	require.EqualValues(t, 9, p.Lag.Count())
	require.Equal(t, 5*ms, p.Lag.Max())
	require.Equal(t, probe.Usage{Input: 11, Output: 22, CacheCreation: 33, CacheRead: 44}, p.Usage)

	require.InDelta(t, 9.0/4, p.PlannedRate(), 1e-9)
	require.InDelta(t, 8.0/2, p.Rate(), 1e-9)
}

func TestAReportStaysSmallWhateverAServerCallsItsErrors(t *testing.T) {
	var p probe.Report
	for i := range 1000 {
		p.Add(&probe.Result{Outcome: probe.Refused, ErrorType: fmt.Sprint("error ", i), Sent: time.Duration(i)})
	}
	require.Len(t, p.ErrorTypes, 101)
	require.Equal(t, 900, p.ErrorTypes["other"])
}

func TestEveryOutcomeHasAName(t *testing.T) {
	names := map[string]bool{}
	for _, o := range probe.Outcomes() {
		names[o.String()] = true
	}
	require.Len(t, names, 8)
	require.NotContains(t, names, "unknown")
}
