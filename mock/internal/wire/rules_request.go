package wire

import (
	"strconv"
	"strings"
)

// The live versions of the API, as anthropic-version names them.
const (
	Version2023 = "2023-06-01"
	Version2026 = "2026-10-21"
)

// requestRules is the table of what a body may hold. Its rows stand in the order in which the
// API reports faults: the first wins. That order was measured on 2023-06-01; the places of speed,
// diagnostics and the beta fields are ours.
func requestRules(version string, countOnly bool) *rule {
	sampling := version != Version2026
	rows := []struct {
		field
		counts bool // in count_tokens too
		in     bool // in this version
	}{
		{required("model", text().atLeast(1).and(knownModel)), true, true},
		{optional("tool_choice", toolChoice().and(choosableTool)), true, true},
		{optional("tools", array(tool()).and(uniqueTools)), true, true},
		{required("messages", array(message()).atLeast(1).sayingBelow("at least one message is required")), true, true},
		{optional("system", textOr(array(object(textBlock()...).saying(shapeless)))), true, true},
		{optional("thinking", thinking()), true, true},
		{optional("output_config", outputConfig()), true, true},
		{optional("cache_control", cacheControl()), true, true},
		{required("max_tokens", whole().atLeast(0).sayingBelow("must be greater than or equal to 0").and(underCap)), false, true},
		{optional("metadata", object(
			optional("user_id", text().atMost(512).orNull()),
		).saying(shapeless)), false, true},
		{optional("stop_sequences", array(text()).and(noBlankStops)), false, true},
		{optional("temperature", number(0, 1)), false, sampling},
		{optional("service_tier", oneOf("auto", "standard_only")), false, true},
		{optional("top_k", whole().atLeast(0).sayingBelow("must be greater than or equal to 0")), false, sampling},
		{optional("top_p", number(0, 1)), false, sampling},
		{optional("stream", boolean()), false, true},
		{optional("container", container()), false, true},
		{optional("inference_geo", text().orNull().and(knownGeo)), false, true},
		{optional("speed", oneOf("standard", "fast").orNull()), true, true},
		{optional("diagnostics", object(
			optional("previous_message_id", text().atMost(256).orNull()),
		).orNull()), false, true},
		{beta("billing_policy", anyValue(), "user-profiles-billing-"), false, true},
		{beta("compaction", compaction(), "compact-2026-09-04"), true, true},
		{beta("context_management", contextManagement(), "context-management-", "compact-"), true, true},
		{beta("fallback_credit_token", anyValue(), "fallback-credit-"), false, true},
		{beta("fallbacks", fallbacks(), "server-side-fallback-"), false, true},
		{beta("mcp_servers", mcpServers(), "mcp-client-"), true, true},
		{beta("output_format", jsonFormat(), "structured-outputs-"), true, true},
		{beta("thread", thread(), "message-threads-"), false, true},
	}
	var fields []field
	for _, row := range rows {
		if row.in && (row.counts || !countOnly) {
			fields = append(fields, row.field)
		}
	}
	return object(fields...)
}

// message takes the three roles alike: what a role may say is a matter of the conversation.
func message() *rule {
	return object(
		required("role", text().and(knownRole)),
		required("content", textOr(array(contentBlock()))),
		beta("clear_at", oneOf("next_user_message", "never").orNull(), "mid-conversation-system-clear-at-"),
		beta("output_config", object(
			optional("effort", oneOf("low", "medium", "high", "xhigh", "max").orNull()),
		).saying(shapeless).orNull(), "mid-conversation-output-config-"),
	)
}

func thinking() *rule {
	display := func() field { return optional("display", oneOf("summarized", "omitted").orNull()) }
	return union(
		as("enabled", required("budget_tokens", whole().atLeast(1024)), display()),
		as("disabled"),
		as("between_tools"),
		as("adaptive", optional("display", oneOf("summarized", "omitted", "updates").orNull().and(knownDisplay))),
	)
}

func outputConfig() *rule {
	return object(
		optional("effort", oneOf("low", "medium", "high", "xhigh", "max").orNull()),
		optional("format", jsonFormat()),
		beta("task_budget", object(
			required("type", oneOf("tokens")),
			required("total", whole().atLeast(1024)),
			optional("remaining", whole().atLeast(0).orNull()),
		).orNull(), "task-budgets-"),
	).saying(shapeless)
}

func jsonFormat() *rule {
	return object(
		required("type", oneOf("json_schema")),
		required("schema", anyObject().and(answerSchema)),
	).orNull()
}

func cacheControl() *rule {
	return union(as("ephemeral", optional("ttl", oneOf("5m", "1h")))).orNull()
}

// container has the name of its object form in its paths.
func container() *rule {
	params := object(
		optional("id", text().orNull()),
		optional("skills", array(object(
			required("type", oneOf("anthropic", "custom")),
			required("skill_id", text().atLeast(1).atMost(64)),
			optional("version", text().atLeast(1).atMost(64)),
		)).atMost(20).orNull()),
	).saying(shapeless)
	return anyValue().orNull().and(func(v *Value, s *scope) *fault {
		if v.kind == String {
			return nil
		}
		if f := params.check(v, s); f != nil {
			return f.in("ContainerParams")
		}
		return nil
	})
}

func knownModel(v *Value, s *scope) *fault {
	if !s.Listed || s.model != nil && s.model.Lifecycle != Retired {
		return nil
	}
	return &fault{err: UnknownModel(v.text)}
}

func knownRole(v *Value, s *scope) *fault {
	switch v.text {
	case "user", "assistant":
		return nil
	case "system":
		if s.refuses(noSystemTurns) {
			return &fault{shallow: true, text: "Unexpected role \"system\". The Messages API accepts a top-level `system` " +
				"parameter, not \"system\" as an input message role."}
		}
		return nil
	}
	return &fault{shallow: true, text: `Unexpected role "` + v.text + `". Allowed roles are "user" or "assistant"`}
}

func underCap(v *Value, s *scope) *fault {
	if s.model == nil {
		return nil
	}
	if n, _ := v.Int(); n > s.model.MaxOutput {
		return wrong(v.text + " > " + strconv.Itoa(s.model.MaxOutput) +
			", which is the maximum allowed number of output tokens for " + s.body.Get("model").Text())
	}
	return nil
}

func noBlankStops(v *Value, _ *scope) *fault {
	for i := range v.items {
		if blank(v.items[i].Value.text) {
			return wrong("each stop sequence must contain non-whitespace")
		}
	}
	return nil
}

func knownGeo(v *Value, _ *scope) *fault {
	if v.text == "global" || v.text == "us" {
		return nil
	}
	return wrong("must be one of ['global', 'us']")
}

func knownDisplay(v *Value, s *scope) *fault {
	if v.text == "updates" && !s.hasBeta("thinking-display-updates-") {
		return wrong("Input should be " + listed([]string{"summarized", "omitted"}))
	}
	return nil
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
