package claim_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
	"github.com/seed-954e9acd/orrery/scenarios"
)

// measured verifies the scenario against a server in memory, on a clock that takes no time.
func measured(t *testing.T, s *scenario.Scenario) (verdicts []claim.Verdict) {
	t.Helper()
	file := filepath.Join(t.TempDir(), s.Name+".yaml")
	require.NoError(t, os.WriteFile(file, s.Source, 0o600))
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioFile(file))
		verdicts = verify(t, claim.Options{Target: srv.URL, Client: srv.Client()}, s)
	})
	return verdicts
}

func TestATargetInRealTimeAgreesWithTheSimulation(t *testing.T) {
	routes := `
- {name: refused, when: 'params.mode == "b" and ordinal % 2 == 1', error: {status: 503, message: "no"}}
- {name: all, profile: spread, headers: {X-Layer: one}, usage: {cache_creation_input_tokens: input_tokens}, reply: {tokens: 20}}`
	s := claiming(t, routes, `
steady: {requests: 300, rate: 500/s, warmup: 5, request: {input_tokens: 120}}
streamed: {requests: 20, rate: 20/s, poisson: true, request: {stream: true}}
closed: {requests: 40, clients: [2, 4], think: 15ms}
chained: {requests: 10, rate: 5/s, chain: {calls: {2: 50%, 3: 50%}}}
again: {requests: 10, rate: 1/s, retry: {after: 500ms}, request: {params: {mode: b}}}
leaving: {requests: 20, rate: 2/s, cancel_after: 150ms}
mixed: {for: 1s, parts: {busy: {rate: 50/s, request: {key: busy}}, others: {rate: 20/s, request: {keys: 4}}}}
several: {requests: 5, rate: 100/s, request: {max_tokens: [5, 10]}}
called: {requests: 5, rate: 100/s, request: {tools: 2, tool_choice: any, stream: [true, false]}}
resulted: {requests: 5, rate: 100/s, request: {tools: 2, tool_turns: 3, result_tokens: 40, stream: [true, false]}}`,
		"count(steady)", "p99(steady.duration_ms)", "mean(steady.duration_ms)", `share(steady, header("x-layer") == "one")`, "mean(steady.usage.cache_creation_input_tokens)",
		"p50(streamed.ttft_ms)", "share(streamed.gaps, gap_ms < 24)", "sum(streamed.gaps.tokens)", "max(streamed.elapsed_ms)", "mean(streamed.tokens)",
		"max(closed.elapsed_ms, sent.clients == 2)", "max(closed.elapsed_ms, sent.clients == 4)",
		"mean(chained.chain_calls)", "max(chained.chain_ms)", "share(again, answered, try == 2)", `count(again, error_type != "")`,
		"count(leaving, left)", "max(leaving.ended_ms)", `count(mixed, sent.name == "busy")`, "count(several)", "count(several, ordinal == 1)",
		"distinct(steady.request_id)", "value(steady, 7, duration_ms)", "windows(steady, 100, p95(duration_ms) < 196)", "max(several.tokens)",
		"sum(called.calls)", `count(called, stop_reason == "tool_use")`, "sum(resulted.calls)", `count(resulted, stop_reason == "end_turn")`)
	want, got := verify(t, claim.Options{}, s), measured(t, s)
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, claim.Pass, got[i].Verdict, "%s: %s", want[i].Measure, got[i].Reason)
		require.InDelta(t, want[i].Figure, got[i].Figure, 1e-6+math.Abs(want[i].Figure)*1e-9, want[i].Measure)
	}
}

func TestWhatCantBeSeenFromOutsideIsNotMeasured(t *testing.T) {
	s := claiming(t, all, `steady: {requests: 10, rate: 500/s}`, "share(steady, marks.hit)", "count(steady)", `share(steady, route == "all")`, "gpu_seconds(steady)",
		"windows(steady, 5, share(marks.hit) > 0)", "count(steady.writes)", "share(steady, body == answer)")
	got := measured(t, s)
	require.Equal(t, "marks.hit can't be seen from outside", got[0].Reason)
	for i, verdict := range []string{claim.NotMeasured, claim.Pass, claim.NotMeasured, claim.NotMeasured, claim.NotMeasured, claim.NotMeasured, claim.NotMeasured} {
		require.Equal(t, verdict, got[i].Verdict, got[i].Measure)
	}
}

func TestWhatCantBeDrivenIsNotMeasured(t *testing.T) {
	s := claiming(t, all, `
third: {requests: 10, rate: 500/s, request: {protocol: HTTP/3.0}}
told: {requests: 10, rate: 500/s, request: {facts: {hour: 3}}}
second: {requests: 10, rate: 500/s}`, "count(third)", "count(told)", "count(second)")
	got := measured(t, s)
	require.Equal(t, []string{claim.NotMeasured, claim.NotMeasured, claim.Pass}, []string{got[0].Verdict, got[1].Verdict, got[2].Verdict})
	require.Equal(t, "HTTP/3.0 needs a target with https://", got[0].Reason)
	require.Equal(t, "facts can't be sent to an endpoint", got[1].Reason)
}

func TestZlipIsFastOverHTTP3Alone(t *testing.T) { // CLAIMS.md Z14, over real sockets
	library, err := scenario.NewLibrary(scenarios.FS)
	require.NoError(t, err)
	s, err := library.Load("zlip-http3")
	require.NoError(t, err)
	srv := mock.Start(t, mock.HTTP3(), mock.Scenario("zlip-http3"))
	for _, v := range verify(t, claim.Options{Target: srv.URL, Client: srv.Client(), Requests: 10}, s) {
		switch {
		case strings.HasSuffix(v.Measure, ".ttft_ms)"): // tells of this machine, too
		case strings.Contains(v.Check, "70 %"):
			require.NotEqual(t, claim.Fail, v.Verdict, "ten requests are no exact share of a thousand")
		default:
			require.Equal(t, claim.Pass, v.Verdict, "%s: %s %s", v.Check, v.Measured, v.Reason)
		}
	}
	protocols := map[string]bool{}
	for _, e := range srv.Journal().All() {
		protocols[e.Protocol] = true
	}
	require.Equal(t, map[string]bool{"HTTP/3.0": true, "HTTP/2.0": true, "HTTP/1.1": true}, protocols)
}

func TestAnEndpointWithoutTheScenarioSaysSo(t *testing.T) {
	s := claiming(t, all, `steady: {requests: 10, rate: 500/s}`, "count(steady)")
	var got []claim.Verdict
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("messages"))
		got = verify(t, claim.Options{Target: srv.URL, Client: srv.Client()}, s)
	})
	require.Equal(t, "the endpoint answers 404; it may not have this scenario", got[0].Reason)
}
