package reply

import (
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// How long a thought is that nobody has said the length of, in tokens.
const (
	shortThought = 24
	longThought  = 240
)

// think adds a thought, if the scenario or the request wants one. An own text stands alone unless
// the scenario says otherwise.
func (c *composer) think() {
	spec, q := c.Spec.Thinking, c.Request
	switch {
	case spec != nil:
	case c.Spec.Own(), q.Thinking == "", q.Thinking == "disabled", q.Thinking == "between_tools" && !holdsResult(q):
		return
	}
	c.thought(c.thinks(spec))
	if spec != nil && spec.Redacted {
		c.redacted()
	}
}

// thinks is the text of a thought: the scenario's, or one of a length that fits the budget.
func (c *composer) thinks(spec *scenario.Thinking) wire.Block {
	if spec != nil && spec.Text != "" {
		return tokenized(spec.Text).window(0, len(spec.Text))
	}
	n := 0
	if spec != nil && spec.Tokens.Max > 0 {
		n = spec.Tokens.Min + pick(c.Thought, spec.Tokens.Max-spec.Tokens.Min+1)
	} else {
		n = min(shortThought+c.below(longThought-shortThought), max(c.Request.MaxTokens/2, 1))
	}
	if budget, ok := c.Request.Body.Get("thinking").Get("budget_tokens").Int(); ok && budget > 0 {
		n = min(n, budget)
	}
	return c.from(c.index[c.spoken("en")[c.below(len(c.spoken("en")))]], n)
}

// thought adds a thought with its signature. One whose display is omitted costs its tokens, but has no text.
func (c *composer) thought(text wire.Block) {
	text.Type = "thinking"
	if c.Request.Body.Get("thinking").Get("display").Text() == "omitted" {
		text = wire.Block{Type: "thinking", Unseen: len(text.Ends)}
	}
	if over := len(text.Ends) - c.left; over > 0 {
		c.add(text) // which cuts it, so that it has no signature
		return
	}
	text.Signature = wire.Signature(text.Text, c.chance())
	c.add(text)
}

func (c *composer) redacted() {
	data := wire.Redacted(c.chance())
	c.add(wire.Block{Type: "redacted_thinking", Signature: data, Unseen: wire.CountTokens(data)})
}

// words are a few words of a fixture in English.
func (c *composer) words(n int) string {
	names := c.spoken("en")
	b := c.from(c.index[names[c.below(len(names))]], 40)
	fields := strings.FieldsFunc(b.Text, func(r rune) bool { return strings.ContainsRune(" \n\t#*`\"“”(),.:;!?", r) })
	if len(fields) == 0 {
		return "words"
	}
	start := c.below(max(len(fields)-n, 1))
	return strings.Join(fields[start:min(start+n, len(fields))], " ")
}
