package wire

import "strings"

// togetherRules are the rules about fields that bear on one another, in the order in which they
// are applied, after the conversation's.
func togetherRules() []func(*scope) *fault {
	return []func(*scope) *fault{
		budgetFits,
		samplersSuitThinking,
		thinkingIsUnforced,
		modelThinksSo,
		modelTakesSamplers,
		modelTakesForce,
		containerHasUse,
		finalTurnThinks,
		thoughtsAreSigned,
		mediaIsGood,
	}
}

const docs = "Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking"

func (s *scope) thinkingType() string { return s.body.Get("thinking").Get("type").Text() }

// thinks says whether thinking is on, in any form.
func (s *scope) thinks() bool { t := s.thinkingType(); return t != "" && t != "disabled" }

func (s *scope) forces() bool {
	kind := s.body.Get("tool_choice").Get("type").Text()
	return kind == "any" || kind == "tool"
}

func budgetFits(s *scope) *fault {
	budget, ok := s.body.Get("thinking").Get("budget_tokens").Int()
	most, bounded := s.body.Get("max_tokens").Int()
	if ok && bounded && budget >= most {
		return wrongRequest("`max_tokens` must be greater than `thinking.budget_tokens`. " + docs + "#max-tokens-and-context-window-size")
	}
	return nil
}

func samplersSuitThinking(s *scope) *fault {
	if !s.thinks() {
		return nil
	}
	if heat, ok := s.body.Get("temperature").Float(); ok && heat != 1 {
		return wrongRequest("`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. " +
			"Please consult our documentation at https://platform.claude.com/docs/en/build-with-claude/extended-thinking")
	}
	if s.body.Get("top_k") != nil {
		return wrongRequest("`top_k` must be unset when thinking is enabled")
	}
	return nil
}

func thinkingIsUnforced(s *scope) *fault {
	if s.thinks() && s.forces() {
		return wrongRequest("Thinking may not be enabled when tool_choice forces tool use.")
	}
	return nil
}

func modelThinksSo(s *scope) *fault {
	const hint = ` is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`
	switch kind := s.thinkingType(); {
	case kind == "enabled" && s.refuses(noBudget),
		kind == "disabled" && s.refuses(alwaysThinks):
		return wrongRequest(`"thinking.type.` + kind + `"` + hint)
	case kind == "adaptive" && s.refuses(noAdaptive),
		kind == "between_tools" && s.refuses(noBetween):
		return wrongRequest(`"thinking.type.` + kind + `" is not supported for this model.`)
	}
	return nil
}

func modelTakesSamplers(s *scope) *fault {
	heat, nucleus := s.body.Get("temperature") != nil, s.body.Get("top_p") != nil
	for _, name := range [...]string{"temperature", "top_p", "top_k"} {
		if s.body.Get(name) != nil && s.refuses(noSampling) {
			return wrongRequest("`" + name + "` is deprecated for this model.")
		}
	}
	if heat && nucleus && s.model != nil && strings.Contains(s.model.ID, "-4-") {
		return wrongRequest("`temperature` and `top_p` cannot both be specified for this model. Please use only one.")
	}
	return nil
}

func modelTakesForce(s *scope) *fault {
	if s.forces() && s.refuses(noForcedTool) {
		return wrongRequest(`tool_choice: type "tool" and "any" are not supported for this model.`)
	}
	return nil
}

func containerHasUse(s *scope) *fault {
	box := s.body.Get("container")
	if box.Kind() == Object {
		box = box.Get("id")
	}
	if box.Kind() != String {
		return nil
	}
	for _, m := range s.body.Get("tools").Members() {
		if strings.HasPrefix(m.Value.Get("type").Text(), "code_execution_") {
			return nil
		}
	}
	return wrong("Container identifier can only be provided when using the code execution tool").in("container")
}
