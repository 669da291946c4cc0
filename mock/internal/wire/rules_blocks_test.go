package wire

import "testing"

func inUserTurn(block string) string { return talk(`{"role":"user","content":[` + block + `]}`) }

func inAssistantTurn(block string) string {
	return talk(userHi + `,{"role":"assistant","content":[` + block + `,{"type":"text","text":"x"}]}`)
}

func TestBlocksAreClosedAndTagged(t *testing.T) {
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{inUserTurn(`{"type":"video"}`), "messages.0.content.0: Input tag 'video' found using 'type' does not match any of the expected tags: " +
			"'bash_code_execution_tool_result', 'code_execution_tool_result', 'container_upload', 'document', 'image', 'redacted_thinking', " +
			"'search_result', 'server_tool_use', 'text', 'text_editor_code_execution_tool_result', 'thinking', 'tool_result', " +
			"'tool_search_tool_result', 'tool_use', 'web_fetch_tool_result', 'web_search_tool_result'"},
		{inUserTurn(`{"type":"text"}`), "messages.0.content.0.text.text: Field required"},
		{inUserTurn(`{"type":"text","text":"a","lang":"en"}`), "messages.0.content.0.text.lang: Extra inputs are not permitted"},
		{inUserTurn(`{"type":"text","text":"a","cache_control":{"type":"x"}}`),
			"messages.0.content.0.text.cache_control: Input tag 'x' found using 'type' does not match any of the expected tags: 'ephemeral'"},
		{inUserTurn(`{"type":"image"}`), "messages.0.content.0.image.source: Field required"},
		{inUserTurn(`{"type":"image","source":{"type":"base64","media_type":"image/png"}}`), "messages.0.content.0.image.source.base64.data: Field required"},
		{inUserTurn(`{"type":"image","source":{"type":"base64","media_type":"image/bmp","data":""}}`),
			"messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"},
		{inUserTurn(`{"type":"image","source":{"type":"url","url":"u"}}`), ""},
		{inUserTurn(`{"type":"document","source":{"type":"html"}}`), "messages.0.content.0.document.source: Input tag 'html' found using 'type' " +
			"does not match any of the expected tags: 'base64', 'content', 'file', 'text', 'url'"},
		{inUserTurn(`{"type":"document","title":null,"source":{"type":"content","content":[{"type":"text","text":"a"}]}}`), ""},
		{inAssistantTurn(`{"type":"tool_use","id":"a b","name":"f","input":{}}`), "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"},
		{inAssistantTurn(`{"type":"tool_use","id":"a","name":"f","input":"x"}`), "messages.1.content.0.tool_use.input: Input should be an object"},
		{inUserTurn(`{"type":"tool_result"}`), "messages.0.content.0.tool_result.tool_use_id: Field required"},
		{inUserTurn(`{"type":"tool_result","tool_use_id":"a","content":null}`), "messages.0.content.0.tool_result.content: Input should be a valid array"},
		{inUserTurn(`{"type":"tool_result","tool_use_id":"a","is_error":"yes"}`), "messages.0.content.0.tool_result.is_error: Input should be a valid boolean"},
		{inUserTurn(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"image_url"}]}`), "messages.0.content.0.tool_result.content.0: Input tag " +
			"'image_url' found using 'type' does not match any of the expected tags: 'browser_state', 'document', 'image', 'search_result', 'text', 'tool_reference'"},
		{inAssistantTurn(`{"type":"thinking","thinking":"hm"}`), "messages.1.content.0.thinking.signature: Field required"},
		{`"thinking":{"type":"adaptive"},` + inAssistantTurn(`{"type":"thinking","thinking":"hm","signature":"s"}`), ""},
		{inAssistantTurn(`{"type":"redacted_thinking"}`), "messages.1.content.0.redacted_thinking.data: Field required"},
	})
}

func TestWhatIsTheClientsOwnMayHoldAnything(t *testing.T) {
	requireFaults(t, ReadOptions{Version: Version2026}, []faultCase{
		{`"tools":[{"name":"f","input_schema":{"type":"object","x-mine":{"deep":[null]},"properties":{"a":{"anyOf":[{}]}}}}]`, ""},
		{`"output_config":{"format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false,"x":null}}}`, ""},
		{talk(userHi + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"zzz":null}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}`), ""},
	})
}
