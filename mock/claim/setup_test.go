package claim_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// head is a scenario that tests put workloads and claims to.
const head = `orrery: 1
name: tested
seed: 7
parameters: {mode: {enum: [a, b], default: a}}
profiles:
  ten: {respond: 10ms, first-token: 10ms, token-gap: 1ms}
  spread: {respond: {uniform: [100ms, 200ms]}, first-token: {uniform: [100ms, 200ms]}, token-gap: {mix: [{share: 70%, uniform: [17ms, 23ms]}, {share: 30%, uniform: [85ms, 92ms], tokens: 2..3}]}}
  slots: {respond: 100ms, queue: {slots: 10, gpus: 5, cancel: 17ms}}
`

func load(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Loader{}.Load("tested.yaml", []byte(text))
	require.NoError(t, err)
	return s
}

// claiming is a scenario with routes, workloads and a claim for each measure, all of which hold.
func claiming(t *testing.T, routes, workloads string, measures ...string) *scenario.Scenario {
	t.Helper()
	var b strings.Builder
	b.WriteString(head + "routes:\n" + indent(routes) + "workloads:\n" + indent(workloads) + "claims:\n")
	for i, m := range measures {
		fmt.Fprintf(&b, "  M%d: {says: \"-\", measure: %q, at_least: -1000000000}\n", i, m)
	}
	return load(t, b.String())
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString("  " + line)
	}
	return b.String() + "\n"
}

// figures are what the measures come to.
func figures(t *testing.T, routes, workloads string, measures ...string) []float64 {
	t.Helper()
	verdicts, err := claim.Verify(context.Background(), []*scenario.Scenario{claiming(t, routes, workloads, measures...)}, claim.Options{})
	require.NoError(t, err)
	require.Len(t, verdicts, len(measures))
	all := make([]float64, len(verdicts))
	for i, v := range verdicts {
		all[i] = v.Figure
	}
	return all
}

func verify(t *testing.T, o claim.Options, scenarios ...*scenario.Scenario) []claim.Verdict {
	t.Helper()
	verdicts, err := claim.Verify(context.Background(), scenarios, o)
	require.NoError(t, err)
	return verdicts
}
