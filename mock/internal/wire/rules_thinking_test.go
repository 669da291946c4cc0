package wire

import "testing"

const expected = "When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of " +
	"`tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable " +
	"`thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking"

func TestAFinalTurnStartsWithAThought(t *testing.T) {
	budget := `"thinking":{"type":"enabled","budget_tokens":1024},`
	call := `{"type":"tool_use","id":"a","name":"f","input":{}}`
	thought := `{"type":"thinking","thinking":"hm","signature":"s"}`
	hidden := `{"type":"redacted_thinking","data":"d"}`
	assistant := func(blocks string) string { return userHi + `,{"role":"assistant","content":[` + blocks + `]}` }
	result := `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}`
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{budget + talk(assistant(call)+result), "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. " + expected},
		{budget + talk(assistant(thought+","+call)+result), ""},
		{budget + talk(assistant(hidden+","+call)+result), ""},
		{budget + talk(assistant(call)+result+","+assistHi+","+userHi), ""},
		{budget + talk(userHi+","+assistHi), "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. " + expected},
		{`"thinking":{"type":"adaptive"},` + talk(assistant(call)+result), ""},
		{talk(assistant(call) + result), ""},
		{talk(assistant(`{"type":"text","text":"x"},` + thought)), "messages.1.content.1: When thinking is disabled, an `assistant` message in the final " +
			"position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request."},
		{talk(assistant(thought) + "," + userHi), ""},
	})
}

func TestASignatureIsCheckedByWhoeverMadeIt(t *testing.T) {
	thought := func(signature string) string {
		return talk(userHi + `,{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"thinking","thinking":"hm","signature":"` + signature + `"}]},` + userHi)
	}
	signed := func(text, signature string) bool { return signature == "of "+text }
	requireFaults(t, ReadOptions{Version: Version2023, Signature: signed}, []faultCase{
		{thought("of hm"), ""},
		{thought("of another"), "messages.1.content.1: Invalid `signature` in `thinking` block"},
	})
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{{thought("of another"), ""}})
}
