package claim

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/probe"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

const ms = time.Millisecond

// lagging is a clock on which each wait ends later than it should, and then the context.
type lagging struct {
	now   time.Time
	late  []time.Duration
	ended context.CancelFunc
}

func (l *lagging) Now() time.Time { return l.now }

func (l *lagging) WaitUntil(ctx context.Context, t time.Time) error {
	if len(l.late) == 0 {
		l.ended()
		return ctx.Err()
	}
	l.now, l.late = t.Add(l.late[0]), l.late[1:]
	return nil
}

func TestTicksTellHowLateTheMachineWas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var k ticks
	// A pause of 5 ms swallows two ticks, which were 3 and 1 ms late; after it the next is on time.
	k.run(ctx, &lagging{late: []time.Duration{0, 1 * ms, 5 * ms, 0}, ended: cancel})
	require.Equal(t, lateness{0, 1 * ms, 5 * ms, 3 * ms, 1 * ms, 0}, k.lateness)
	require.Equal(t, 5*ms, k.worst())
}

func TestOneLateTickOfAHundredIsLetPass(t *testing.T) {
	l := make(lateness, 100)
	l[50] = 80 * ms
	require.Zero(t, l.most())
	l[51] = 70 * ms
	require.Equal(t, 70*ms, l.most())
	require.Equal(t, 80*ms, l.worst())
}

func TestTimesAreReckonedFromTheSending(t *testing.T) {
	was := &probe.Result{Planned: 100 * ms, Sent: 102 * ms, Duration: 50 * ms, FirstToken: 20 * ms}
	now := fromSending(was)
	require.Equal(t, []time.Duration{102 * ms, 48 * ms, 18 * ms}, []time.Duration{now.Planned, now.Duration, now.FirstToken})
	require.Equal(t, 50*ms, was.Duration)
	require.Equal(t, probe.Never, fromSending(&probe.Result{Planned: 1, Sent: 2, FirstToken: probe.Never}).FirstToken)
}

// rehearsed is a rehearsal of one check, which came to 180 ms in the simulation.
func rehearsed(t *testing.T, measure string, s size, worst time.Duration) (*rehearsal, *scenario.Check) {
	t.Helper()
	loaded, err := scenario.Loader{}.Load("a.yaml", []byte(`orrery: 1
name: a
profiles: {ten: {respond: 10ms}}
routes: [{name: all, profile: ten}]
workloads: {w: {requests: 10, rate: 10/s}}
claims: {c: {says: "-", measure: "`+measure+`", at_most: 185ms}}
`))
	require.NoError(t, err)
	c := checksOf([]*scenario.Scenario{loaded})[0]
	spec := c.Measure.Gathered[0]
	j := &job{workload: loaded.Workloads[0], worst: worst, rate: 77}
	r := &rehearsal{sizes: map[*job]size{j: s}, of: map[*scenario.Gather]*job{spec: j}}
	r.simulated = measured{figures: map[*scenario.Gather]float64{spec: 180}, rows: map[*scenario.Gather]uint64{spec: 500}}
	return r, c
}

func TestAMissThatMayBeTheMachinesIsNoVerdict(t *testing.T) {
	for _, one := range []struct {
		measure string
		size    size
		worst   time.Duration
		figure  float64
		verdict string
		reason  string
	}{
		{"max(w.duration_ms)", size{heft: 500}, 8 * ms, 193, NotMeasured, "it came to 193ms; this machine was late by up to 8ms"},
		{"max(w.duration_ms)", size{heft: 500}, 8 * ms, 194, Fail, ""},
		{"p99(w.duration_ms)", size{heft: 500}, 8 * ms, 193, NotMeasured, "it came to 193ms; this machine was late by up to 8ms"},
		{"p50(w.duration_ms)", size{heft: 500}, 8 * ms, 193, Fail, ""},
		{"p50(w.duration_ms)", size{heft: 1800}, 0, 300, NotMeasured, "it came to 300ms, at 77.0 requests/s as heavy as 1800 plain ones: the machine may be what was measured"},
		{"p50(w.duration_ms)", size{heft: 1800}, 0, 186, Pass, "as near as a network lets it be measured"},
	} {
		r, c := rehearsed(t, one.measure, one.size, one.worst)
		v := judge(Verdict{}, c, false, one.figure, networked(c, one.figure))
		r.compare(&v, c, networked(c, one.figure))
		require.Equal(t, []string{one.verdict, one.reason, "180ms"}, []string{v.Verdict, v.Reason, v.Simulated}, one)
	}
}

func TestAMissThatTheSimulationMissesTooIsAFailure(t *testing.T) {
	r, c := rehearsed(t, "max(w.duration_ms)", size{heft: 1800}, time.Second)
	r.simulated.figures[c.Measure.Gathered[0]] = 186
	v := judge(Verdict{}, c, false, 193, 3)
	r.compare(&v, c, 3)
	require.Equal(t, Fail, v.Verdict)
}

func TestASlopeMayMissByWhatANetworkAddsOverAllItFollows(t *testing.T) {
	_, c := rehearsed(t, "slope(p99(w.duration_ms), sent.rate, 50, 200)", size{}, 0)
	require.InDelta(t, 3.0/150, networked(c, 0.04), 1e-12)
}
