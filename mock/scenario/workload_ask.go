package scenario

import (
	"slices"
	"strconv"
	"strings"
)

func percent(billionths uint64) string {
	return strconv.FormatFloat(float64(billionths)/1e7, 'f', -1, 64)
}

// ask compiles what a request is.
func (b *builder) ask(a *askFile) Ask {
	if a == nil || a.at == nil || a.at.kind != mapping {
		return Ask{}
	}
	words := func(t *texts) []string {
		if t == nil {
			return nil
		}
		return t.all
	}
	var made Ask
	numbers := func(name string, w *wholes) []int {
		if w == nil {
			return nil
		}
		if w.spread == nil {
			return w.all
		}
		switch {
		case name != "input_tokens" && name != "system_tokens" && name != "result_tokens":
			b.at(w.at, "give a list for a run each", "only input_tokens, system_tokens and result_tokens can be spread over the requests")
		case made.Spread != "":
			b.at(w.at, "", "`%s` is spread over the requests already", made.Spread)
		case w.spread.Max-w.spread.Min >= 1000:
			b.at(w.at, "", "at most 1000 values can be spread over the requests")
		default:
			made.Spread, made.SpreadOver = name, *w.spread
		}
		return nil
	}
	made.Model, made.System, made.Text = words(a.Model), words(a.System), words(a.Text)
	made.Key, made.Protocol, made.Connection, made.Path = words(a.Key), words(a.Protocol), words(a.Connection), words(a.Path)
	if a.Stream != nil {
		made.Stream = a.Stream.all
	}
	made.MaxTokens, made.InputTokens = numbers("max_tokens", a.MaxTokens), numbers("input_tokens", a.InputTokens)
	made.SystemTokens, made.TemplateTokens = numbers("system_tokens", a.SystemTokens), numbers("template_tokens", a.TemplateTokens)
	made.Messages, made.Images = numbers("messages", a.Messages), numbers("images", a.Images)
	made.Documents, made.Tools = numbers("documents", a.Documents), numbers("tools", a.Tools)
	made.ToolChoice = words(a.ToolChoice)
	made.ToolTurns, made.ResultTokens = numbers("tool_turns", a.ToolTurns), numbers("result_tokens", a.ResultTokens)
	made.Keys = numbers("keys", a.Keys)
	made.Headers = b.sentHeaders(a)
	made.Params = b.sentParams(a)
	made.Facts = b.sentFacts(a)
	b.askRules(a)
	return made
}

// askRules checks the fields of a request against each other.
func (b *builder) askRules(a *askFile) {
	for _, two := range [][2]string{{"text", "input_tokens"}, {"system", "system_tokens"}, {"text", "template_tokens"}, {"key", "keys"}} {
		if k := a.at.keyOf(two[1]); k != nil && a.at.keyOf(two[0]) != nil {
			b.at(k, "keep one of the two", "`%s` stands as it is, so `%s` says nothing", two[0], two[1])
		}
	}
	if a.Protocol != nil {
		known := []string{"HTTP/1.1", "HTTP/2.0", "HTTP/3.0"}
		for _, p := range a.Protocol.all {
			if !slices.Contains(known, p) {
				b.at(a.Protocol.at, "use "+oneOf(known), "%s is no protocol", quote(p))
			}
		}
	}
	if a.Connection != nil {
		for _, c := range a.Connection.all {
			if c != "new" && c != "reuse" {
				b.at(a.Connection.at, "use `new` or `reuse`", "a connection can't be %s", quote(c))
			}
		}
	}
	if a.ToolChoice != nil {
		known := []string{"auto", "any", "tool", "none"}
		for _, c := range a.ToolChoice.all {
			if !slices.Contains(known, c) {
				b.at(a.ToolChoice.at, "use "+oneOf(known), "%s is no choice of tools", quote(c))
			}
		}
	}
	if a.Messages != nil && slices.Contains(a.Messages.all, 0) {
		b.at(a.Messages.at, "", "a conversation has at least one message")
	}
	if a.Keys != nil && slices.Contains(a.Keys.all, 0) {
		b.at(a.Keys.at, "", "`keys` must be at least 1")
	}
}

func (b *builder) sentHeaders(a *askFile) []Field {
	var made []Field
	for key, t := range ordered(a.Headers, a.at.child("headers")) {
		if !headerName.MatchString(key.text) {
			b.at(key, "letters, digits and -", "%s can't be the name of a header", quote(key.text))
			continue
		}
		f := Field{Name: key.text}
		for _, v := range t.all {
			if strings.ContainsAny(v, "\r\n") {
				b.at(t.at, "", "a header's value is one line")
			}
			f.Values = append(f.Values, v)
		}
		made = append(made, f)
	}
	return made
}

func (b *builder) sentParams(a *askFile) []Field {
	var made []Field
	for key, s := range ordered(a.Params, a.at.child("params")) {
		p, ok := b.made.parameter(key.text)
		if !ok {
			var known []string
			for _, p := range b.made.Parameters {
				known = append(known, p.Name)
			}
			b.at(key, didYouMean(key.text, known), "the scenario has no parameter %s", quote(key.text))
			continue
		}
		f := Field{Name: key.text}
		for _, n := range s.all {
			// A request may only hold what a default may, so that no workload is refused by accident.
			checked := p
			checked.Default = nil
			before := len(b.problems)
			b.preset(n, &checked)
			for i := before; i < len(b.problems); i++ {
				b.problems[i].Message = strings.Replace(b.problems[i].Message, "the default", "the parameter's value", 1)
			}
			f.Values = append(f.Values, checked.Default)
		}
		made = append(made, f)
	}
	return made
}

func (b *builder) sentFacts(a *askFile) []Field {
	var made []Field
	var known []string
	for _, f := range BuiltinFacts() {
		known = append(known, f.Name)
	}
	for key, s := range ordered(a.Facts, a.at.child("facts")) {
		at := slices.Index(known, key.text)
		if at < 0 || group(key.text) == "planned" || BuiltinFacts()[at].Type == "function" || BuiltinFacts()[at].Type == "strings" {
			b.at(key, didYouMean(key.text, known), "%s is no fact that a request may bring along", quote(key.text))
			continue
		}
		f := Field{Name: key.text}
		for _, n := range s.all {
			v, ok := b.scalar(n, BuiltinFacts()[at].Type)
			if !ok {
				b.at(n, "", "the fact %s is of another type: %s", quote(key.text), BuiltinFacts()[at].Type)
			}
			f.Values = append(f.Values, v)
		}
		made = append(made, f)
	}
	return made
}

// scalar reads a single value of a fact's type.
func (b *builder) scalar(n *node, kind string) (any, bool) {
	switch kind {
	case "string":
		return n.text, n.kind == words
	case "bool":
		return strings.EqualFold(n.text, "true"), n.kind == boolean
	case "int":
		v, err := strconv.Atoi(n.text)
		return v, err == nil && n.kind == number
	}
	v, ok := decimal(n.text)
	return v, ok && n.kind == number
}
