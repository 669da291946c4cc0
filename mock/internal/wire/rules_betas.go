package wire

// The blocks and tools that only exist for those who send an anthropic-beta value.

// withBeta makes a union's member exist only for those who send an anthropic-beta value that
// starts with one of betas.
func withBeta(v variant, betas ...string) variant {
	v.betas = betas
	return v
}

func betaBlocks() []variant {
	return append(toolChanges(),
		withBeta(as("mcp_tool_use",
			required("id", text().matching(plainID)),
			required("input", anyObject()),
			required("name", text()),
			required("server_name", text()),
			cached(),
		), "mcp-client-"),
		withBeta(as("mcp_tool_result",
			required("tool_use_id", text().matching(plainID)),
			optional("content", textOr(array(object(textBlock()...)))),
			optional("is_error", boolean()),
			cached(),
		), "mcp-client-"),
		withBeta(as("mcp_tool_listing",
			required("mcp_server_name", text().atLeast(1).atMost(255)),
			required("tools", array(anyObject())),
		), "mcp-client-2026-09-15"),
		withBeta(as("compaction",
			optional("content", text().orNull()),
			optional("encrypted_content", text().orNull()),
			optional("signature", text().orNull()),
			optional("tool_changes", array(union(toolChanges()...)).orNull()),
			cached(),
		), "compact-"),
		withBeta(as("fallback",
			required("from", hop()), required("to", hop()), optional("trigger", anyValue()),
		), "server-side-fallback-"),
		withBeta(as("advisor_tool_result",
			required("tool_use_id", serverToolID()),
			required("content", anyObject()),
			cached(),
		), "advisor-tool-"),
	)
}

func hop() *rule { return object(required("model", text().atLeast(1))) }

// toolChanges are the blocks that add and remove tools in the middle of a conversation.
func toolChanges() []variant {
	change := func(tag string, more ...variant) variant {
		kinds := append([]variant{
			as("tool_reference", required("name", text().matching(toolName))),
			as("mcp_tool_reference", required("name", text()), required("server_name", text())),
			as("mcp_toolset_reference", required("server_name", text())),
		}, more...)
		return withBeta(as(tag, required("tool", union(kinds...)), cached()),
			"mid-conversation-tool-changes-", "inline-tools-", "compact-")
	}
	return []variant{
		change("tool_addition", as("tool_definition", required("definition", anyObject()))),
		change("tool_removal"),
	}
}

func betaTools() []variant {
	screen := func(tag, beta string, more ...field) variant {
		return withBeta(ownTool(tag, "computer", append([]field{
			required("display_height_px", whole().atLeast(1)),
			required("display_width_px", whole().atLeast(1)),
			optional("display_number", whole().atLeast(0).orNull()),
			examples(),
		}, more...)...), beta)
	}
	return []variant{
		withBeta(ownTool("bash_20241022", "bash", examples()), "computer-use-2024-10-22"),
		withBeta(ownTool("text_editor_20241022", "str_replace_editor", examples()), "computer-use-2024-10-22"),
		screen("computer_20241022", "computer-use-2024-10-22"),
		screen("computer_20250124", "computer-use-2025-01-24"),
		screen("computer_20251124", "computer-use-2025-11-24", optional("enable_zoom", boolean())),
		withBeta(ownTool("advisor_20260301", "advisor",
			required("model", text().atLeast(1)),
			optional("caching", cacheControl()),
			optional("max_tokens", whole().atLeast(1024).orNull()),
			optional("max_uses", whole().atLeast(1).orNull()),
		), "advisor-tool-"),
		withBeta(as("mcp_toolset",
			required("mcp_server_name", text().atLeast(1).atMost(255)),
			optional("configs", anyObject().orNull()),
			optional("default_config", anyObject()),
			optional("tools", array(anyObject()).orNull()),
			cached(),
		), "mcp-client-2025-11-20", "mcp-client-2026-"),
	}
}

func mcpServers() *rule {
	return array(object(
		required("type", oneOf("url")),
		required("name", text()),
		required("url", text()),
		optional("authorization_token", text().orNull()),
		optional("tool_configuration", object(
			optional("allowed_tools", array(text()).orNull()),
			optional("enabled", boolean().orNull()),
		).orNull()),
	)).atMost(20)
}

func compaction() *rule {
	return object(
		required("type", oneOf("summarize")),
		optional("instructions", text().atMost(16384).orNull()),
	).orNull()
}

func thread() *rule {
	return union(as("create"), as("continue", required("previous_message_id", text()))).orNull()
}

func contextManagement() *rule {
	return object(optional("edits", array(union(
		as("clear_tool_uses_20250919",
			optional("trigger", anyObject()), optional("keep", anyObject()),
			optional("clear_at_least", anyObject().orNull()),
			optional("clear_tool_inputs", anyValue()),
			optional("exclude_tools", array(text()).orNull()),
		),
		as("clear_thinking_20251015", optional("keep", anyValue())),
		withBeta(as("compact_20260112",
			optional("trigger", anyObject().orNull()),
			optional("instructions", text().orNull()),
			optional("pause_after_compaction", boolean()),
		), "compact-"),
	)))).orNull()
}

// fallbacks is the word default, or a list of what to try instead.
func fallbacks() *rule {
	list := array(anyObject(required("model", text().atLeast(1)))).atLeast(1).atMost(3)
	return anyValue().orNull().and(func(v *Value, s *scope) *fault {
		if v.kind == String && v.text == "default" {
			return nil
		}
		return list.check(v, s)
	})
}
