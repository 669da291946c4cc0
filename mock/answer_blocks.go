package mock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// ToolUse answers with the call of a tool, and stop reason tool_use. The input is what
// [json.Marshal] makes of it, an object; nil makes one that fits the tool's schema in the request.
func ToolUse(name string, input any) Answer {
	call := scenario.ToolCall{Name: name}
	if input != nil {
		text, err := spaced(input)
		if err != nil {
			return Answer{problem: fmt.Errorf("the input of tool %q: %w", name, err)}
		}
		call.Input = text
	}
	return Answer{blocks: []scenario.Block{{Type: "tool_use", ToolCall: call}}}
}

// Thinking answers with a thought and its signature. More comes with Then:
//
//	mock.Thinking("The moon pulls.").Then(mock.Text("Tides."))
func Thinking(text string) Answer {
	return Answer{blocks: []scenario.Block{{Type: "thinking", Text: text}}}
}

// Refusal answers with a refusal: stop reason "refusal" and, on newer models, its stop_details.
// The category is cyber, bio, frontier_llm, reasoning_extraction or general_harms; an empty text is
// null. What stands before it, as in mock.Text("I ").Then(mock.Refusal("bio", "")), was said until then.
func Refusal(category, explanation string) Answer {
	return Answer{blocks: []scenario.Block{}, refusal: &scenario.Refusal{Category: category, Explanation: explanation}}
}

// Blocks answers with the blocks of these answers, one after the other. The last profile and
// refusal count, and the headers add up.
func Blocks(answers ...Answer) Answer {
	all := Answer{blocks: []scenario.Block{}}
	for _, a := range answers {
		all = all.Then(a)
	}
	return all
}

// Then goes on with another answer's blocks. An error has none, so it can't be joined to anything:
// [Handler.Next] panics at such an answer, and at a tool's input that is no object.
func (a Answer) Then(next Answer) Answer {
	joined := a
	joined.text = ""
	joined.blocks = append(a.said(), next.said()...)
	joined.headers = append(a.headers[:len(a.headers):len(a.headers)], next.headers...)
	if next.profile != "" {
		joined.profile = next.profile
	}
	if next.refusal != nil {
		joined.refusal = next.refusal
	}
	joined.problem = errors.Join(a.problem, next.problem)
	if a.failure != nil || next.failure != nil {
		joined.problem = errors.Join(joined.problem, errors.New("an error can't be joined to another answer"))
	}
	return joined
}

// said is the answer as blocks, a slice of its own.
func (a Answer) said() []scenario.Block {
	if a.blocks != nil || a.failure != nil {
		return append([]scenario.Block{}, a.blocks...)
	}
	return []scenario.Block{{Type: "text", Text: a.text}}
}

// spaced is a value as JSON in the way a model writes it, with a space after : and ,.
func spaced(v any) (string, error) {
	var compact bytes.Buffer
	e := json.NewEncoder(&compact)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	text := bytes.TrimSpace(compact.Bytes())
	if len(text) == 0 || text[0] != '{' {
		return "", fmt.Errorf("%s is no object", text)
	}
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i])
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
			b.WriteByte(text[i])
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ':' || c == ','):
			b.WriteByte(' ')
		}
	}
	return b.String(), nil
}
