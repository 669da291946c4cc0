package wire

import (
	"slices"
	"strings"
)

// tool takes a tool of the client's own, which has no type or the type "custom", or one of the
// API's by its type.
func tool() *rule {
	variants := []variant{
		as("custom",
			required("name", text().atLeast(1).atMost(128).matching(toolName)),
			optional("description", text()),
			required("input_schema", anyObject(
				required("type", oneOf("object")),
				optional("properties", anyObject().orNull()),
				optional("required", array(text()).orNull()),
			)),
			optional("eager_input_streaming", boolean().orNull()),
			optional("input_examples", array(anyObject())),
			callers(), deferred(), strict(), cached(),
		),
		as("computer_toolset_20260801", optional("configs", anyObject().orNull()), cached()),
		as("browser_toolset_20260801", optional("configs", anyObject().orNull()), cached()),
		ownTool("text_editor_20250728", "str_replace_based_edit_tool", examples(),
			optional("max_characters", whole().atLeast(1).orNull())),
	}
	variants[0].rule.and(strictSchema)
	for _, t := range [...]struct{ tag, name string }{
		{"bash_20250124", "bash"},
		{"memory_20250818", "memory"},
		{"text_editor_20250124", "str_replace_editor"},
		{"text_editor_20250429", "str_replace_based_edit_tool"},
	} {
		variants = append(variants, ownTool(t.tag, t.name, examples()))
	}
	for _, t := range [...]struct{ tag, name string }{
		{"code_execution_20250522", "code_execution"},
		{"code_execution_20250825", "code_execution"},
		{"code_execution_20260120", "code_execution"},
		{"code_execution_20260521", "code_execution"},
		{"tool_search_tool_bm25", "tool_search_tool_bm25"},
		{"tool_search_tool_bm25_20251119", "tool_search_tool_bm25"},
		{"tool_search_tool_regex", "tool_search_tool_regex"},
		{"tool_search_tool_regex_20251119", "tool_search_tool_regex"},
	} {
		variants = append(variants, ownTool(t.tag, t.name))
	}
	inclusion := optional("response_inclusion", oneOf("full", "excluded"))
	variants = append(variants,
		webSearch("web_search_20250305"), webSearch("web_search_20260209"),
		webSearch("web_search_20260318", inclusion),
		webFetch("web_fetch_20250910"), webFetch("web_fetch_20260209"),
		webFetch("web_fetch_20260309", optional("use_cache", boolean())),
		webFetch("web_fetch_20260318", optional("use_cache", boolean()), inclusion),
	)
	return union(append(variants, betaTools()...)...).orUntagged("custom")
}

// ownTool is a tool of the API's own, which has one name only.
func ownTool(tag, name string, more ...field) variant {
	return as(tag, append([]field{required("name", oneOf(name)), callers(), deferred(), strict(), cached()}, more...)...)
}

func webSearch(tag string, more ...field) variant {
	place := func(name string, least, most int) field {
		return optional(name, text().atLeast(least).atMost(most).orNull())
	}
	return ownTool(tag, "web_search", append(domains(), append(more,
		optional("user_location", object(
			required("type", oneOf("approximate")),
			place("city", 1, 255), place("country", 2, 2), place("region", 1, 255), place("timezone", 1, 255),
		).orNull()))...)...)
}

func webFetch(tag string, more ...field) variant {
	return ownTool(tag, "web_fetch", append(domains(), append(more,
		optional("max_content_tokens", whole().atLeast(1).orNull()),
		optional("citations", citationsConfig().orNull()),
		optional("url_sources", anyObject().orNull()),
	)...)...)
}

func domains() []field {
	return []field{
		optional("max_uses", whole().atLeast(1).orNull()),
		optional("allowed_domains", array(text()).orNull()),
		optional("blocked_domains", array(text()).orNull()),
	}
}

func examples() field { return optional("input_examples", array(anyObject())) }
func deferred() field { return optional("defer_loading", boolean()) }
func strict() field   { return optional("strict", boolean()) }
func callers() field {
	return optional("allowed_callers", array(oneOf("direct", "code_execution_20250825",
		"code_execution_20260120", "code_execution_20260521")))
}

func toolChoice() *rule {
	parallel := optional("disable_parallel_tool_use", boolean())
	return union(
		as("auto", parallel),
		as("any", parallel),
		as("tool", required("name", text()), parallel),
		as("none"),
	)
}

// choosableTool comes before the tools themselves are looked at, as in the API.
func choosableTool(v *Value, s *scope) *fault {
	tools := s.body.Get("tools").Members()
	switch v.Get("type").Text() {
	case "any":
		if len(tools) == 0 {
			return wrongRequest("tool_choice.any may only be specified while providing tools")
		}
	case "tool":
		name := v.Get("name").Text()
		if !slices.ContainsFunc(tools, func(m Member) bool { return m.Value.Get("name").Text() == name }) {
			return wrongRequest("Tool '" + name + "' not found in provided tools")
		}
	}
	return nil
}

func uniqueTools(v *Value, _ *scope) *fault {
	seen := make(map[string]bool, len(v.items))
	for i := range v.items {
		name := v.items[i].Value.Get("name")
		if name == nil {
			continue // a toolset
		}
		if seen[name.text] {
			return wrong("Tool names must be unique.")
		}
		seen[name.text] = true
	}
	return nil
}

func strictSchema(v *Value, s *scope) *fault {
	if f := validSchema(v.Get("input_schema"), s); f != nil {
		return f.in("input_schema")
	}
	if !v.Get("strict").Bool() {
		return nil
	}
	return closedSchema(v.Get("input_schema"), s)
}

// closedSchema refuses what a schema can't hold that an answer is made to follow.
func closedSchema(v *Value, s *scope) *fault {
	switch v.Kind() {
	case Array:
		for i := range v.items {
			if f := closedSchema(&v.items[i].Value, s); f != nil {
				return f
			}
		}
	case Object:
		return closedObject(v, s)
	}
	return nil
}

// unsupported refuses keys that say too much about a value of some type. The wording for several
// was seen for numbers, that for one for arrays.
func unsupported(v *Value, kind string, keys ...string) *fault {
	var bad []string
	for _, key := range keys {
		if v.Get(key) != nil {
			bad = append(bad, key)
		}
	}
	switch len(bad) {
	case 0:
		return nil
	case 1:
		return wrong("For '" + kind + "' type, property '" + bad[0] + "' is not supported")
	}
	return wrong("For '" + kind + "' type, properties " + strings.Join(bad, ", ") + " are not supported")
}

func closedObject(v *Value, s *scope) *fault {
	switch kind := v.Get("type").Text(); kind {
	case "object":
		if more := v.Get("additionalProperties"); more.Kind() != Bool || more.Bool() {
			return wrong("For 'object' type, 'additionalProperties' must be explicitly set to false")
		}
	case "number", "integer":
		if f := unsupported(v, kind, "exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"); f != nil {
			return f
		}
	case "string":
		if f := unsupported(v, kind, "maxLength", "minLength"); f != nil {
			return f
		}
	case "array":
		if f := unsupported(v, kind, "maxItems", "uniqueItems"); f != nil {
			return f
		}
		if least, ok := v.Get("minItems").Int(); ok && least > 1 {
			return wrong("For 'array' type, 'minItems' values other than 0 or 1 are not supported")
		}
	}
	for i := range v.items {
		m := &v.items[i]
		switch m.Name {
		case "properties", "$defs", "definitions":
			for j := range m.Value.items {
				if f := closedSchema(&m.Value.items[j].Value, s); f != nil {
					return f
				}
			}
		case "items", "anyOf", "allOf", "oneOf":
			if f := closedSchema(&m.Value, s); f != nil {
				return f
			}
		}
	}
	return nil
}
