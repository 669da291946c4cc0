package claim_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// BenchmarkZeroPlane plans and accounts requests of zero-plane, in simulation. Run it with -cpu 1.
func BenchmarkZeroPlane(b *testing.B) {
	simulate(b, "zero-plane", `request: {model: claude-3-5-sonnet-20241022, headers: {X-Anthropic-Experimental: zero-plane-2024}}`)
}

// BenchmarkZio plans and accounts streams of zio, each of a hundred events and more.
func BenchmarkZio(b *testing.B) { simulate(b, "zio", `request: {stream: true}`) }

func simulate(b *testing.B, name, request string) {
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
workloads: {steady: {requests: %d, rate: 500/s, %s}}
claims: {tail: {says: "-", measure: p99(steady.duration_ms), at_least: 0ms}}
`), name, b.N, request)
	s, err := loader.Load("benchmark.yaml", []byte(text))
	require.NoError(b, err)
	b.ReportAllocs()
	b.ResetTimer()
	_, err = claim.Verify(context.Background(), []*scenario.Scenario{s}, claim.Options{})
	require.NoError(b, err)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
