package reply

import (
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Ask is a request to be answered. The answer depends on what stands here and on nothing else.
type Ask struct {
	Spec    *scenario.Reply // as [For] gives it
	Request *wire.Request
	// The draws: which fixture or tool, the reply's length and the thought's.
	Choice, Length, Thought latency.U
	// Chance is where what no place is drawn for comes from: ids, a tool's input, a thought.
	Chance  latency.Place
	Ordinal uint64
	// Room is where a block may lie, if the answer is only one; nil: elsewhere.
	Room []wire.Block
}

// Answer is the blocks of an answer and what it says beside them.
type Answer struct {
	Blocks       []wire.Block
	StopReason   string
	StopSequence string
	Refusal      *wire.Refusal
	// Output and Thinking are tokens: the sum over the blocks, and the thinking's part of it.
	Output, Thinking int
	// ServerTools says that server tools ran; Searches and Fetches that so many of these did.
	ServerTools       bool
	Searches, Fetches int
}

// composer puts an answer together, block by block, until max_tokens or a stop sequence ends it.
type composer struct {
	*Library
	Ask
	out    Answer
	left   int // tokens that max_tokens leaves
	done   bool
	called bool
	taken  uint64 // of Chance
}

// Compose answers a request: with what the reply says, and with what the request asks for, thinking,
// calls of tools, structured output, citations. Blocks come in the API's order, and max_tokens cuts
// the one that reaches it. An error says that the reply's template failed.
func (l *Library) Compose(a Ask) (Answer, error) {
	if plain(&a) {
		whole := l.whole(a.Spec, l.fixtures(&a), a.Choice, a.Length)
		said := end(whole, a.Request.MaxTokens, a.Request.StopSequences)
		return Answer{
			Blocks: append(a.Room[:0], said.Block), Output: said.Output,
			StopReason: said.StopReason, StopSequence: said.StopSequence,
		}, nil
	}
	c := &composer{Library: l, Ask: a, left: a.Request.MaxTokens}
	c.out.StopReason = "end_turn"
	if err := c.compose(); err != nil {
		return Answer{}, err
	}
	if !c.done {
		c.stop()
	}
	return c.out, nil
}

// stop says why an answer stops that nothing has cut.
func (c *composer) stop() {
	switch r := c.Spec.Refusal; {
	case r != nil:
		c.out.StopReason, c.out.Refusal = "refusal", &wire.Refusal{Category: r.Category, Explanation: r.Explanation}
	case c.Spec.StopReason == "refusal":
		c.out.StopReason, c.out.Refusal = "refusal", &wire.Refusal{}
	case c.Spec.StopReason != "":
		c.out.StopReason = c.Spec.StopReason
	case c.called:
		c.out.StopReason = "tool_use"
	}
}

// plain reports whether the answer is one text that nothing but its length depends on.
func plain(a *Ask) bool {
	s, q := a.Spec, a.Request
	if s.Echo || s.Template != nil || s.Blocks != nil || s.Thinking != nil || s.Tool != nil || s.Refusal != nil ||
		s.Tools != "" || s.StopReason != "" {
		return false
	}
	return q.Thinking == "" && len(q.Tools) == 0 && q.Blocks.Document == 0 && q.Blocks.SearchResult == 0 &&
		outputSchema(q) == nil && prefill(q) == ""
}

func (c *composer) compose() error {
	if c.Spec.Blocks != nil {
		c.scripted()
		return nil
	}
	c.think()
	if c.Spec.Refusal != nil && !c.Spec.Own() {
		return nil
	}
	calls := c.calls()
	client := calls[:0:0]
	var found []wire.Citation
	for _, call := range calls {
		if server := c.serverTool(call.Name); server != "" {
			found = append(found, c.serve(server, call)...)
		} else {
			client = append(client, call)
		}
	}
	if len(client) == 0 || c.Spec.Own() {
		text, err := c.text()
		if err != nil {
			return err
		}
		c.say(text, append(found, c.citations()...))
	}
	for _, call := range client {
		c.call("tool_use", wire.ToolUseID(c.chance(), c.chance()), call.Name, call.Input)
	}
	return nil
}

// text is the answer's text before anything cuts it, as one block.
func (c *composer) text() (wire.Block, error) {
	var own string
	switch s := c.Spec; {
	case s.Echo:
		own = c.Request.LastUserText()
	case s.Template != nil:
		text, err := s.Template.Render(asked(&c.Ask), wire.CountTokens)
		if err != nil {
			return wire.Block{}, err
		}
		own = text
	case s.Text == "" && outputSchema(c.Request) != nil:
		own = c.maker().fit(outputSchema(c.Request))
	default:
		whole := c.whole(c.Spec, c.fixtures(&c.Ask), c.Choice, c.Length)
		return continued(whole, prefill(c.Request)), nil
	}
	return continued(tokenized(own).window(0, len(own)), prefill(c.Request)), nil
}

// say adds a text as far as max_tokens and the stop sequences let it, in two blocks if it cites.
func (c *composer) say(text wire.Block, cited []wire.Citation) {
	if c.done {
		return
	}
	said := end(text, c.left, c.Request.StopSequences)
	switch {
	case said.Output == 0 && len(c.out.Blocks) > 0 && text.Pieces == nil:
	case len(cited) == 0 || said.Output == 0:
		c.add(said.Block)
	default:
		for _, b := range citing(said.Block, cited) {
			c.add(b)
		}
	}
	if said.StopReason != "end_turn" {
		c.out.StopReason, c.out.StopSequence, c.done = said.StopReason, said.StopSequence, true
	}
}

// call adds a tool's call.
func (c *composer) call(kind, id, name, input string) {
	if c.done {
		return
	}
	if input == "{}" {
		input = "" // a call without arguments has no partial JSON
	}
	c.calling(tokenized(input).window(0, len(input)), kind, id, name)
}

// calling adds a tool's call with the input of a block.
func (c *composer) calling(b wire.Block, kind, id, name string) {
	if c.done {
		return
	}
	c.called = c.called || kind == "tool_use"
	b.Type, b.ID, b.Name, b.Unseen = kind, id, name, wire.CountTokens(name)
	c.add(b)
}

// add adds a block, cut off at max_tokens.
func (c *composer) add(b wire.Block) {
	if c.done {
		return
	}
	if over := b.Cost() - c.left; over > 0 {
		c.out.StopReason, c.done = "max_tokens", true
		if c.left == 0 || b.Type == "redacted_thinking" {
			return // no token of it is said, or it can't be cut
		}
		seen := len(b.Ends)
		b = take(b, max(seen-over, 0))
		b.Unseen = min(b.Unseen, c.left)
		if b.Type == "thinking" {
			b.Signature = ""
		}
	}
	b.Pieces = piecesOf(b)
	c.left -= b.Cost()
	c.out.Output += b.Cost()
	if b.Type == "thinking" || b.Type == "redacted_thinking" {
		c.out.Thinking += b.Cost()
	}
	c.out.Blocks = append(c.out.Blocks, b)
}

// chance is the next of the numbers that the answer's details are made from.
func (c *composer) chance() uint64 {
	c.taken++
	return c.Chance.Hash(c.taken)
}

func (c *composer) below(n int) int { return int(c.chance() % uint64(n)) }

func (c *composer) maker() *maker {
	return &maker{chance: c.chance, words: c.words, prompt: c.Request.LastUserText()}
}

// prefill is the text that the answer goes on with: that of a last turn of the assistant.
func prefill(q *wire.Request) string {
	if n := len(q.Messages); n > 0 && q.Messages[n-1].Role == "assistant" {
		return q.Messages[n-1].Text()
	}
	return ""
}

// continued is the text without what stands in the request already.
func continued(b wire.Block, begun string) wire.Block {
	if begun == "" || len(b.Text) < len(begun) || b.Text[:len(begun)] != begun {
		return b
	}
	rest := b.Text[len(begun):]
	return tokenized(rest).window(0, len(rest))
}

// outputSchema is the schema that the answer's text has to satisfy, nil for none.
func outputSchema(q *wire.Request) *wire.Value {
	format := q.Body.Get("output_config").Get("format")
	if format == nil {
		format = q.Body.Get("output_format") // the beta's older name
	}
	if format.Get("type").Text() != "json_schema" {
		return nil
	}
	return format.Get("schema")
}

func asked(a *Ask) scenario.Asked {
	q := a.Request
	made := scenario.Asked{
		Model: q.Model, System: q.System, Text: q.LastUserText(), MaxTokens: q.MaxTokens, Ordinal: a.Ordinal, Stream: q.Stream,
	}
	for i := range q.Messages {
		made.Messages = append(made.Messages, scenario.AskedMessage{Role: q.Messages[i].Role, Text: q.Messages[i].Text()})
	}
	for _, t := range q.Tools {
		made.Tools = append(made.Tools, t.Name)
	}
	return made
}
