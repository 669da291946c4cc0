package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachTopLevelFaultHasTheWordsOfTheAPI(t *testing.T) {
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{``, ""},
		{`"model":"(absent)"`, "model: Field required"},
		{`"model":null`, "model: Input should be a valid string"},
		{`"model":4`, "model: Input should be a valid string"},
		{`"model":""`, "model: String should have at least 1 character"},
		{`"tool_choice":null`, "tool_choice: Input should be an object"},
		{`"tool_choice":"auto"`, "tool_choice: Input should be an object"},
		{`"tools":null`, "tools: Input should be a valid array"},
		{`"tools":[1]`, "tools.0: Input should be an object"},
		{`"messages":"(absent)"`, "messages: Field required"},
		{`"system":4`, "system: Input should be a valid array"},
		{`"system":null`, "system: Input should be a valid array"},
		{`"system":[4]`, "system.0: Input does not match the expected shape."},
		{`"system":[{"type":"text"}]`, "system.0.text: Field required"},
		{`"system":[{"type":"image","text":"x"}]`, "system.0.type: Input should be 'text'"},
		{`"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","scope":"x"}}]`,
			"system.0.cache_control.ephemeral.scope: Extra inputs are not permitted"},
		{`"thinking":"on"`, "thinking: Input should be an object"},
		{`"thinking":null`, "thinking: Input should be an object"},
		{`"output_config":"x"`, "output_config: Input does not match the expected shape."},
		{`"output_config":null`, "output_config: Input does not match the expected shape."},
		{`"output_config":{"effort":null,"format":null}`, ""},
		{`"output_config":{"effort":"huge"}`, "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'"},
		{`"output_config":{"task_budget":{}}`, "output_config.task_budget: Extra inputs are not permitted"},
		{`"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}`,
			"output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"},
		{`"output_config":{"format":{"type":"json_schema","schema":{"type":"number","minimum":1,"maximum":2}}}`,
			"output_config.format.schema: For 'number' type, properties maximum, minimum are not supported"},
		{`"cache_control":"x"`, "cache_control: Input should be an object"},
		{`"cache_control":null`, ""},
		{`"cache_control":{"type":"ephemeral","ttl":"1h"}`, ""},
		{`"cache_control":{}`, "cache_control.type: Field required"},
		{`"max_tokens":"(absent)"`, "max_tokens: Field required"},
		{`"max_tokens":"9"`, "max_tokens: Input should be a valid integer"},
		{`"max_tokens":null`, "max_tokens: Input should be a valid integer"},
		{`"max_tokens":1.5`, "max_tokens: Input should be a valid integer"},
		{`"max_tokens":-1`, "max_tokens: must be greater than or equal to 0"},
		{`"max_tokens":0`, ""},
		{`"metadata":"x"`, "metadata: Input does not match the expected shape."},
		{`"metadata":{"bogus":1}`, "metadata.bogus: Extra inputs are not permitted"},
		{`"metadata":{"user_id":7}`, "metadata.user_id: Input should be a valid string"},
		{`"metadata":{"user_id":null}`, ""},
		{`"metadata":{"user_id":"` + strings.Repeat("x", 513) + `"}`, "metadata.user_id: String should have at most 512 characters"},
		{`"stop_sequences":"x"`, "stop_sequences: Input should be a valid array"},
		{`"stop_sequences":[1]`, "stop_sequences.0: Input should be a valid string"},
		{`"stop_sequences":["a"," "]`, "stop_sequences: each stop sequence must contain non-whitespace"},
		{`"temperature":null`, "temperature: Input should be a valid number"},
		{`"temperature":"1"`, "temperature: Input should be a valid number"},
		{`"temperature":2`, "temperature: range: 0..1"},
		{`"temperature":0.5`, ""},
		{`"service_tier":null`, "service_tier: Input should be 'auto' or 'standard_only'"},
		{`"service_tier":"fast"`, "service_tier: Input should be 'auto' or 'standard_only'"},
		{`"top_k":1.5`, "top_k: Input should be a valid integer"},
		{`"top_p":null`, "top_p: Input should be a valid number"},
		{`"top_p":1.5`, "top_p: range: 0..1"},
		{`"stream":null`, "stream: Input should be a valid boolean"},
		{`"stream":"true"`, "stream: Input should be a valid boolean"},
		{`"container":4`, "container.ContainerParams: Input does not match the expected shape."},
		{`"container":null`, ""},
		{`"container":"c"`, "container: Container identifier can only be provided when using the code execution tool"},
		{`"container":{"id":"c"},"tools":[{"type":"code_execution_20250825","name":"code_execution"}]`, ""},
		{`"inference_geo":4`, "inference_geo: Input should be a valid string"},
		{`"inference_geo":"mars"`, "inference_geo: must be one of ['global', 'us']"},
		{`"inference_geo":null`, ""},
		{`"speed":"slow"`, "speed: Input should be 'standard' or 'fast'"},
		{`"diagnostics":{"previous_message_id":null}`, ""},
		{`"zzz":1`, "zzz: Extra inputs are not permitted"},
		{`"context_management":{}`, "context_management: Extra inputs are not permitted"},
	})
}

func TestThinkingFaultsHaveTheWordsOfTheAPI(t *testing.T) {
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{`"thinking":{"type":"enabled","budget_tokens":1024}`, ""},
		{`"thinking":{"type":"adaptive","display":null}`, ""},
		{`"thinking":{}`, "thinking.type: Field required"},
		{`"thinking":{"type":"deep"}`, "thinking: Input tag 'deep' found using 'type' does not match any of the expected tags: " +
			"'adaptive', 'between_tools', 'disabled', 'enabled'"},
		{`"thinking":{"type":"enabled"}`, "thinking.enabled.budget_tokens: Field required"},
		{`"thinking":{"type":"enabled","budget_tokens":1000}`,
			"thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"},
		{`"thinking":{"type":"disabled","budget_tokens":2000}`, "thinking.disabled.budget_tokens: Extra inputs are not permitted"},
		{`"thinking":{"type":"adaptive","display":"updates"}`, "thinking.adaptive.display: Input should be 'summarized' or 'omitted'"},
		{`"thinking":{"type":"enabled","budget_tokens":4096}`, "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our " +
			"documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size"},
		{`"thinking":{"type":"enabled","budget_tokens":1024},"temperature":0.5`, "`temperature` may only be set to 1 when thinking is enabled or in " +
			"adaptive mode. Please consult our documentation at https://platform.claude.com/docs/en/build-with-claude/extended-thinking"},
		{`"thinking":{"type":"enabled","budget_tokens":1024},"top_k":5`, "`top_k` must be unset when thinking is enabled"},
		{`"thinking":{"type":"enabled","budget_tokens":1024},"tool_choice":{"type":"any"},"tools":[{"name":"a","input_schema":{"type":"object"}}]`,
			"Thinking may not be enabled when tool_choice forces tool use."},
	})
}

func TestOfSeveralFaultsTheFirstRowOfTheTableWins(t *testing.T) {
	// Each fragment is a fault; the message is what it says alone. They stand in the API's order.
	rows := []faultCase{
		{`"model":""`, "model: String should have at least 1 character"},
		{`"tool_choice":4`, "tool_choice: Input should be an object"},
		{`"tools":4`, "tools: Input should be a valid array"},
		{`"messages":[]`, "messages: at least one message is required"},
		{`"system":4`, "system: Input should be a valid array"},
		{`"thinking":4`, "thinking: Input should be an object"},
		{`"output_config":4`, "output_config: Input does not match the expected shape."},
		{`"cache_control":4`, "cache_control: Input should be an object"},
		{`"max_tokens":-1`, "max_tokens: must be greater than or equal to 0"},
		{`"metadata":4`, "metadata: Input does not match the expected shape."},
		{`"stop_sequences":4`, "stop_sequences: Input should be a valid array"},
		{`"temperature":4`, "temperature: range: 0..1"},
		{`"service_tier":4`, "service_tier: Input should be 'auto' or 'standard_only'"},
		{`"top_k":"x"`, "top_k: Input should be a valid integer"},
		{`"top_p":4`, "top_p: range: 0..1"},
		{`"stream":4`, "stream: Input should be a valid boolean"},
		{`"container":4`, "container.ContainerParams: Input does not match the expected shape."},
		{`"inference_geo":4`, "inference_geo: Input should be a valid string"},
		{`"zzz":4`, "zzz: Extra inputs are not permitted"},
		{`"messages":[{"role":"user","content":[]}]`, "messages.0: user messages must have non-empty content"},
		{`"container":"c"`, "container: Container identifier can only be provided when using the code execution tool"},
	}
	pairs := pairsOf(rows)
	require.Greater(t, len(pairs), 200)
	requireFaults(t, ReadOptions{Version: Version2023}, append(rows, pairs...))
}

func TestTheNewerVersionHasNoSampling(t *testing.T) {
	requireFaults(t, ReadOptions{Version: Version2026}, []faultCase{
		{`"temperature":1`, "temperature: Extra inputs are not permitted"},
		{`"top_p":1`, "top_p: Extra inputs are not permitted"},
		{`"top_k":1`, "top_k: Extra inputs are not permitted"},
		{`"temperature":1,"stream":4`, "stream: Input should be a valid boolean"},
		{`"messages":[{"role":"user","content":[{"type":"text","text":"a","citations":[]}]}]`, ""},
		{`"messages":[{"role":"user","content":[{"type":"text","text":"a","citations":[{"type":"char_location","cited_text":"a",` +
			`"document_index":0,"document_title":null,"start_char_index":0,"end_char_index":1}]}]}]`,
			"messages.0.content.0.text.citations: Extra inputs are not permitted"},
		{`"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"}}]}]`,
			"messages.1: `document` blocks can only be in `user` messages"},
	})
	requireFaults(t, ReadOptions{Version: Version2023}, []faultCase{
		{`"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"}}]}]`, ""},
	})
}

func TestCountTokensTakesFewerFields(t *testing.T) {
	requireFaults(t, ReadOptions{Version: Version2023, CountOnly: true}, []faultCase{
		{`"max_tokens":"(absent)"`, ""},
		{``, "max_tokens: Extra inputs are not permitted"},
		{`"max_tokens":"(absent)","stream":true`, "stream: Extra inputs are not permitted"},
		{`"max_tokens":"(absent)","temperature":1`, "temperature: Extra inputs are not permitted"},
		{`"max_tokens":"(absent)","system":"a","tools":[],"thinking":{"type":"enabled","budget_tokens":99999}`, ""},
	})
}

func TestABetaHeaderTurnsItsFieldsOn(t *testing.T) {
	requireFaults(t, ReadOptions{Version: Version2023, Betas: []string{"mcp-client-2025-11-20", "task-budgets-2026-03-13"}}, []faultCase{
		{`"mcp_servers":[]`, ""},
		{`"output_config":{"task_budget":{"type":"tokens","total":5}}`, "output_config.task_budget.total: Input should be greater than or equal to 1024"},
		{`"context_management":{}`, "context_management: Extra inputs are not permitted"},
	})
}

func TestListedModelsObeyTheirCapsAndOthersHaveNone(t *testing.T) {
	prefill := `"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`
	system := `"messages":[{"role":"user","content":"a"},{"role":"system","content":"b"}]`
	adaptive := `"thinking":{"type":"adaptive"}`
	budget := `"thinking":{"type":"enabled","budget_tokens":1024}`
	tool := `"tools":[{"name":"a","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"}`
	cases := []faultCase{
		{`"model":"claude-haiku-4-5","max_tokens":128001`, "max_tokens: 128001 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5"},
		{`"model":"claude-opus-4-6",` + prefill, "This model does not support assistant message prefill. The conversation must end with a user message."},
		{`"model":"claude-opus-4-5",` + system, "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, not \"system\" as an input message role."},
		{`"model":"claude-opus-5-5",` + budget, `"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`},
		{`"model":"claude-opus-5-5","thinking":{"type":"disabled"}`, `"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`},
		{`"model":"claude-opus-5","thinking":{"type":"between_tools"}`, `"thinking.type.between_tools" is not supported for this model.`},
		{`"model":"claude-sonnet-4-5",` + adaptive, `"thinking.type.adaptive" is not supported for this model.`},
		{`"model":"claude-sonnet-5-5",` + tool, `tool_choice: type "tool" and "any" are not supported for this model.`},
		{`"model":"claude-opus-4-7","temperature":1`, "`temperature` is deprecated for this model."},
		{`"model":"claude-opus-4-5","temperature":1,"top_p":1`, "`temperature` and `top_p` cannot both be specified for this model. Please use only one."},
	}
	requireFaults(t, ReadOptions{Version: Version2023, Listed: true}, cases)
	requireFaults(t, ReadOptions{Version: Version2023}, cases)
	for i := range cases {
		_, rest, _ := strings.Cut(strings.TrimPrefix(cases[i].fragment, `"model":"`), `"`)
		cases[i] = faultCase{`"model":"acme"` + rest, ""}
	}
	requireFaults(t, ReadOptions{Version: Version2023}, cases)

	for _, model := range []string{"claude-nine", "claude-3-opus-20240229"} {
		body := bodyWith(t, `"model":"`+model+`"`)
		_, problem := NewReader().Read(body, ReadOptions{Listed: true})
		require.Equal(t, &Error{Status: 404, Type: "not_found_error", Message: "model: " + model}, problem)
		_, problem = NewReader().Read(body, ReadOptions{})
		require.Nil(t, problem)
	}
	long := bodyWith(t, `"model":"claude-haiku-4-5","system":"`+strings.Repeat("a b ", 110_000)+`"`)
	_, problem := NewReader().Read(long, ReadOptions{Listed: true})
	require.NotNil(t, problem)
	require.Regexp(t, `^prompt is too long: \d{6} tokens > 200000 maximum$`, problem.Message)
}

func TestATurnThatPausedOnAServersToolMayBeSentBack(t *testing.T) {
	call := `{"type":"server_tool_use","id":"srvtoolu_01","name":"web_search","input":{"query":"a"}}`
	result := `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_01","content":[]}`
	paused := func(blocks string) string {
		return `"model":"claude-sonnet-5","messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"},` + blocks + `]}]`
	}
	requireFaults(t, ReadOptions{Version: Version2023, Listed: true}, []faultCase{
		{paused(call), ""},
		{paused(call + "," + result), ""},
		{paused(call + "," + result + `,{"type":"text","text":"c"}`), "This model does not support assistant message prefill. The conversation must end with a user message."},
	})
}

// pairsOf is each two faults of different members in one body, the one to be told of last.
func pairsOf(rows []faultCase) []faultCase {
	var pairs []faultCase
	for i, first := range rows {
		for _, second := range rows[i+1:] {
			if key, _, _ := strings.Cut(first.fragment, ":"); strings.HasPrefix(second.fragment, key+":") {
				continue
			}
			pairs = append(pairs, faultCase{second.fragment + "," + first.fragment, first.message})
		}
	}
	return pairs
}
