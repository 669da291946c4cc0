package claim

import (
	"fmt"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// tinyPNG is a picture of one pixel.
const tinyPNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="

// turns are the messages of a request, the last of which asks the text. The calls of tools stand
// before it, and the result of the last call in it.
func (m *templates) turns(a ask, text string) []any {
	var turns []any
	turn := func(role string, content any) {
		turns = append(turns, map[string]any{"role": role, "content": content})
	}
	for i := range a.messages - 1 {
		role := "user"
		if (a.messages-i)%2 == 0 && i > 0 { // a conversation starts with the user
			role = "assistant"
		}
		turn(role, prose(m.place, fmt.Sprint("turn ", i), 4))
	}
	if a.toolTurns == 0 {
		turn("user", lastTurn(a, text))
		return turns
	}
	turn("user", prose(m.place, "before the calls", 4))
	for i := range a.toolTurns {
		id := wire.ToolUseID(m.place.Hash(4), uint64(i))
		name := toolName(i % a.tools)
		turn("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": name, "input": map[string]any{"query": fmt.Sprint("part ", i+1)}}})
		result := []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": prose(m.place, fmt.Sprint("result ", i), a.resultTokens)}}
		if i == a.toolTurns-1 {
			result = append(result, lastBlocks(a, text)...)
		}
		turn("user", result)
	}
	return turns
}

// lastTurn is what the last turn holds: text alone, or blocks.
func lastTurn(a ask, text string) any {
	if a.images+a.documents == 0 {
		return text
	}
	return lastBlocks(a, text)
}

// lastBlocks has the text last, where it is varied.
func lastBlocks(a ask, text string) []any {
	var blocks []any
	for range a.images {
		blocks = append(blocks, map[string]any{
			"type": "image", "source": map[string]any{"type": "base64", "media_type": "image/png", "data": tinyPNG},
		})
	}
	for range a.documents {
		blocks = append(blocks, map[string]any{
			"type": "document", "source": map[string]any{"type": "text", "media_type": "text/plain", "data": "A short document."},
		})
	}
	return append(blocks, map[string]any{"type": "text", "text": text})
}

func toolName(i int) string { return fmt.Sprint("tool_", i+1) }

func offered(n int) []any {
	var tools []any
	for i := range n {
		tools = append(tools, map[string]any{
			"name": toolName(i), "description": "Looks something up.",
			"input_schema": map[string]any{"type": "object", "properties": map[string]any{"query": map[string]any{"type": "string"}}},
		})
	}
	return tools
}
