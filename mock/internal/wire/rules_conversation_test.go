package wire

import "testing"

// talk is a fragment of messages.
func talk(turns string) string { return `"messages":[` + turns + `]` }

const (
	userHi    = `{"role":"user","content":"hi"}`
	assistHi  = `{"role":"assistant","content":"hi"}`
	calls     = `{"role":"assistant","content":[{"type":"tool_use","id":"a1","name":"f","input":{}},{"type":"tool_use","id":"a2","name":"f","input":{}}]}`
	directive = "; the directive-only form (content: [] with output_config) is accepted at any position"
)

func TestFaultsOfAMessageHaveTheWordsOfTheAPI(t *testing.T) {
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{`"messages":[]`, "messages: at least one message is required"},
		{`"messages":"x"`, "messages: Input should be a valid array"},
		{`"messages":null`, "messages: Input should be a valid array"},
		{talk(`4`), "messages.0: Input should be an object"},
		{talk(`{"content":"x"}`), "messages.0.role: Field required"},
		{talk(`{"role":"bogus","content":"x"}`), `messages: Unexpected role "bogus". Allowed roles are "user" or "assistant"`},
		{talk(`{"role":"system","content":[]},{"role":"bogus","content":"x"}`), `messages: Unexpected role "bogus". Allowed roles are "user" or "assistant"`},
		{talk(`{"role":"user"}`), "messages.0.content: Field required"},
		{talk(`{"role":"user","content":null}`), "messages.0.content: Input should be a valid array"},
		{talk(`{"role":"user","content":4}`), "messages.0.content: Input should be a valid array"},
		{talk(`{"role":"user","content":{}}`), "messages.0.content: Input should be a valid array"},
		{talk(userHi + `,{"role":"user","content":[4]}`), "messages.1.content.0: Input should be an object"},
		{talk(`{"role":"user","content":[{}]}`), "messages.0.content.0.type: Field required"},
		{talk(`{"role":"user","content":"a","bogus":1}`), "messages.0.bogus: Extra inputs are not permitted"},
		{talk(`{"role":"user","content":[{"type":"text","text":""}]}`), "messages: text content blocks must be non-empty"},
	})
}

func TestFaultsOfAConversationHaveTheWordsOfTheAPI(t *testing.T) {
	empty := `{"role":"user","content":[]}`
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{talk(userHi + `,` + assistHi + `,` + empty + `,{"role":"user","content":""}`), "messages.2: user messages must have non-empty content"},
		{talk(empty + `,` + userHi), ""},
		{talk(userHi + `,{"role":"assistant","content":""},` + userHi), ""},
		{talk(`{"role":"user","content":" \n"}`), "messages: text content blocks must contain non-whitespace text"},
		{talk(`{"role":"user","content":[{"type":"text","text":" "},{"type":"text","text":"x"}]}`), ""},
		{talk(assistHi + `,` + userHi + `,` + userHi), ""},
		{talk(userHi + `,{"role":"assistant","content":"I am "}`), "messages: final assistant content cannot end with trailing whitespace"},
		{talk(userHi + `,{"role":"assistant","content":[{"type":"text","text":"I am\n"}]}`), "messages: final assistant content cannot end with trailing whitespace"},
		{talk(userHi + `,{"role":"assistant","content":"I am "},` + userHi), ""},
		{talk(userHi + `,` + assistHi), ""},
	})
}

func TestToolUseAndToolResultBelongTogether(t *testing.T) {
	result := func(ids ...string) string {
		blocks := ""
		for _, id := range ids {
			blocks += `{"type":"tool_result","tool_use_id":"` + id + `"},`
		}
		return `{"role":"user","content":[` + blocks + `{"type":"text","text":"go on"}]}`
	}
	const missing = ". Each `tool_use` block must have a corresponding `tool_result` block in the next message."
	const unknown = ". Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{talk(userHi + `,` + calls + `,` + result("a1", "a2")), ""},
		{talk(userHi + `,` + calls + `,` + result("a1") + `,` + result("a2")), ""},
		{talk(userHi + `,` + calls + `,` + userHi), "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a1, a2" + missing},
		{talk(userHi + `,` + calls + `,` + result("a2")), "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a1" + missing},
		{talk(userHi + `,` + calls), "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a1, a2" + missing},
		{talk(result("a9")), "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a9" + unknown},
		{talk(userHi + `,` + calls + `,` + result("a1", "a2", "a3")), "messages.2.content.2: unexpected `tool_use_id` found in `tool_result` blocks: a3" + unknown},
		{talk(userHi + `,` + calls + `,` + result("a1", "a2") + `,` + assistHi + `,` + result("a1")),
			"messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a1" + unknown},
		{talk(`{"role":"user","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}`), "messages.0: `tool_use` blocks can only be in `assistant` messages"},
		{talk(userHi + `,{"role":"assistant","content":[{"type":"tool_result","tool_use_id":"a"}]}`), "messages.1: `tool_result` blocks can only be in `user` messages"},
	})
}

func TestImagesAreTheUsers(t *testing.T) {
	const image = `{"type":"image","source":{"type":"url","url":"u"}}`
	for _, version := range []string{Version2023, Version2026} {
		requireFaults(t, ReadOptions{Version: version}, []faultCase{
			{inUserTurn(image), ""},
			{inAssistantTurn(image), "messages.1: `image` blocks can only be in `user` messages"},
			{talk(userHi + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[` + image + `]}]}`), ""},
		})
	}
}

func TestSystemTurnsHaveTheirPlace(t *testing.T) {
	system := func(content string) string { return `{"role":"system","content":` + content + `}` }
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{talk(userHi + `,` + system(`"be brief"`)), ""},
		{talk(userHi + `,` + system(`"be brief"`) + `,` + assistHi), ""},
		{talk(system(`"x"`) + `,` + userHi), "messages.0: use the top-level 'system' parameter for the initial system prompt" + directive},
		{talk(system(`[]`) + `,` + userHi), "messages.0: system content must contain at least one block"},
		{talk(userHi + `,` + system(`[]`) + `,` + userHi), "messages.1: system content must contain at least one block"},
		{talk(system(`[{"type":"image","source":{"type":"url","url":"u"}}]`) + `,` + userHi), "messages.0: role 'system' supports text, tool_addition, and tool_removal blocks only"},
		{talk(userHi + `,` + system(`"x"`) + `,` + system(`"y"`) + `,` + userHi), "messages.2: role 'system' must precede an 'assistant' message or end the array" + directive},
		{talk(userHi + `,` + system(`" "`) + `,` + userHi), "messages.1: role 'system' must precede an 'assistant' message or end the array" + directive},
		{talk(userHi + `,` + system(`[{"type":"text","text":" "}]`)), "messages.1: system text blocks must contain non-whitespace text"},
	})
}

func TestADirectiveStandsAnywhere(t *testing.T) {
	directive := `{"role":"system","content":[],"output_config":{"effort":"low"}}`
	addition := `{"role":"system","content":[{"type":"tool_addition","tool":{"type":"tool_reference","name":"f"}}]}`
	requireFaults(t, ReadOptions{Version: Version2026, Betas: []string{"mid-conversation-output-config-2026-07-01", "mid-conversation-tool-changes-2026-07-01"}}, []faultCase{
		{talk(directive + `,` + userHi), ""},
		{talk(userHi + `,` + directive + `,` + userHi), ""},
		{talk(userHi + `,` + addition), ""},
		{talk(userHi + `,{"role":"system","content":[],"output_config":null}`), "messages.1: system content must contain at least one block"},
	})
	requireFaults(t, ReadOptions{Version: Version2026}, []faultCase{
		{talk(directive + `,` + userHi), "messages.0.output_config: Extra inputs are not permitted"},
	})
}

func TestFourCacheMarksAreEnough(t *testing.T) {
	mark := `"cache_control":{"type":"ephemeral"}`
	text := `{"type":"text","text":"a",` + mark + `}`
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{`"system":[` + text + `,` + text + `],` + talk(`{"role":"user","content":[`+text+`,`+text+`]}`), ""},
		{mark + `,"system":[` + text + `,` + text + `],` + talk(`{"role":"user","content":[`+text+`,`+text+`]}`),
			"A maximum of 4 blocks with cache_control may be provided. Found 5."},
		{`"tools":[{"name":"f","input_schema":{"type":"object"},` + mark + `}],"system":[` + text + `,` + text + `],` +
			talk(userHi+`,`+`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},`+
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[`+text+`,`+text+`],`+mark+`}]}`),
			"A maximum of 4 blocks with cache_control may be provided. Found 6."},
		{`"cache_control":null,"system":[{"type":"text","text":"a","cache_control":null}]`, ""},
	})
}
