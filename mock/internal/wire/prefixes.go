package wire

import "strings"

// Prefix is the part of a prompt up to the end of one block, in the order in which the API puts a
// prompt together: tools, system, messages. Two prompts that begin alike have equal hashes there,
// whatever marks they carry.
type Prefix struct {
	Hash   uint64
	Tokens int
	Mark   Mark
}

// Mark is a block's cache_control.
type Mark uint8

// The marks: none, kept for five minutes, kept for an hour.
const (
	Unmarked Mark = iota
	FiveMinutes
	OneHour
)

func markOf(v *Value) Mark {
	c := v.Get("cache_control")
	switch {
	case c.Kind() != Object:
		return Unmarked
	case c.Get("ttl").Text() == "1h":
		return OneHour
	}
	return FiveMinutes
}

// markIn is the mark of a block, or the last one inside of it.
func markIn(block *Value) Mark {
	mark := markOf(block)
	for i := range block.Get("content").Members() {
		if inner := markIn(&block.Get("content").items[i].Value); inner != Unmarked && mark == Unmarked {
			mark = inner
		}
	}
	return mark
}

// prefixes are those of a prompt with a mark, nil for one without any. The mark on the request as
// a whole is the last block's.
func (s *scope) prefixes(r *Request) []Prefix {
	top := markOf(s.body)
	if top == Unmarked && !s.marked() {
		return nil
	}
	p := prefixer{counter: counter{scope: s}, most: r.InputTokens}
	p.say(r.Answering.ID)
	for i := range s.body.Get("tools").Members() {
		tool := &s.body.Get("tools").items[i].Value
		p.json(tool)
		p.end(tool)
	}
	p.say(s.body.Get("speed").Text())
	p.content(s.body.Get("system"))
	p.add(s.body.Get("tool_choice"))
	p.add(s.body.Get("thinking"))
	turns := s.turns()
	for i := range turns {
		p.tokens += perMessage
		p.say(roleOf(&turns[i]))
		p.content(contentOf(&turns[i]))
	}
	if last := len(p.made) - 1; last >= 0 && p.made[last].Mark == Unmarked {
		p.made[last].Mark = top
	}
	return p.made
}

// marked says whether any block carries a mark.
func (s *scope) marked() bool {
	for _, name := range [...]string{"tools", "system"} {
		for i := range s.body.Get(name).Members() {
			if markOf(&s.body.Get(name).items[i].Value) != Unmarked {
				return true
			}
		}
	}
	turns := s.turns()
	for i := range turns {
		for j := range contentOf(&turns[i]).Members() {
			if markIn(&contentOf(&turns[i]).items[j].Value) != Unmarked {
				return true
			}
		}
	}
	return false
}

type prefixer struct {
	counter
	hash uint64
	most int // the whole prompt's tokens
	made []Prefix
}

func (p *prefixer) say(text string) { p.add(&Value{kind: String, text: text}) }
func (p *prefixer) add(v *Value)    { p.hash = mix(p.hash ^ identity(v)) }

// content adds a text, which is the same as one text block, or blocks.
func (p *prefixer) content(v *Value) {
	switch v.Kind() {
	case String:
		p.text(v.text)
		p.end(&Value{kind: Object, items: []Member{
			{"type", Value{kind: String, text: "text"}}, {"text", Value{kind: String, text: v.text}},
		}})
	case Array:
		for i := range v.items {
			p.block(&v.items[i].Value)
			p.end(&v.items[i].Value)
		}
	}
}

// end closes the prefix that ends with this block.
func (p *prefixer) end(block *Value) {
	bare := unmarked(block)
	p.add(&bare)
	p.made = append(p.made, Prefix{Hash: p.hash, Tokens: min(p.tokens, p.most), Mark: markIn(block)})
}

// unmarked is a block without its marks.
func unmarked(v *Value) Value {
	if markIn(v) == Unmarked && v.Get("cache_control") == nil {
		return *v
	}
	bare := Value{kind: Object, items: make([]Member, 0, len(v.items))}
	for _, m := range v.items {
		switch {
		case m.Name == "cache_control":
			continue
		case m.Name == "content" && m.Value.kind == Array:
			inner := Value{kind: Array, items: make([]Member, len(m.Value.items))}
			for i := range inner.items {
				inner.items[i].Value = unmarked(&m.Value.items[i].Value)
			}
			m.Value = inner
		}
		bare.items = append(bare.items, m)
	}
	return bare
}

// CacheMinimum is how many tokens a prefix must have so that the API caches it. For models whose
// figure isn't published it is 1024.
func CacheMinimum(model string) int {
	switch {
	case strings.Contains(model, "haiku-4"), strings.Contains(model, "opus-4-5"), strings.Contains(model, "opus-4-6"),
		strings.Contains(model, "opus-4-7"), strings.Contains(model, "opus-4-8"):
		return 4096
	case strings.Contains(model, "haiku"), strings.Contains(model, "sonnet-4-6"):
		return 2048
	}
	return 1024
}

// ClassOf is the class of models that share their limits: a line and its age, such as opus-4; for
// any other model, its own name.
func ClassOf(model string) string {
	for _, line := range [...]string{"haiku", "sonnet", "opus", "fable", "mythos"} {
		at := strings.Index(model, line)
		if at < 0 {
			continue
		}
		if age, ok := digitAfter(model[at+len(line):]); ok {
			return line + "-" + age
		}
		if age, ok := digitAfter(strings.TrimPrefix(model[:at], "claude")); ok {
			return line + "-" + age
		}
		return line
	}
	return model
}

// digitAfter is the one digit behind a dash that a text begins with.
func digitAfter(s string) (string, bool) {
	if len(s) < 2 || s[0] != '-' || s[1] < '0' || s[1] > '9' || len(s) > 2 && s[2] >= '0' && s[2] <= '9' {
		return "", false
	}
	return s[1:2], true
}
