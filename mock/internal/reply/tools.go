package reply

import (
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// calls are the tools that the answer calls, with their inputs. Without the scenario's word it is
// one when the choice demands it, or when tools of the client's are offered and the user has
// spoken, not answered a call; on the result comes text.
func (c *composer) calls() []scenario.ToolCall {
	s, q := c.Spec, c.Request
	forced := q.ToolChoice == "any" || q.ToolChoice == "tool"
	switch {
	case s.Refusal != nil, s.Tools == "never", q.ToolChoice == "none":
		return nil
	case s.Own() && s.Tool == nil && s.Tools == "":
		return nil
	case !forced && s.Tools != "always" && holdsResult(q):
		return nil
	case s.Tool != nil:
		return []scenario.ToolCall{c.filled(*s.Tool)}
	case q.ToolChoice == "tool":
		return []scenario.ToolCall{c.filled(scenario.ToolCall{Name: q.ChosenTool})}
	}
	offered := c.offered(forced || s.Tools != "" && s.Tools != "auto")
	if len(offered) == 0 {
		return nil
	}
	first := pick(c.Choice, len(offered))
	calls := []scenario.ToolCall{c.filled(scenario.ToolCall{Name: offered[first]})}
	alone := q.Body.Get("tool_choice").Get("disable_parallel_tool_use").Bool()
	if s.Tools == "parallel" && !alone {
		calls = append(calls, c.filled(scenario.ToolCall{Name: offered[(first+1)%len(offered)]}))
	}
	return calls
}

// offered are the names of the client's tools; without any, those of the server's if these may be called.
func (c *composer) offered(server bool) []string {
	var own, theirs []string
	for _, t := range c.Request.Tools {
		switch {
		case t.Name == "":
		case serverKind(t) != "":
			theirs = append(theirs, t.Name)
		case !strings.HasPrefix(t.Type, "tool_search"):
			own = append(own, t.Name)
		}
	}
	if len(own) == 0 && server {
		return theirs
	}
	return own
}

// filled is a call with an input, made to fit the tool's schema if it has none.
func (c *composer) filled(call scenario.ToolCall) scenario.ToolCall {
	if call.Input != "" {
		return call
	}
	call.Input = "{}"
	for i, t := range c.Request.Tools {
		if t.Name != call.Name {
			continue
		}
		if schema := c.tool(i).Get("input_schema"); schema != nil {
			call.Input = c.maker().fit(schema)
			if !strings.HasPrefix(call.Input, "{") {
				call.Input = "{}" // a schema that isn't an object's
			}
		} else {
			call.Input = ownInput(t.Type)
		}
	}
	return call
}

// tool is the definition of the request's i-th tool.
func (c *composer) tool(i int) *wire.Value {
	if list := c.Request.Body.Get("tools").Members(); i < len(list) {
		return &list[i].Value
	}
	return nil
}

// ownInput is what the API's own tools are called with, those that the client runs.
func ownInput(kind string) string {
	switch {
	case strings.HasPrefix(kind, "bash_"):
		return `{"command": "ls -la"}`
	case strings.HasPrefix(kind, "text_editor_"):
		return `{"command": "view", "path": "/"}`
	case strings.HasPrefix(kind, "memory_"):
		return `{"command": "view", "path": "/memories"}`
	case strings.HasPrefix(kind, "computer_"):
		return `{"action": "screenshot"}`
	}
	return "{}"
}
