package scenario_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func claims(t *testing.T) *scenario.Scenario {
	t.Helper()
	source, err := os.ReadFile("testdata/good/claims.yaml")
	require.NoError(t, err)
	s, err := gallery().Load("claims.yaml", source)
	require.NoError(t, err)
	return s
}

func workload(t *testing.T, name string) *scenario.Workload {
	t.Helper()
	for _, w := range claims(t).Workloads {
		if w.Name == name {
			return w
		}
	}
	t.Fatalf("no workload %s", name)
	return nil
}

func TestWorkloadsAndClaimsKeepTheOrderOfTheFile(t *testing.T) {
	s := claims(t)
	require.Equal(t, "steady", s.Workloads[0].Name)
	require.Equal(t, "slow", s.Workloads[1].Name)
	require.Equal(t, "A01", s.Claims[0].ID)
	require.Equal(t, "worded", s.Claims[4].ID)
	require.Equal(t, []scenario.Contradiction{{ID: "C1", Text: "Both can't be true; each has a workload of its own."}}, s.Contradictions)
}

func TestAWorkloadSaysHowFastAndHowLong(t *testing.T) {
	steady := workload(t, "steady")
	require.Equal(t, 200, steady.Requests)
	require.Equal(t, []scenario.Rate{{{PerSecond: 500}}}, steady.Rates)
	require.Equal(t, 72*time.Hour, steady.Soak)
	require.Equal(t, "text", steady.Vary)
	require.Equal(t, []scenario.Rate{{{PerSecond: 0.5}}}, workload(t, "slow").Rates)
	require.Len(t, workload(t, "several").Rates, 3)
	closed := workload(t, "closed")
	require.Equal(t, []int{2, 4}, closed.Clients)
	require.Equal(t, 10, closed.Warmup)
	require.Equal(t, int64(time.Millisecond), closed.Think.Min())
}

func TestARiseIsStagesOfEqualLengthThatEndOnTime(t *testing.T) {
	rise := workload(t, "rise").Rates[0]
	require.Len(t, rise, 10)
	require.InDelta(t, 20, rise[0].PerSecond, 1e-9)
	require.InDelta(t, 40, rise[1].PerSecond, 1e-9)
	require.InDelta(t, 200, rise[9].PerSecond, 1e-9)
	var total time.Duration
	for _, stage := range rise {
		total += stage.For
	}
	require.Equal(t, 1500*time.Millisecond, total)
}

func TestARequestHasAListOfValuesForEachField(t *testing.T) {
	asked := workload(t, "asked").Request
	require.Equal(t, []string{"claude-sonnet-5", "claude-opus-5"}, asked.Model)
	require.Equal(t, []bool{true, false}, asked.Stream)
	require.Equal(t, "system_tokens", asked.Spread)
	require.Equal(t, scenario.Range{Min: 20, Max: 30}, asked.SpreadOver)
	require.Contains(t, asked.Headers, scenario.Field{Name: "X-A", Values: []any{"a", "b"}})
	require.Equal(t, []scenario.Field{
		{Name: "mode", Values: []any{"strict"}}, {Name: "weight", Values: []any{0.0, 0.5}}, {Name: "warm", Values: []any{false}},
	}, asked.Params)
	require.Equal(t, []scenario.Field{{Name: "hour", Values: []any{3}}}, asked.Facts)
}

func TestARequestMayHaveCalledToolsBefore(t *testing.T) {
	asked := workload(t, "called").Request
	require.Equal(t, []string{"any", "tool"}, asked.ToolChoice)
	require.Equal(t, []int{3}, asked.ToolTurns)
	require.Equal(t, "result_tokens", asked.Spread)
	require.Equal(t, scenario.Range{Min: 373, Max: 439}, asked.SpreadOver)
}

func TestASequenceNamesTextsOrChangesTheRequest(t *testing.T) {
	steps := workload(t, "again").Sequence
	require.Len(t, steps, 4)
	require.Equal(t, "a", steps[0].Name)
	require.True(t, steps[2].Near)
	require.Equal(t, "a", steps[2].Name)
	require.Equal(t, []int{7}, steps[3].Request.MaxTokens)
}

func TestAChainHasExactShares(t *testing.T) {
	require.Equal(t, []scenario.Calls{{Calls: 5, Share: 700_000_000}, {Calls: 4, Share: 300_000_000}}, workload(t, "chained").Chain)
	require.Equal(t, []scenario.Calls{{Calls: 3, Share: latency.Whole}}, workload(t, "equal").Chain)
}

func TestARangeIsConvertedAndIncludesItsEnds(t *testing.T) {
	check := claims(t).Claims[0].Checks[0]
	require.Equal(t, 100.0, check.Low)
	require.Equal(t, 200.0, check.High)
	require.Equal(t, "ms", check.Unit)
	require.True(t, check.Holds(100) && check.Holds(200))
	require.False(t, check.Holds(200.000001))
	require.False(t, check.Holds(math.NaN()))
	require.Equal(t, "100ms to 200ms", check.Within())
	share := claims(t).Claims[4].Checks[0]
	require.Equal(t, 0.5, share.Low)
	require.Equal(t, "exactly 50%", share.Within())
	require.Equal(t, "33.3333%", share.Show(1.0/3))
	require.Equal(t, "no value", share.Show(math.NaN()))
}

func TestAMeasureIsArithmeticOverWhatIsGathered(t *testing.T) {
	measure := func(i int) *scenario.Measure { return claims(t).Claims[4].Checks[i].Measure }
	require.InDelta(t, 184, measure(2).Value([]float64{185}), 1e-9)
	quotient := measure(6)
	require.Len(t, quotient.Gathered, 2)
	require.InDelta(t, 4, quotient.Value([]float64{12, 3}), 1e-9)
	require.True(t, math.IsNaN(quotient.Value([]float64{12, 0})))
	windows := measure(3).Gathered[0]
	require.Equal(t, 100, windows.N)
	require.Equal(t, 1.0, windows.Inner.Value([]float64{44, 0.05}))
	require.Equal(t, 0.0, windows.Inner.Value([]float64{44, 0.06}))
	require.Equal(t, 0.0, windows.Inner.Value([]float64{45, 0}))
	require.Equal(t, [2]uint64{999, 1000}, claims(t).Claims[1].Checks[0].Measure.Gathered[0].Quantile)
}

func TestAClaimWithoutAMeasureSaysWhy(t *testing.T) {
	s := claims(t)
	require.Equal(t, "shown by TestSomething", s.Claims[2].NotMeasured)
	require.Equal(t, "needs HTTP/3", s.Claims[3].NotMeasured)
}

func TestWorkloadsClaimsAndContradictionsAreNotInherited(t *testing.T) {
	parent, err := os.ReadFile("testdata/good/claims.yaml")
	require.NoError(t, err)
	loader := scenario.Loader{Find: func(string) (string, []byte, bool) { return "claims.yaml", parent, true }}
	child, err := loader.Load("child.yaml", []byte("orrery: 1\nname: child\nextends: claims\n"))
	require.NoError(t, err)
	require.Empty(t, child.Workloads)
	require.Empty(t, child.Claims)
	require.Empty(t, child.Contradictions)
	require.NotEmpty(t, child.Routes)
}

func TestTheSchemaRefusesWrongWorkloadsAndClaims(t *testing.T) {
	s := schema(t)
	for _, name := range []string{
		"workload-rate-without-unit", "workload-request-fields", "workload-chain", "workload-soak", "workload-mix-shares", "workload-tools", "claim-range",
		"claim-without-a-measure", "claim-not-measured-but-measured",
	} {
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join("testdata", "bad", name+".yaml"))
			require.NoError(t, err)
			require.Error(t, s.Validate(asJSON(t, source)))
		})
	}
}
