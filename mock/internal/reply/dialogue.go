package reply

import (
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// For is the reply to this request: that of the dialogue's first answer that matches, else the
// reply itself.
func For(spec *scenario.Reply, q *wire.Request) *scenario.Reply {
	for i := range spec.Dialogue {
		if t := &spec.Dialogue[i]; matches(t, q) {
			return t.Reply
		}
	}
	return spec
}

func matches(t *scenario.Turn, q *wire.Request) bool {
	switch {
	case t.Contains != "" && !strings.Contains(q.LastUserText(), t.Contains):
		return false
	case t.Matches != nil && !t.Matches.MatchString(q.LastUserText()):
		return false
	case t.ToolResult != "" && !hasResultOf(q, t.ToolResult):
		return false
	case t.Turn.Max > 0:
		n := 1
		for i := range q.Messages {
			if q.Messages[i].Role == "assistant" {
				n++
			}
		}
		return n >= t.Turn.Min && n <= t.Turn.Max
	}
	return true
}

// lastUserTurn is the last turn of the user, nil without one.
func lastUserTurn(q *wire.Request) *wire.Turn {
	for i := len(q.Messages) - 1; i >= 0; i-- {
		if q.Messages[i].Role == "user" {
			return &q.Messages[i]
		}
	}
	return nil
}

// holdsResult reports whether the last user turn holds a tool's result.
func holdsResult(q *wire.Request) bool {
	turn := lastUserTurn(q)
	if turn == nil {
		return false
	}
	for i := range turn.Content {
		if turn.Content[i].Type == "tool_result" {
			return true
		}
	}
	return false
}

// hasResultOf reports whether the last user turn holds the result of the tool of that name.
func hasResultOf(q *wire.Request, name string) bool {
	turn := lastUserTurn(q)
	if turn == nil {
		return false
	}
	for i := range turn.Content {
		if c := &turn.Content[i]; c.Type == "tool_result" && calledTool(q, c.ID) == name {
			return true
		}
	}
	return false
}

// calledTool is the name of the tool that was called under this id.
func calledTool(q *wire.Request, id string) string {
	for i := len(q.Messages) - 1; i >= 0; i-- {
		for j := range q.Messages[i].Content {
			if c := &q.Messages[i].Content[j]; c.Type == "tool_use" && c.ID == id {
				return c.Name
			}
		}
	}
	return ""
}
