package run_test

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// percentile is the nearest rank (R44).
func percentile(all []time.Duration, p float64) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[max(int(math.Ceil(p*float64(len(sorted))))-1, 0)]
}

// arriving plays n requests that arrive at a rate a second, which may change with the time.
func arriving(g *game, n int, rate func(at float64) float64, changes ...change) []time.Duration {
	q := g.query(changes...)
	all := make([]time.Duration, n)
	at := 0.0
	for i := range all {
		q.Arrived = start().Add(time.Duration(at * float64(time.Second)))
		all[i] = g.Decide(q).Timeline.Duration()
		at += 1 / rate(at)
	}
	return all
}

func steady(rate float64) func(float64) float64 { return func(float64) float64 { return rate } }

// free is when each of some clients has its answer, as a heap.
type free []time.Duration

func (f free) Len() int           { return len(f) }
func (f free) Less(i, j int) bool { return f[i] < f[j] }
func (f free) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *free) Push(any)          {}
func (f *free) Pop() any          { return nil }

// clients plays n requests of so many clients, each of which asks when it has been answered.
func clients(g *game, clients, warmup, n int, changes ...change) []time.Duration {
	q := g.query(changes...)
	when := make(free, clients)
	all := make([]time.Duration, 0, n)
	for i := range warmup + n {
		q.Arrived = start().Add(when[0])
		took := g.Decide(q).Timeline.Duration()
		when[0] += took
		heap.Fix(&when, 0)
		if i >= warmup {
			all = append(all, took)
		}
	}
	return all
}

func oldPath(slots int) string {
	return fmt.Sprintf("profiles: {p: {respond: {lognormal: {p50: 200ms, p99: 342ms}}, queue: {slots: %d}}}\nroutes: [{name: all, profile: p}]\n", slots)
}

func TestP12P13TheOldPathUnderLoad(t *testing.T) {
	require.InDelta(t, 342, percentile(arriving(playing(t, oldPath(320)), 20_000, steady(500)), 0.99).Seconds()*1000, 1)

	tenSteps := func(at float64) float64 { return 200 * math.Min(math.Floor(at/1.5)+1, 10) }
	require.InDelta(t, 891, percentile(arriving(playing(t, oldPath(320)), 16_500, tenSteps), 0.99).Seconds()*1000, 27, "200 to 2,000 QPS in 15 s")

	at500 := percentile(clients(playing(t, oldPath(320)), 500, 4_000, 20_000), 0.99)
	at2000 := percentile(clients(playing(t, oldPath(320)), 2_000, 4_000, 20_000), 0.99)
	require.InDelta(t, 3.1, float64(at2000)/float64(at500), 0.1, "210 % up from 500 to 2,000 concurrent")
}

const zlipLegacy = `
profiles:
  p:
    first-token: {sum: {network: {lognormal: {p50: 148ms, p99: 260ms}}, scheduling: {lognormal: {p50: 98ms, p99: 260ms}}, padding: 60ms}}
    token-gap: {lognormal: {p50: 7ms, p99: 26ms, max: 120ms}}
    pace: {lognormal: {p50: 1, p95: 3.09}}
    queue: {slots: 121, gpus: 8}
routes: [{name: all, profile: p, reply: {tokens: 60}}]
`

func TestZ10TheLegacyCurveBendsAt120QPS(t *testing.T) {
	p99 := map[float64]float64{} // ms by QPS
	for _, rate := range []float64{50, 120, 150, 200} {
		p99[rate] = percentile(arriving(playing(t, zlipLegacy), 12_000, steady(rate), streamed()), 0.99).Seconds() * 1000
	}
	require.InDelta(t, 2720, p99[50], 40)
	require.InDelta(t, p99[50], p99[120], 5, "flat to the knee")
	require.Greater(t, p99[150], 10_000.0)
	require.InDelta(t, 33_000, p99[200], 1_000)
	below, above := (p99[120]-p99[50])/70, (p99[200]-p99[120])/80
	require.Greater(t, above, 10*max(below, 0.05))
}

func TestZ09TokensOfASimulatedGPUSecond(t *testing.T) {
	g := playing(t, zlipLegacy)
	g.Decide(g.query())
	const n = 10_000
	arriving(g, n, steady(150), streamed())
	c := g.Capacity(start().Add(time.Hour))[0]
	seconds := c.Busy.Seconds() * float64(c.Queue.GPUs) / float64(c.Queue.Slots) // of a GPU
	require.InDelta(t, 974, 60*n/seconds, 2)
	end := time.Duration(n) * time.Second / 150
	busy := g.Capacity(start().Add(end))[0].Busy
	require.InDelta(t, 1, busy.Seconds()/121/end.Seconds(), 0.02, "all slots are busy")
}

func TestZ11SpreadOfAThousandClients(t *testing.T) {
	all := clients(playing(t, zlipLegacy), 1_000, 6_000, 20_000, streamed())
	var mean, square float64
	for _, d := range all {
		mean += d.Seconds() / float64(len(all))
	}
	for _, d := range all {
		square += (d.Seconds() - mean) * (d.Seconds() - mean) / float64(len(all))
	}
	require.InDelta(t, 0.481, math.Sqrt(square), 0.01)
}
