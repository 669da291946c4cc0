package run_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/fixtures"
	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// hundredTokens is a stream with a draw for every gap, as the built-in scenarios have it.
const hundredTokens = `
facts: {large: model contains "opus"}
profiles:
  bimodal:
    first-token: {p0: 204ms, p50: 242ms, p99: 312ms, p100: 400ms}
    token-gap:
      mix:
        - {share: 70%, uniform: [17ms, 23ms]}
        - {share: 30%, uniform: [85ms, 92ms]}
    pace: {lognormal: {p50: 1, p95: 1.5}}
routes:
  - {name: large, when: large, profile: bimodal}
  - {name: all, profile: bimodal, reply: {tokens: 100}, headers: {x-served-by: orrery}, marks: {seen: true}}
`

// BenchmarkPlan decides on a streamed answer of 100 tokens. Its events' bytes are made when they are
// played, so they are no part of it.
func BenchmarkPlan(b *testing.B) {
	replies, err := reply.Open(fixtures.FS)
	require.NoError(b, err)
	request, problem := wire.NewReader().Read([]byte(`{"model":"claude-sonnet-5","max_tokens":100,"stream":true,
		"messages":[{"role":"user","content":"What do the tides do?"}]}`), wire.ReadOptions{Version: wire.Version2023})
	require.Nil(b, problem)
	r := run.New(run.Config{Name: "default", Scenario: loaded(b, hundredTokens), Replies: replies})
	now := time.Now()
	decide := func() *run.Decision {
		now = now.Add(time.Second) // so that a hundred are in flight
		return r.Decide(run.Query{Arrived: now, Request: request, Header: http.Header{}, Method: http.MethodPost, Path: "/v1/messages"})
	}
	require.Equal(b, 100+8, decide().Timeline.Len(), "a delta for each token, and what is around them")
	allocations := testing.AllocsPerRun(1000, func() { decide() })
	const rounds, plans = 5, 5000
	for b.Loop() {
		var costs []float64
		for range rounds {
			begun := time.Now()
			for range plans {
				decide()
			}
			costs = append(costs, time.Since(begun).Seconds()*1e6/plans)
		}
		slices.Sort(costs)
		b.ReportMetric(costs[rounds/2], "µs/plan")
		b.ReportMetric(allocations, "allocs/plan")
	}
	if allocations > 20 {
		b.Errorf("a plan takes %v allocations, more than 20", allocations)
	}
}
