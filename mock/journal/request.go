package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Request is what a client asked for, read leniently: a field that is missing or of another type
// than the API's is zero.
type Request struct {
	Model     string
	MaxTokens int
	Stream    bool
	System    string   // the text of its blocks, joined by a newline
	Tools     []string // names
	Messages  []Message
	// LastText is the text of the last user message (R11).
	LastText string

	params map[string]json.RawMessage
}

// Message is one turn of the conversation.
type Message struct {
	Role string
	Text string // the text of its text blocks, joined by a newline
	// Content is its blocks; a content that was given as a string is one text block.
	Content []Block
}

// Block is one block of a message's content.
type Block struct {
	Type  string
	Text  string          // of a text block; of a tool_result, its text
	ID    string          // of a tool_use its id, of a tool_result its tool_use_id
	Name  string          // of a tool_use
	Input json.RawMessage // of a tool_use
}

// Request reads the body anew with each call. The error says that the body is no JSON object.
func (e Entry) Request() (Request, error) { return parse(e.Body) }

// Param is a member of the body as encoding/json has it (nil, bool, float64, string, []any,
// map[string]any); nil too when there is none.
func (r Request) Param(name string) any {
	var v any
	lenient(r.params[name], &v)
	return v
}

func parse(body []byte) (Request, error) {
	var r Request
	if len(body) == 0 {
		return r, errors.New("the request has no body")
	}
	if err := json.Unmarshal(body, &r.params); err != nil {
		return Request{}, fmt.Errorf("the request's body is no JSON object: %w", err)
	}
	if r.params == nil { // null
		return Request{}, errors.New("the request's body is no JSON object")
	}
	lenient(r.params["model"], &r.Model)
	lenient(r.params["max_tokens"], &r.MaxTokens)
	lenient(r.params["stream"], &r.Stream)
	r.System = text(content(r.params["system"]))
	r.Tools = toolNames(r.params["tools"])
	for _, raw := range list(r.params["messages"]) {
		var m Message
		lenient(member(raw, "role"), &m.Role)
		m.Content = content(member(raw, "content"))
		m.Text = text(m.Content)
		if m.Role == "user" {
			r.LastText = m.Text
		}
		r.Messages = append(r.Messages, m)
	}
	return r, nil
}

func toolNames(raw json.RawMessage) []string {
	var names []string
	for _, tool := range list(raw) {
		var name string
		lenient(member(tool, "name"), &name)
		names = append(names, name)
	}
	return names
}

// content reads a string or a list of blocks.
func content(raw json.RawMessage) []Block {
	var s string
	if lenient(raw, &s) && s != "" {
		return []Block{{Type: "text", Text: s}}
	}
	var blocks []Block
	for _, item := range list(raw) {
		var b Block
		lenient(member(item, "type"), &b.Type)
		lenient(member(item, "text"), &b.Text)
		lenient(member(item, "id"), &b.ID)
		lenient(member(item, "name"), &b.Name)
		b.Input = member(item, "input")
		if b.Type == "tool_result" {
			lenient(member(item, "tool_use_id"), &b.ID)
			b.Text = text(content(member(item, "content")))
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func text(blocks []Block) string {
	var texts []string
	for _, b := range blocks {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func list(raw json.RawMessage) []json.RawMessage {
	var items []json.RawMessage
	lenient(raw, &items)
	return items
}

func member(raw json.RawMessage, name string) json.RawMessage {
	var members map[string]json.RawMessage
	lenient(raw, &members)
	return members[name]
}

// lenient reports whether raw is a T, and reads it if so.
func lenient[T any](raw json.RawMessage, into *T) bool {
	if raw == nil {
		return false
	}
	var v T
	if json.Unmarshal(raw, &v) != nil {
		return false
	}
	*into = v
	return true
}
