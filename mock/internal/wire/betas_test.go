package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKnownBetasAreTakenAndOthersNamed(t *testing.T) {
	require.Empty(t, UnknownBetas(nil))
	require.Empty(t, UnknownBetas([]string{"", "prompt-caching-2024-07-31", "mcp-client-2025-11-20", "skills-2025-10-02", "webhooks-2026-10-07"}))
	require.Equal(t, []string{"nope", "context-1m"}, UnknownBetas([]string{"nope", "context-1m-2025-08-07", "context-1m", "nope"}))
}

func TestEveryBetaOfTheTableIsKnown(t *testing.T) {
	known := []string{"computer-use-2024-10-22", "computer-use-2025-01-24", "computer-use-2025-11-24", "mcp-client-2025-11-20", "mcp-client-2026-09-15",
		"compact-2026-09-04", "context-management-2025-06-27", "server-side-fallback-2026-07-01", "fallback-credit-2026-07-01",
		"structured-outputs-2025-11-13", "message-threads-2026-08-12", "user-profiles-billing-2026-10-01", "task-budgets-2026-03-13",
		"advisor-tool-2026-03-01", "mid-conversation-tool-changes-2026-07-01", "mid-conversation-output-config-2026-07-01",
		"mid-conversation-system-clear-at-2026-08-21", "inline-tools-2026-09-15"}
	require.Empty(t, UnknownBetas(known))
	seen := 0
	wholeTable(Version2023, func(s spot) {
		starts := [][]string{}
		for _, f := range s.rule.fields {
			starts = append(starts, f.betas)
		}
		for _, v := range s.rule.variants {
			starts = append(starts, v.betas)
		}
		for _, betas := range starts {
			for _, start := range betas {
				seen++
				one := &scope{ReadOptions: ReadOptions{Betas: known}}
				require.True(t, one.hasBeta(start), "%s %s", s.path, start)
			}
		}
	})
	require.Greater(t, seen, 20)
}

func TestBlocksAndToolsOfABetaNeedIt(t *testing.T) {
	addition := inUserTurn(`{"type":"tool_addition","tool":{"type":"tool_reference","name":"f"}}`)
	bash := `"tools":[{"type":"bash_20241022","name":"bash"}]`
	set := `"mcp_servers":[{"type":"url","name":"a","url":"u"}],"tools":[{"type":"mcp_toolset","mcp_server_name":"a"}]`
	requireFaults(t, ReadOptions{Version: Version2026, Betas: []string{"computer-use-2024-10-22", "mcp-client-2025-11-20", "inline-tools-2026-09-15"}}, []faultCase{
		{addition, ""},
		{bash, ""},
		{set, ""},
		{`"mcp_servers":[{"type":"url","name":"a"}]`, "mcp_servers.0.url: Field required"},
		{inUserTurn(`{"type":"compaction"}`), "messages.0.content.0: Input tag 'compaction' found using 'type' does not match any of the expected tags: " +
			"'bash_code_execution_tool_result', 'code_execution_tool_result', 'container_upload', 'document', 'image', 'mcp_tool_result', 'mcp_tool_use', " +
			"'redacted_thinking', 'search_result', 'server_tool_use', 'text', 'text_editor_code_execution_tool_result', 'thinking', 'tool_addition', " +
			"'tool_removal', 'tool_result', 'tool_search_tool_result', 'tool_use', 'web_fetch_tool_result', 'web_search_tool_result'"},
	})
	requireFaults(t, ReadOptions{Version: Version2026, Betas: []string{"compact-2026-01-12"}}, []faultCase{
		{`"context_management":{"edits":[{"type":"compact_20260112"}]}`, ""},
		{`"context_management":{"edits":4}`, "context_management.edits: Input should be a valid array"},
	})
	requireFaults(t, ReadOptions{Version: Version2026, Betas: []string{"server-side-fallback-2026-07-01"}}, []faultCase{
		{`"fallbacks":"default"`, ""},
		{`"fallbacks":[{"model":"claude-opus-5"}]`, ""},
		{`"fallbacks":[]`, "fallbacks: List should have at least 1 item"},
	})
}

func TestThreadsAndCompactionsAreChecked(t *testing.T) {
	const tags = " found using 'type' does not match any of the expected tags: 'continue', 'create'"
	requireFaults(t, ReadOptions{Version: Version2026, Betas: []string{"message-threads-2026-08-12", "compact-2026-09-04"}}, []faultCase{
		{`"thread":{"type":"create"}`, ""},
		{`"thread":null`, ""},
		{`"thread":"create"`, "thread: Input should be an object"},
		{`"thread":{}`, "thread.type: Field required"},
		{`"thread":{"type":"fork"}`, "thread: Input tag 'fork'" + tags},
		{`"thread":{"type":"create","id":1}`, "thread.create.id: Extra inputs are not permitted"},
		{`"thread":{"type":"continue"}`, "thread.continue.previous_message_id: Field required"},
		{`"compaction":{"type":"summarize"}`, ""},
		{`"compaction":{"type":"summarize","instructions":"short"}`, ""},
		{`"compaction":null`, ""},
		{`"compaction":true`, "compaction: Input should be an object"},
		{`"compaction":{}`, "compaction.type: Field required"},
		{`"compaction":{"type":"drop"}`, "compaction.type: Input should be 'summarize'"},
		{`"compaction":{"type":"summarize","keep":1}`, "compaction.keep: Extra inputs are not permitted"},
	})
}
