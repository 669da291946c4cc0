package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestAFindingIsVerifysFigureAndTheRoutesBehindIt(t *testing.T) {
	s := load(t, `orrery: 1
name: tested
profiles: {few: {respond: 10ms}, most: {first-token: 5ms, token-gap: {uniform: [1ms, 3ms]}}}
routes:
  - {name: few, when: max_tokens == 7, profile: few}
  - {name: most, profile: most, reply: {tokens: 11}}
workloads: {both: {requests: 100, rate: 10/s, request: {max_tokens: [7, 100], stream: true}}}
claims:
  a: {says: so, measure: 'p50(both.duration_ms, sent.max_tokens == 7)', at_most: 1s}
  b: {says: so, measure: 'share(both.gaps, gap_ms < 2, route == "most")', at_least: 1%}
  c: {says: so, measure: 'share(both, route == "few")', at_least: 1%}
`)
	var gathers []*scenario.Gather
	for _, c := range s.Claims {
		gathers = append(gathers, c.Checks[0].Measure.Gathered[0])
	}
	verdicts, err := claim.Verify(t.Context(), []*scenario.Scenario{s}, claim.Options{})
	require.NoError(t, err)
	found, err := claim.Find(t.Context(), s, gathers, claim.Options{})
	require.NoError(t, err)
	for i, v := range verdicts {
		require.Equal(t, v.Figure, found[i].Figure, v.Measure)
	}
	require.Equal(t, map[string]int{"few": 100}, found[0].Routes)
	require.Equal(t, map[string]int{"most": 1000}, found[1].Routes, "ten gaps each")
	require.Equal(t, map[string]int{"few": 100, "most": 100}, found[2].Routes)
	require.EqualValues(t, 200, claim.Requests(s, gathers[0], claim.Options{}))
}
