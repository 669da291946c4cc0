package scenario

import (
	"regexp"
	"strconv"
	"strings"
)

// reply compiles what an answer says; without one it is any fixture, whole.
func (b *builder) reply(r *replyFile, place string) *Reply {
	made := &Reply{Place: b.place(place), TokensPlace: b.place(place + ".tokens")}
	if r == nil || r.at == nil {
		return made
	}
	made.Text = r.Text.or("")
	if r.Text != nil && r.Text.at.kind == words && r.Text.text == "" {
		b.at(r.Text.at, "leave `reply` out for any fixture", "the reply's text is empty")
	}
	if r.Tokens != nil {
		made.Tokens = r.Tokens.value
	}
	b.fixtures(r, made)
	b.sources(r)
	if r.at.kind != mapping {
		return made
	}
	made.Echo = b.yes(r.Echo)
	if r.Language != nil {
		made.Language = r.Language.text
	}
	if r.Template != nil && r.Template.at.kind == words {
		t, err := newReplyTemplate(r.Template.text)
		if err != nil {
			b.at(r.Template.at, "", "the template is not right: %v", err)
		}
		made.Template = t
	}
	if blocks := r.at.child("blocks"); blocks != nil && blocks.kind == list {
		made.Blocks = []Block{}
	}
	for i := range r.Blocks {
		made.Blocks = append(made.Blocks, b.block(&r.Blocks[i]))
	}
	if t := r.Thinking; t != nil && t.at != nil {
		made.Thinking = b.thinking(t, place)
	}
	if r.Tool != nil {
		made.Tool = b.toolCall(r.Tool)
	}
	if r.Tools != nil {
		made.Tools = r.Tools.text
	}
	if r.StopReason != nil {
		made.StopReason = r.StopReason.text
	}
	if r.Refusal != nil {
		made.Refusal = &Refusal{Explanation: r.Refusal.Explanation.or("")}
		if c := r.Refusal.Category; c != nil {
			made.Refusal.Category = c.text
		}
	}
	b.besides(r)
	b.dialogue(r, made, place)
	return made
}

func (b *builder) fixtures(r *replyFile, made *Reply) {
	named := r.Fixtures
	if r.Fixture != nil {
		named = append([]label{*r.Fixture}, named...)
	}
	for _, f := range named {
		if f.at == nil || f.at.kind != words {
			continue
		}
		if b.loader.HasFixture != nil && !b.loader.HasFixture(f.text) {
			b.at(f.at, didYouMean(f.text, b.loader.Fixtures), "there is no fixture %s", quote(f.text))
		}
		made.Fixtures = append(made.Fixtures, f.text)
	}
}

// sources sees to it that a reply has one source of text at most.
func (b *builder) sources(r *replyFile) {
	var given []*node
	for _, key := range []string{"text", "fixture", "fixtures", "echo", "template", "blocks"} {
		if k := r.at.keyOf(key); k != nil {
			given = append(given, k)
		}
	}
	switch fixtures := r.at.child("fixtures"); {
	case r.at.kind == mapping && len(r.at.pairs) == 0:
		b.at(r.at, "leave `reply` out for any fixture", "the reply is empty")
	case len(given) > 1:
		b.at(given[1], "keep one of the two", "a reply has one source of text: %s can't stand beside %s", quote(given[1].text), quote(given[0].text))
	case r.Text != nil && r.Tokens != nil:
		b.at(r.at.keyOf("tokens"), "", "a text stands as it is; `tokens` goes with fixtures")
	case r.Tokens != nil && (r.Echo != nil || r.Template != nil || r.at.child("blocks") != nil):
		b.at(r.at.keyOf("tokens"), "", "`tokens` goes with fixtures")
	case r.Language != nil && len(given) > 0:
		b.at(r.at.keyOf("language"), "leave one of the two out", "`language` chooses among all fixtures; %s has chosen already", quote(given[0].text))
	case fixtures != nil && fixtures.kind == list && len(fixtures.items) == 0:
		b.at(fixtures, "leave it out for any fixture", "the list of fixtures is empty")
	}
}

// besides sees to it that nothing stands beside what leaves no room for it.
func (b *builder) besides(r *replyFile) {
	alone, keys := "", []string{"thinking", "tool", "tools"}
	switch {
	case r.at.child("blocks") != nil:
		alone = "blocks"
	case r.Refusal != nil:
		alone, keys = "refusal", []string{"tool", "tools", "stop_reason"}
	}
	for _, key := range keys {
		if k := r.at.keyOf(key); k != nil && alone != "" {
			b.at(k, "leave one of the two out", "`%s` can't stand beside `%s`", key, alone)
		}
	}
}

// yes is a flag that only says anything when it is true.
func (b *builder) yes(f *flag) bool {
	if f == nil || f.at == nil {
		return false
	}
	if f.at.kind == boolean && !f.value {
		b.at(f.at, "leave it out", "false says nothing here")
	}
	return f.value
}

func (b *builder) thinking(t *thoughtFile, place string) *Thinking {
	made := &Thinking{Text: t.Text.or(""), Redacted: b.yes(t.Redacted)}
	switch {
	case t.Text != nil && t.Tokens != nil:
		b.at(t.at.keyOf("tokens"), "keep one of the two", "a thought has its text or its length")
	case t.Text != nil && t.Text.text == "" && t.Text.at.kind == words:
		b.at(t.Text.at, "for example {tokens: 200..400}", "the thought is empty")
	case t.at.kind == mapping && len(t.at.pairs) == 0:
		b.at(t.at, "for example {tokens: 200..400}", "the thought is empty")
	case t.Tokens != nil:
		made.Tokens = t.Tokens.value
	}
	if made.Tokens.Max > 0 {
		made.Place = b.place(place + ".thinking")
	}
	return made
}

func (b *builder) toolCall(t *toolFile) *ToolCall {
	made := &ToolCall{Name: t.Name.or("")}
	switch {
	case t.Name == nil && !t.at.hurt:
		b.at(t.at, "for example {name: get_weather, input: {city: Oslo}}", "the tool has no name")
	case t.Name != nil && t.Name.at.kind == words && made.Name == "":
		b.at(t.Name.at, "", "the tool's name is empty")
	}
	if t.Input != nil && t.Input.at != nil && t.Input.at.kind == mapping {
		made.Input = asJSON(t.Input.at, " ")
	}
	return made
}

func (b *builder) block(f *blockFile) Block {
	if f.at == nil || f.at.kind != mapping || f.at.hurt {
		return Block{}
	}
	if len(f.at.pairs) != 1 {
		b.at(f.at, "", "a block is exactly one of text, thinking, redacted_thinking, tool_use, server_tool_use and raw")
		return Block{}
	}
	made := Block{Type: f.at.pairs[0].key.text}
	switch {
	case f.Text != nil && f.Text.at.kind == mapping:
		made.Pieces = b.pieces(f.Text.Pieces, f.Text.at)
	case f.Text != nil:
		made.Text = f.Text.text.text
	case f.Thinking != nil:
		made.Text = f.Thinking.text
	case f.Redacted != nil:
		b.yes(f.Redacted)
	case f.ToolUse != nil:
		t := &f.ToolUse.toolUseForm
		made.ToolCall = *b.toolCall(&toolFile{toolForm{spot: t.spot, Name: t.Name, Input: t.Input}})
		if key := t.at.keyOf("pieces"); key != nil {
			made.Pieces = b.pieces(t.Pieces, t.at)
			if t.Input != nil {
				b.at(key, "keep one of the two", "`pieces` are the input, so `input` can't stand beside them")
			}
		}
	case f.ServerToolUse != nil:
		made.ToolCall = *b.toolCall(f.ServerToolUse)
	case f.Raw != nil && f.Raw.at.kind == mapping:
		if kind := f.Raw.at.child("type"); kind == nil || kind.kind != words {
			b.at(f.Raw.at, "", "a raw block has a `type`")
		}
		made.Text = asJSON(f.Raw.at, "")
	}
	return made
}

// maxPieces bounds the deltas of a block.
const maxPieces = 10_000

// pieces are the deltas of a block, which may be empty.
func (b *builder) pieces(given []label, n *node) []string {
	made := []string{}
	at := n.child("pieces")
	if at == nil {
		if !n.hurt {
			b.at(n, `for example {pieces: ["Hel", "", "lo."]}`, "a text is words or {pieces: […]}")
		}
		return made
	}
	if len(given) > maxPieces {
		b.at(at, "", "a block has at most %d pieces, this one has %d", maxPieces, len(given))
	}
	for i := range given {
		made = append(made, given[i].text)
	}
	return made
}

func (b *builder) dialogue(r *replyFile, made *Reply, place string) {
	if at := r.at.child("dialogue"); at != nil && at.kind == list && len(at.items) == 0 {
		b.at(at, "leave it out", "the dialogue is empty")
	}
	for i, turn := range r.Dialogue {
		if turn.at == nil || turn.at.kind != mapping {
			continue
		}
		var t Turn
		if w := turn.When; w != nil {
			t.Contains, t.ToolResult = w.Contains.or(""), w.ToolResult.or("")
			if w.Turn != nil {
				t.Turn = w.Turn.value
			}
			if w.Matches != nil {
				re, err := regexp.Compile(w.Matches.text)
				if err != nil {
					b.at(w.Matches.at, "", "this is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
				}
				t.Matches = re
			}
		}
		if turn.Reply == nil {
			if !turn.at.hurt {
				b.at(turn.at, "for example {when: {turn: 1}, reply: hello}", "an answer of a dialogue needs a `reply`")
			}
			continue
		}
		if key := turn.Reply.at.keyOf("dialogue"); key != nil {
			b.at(key, "put its answers into the outer one", "a dialogue can't stand inside another")
			continue
		}
		t.Reply = b.reply(turn.Reply, place+".dialogue."+strconv.Itoa(i+1))
		made.Dialogue = append(made.Dialogue, t)
	}
}

func asJSON(n *node, space string) string {
	var b strings.Builder
	writeJSON(&b, n, space)
	return b.String()
}
