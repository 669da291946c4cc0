package wire

import "testing"

func TestFaultsOfToolsHaveTheWordsOfTheAPI(t *testing.T) {
	schema := `"input_schema":{"type":"object"}`
	tools := func(list string) string { return `"tools":[` + list + `]` }
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{tools(`{"name":"f",` + schema + `}`), ""},
		{tools(`{"type":null,"name":"f",` + schema + `}`), ""},
		{tools(`{"type":"custom","name":"f",` + schema + `}`), ""},
		{tools(`{` + schema + `}`), "tools.0.custom.name: Field required"},
		{tools(`{"name":"",` + schema + `}`), "tools.0.custom.name: String should have at least 1 character"},
		{tools(`{"name":"a b",` + schema + `}`), "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"},
		{tools(`{"name":"f"}`), "tools.0.custom.input_schema: Field required"},
		{tools(`{"name":"f","input_schema":{}}`), "tools.0.custom.input_schema.type: Field required"},
		{tools(`{"name":"f","parameters":{},` + schema + `}`), "tools.0.custom.parameters: Extra inputs are not permitted"},
		{tools(`{"name":"f",` + schema + `},{"name":"f",` + schema + `}`), "tools: Tool names must be unique."},
		{tools(`{"name":"f","strict":true,` + schema + `}`), "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false"},
		{tools(`{"name":"f","strict":true,"input_schema":{"type":"object","additionalProperties":false,"properties":{"a":{"type":"array","items":{"type":"object"}}}}}`),
			"tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false"},
		{tools(`{"name":"f","strict":true,"input_schema":{"type":"object","additionalProperties":false}}`), ""},
		{tools(`{"type":"bash_20250124","name":"sh"}`), "tools.0.bash_20250124.name: Input should be 'bash'"},
		{tools(`{"type":"text_editor_20250728","name":"str_replace_based_edit_tool","max_characters":0}`),
			"tools.0.text_editor_20250728.max_characters: Input should be greater than or equal to 1"},
		{tools(`{"type":"web_search_20250305","name":"web_search","max_uses":3,"user_location":{"type":"approximate","country":"PE"}}`), ""},
		{tools(`{"type":"browser_toolset_20260801"},{"type":"computer_toolset_20260801"}`), ""},
		{tools(`{"type":"hammer"}`), "tools.0: Input tag 'hammer' found using 'type' does not match any of the expected tags: " +
			"'bash_20250124', 'browser_toolset_20260801', 'code_execution_20250522', 'code_execution_20250825', 'code_execution_20260120', " +
			"'code_execution_20260521', 'computer_toolset_20260801', 'custom', 'memory_20250818', 'text_editor_20250124', 'text_editor_20250429', " +
			"'text_editor_20250728', 'tool_search_tool_bm25', 'tool_search_tool_bm25_20251119', 'tool_search_tool_regex', " +
			"'tool_search_tool_regex_20251119', 'web_fetch_20250910', 'web_fetch_20260209', 'web_fetch_20260309', 'web_fetch_20260318', " +
			"'web_search_20250305', 'web_search_20260209', 'web_search_20260318'"},
	})
}

func TestFaultsOfToolChoiceHaveTheWordsOfTheAPI(t *testing.T) {
	tools := `,"tools":[{"name":"f","input_schema":{"type":"object"}}]`
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{`"tool_choice":{"type":"auto"}`, ""},
		{`"tool_choice":{"type":"none"}`, ""},
		{`"tool_choice":{"type":"any"}`, "tool_choice.any may only be specified while providing tools"},
		{`"tool_choice":{"type":"any"},"tools":[]`, "tool_choice.any may only be specified while providing tools"},
		{`"tool_choice":{"type":"any","disable_parallel_tool_use":true}` + tools, ""},
		{`"tool_choice":{"type":"tool"}` + tools, "tool_choice.tool.name: Field required"},
		{`"tool_choice":{"type":"tool","name":"x"}`, "Tool 'x' not found in provided tools"},
		{`"tool_choice":{"type":"tool","name":"x"}` + tools, "Tool 'x' not found in provided tools"},
		{`"tool_choice":{"type":"tool","name":"f"}` + tools, ""},
		{`"tool_choice":{"type":"must"}`, "tool_choice: Input tag 'must' found using 'type' does not match any of the expected tags: 'any', 'auto', 'none', 'tool'"},
		{`"tool_choice":{"type":"tool","name":"x"},"tools":[{"name":""}]`, "Tool 'x' not found in provided tools"},
	})
}
