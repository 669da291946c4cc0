package wire

import "strings"

// Request is a Messages request that has been read and found good.
type Request struct {
	Version   string // the anthropic-version header: 2023-06-01 or 2026-10-21
	Model     string // as sent
	Answering Answering
	MaxTokens int // 0 for count_tokens, which has none
	Stream    bool
	// System is the system prompt's text, its blocks joined by a newline.
	System        string
	Messages      []Turn
	StopSequences []string
	Tools         []Tool
	Blocks        BlockCounts
	// ToolChoice and Thinking are the type of either, "" when it wasn't sent; ChosenTool is the
	// name that a tool_choice of type "tool" forces.
	ToolChoice, ChosenTool, Thinking string
	// Extra holds the accepted body fields that are not the API's own: string, bool or float64 as
	// JSON has them (nil for null, and *Value for the rest).
	Extra map[string]any
	// Body is the whole body, for what an answer made to fit looks up: schemas, choices, sources.
	Body *Value
	// FileTexts has the text of each text file that a document names, by the file's id.
	FileTexts map[string]string
	// Warnings is what Warn let pass.
	Warnings []string

	// Prefixes are the prompt's parts up to the end of each block; nil when no block is marked by
	// cache_control.
	Prefixes []Prefix

	SystemTokens int // tokens of System
	InputTokens  int // what usage.input_tokens and count_tokens say
	// Identity is a hash of the body's JSON with sorted keys and no white space (R12).
	Identity uint64
}

// Turn is one element of messages.
type Turn struct {
	Role    string
	Content []Content
}

// Content is one block of a turn; a content given as a string is one text block.
type Content struct {
	Type string
	// Text is a text block's text; a tool_result's, search_result's or document's, its parts
	// joined by a newline; a thinking block's thought.
	Text  string
	ID    string // of tool_use: id; of tool_result: tool_use_id
	Name  string // of tool_use
	Input string // of tool_use: compact JSON
}

// Tool is a tool that the request offers.
type Tool struct {
	Type string // custom for the client's own
	Name string // "" for a toolset
}

// BlockCounts says how many content blocks of each kind the messages hold, those inside of tool
// results and documents included.
type BlockCounts struct {
	Text, Image, Document, SearchResult, ToolUse, ToolResult, Thinking int
}

// lines joins texts by newlines; a single one isn't copied.
type lines struct {
	first string
	all   strings.Builder
	n     int
}

func (l *lines) add(text string) {
	l.n++
	switch l.n {
	case 1:
		l.first = text
		return
	case 2:
		l.all.WriteString(l.first)
	}
	l.all.WriteByte('\n')
	l.all.WriteString(text)
}

func (l *lines) String() string {
	if l.n < 2 {
		return l.first
	}
	return l.all.String()
}
