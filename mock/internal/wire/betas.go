package wire

import "slices"

// UnknownBetas returns those of the anthropic-beta values that the API doesn't know, in the order
// they were sent.
func UnknownBetas(values []string) []string {
	var unknown []string
	for _, v := range values {
		if v != "" && !knownBeta(v) && !slices.Contains(unknown, v) {
			unknown = append(unknown, v)
		}
	}
	return unknown
}

// knownBeta says whether a value of anthropic-beta is one that the official SDKs list.
func knownBeta(value string) bool {
	switch value {
	// Turn on fields, blocks, tools or behaviour of messages.
	case "computer-use-2024-10-22", "computer-use-2025-01-24", "computer-use-2025-11-24",
		"output-128k-2025-02-19", "output-300k-2026-03-24",
		"mcp-client-2025-04-04", "mcp-client-2025-11-20", "mcp-client-2026-09-15",
		"dev-full-thinking-2025-05-14", "interleaved-thinking-2025-05-14",
		"code-execution-2025-05-22", "context-1m-2025-08-07",
		"context-management-2025-06-27", "model-context-window-exceeded-2025-08-26",
		"fast-mode-2026-02-01", "advisor-tool-2026-03-01", "thinking-token-count-2026-05-13",
		"server-side-fallback-2026-06-01", "server-side-fallback-2026-07-01",
		"fallback-credit-2026-06-01", "fallback-credit-2026-07-01",
		"mid-conversation-tool-changes-2026-07-01", "mid-conversation-output-config-2026-07-01",
		"mid-conversation-system-clear-at-2026-08-21",
		"compact-2026-01-12", "compact-2026-09-04", "structured-outputs-2025-11-13",
		"task-budgets-2026-03-13", "thinking-display-updates-2026-08-18",
		"thinking-binding-controls-2026-08-01", "inline-tools-2026-09-15", "message-threads-2026-08-12":
		return true
	// Belong to other products.
	case "user-profiles-2026-03-24", "user-profiles-2026-08-18", "user-profiles-2026-09-04",
		"user-profiles-billing-2026-10-01", "managed-agents-2026-04-01", "dreaming-2026-04-21",
		"agent-memory-2026-07-22", "mcp-tunnels-2026-06-22", "ce-plugins-2026-09-01",
		"spend-limit-reads-2026-09-26", "telemetry-destinations-2026-08-11", "webhooks-2026-10-07",
		"admin-user-sign-out-2026-10-08", "analytics-usage-cost-2026-08-24",
		"experimental-claude-tag-2026-10-21", "ce-user-management-2026-07-13",
		"ce-claude-code-managed-settings-2026-10-06", "efs-2026-10-01",
		"google-managed-data-controls-2026-09-01":
		return true
	// Are taken and do nothing any more.
	case "message-batches-2024-09-24", "prompt-caching-2024-07-31", "pdfs-2024-09-25",
		"token-counting-2024-11-01", "token-efficient-tools-2025-02-19",
		"extended-cache-ttl-2025-04-11", "cache-diagnosis-2026-04-07":
		return true
	// Select older answer shapes.
	case "files-api-2025-04-14", "skills-2025-10-02":
		return true
	// Known to clients of other clouds and of the subscription login, which send them along.
	case "oauth-2025-04-20", "claude-code-20250219", "fine-grained-tool-streaming-2025-05-14",
		"max-tokens-3-5-sonnet-2024-07-15", "prompt-caching-scope-2026-01-05":
		return true
	}
	return false
}
