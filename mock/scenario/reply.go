package scenario

import "regexp"

// Reply says what an answer says. It has at most one source: Text as it stands, Echo, Template,
// Blocks, or one of Fixtures chosen by the draw at Place (none named: any). Tokens, when given, is
// the length that a fixture is made to, drawn at TokensPlace.
//
// What the request asks for comes on its own, thinking, a tool's call or structured output, unless
// there is a source other than fixtures; the rest of Reply adds to that or changes it.
type Reply struct {
	Text        string
	Fixtures    []string
	Place       int
	Tokens      Range
	TokensPlace int

	Echo     bool // the text of the last user turn
	Template *ReplyTemplate
	Blocks   []Block
	// Language is prompt: any fixture that is in the language of the last user turn.
	Language string

	Thinking *Thinking
	Tool     *ToolCall
	Tools    string // auto, always, never, parallel; "" is auto
	// StopReason stands in place of end_turn or tool_use.
	StopReason string
	Refusal    *Refusal
	// Dialogue holds replies for certain requests. The first that matches answers in place of this one.
	Dialogue []Turn
}

// Own reports whether the reply has a source other than fixtures.
func (r *Reply) Own() bool {
	return r.Text != "" || r.Echo || r.Template != nil || r.Blocks != nil
}

// Thinking is a thought that is thought whether the request enables it or not.
type Thinking struct {
	Text     string // "" for a text of so many Tokens, drawn at Place
	Tokens   Range
	Place    int
	Redacted bool // with a redacted_thinking block behind it
}

// ToolCall is a tool to call. An empty Input is made to fit the tool's schema.
type ToolCall struct {
	Name  string
	Input string // JSON as a model writes it, with spaces after : and ,
}

// Block is one block of an answer that is given block by block. Type is text, thinking,
// redacted_thinking, tool_use, server_tool_use or raw.
type Block struct {
	Type string
	Text string // of text and thinking; of raw the whole block as compact JSON
	ToolCall
	// Pieces are the deltas of a text or a tool_use, one by one, in place of Text or Input; nil: none are
	// given. Those of a tool_use needn't be JSON.
	Pieces []string
}

// Refusal is why an answer stops with "refusal". Empty texts are null on the wire.
type Refusal struct {
	Category, Explanation string
}

// Turn is an answer of a dialogue. What isn't given matches everything.
type Turn struct {
	Contains   string         // in the text of the last user turn
	Matches    *regexp.Regexp // against the text of the last user turn
	ToolResult string         // the tool whose result is in the last user turn
	Turn       Range          // how many answers there are with this one
	Reply      *Reply
}
