package wire

import "fmt"

// finalTurnThinks is about the assistant's turn that the answer goes on from: the last one, or the
// one whose tool calls the last turn answers. With a budget it has to start with a thought, and
// without thinking it can't hold one.
func finalTurnThinks(s *scope) *fault {
	turns := s.turns()
	last := len(turns) - 1
	if last < 0 {
		return nil
	}
	prefill := roleOf(&turns[last]) == "assistant"
	if prefill && !s.thinks() {
		return thoughtless(turns, last)
	}
	if s.thinkingType() != "enabled" {
		return nil
	}
	at := last
	for at >= 0 && roleOf(&turns[at]) != "assistant" {
		at--
	}
	if at < 0 || !prefill && len(idsIn(turns[at+1:], "tool_result", "tool_use_id")) == 0 {
		return nil
	}
	for at > 0 && roleOf(&turns[at-1]) == "assistant" {
		at-- // Turns in a row are one.
	}
	content := contentOf(&turns[at])
	found := "text"
	if content.Kind() == Array {
		if len(content.items) == 0 {
			return nil
		}
		found = content.items[0].Value.Get("type").Text()
	}
	if found == "thinking" || found == "redacted_thinking" {
		return nil
	}
	return wrong("Expected `thinking` or `redacted_thinking`, but found `" + found + "`. When `thinking` is enabled, a final `assistant` " +
		"message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). " +
		"We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. " + docs).
		in(fmt.Sprintf("messages.%d.content.0.type", at))
}

func thoughtless(turns []Member, at int) *fault {
	for i := range contentOf(&turns[at]).Members() {
		kind := contentOf(&turns[at]).items[i].Value.Get("type").Text()
		if kind == "thinking" || kind == "redacted_thinking" {
			return wrong("When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. " +
				"To use thinking blocks, enable `thinking` in your request.").
				in(fmt.Sprintf("messages.%d.content.%d", at, i))
		}
	}
	return nil
}

// thoughtsAreSigned asks whoever made the signatures.
func thoughtsAreSigned(s *scope) *fault {
	if s.Signature == nil {
		return nil
	}
	turns := s.turns()
	for i := range turns {
		for j := range contentOf(&turns[i]).Members() {
			block := &contentOf(&turns[i]).items[j].Value
			if block.Get("type").Text() == "thinking" && !s.Signature(block.Get("thinking").Text(), block.Get("signature").Text()) {
				return wrong("Invalid `signature` in `thinking` block").in(fmt.Sprintf("messages.%d.content.%d", i, j))
			}
		}
	}
	return nil
}
