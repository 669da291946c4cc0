package run_test

import (
	"container/heap"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
)

var _ = run.New

func pct(all []time.Duration, p float64) time.Duration {
	s := slices.Sorted(slices.Values(all))
	i := int(p*float64(len(s))+0.9999999) - 1
	return s[max(i, 0)]
}

type ends []time.Duration

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i] < e[j] }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(time.Duration)) }
func (e *ends) Pop() any          { o := *e; x := o[len(o)-1]; *e = o[:len(o)-1]; return x }

func closed(g *game, clients, n, warm int) []time.Duration {
	q := g.query()
	e := make(ends, clients)
	heap.Init(&e)
	var all []time.Duration
	for i := range n + warm {
		now := e[0]
		q.Arrived = start().Add(now)
		d := g.Decide(q).Timeline.Duration()
		if i >= warm {
			all = append(all, d)
		}
		e[0] = now + d
		heap.Fix(&e, 0)
	}
	return all
}

func open(g *game, n int, rate func(t time.Duration) float64, changes ...change) []time.Duration {
	q := g.query(changes...)
	var all []time.Duration
	var at float64
	for range n {
		q.Arrived = start().Add(time.Duration(at * 1e9))
		all = append(all, g.Decide(q).Timeline.Duration())
		at += 1 / rate(time.Duration(at*1e9))
	}
	return all
}

func constant(r float64) func(time.Duration) float64 { return func(time.Duration) float64 { return r } }

func TestZZNumbers(t *testing.T) {
	p13 := func(slots int) string {
		return fmt.Sprintf("profiles: {p: {respond: {lognormal: {p50: 200ms, p99: 342ms}}, queue: {slots: %d}}}\nroutes: [{name: all, profile: p}]\n", slots)
	}
	fmt.Println("500", pct(open(playing(t, p13(320)), 20000, constant(500)), .99))
	steps := func(n int, total time.Duration) func(time.Duration) float64 {
		return func(at time.Duration) float64 {
			k := min(int(at*time.Duration(n)/total), n-1)
			return 200 + 1800*float64(k)/float64(n-1)
		}
	}
	sum := func(f func(time.Duration) float64, total time.Duration) (n int) {
		for at := 0.0; at < total.Seconds(); n++ {
			at += 1 / f(time.Duration(at*1e9))
		}
		return
	}
	f := steps(10, 15*time.Second)
	fmt.Println("10 steps 15s", sum(f, 15*time.Second), pct(open(playing(t, p13(320)), sum(f, 15*time.Second), f), .99))
	f = steps(5, 10*time.Second)
	fmt.Println("5 steps 10s 310", sum(f, 10*time.Second), pct(open(playing(t, p13(310)), sum(f, 10*time.Second), f), .99))
	for _, w := range []int{0, 4000, 20000} {
		a, b := pct(closed(playing(t, p13(320)), 500, 20000, w), .99), pct(closed(playing(t, p13(320)), 2000, 20000, w), .99)
		fmt.Println("closed", w, a, b, float64(b)/float64(a))
	}
	legacy := `
profiles:
  p:
    first-token: {sum: {network: {lognormal: {p50: 148ms, p99: 260ms}}, scheduling: {lognormal: {p50: 98ms, p99: 260ms}}, padding: 60ms}}
    token-gap: {lognormal: {p50: 7ms, p99: 26ms, max: 120ms}}
    pace: {lognormal: {p50: 1, p95: 3.09}}
    queue: {slots: 121, gpus: 8}
routes: [{name: all, profile: p, reply: {tokens: 60}}]
`
	for _, rate := range []float64{50, 100, 120, 130, 150, 200} {
		for _, n := range []int{10000, 20000} {
			g := playing(t, legacy)
			all := open(g, n, constant(rate), streamed())
			end := start().Add(time.Duration(float64(n) / rate * 1e9))
			c := g.Capacity(end)[0]
			fmt.Println("legacy", rate, n, pct(all, .5), pct(all, .95), pct(all, .99), "util", c.Busy.Seconds()/121/(float64(n)/rate), "tok/gpu", float64(60*n)/g.Capacity(end.Add(time.Hour))[0].GPUSeconds())
		}
	}
	all := closed(playing(t, legacy), 1000, 20000, 6000)
	var m, v float64
	for _, d := range all {
		m += d.Seconds() / float64(len(all))
	}
	for _, d := range all {
		v += (d.Seconds() - m) * (d.Seconds() - m) / float64(len(all))
	}
	fmt.Println("closed 1000", m, v)
}

func BenchmarkZZZeroPlane(b *testing.B) {
	g := playing(b, "profiles: {p: {respond: {p0: 158ms, p50: 172ms, p90: 179ms, p99: 185ms, p99.9: 187ms, p100: 188ms}, load: {by: concurrency, at: {86: 1, 344: 1.04, 500: 1.045, 2000: 1.132}}}}\nroutes: [{name: all, profile: p}]\n")
	q := g.query()
	b.ReportAllocs()
	for b.Loop() {
		q.Arrived = q.Arrived.Add(2 * ms)
		g.Decide(q)
	}
}

func BenchmarkZZQueue(b *testing.B) {
	for _, rate := range []int{500, 2000} {
		b.Run(fmt.Sprint(rate), func(b *testing.B) {
			g := playing(b, "profiles: {p: {respond: {lognormal: {p50: 200ms, p99: 342ms}}, queue: {slots: 320, wait: 5s}}}\nroutes: [{name: all, profile: p}]\n")
			q := g.query()
			b.ReportAllocs()
			for b.Loop() {
				q.Arrived = q.Arrived.Add(time.Second / time.Duration(rate))
				g.Decide(q)
			}
		})
	}
}
