package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestCallsOfToolsStandBeforeTheLastTurnWithTheirResults(t *testing.T) {
	routes := `
- {name: those, when: blocks.tool_use == 3 and blocks.tool_result == 3 and blocks.text == messages - 5 and tools == 2, profile: ten}
- {name: all, profile: spread}`
	f := figures(t, routes, `
short: {requests: 5, rate: 1/s, request: {tools: 2, tool_turns: 3}}
long: {requests: 5, rate: 1/s, request: {tools: 2, tool_turns: 3, messages: 3, images: 1}}`,
		`count(short, route == "those" and answered)`, "min(short.sent.messages)", `count(long, route == "those" and answered)`, "min(long.sent.messages)",
		"min(short.sent.result_tokens)")
	require.Equal(t, []float64{5, 7, 5, 9, 12}, f)
}

func TestResultsHaveTheirTokensAndMayBeSpread(t *testing.T) {
	f := figures(t, ten, `
without: {requests: 1, rate: 1/s, request: {tools: 1, tool_turns: 3, result_tokens: 1}}
with: {requests: 1000, rate: 1/s, request: {tools: 1, tool_turns: 3, result_tokens: 401..410}}
filled: {requests: 1, rate: 1/s, request: {tools: 1, tool_turns: 3, result_tokens: 400, input_tokens: 2000}}`,
		"min(with.input_tokens) - max(without.input_tokens)", "max(with.input_tokens) - max(without.input_tokens)", "distinct(with.sent.result_tokens)",
		"max(filled.input_tokens)")
	require.Equal(t, []float64{3 * 400, 3 * 409, 10, 2000}, f)
}

func TestTheTextBehindAResultStillVaries(t *testing.T) {
	routes := `
- {name: again, when: repeats > 1, profile: ten}
- {name: all, profile: spread}`
	f := figures(t, routes, `
varied: {requests: 5, rate: 1/s, request: {tools: 1, tool_turns: 1}}
same: {requests: 5, rate: 1/s, vary: none, request: {tools: 1, tool_turns: 1}}`,
		`count(varied, route == "again")`, `count(same, route == "again")`)
	require.Equal(t, []float64{0, 4}, f)
}

func TestAnAnswersCallsAndWhyItStoppedAreColumns(t *testing.T) {
	routes := `
- {name: two, when: 'params.mode == "b"', profile: ten, reply: {tools: parallel}}
- {name: all, profile: ten}`
	f := figures(t, routes, `
asked: {requests: 4, rate: 1/s, request: {tools: 2, tool_choice: [auto, any, tool, none]}}
result: {requests: 4, rate: 1/s, request: {tools: 2, tool_turns: 1, tool_choice: [auto, any]}}
both: {requests: 4, rate: 1/s, request: {tools: 2, params: {mode: b}}}`,
		`mean(asked.calls, sent.tool_choice != "none")`, `max(asked.calls, sent.tool_choice == "none")`,
		`share(asked, stop_reason == "tool_use", sent.tool_choice != "none")`, `share(asked, stop_reason == "end_turn", sent.tool_choice == "none")`,
		`max(result.calls, sent.tool_choice == "auto")`, `min(result.calls, sent.tool_choice == "any")`, "mean(both.calls)")
	require.Equal(t, []float64{1, 0, 1, 1, 0, 1, 2}, f)
}

func TestOnlyAToolThatIsOfferedCanHaveBeenCalled(t *testing.T) {
	s := claiming(t, ten, `asked: {requests: 4, rate: 1/s, request: {tool_turns: 1}}`, "count(asked)")
	_, err := claim.Verify(t.Context(), []*scenario.Scenario{s}, claim.Options{})
	require.ErrorContains(t, err, "workload asked: `tool_turns` needs `tools`")
}
