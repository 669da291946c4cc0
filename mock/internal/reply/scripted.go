package reply

import "github.com/seed-954e9acd/orrery/mock/internal/wire"

// scripted adds the blocks that the scenario gives one by one.
func (c *composer) scripted() {
	for i := range c.Spec.Blocks {
		switch b := &c.Spec.Blocks[i]; b.Type {
		case "text":
			c.say(tokenized(b.Text).window(0, len(b.Text)), nil)
		case "thinking":
			c.thought(tokenized(b.Text).window(0, len(b.Text)))
		case "redacted_thinking":
			c.redacted()
		case "tool_use":
			call := c.filled(b.ToolCall)
			c.call(b.Type, wire.ToolUseID(c.chance(), c.chance()), call.Name, call.Input)
		case "server_tool_use":
			c.call(b.Type, wire.ServerToolUseID(c.chance(), c.chance()), b.Name, b.Input)
			switch b.Name {
			case webSearch:
				c.out.Searches++
			case webFetch:
				c.out.Fetches++
			}
			c.out.ServerTools = true
		case "raw":
			c.add(wire.Block{Type: "raw", Raw: []byte(b.Text)})
		}
	}
}
