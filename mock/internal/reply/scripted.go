package reply

import (
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// pieced is a block whose deltas are these pieces.
func pieced(pieces []string) wire.Block {
	whole := strings.Join(pieces, "")
	b := tokenized(whole).window(0, len(whole))
	b.Pieces = make([]uint32, 0, len(pieces))
	end := uint32(0)
	for _, p := range pieces {
		end += uint32(len(p))
		b.Pieces = append(b.Pieces, end)
	}
	return b
}

// piecesOf are a block's pieces as far as its text goes.
func piecesOf(b wire.Block) []uint32 {
	size := uint32(len(b.Text))
	for i, end := range b.Pieces {
		if end >= size && size < b.Pieces[len(b.Pieces)-1] {
			kept := append(b.Pieces[:i:i], size)
			if size == 0 {
				kept = kept[:i]
			}
			return kept
		}
	}
	return b.Pieces
}

// scripted adds the blocks that the scenario gives one by one.
func (c *composer) scripted() {
	for i := range c.Spec.Blocks {
		switch b := &c.Spec.Blocks[i]; b.Type {
		case "text":
			if b.Pieces != nil {
				c.say(pieced(b.Pieces), nil)
				continue
			}
			c.say(tokenized(b.Text).window(0, len(b.Text)), nil)
		case "thinking":
			c.thought(tokenized(b.Text).window(0, len(b.Text)))
		case "redacted_thinking":
			c.redacted()
		case "tool_use":
			if b.Pieces != nil {
				c.calling(pieced(b.Pieces), b.Type, wire.ToolUseID(c.chance(), c.chance()), b.Name)
				continue
			}
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
