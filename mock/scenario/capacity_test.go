package scenario_test

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestAQueueSaysWhatItIs(t *testing.T) {
	s := good(t, "capacity")
	require.Len(t, s.Queues, 2)
	full := s.Queues[0]
	require.Same(t, full, s.Profiles["legacy"].Queue)
	require.Equal(t, "legacy", full.Profile)
	require.Equal(t, 121, full.Slots)
	require.Equal(t, 8, full.GPUs)
	require.Equal(t, 30*time.Second, full.Wait)
	require.Equal(t, 17*time.Millisecond, full.Cancel)
	require.Equal(t, 503, full.Full.Status)
	require.Equal(t, 2*time.Second, full.Full.RetryAfter)

	bare := s.Queues[1]
	require.Equal(t, 1, bare.Index)
	require.Equal(t, scenario.Unbounded, bare.Wait)
	require.Equal(t, 529, bare.Full.Status)
	require.Zero(t, bare.GPUs)
	require.Zero(t, bare.Cancel)
	require.Nil(t, good(t, "zero-plane").Profiles["zero-plane"].Queue)
}

func TestTimeForInputTokensIsKeptAsItIsWritten(t *testing.T) {
	s := good(t, "capacity")
	require.Equal(t, 200*time.Microsecond, s.Profiles["legacy"].PerInputToken)
	require.Zero(t, s.Profiles["replayed"].PerInputToken)
}

func TestUtilizationIsAFactOfTheProfileItNames(t *testing.T) {
	s := good(t, "capacity")
	require.Equal(t, "utilization.legacy", s.Queues[0].BusyFact())
	require.True(t, s.Uses("utilization.legacy"))
	env := scenario.NewEnv()
	for name, of := range map[string]float64{"utilization.legacy": 0.83, "utilization.replayed": 0.5} {
		env.Set(name, of)
	}
	holds, err := s.Routes[2].When.Bool(env)
	require.NoError(t, err)
	require.True(t, holds)
	env.Set("utilization.replayed", 1.0)
	holds, err = s.Routes[2].When.Bool(env)
	require.NoError(t, err)
	require.False(t, holds)
	require.False(t, good(t, "zero-plane").Uses("utilization"))
}

func TestABlendFollowsItsNumberBetweenItsTables(t *testing.T) {
	p := good(t, "capacity").Profiles["legacy"]
	gap := p.TokenGap.Parts[0]
	require.Nil(t, gap.Table)
	require.Equal(t, `utilization("legacy")`, p.Follows[gap.By].Source)
	low, half, high := gap.Values(0), gap.Values(0.5), gap.Values(1)
	last := latency.Whole - 1
	require.Equal(t, 5*ms, low.At(last, 0))
	require.InDelta(t, float64(20*ms), float64(high.At(last, 0)), 100)
	require.InDelta(t, 12.5*float64(ms), float64(half.At(last, 0)), 100)

	more := p.FirstToken.Parts[2]
	require.Equal(t, "messages", p.Follows[more.By].Source)
	values := more.Values(5)
	require.Equal(t, 3*ms/2, values.At(0, 0))
}

func TestATraceIsAListOrAFile(t *testing.T) {
	s := good(t, "capacity")
	list := s.Profiles["replayed"].FirstToken.Parts[0].Trace
	file := s.Profiles["replayed"].TokenGap.Parts[0].Trace
	for _, trace := range []*latency.Trace{list, file} {
		require.Equal(t, 2, trace.Len())
		require.Equal(t, []int64{210 * ms, 190 * ms, 210 * ms}, []int64{trace.At(0), trace.At(1), trace.At(2)})
	}
	pace := s.Profiles["legacy"].Pace.Parts[0].Trace
	require.Equal(t, []int64{900_000_000, 1_000_000_000, 1_100_000_000}, []int64{pace.At(0), pace.At(1), pace.At(2)})
}

func TestALibraryKnowsTheTracesThatItIsGiven(t *testing.T) {
	l, err := scenario.NewLibrary(fstest.MapFS{"a.yaml": file("orrery: 1\nname: a\nprofiles: {p: {respond: {trace: evening}}}")})
	require.NoError(t, err)
	_, err = l.Load("a")
	require.ErrorContains(t, err, `there is no trace "evening"`)
	s, err := l.WithTraces(map[string]string{"evening": "1ms\n"}).Load("a")
	require.NoError(t, err)
	require.Equal(t, ms, s.Profiles["p"].Respond.Parts[0].Trace.At(7))
}

func TestARequestMayNeverBeAnswered(t *testing.T) {
	s := good(t, "capacity")
	require.True(t, s.Routes[0].Never)
	require.Nil(t, s.Routes[0].Profile)
	require.True(t, s.Routes[1].Never)
	require.False(t, s.Routes[3].Never)
}
