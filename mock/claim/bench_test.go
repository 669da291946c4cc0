package claim_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
	"github.com/seed-954e9acd/orrery/scenarios"
)

// How many requests a second of a processor's time are planned and accounted at least. Run these
// benchmarks with -cpu 1.
const (
	leastZeroPlane = 300_000
	leastLargest   = 120_000
)

// BenchmarkZeroPlane plays requests that zero-plane answers on its layer.
func BenchmarkZeroPlane(b *testing.B) {
	atLeast(b, leastZeroPlane, simulate(b, "zero-plane", `request: {model: claude-3-5-sonnet-20241022, headers: {X-Anthropic-Experimental: zero-plane-2024}}`))
}

// BenchmarkLargest plays requests of the largest built-in file, of each length and kind that its
// routes tell apart.
func BenchmarkLargest(b *testing.B) {
	require.Equal(b, "zero-plane", largest(b), "whose routes the mix below is for")
	atLeast(b, leastLargest, simulate(b, "zero-plane", `
    request: {model: claude-3-5-sonnet-20241022, headers: {X-Anthropic-Experimental: zero-plane-2024}}
    vary: system
    mix:
      on the layer: {share: 40%, request: {system_tokens: 200}}
      strict: {share: 20%, request: {system_tokens: 200, params: {zero_plane_mode: strict}}}
      too long: {share: 20%, request: {system_tokens: 1400, input_tokens: 1500}}
      the old path: {share: 20%, request: {system_tokens: 200, headers: {X-Anthropic-Experimental: ""}}}`))
}

// BenchmarkZio plays streams of zio, each of 200 to 400 tokens. It has no bound.
func BenchmarkZio(b *testing.B) { simulate(b, "zio", `request: {stream: true}`) }

// largest is the built-in scenario with the largest file.
func largest(b *testing.B) (name string) {
	b.Helper()
	most := int64(0)
	require.NoError(b, fs.WalkDir(scenarios.FS, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Size() > most {
			name, most = strings.TrimSuffix(entry.Name(), ".yaml"), info.Size()
		}
		return err
	}))
	return name
}

// simulate plays the workload and returns how many requests it played in a second of processor time.
func simulate(b *testing.B, name, workload string) (perSecond float64) {
	library, err := mock.Library("")
	require.NoError(b, err)
	base, err := library.Load(name)
	require.NoError(b, err)
	parent := string(base.Source)
	loader := scenario.Loader{Find: func(string) (string, []byte, bool) { return base.File, []byte(parent), true }}
	text := fmt.Sprintf(strings.TrimSpace(`
orrery: 1
name: benchmark
extends: %s
seed: 1
workloads:
  steady:
    requests: %d
    rate: 500/s
    %s
claims: {tail: {says: "-", measure: p99(steady.duration_ms), at_least: 0ms}}
`), name, b.N, strings.TrimSpace(workload))
	s, err := loader.Load("benchmark.yaml", []byte(text))
	require.NoError(b, err)
	b.ReportAllocs()
	b.ResetTimer()
	before := processorTime(b)
	_, err = claim.Verify(context.Background(), []*scenario.Scenario{s}, claim.Options{})
	require.NoError(b, err)
	perSecond = float64(b.N) / (processorTime(b) - before).Seconds()
	b.ReportMetric(perSecond, "requests/s")
	return perSecond
}

// noise is how far below its bound a figure must lie before a benchmark fails: what else a machine
// does isn't a defect. Whether a bound is met is told by a machine with nothing else to do.
const noise = 1.5

func atLeast(b *testing.B, least, perSecond float64) {
	b.Helper()
	const enough = 100_000 // with fewer, starting is most of it
	switch {
	case b.N < enough:
	case perSecond < least/noise:
		b.Errorf("%.3g requests a second are far fewer than %.3g", perSecond, least)
	case perSecond < least:
		b.Logf("%.3g requests a second are fewer than %.3g: run it again on a quiet machine", perSecond, least)
	}
}
