package wire

import "regexp"

var (
	plainID      = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	serverToolRE = regexp.MustCompile(`^srvtoolu_[a-zA-Z0-9_]+$`)
	toolName     = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)
	toolRefName  = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,256}$`)
)

// The content blocks of a message. Names of variants become part of a fault's path.

func contentBlock() *rule {
	return union(append(betaBlocks(),
		as("text", textBlock()[1:]...),
		imageBlock(),
		documentBlock(),
		searchResultBlock(),
		as("tool_use",
			required("id", text().matching(plainID)),
			required("name", text().atLeast(1).atMost(200)),
			required("input", anyObject()),
			optional("caller", caller()),
			optional("toolset_name", toolsetName()),
			cached(),
		),
		as("tool_result",
			required("tool_use_id", text().matching(plainID)),
			optional("content", textOr(array(toolResultBlock()))),
			optional("is_error", boolean()),
			optional("toolset_name", toolsetName()),
			cached(),
		),
		as("thinking", required("thinking", text()), required("signature", text())),
		as("redacted_thinking", required("data", text())),
		as("server_tool_use",
			required("id", serverToolID()),
			required("name", oneOf("web_search", "web_fetch", "code_execution", "bash_code_execution",
				"text_editor_code_execution", "tool_search_tool_regex", "tool_search_tool_bm25")),
			required("input", anyObject()),
			optional("caller", caller()),
			cached(),
		),
		serverToolResult("web_search_tool_result", optional("caller", caller())),
		serverToolResult("web_fetch_tool_result", optional("caller", caller())),
		serverToolResult("code_execution_tool_result"),
		serverToolResult("bash_code_execution_tool_result"),
		serverToolResult("text_editor_code_execution_tool_result"),
		serverToolResult("tool_search_tool_result"),
		as("container_upload", required("file_id", text().and(keptFile)), cached()),
	)...)
}

func toolResultBlock() *rule {
	return union(
		as("text", textBlock()[1:]...),
		imageBlock(),
		documentBlock(),
		searchResultBlock(),
		as("tool_reference",
			required("tool_name", text().atLeast(1).atMost(256).matching(toolRefName)),
			cached(),
		),
		as("browser_state",
			required("tabs", array(anyObject()).atMost(100)),
			optional("state_changes", array(anyObject()).atLeast(1).atMost(200).orNull()),
			cached(),
		),
	)
}

// textBlock is the fields of a text block, "type" first.
func textBlock() []field {
	return []field{
		required("type", oneOf("text")),
		required("text", text().atLeast(1).sayingBelow("text content blocks must be non-empty")),
		optional("citations", array(citation()).orNull()),
		cached(),
	}
}

func imageBlock() variant {
	return as("image",
		required("source", union(
			as("base64",
				required("media_type", oneOf("image/jpeg", "image/png", "image/gif", "image/webp")),
				required("data", text()),
			),
			as("url", required("url", text())),
			as("file", required("file_id", text().and(keptFile))),
		)),
		optional("transformations", object(optional("oversized_image", oneOf("downsize", "error"))).orNull()),
		cached(),
	)
}

func documentBlock() variant {
	return as("document",
		required("source", union(
			as("base64", required("media_type", oneOf("application/pdf")), required("data", text())),
			as("text", required("media_type", oneOf("text/plain")), required("data", text())),
			as("content", required("content", textOr(array(union(
				as("text", textBlock()[1:]...), imageBlock(),
			))))),
			as("url", required("url", text())),
			as("file", required("file_id", text().and(keptFile))),
		)),
		optional("title", text().atLeast(1).atMost(500).orNull()),
		optional("context", text().atLeast(1).orNull()),
		optional("citations", citationsConfig().orNull()),
		cached(),
	)
}

func searchResultBlock() variant {
	return as("search_result",
		required("source", text()),
		required("title", text()),
		required("content", array(object(textBlock()...))),
		optional("citations", citationsConfig()),
		cached(),
	)
}

// serverToolResult leaves the result itself unchecked.
func serverToolResult(tag string, more ...field) variant {
	return as(tag, append([]field{
		required("tool_use_id", serverToolID()),
		required("content", anyValue()),
		cached(),
	}, more...)...)
}

func serverToolID() *rule { return text().matching(serverToolRE) }

func toolsetName() *rule {
	return text().atLeast(1).atMost(64).matching(plainID).orNull()
}

func caller() *rule {
	return union(
		as("direct"),
		as("code_execution_20250825", required("tool_id", serverToolID())),
		as("code_execution_20260120", required("tool_id", serverToolID())),
	)
}

func cached() field { return optional("cache_control", cacheControl()) }

func citationsConfig() *rule { return object(optional("enabled", boolean())) }

func citation() *rule {
	document := func(more ...field) []field {
		return append([]field{
			required("cited_text", text()),
			required("document_index", whole().atLeast(0)),
			required("document_title", text().atLeast(1).atMost(500).orNull()),
		}, more...)
	}
	return union(
		as("char_location", document(
			required("start_char_index", whole().atLeast(0)), required("end_char_index", whole()))...),
		as("page_location", document(
			required("start_page_number", whole().atLeast(1)), required("end_page_number", whole()))...),
		as("content_block_location", document(
			required("start_block_index", whole().atLeast(0)), required("end_block_index", whole()))...),
		as("web_search_result_location",
			required("cited_text", text()),
			required("encrypted_index", text()),
			required("title", text().atLeast(1).atMost(512).orNull()),
			required("url", text().atLeast(1)),
		),
		as("search_result_location",
			required("cited_text", text()),
			required("search_result_index", whole().atLeast(0)),
			required("source", text()),
			required("start_block_index", whole().atLeast(0)),
			required("end_block_index", whole()),
			required("title", text().orNull()),
		),
	)
}
