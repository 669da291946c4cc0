package scenario

import (
	"slices"
	"strconv"
)

func (b *builder) routes() {
	for i := range b.doc.Routes {
		r := &b.doc.Routes[i]
		if r.at == nil || r.at.kind != mapping {
			continue
		}
		if r.Name == nil {
			if r.at.child("name") == nil && !r.at.hurt {
				b.at(r.at, "for example `name: everything else`", "the route has no name")
			}
			r.Name = &label{}
		} else if r.Name.at.kind == words {
			b.checkTitle(r.Name.at, "a route's name")
		}
		place := "routes." + r.Name.text
		made := &Route{Name: r.Name.text, Index: i, Protocol: r.Protocol.http(), Endpoint: r.Endpoint.other(), When: b.condition(r.When), Share: b.share(r.Share, place+".share")}
		if r.Times != nil {
			made.Times = &r.Times.value
			made.Times.Per = r.Per.or("run")
		} else if r.Per.text != "" {
			b.at(r.Per.at, "", "`per` says what `times` counts; there is no `times` here")
		}
		b.outcome(r, &made.Outcome, answeredBy(r), place)
		b.made.Routes = append(b.made.Routes, made)
	}
}

func (b *builder) share(s *share, place string) *Share {
	if s == nil {
		return nil
	}
	return &Share{Place: b.place(place), Below: s.value}
}

func usageFields() []string {
	return []string{"input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"}
}

func (b *builder) usage(r *routeFile) []Usage {
	fields := usageFields()
	var made []Usage
	for key, e := range ordered(r.Usage, r.at.child("usage")) {
		if !slices.Contains(fields, key.text) {
			b.at(key, didYouMean(key.text, fields), "%s is no number of a usage", quote(key.text))
			continue
		}
		if e.at == nil {
			continue
		}
		if e.at.kind == number {
			if v, err := strconv.Atoi(e.text); err != nil || v < 0 {
				b.at(e.at, "", "a number of tokens is a whole number from 0")
				continue
			}
		}
		if x := b.compile(e.at, e.text, 0, wantInt); x != nil {
			made = append(made, Usage{Field: key.text, Value: x})
		}
	}
	return made
}

func (b *builder) marks(m map[string]markFile, at *node, place string) []Mark {
	var made []Mark
	for key, f := range ordered(m, at) {
		b.checkTitle(key, "a mark's name")
		mark := Mark{Name: key.text}
		switch {
		case f.share != nil:
			mark.Share = b.share(f.share, place+".marks."+key.text)
		case f.when != nil && f.when.at != nil:
			if formula := b.parse(f.when.at, f.when.text, 0); formula != nil {
				mark.Planned = formula.planned
				mark.When = b.finish(formula, wantBool)
			}
		}
		made = append(made, mark)
	}
	return made
}

func (b *builder) guards() {
	for i := range b.doc.Guards {
		g := &b.doc.Guards[i]
		if g.at == nil || g.at.kind != mapping {
			continue
		}
		if g.Name != nil && g.Name.at.kind == words {
			b.checkTitle(g.Name.at, "a guard's name")
		}
		made := &Guard{Name: g.Name.or("")}
		switch {
		case g.at.child("when") == nil:
			b.at(g.at, "for example `when: planned.duration_ms > 185`", "the guard has no condition (`when`)")
		case g.When != nil && g.When.at != nil:
			made.When = b.finish(b.parse(g.When.at, g.When.text, 0), wantBool)
		}
		if g.at.child("error") == nil && g.at.child("marks") == nil {
			b.at(g.at, "add `error: {…}` or `marks: {…}`", "the guard does nothing: it has neither an error nor marks")
		}
		made.Marks = b.marks(g.Marks, g.at.child("marks"), "guards."+guardName(g, i))
		made.Error = b.failure(g.Error)
		b.made.Guards = append(b.made.Guards, made)
	}
}

// failure compiles an error.
func (b *builder) failure(e *errorFile) *Error {
	if e == nil || e.at == nil || e.at.kind != mapping {
		return nil
	}
	made := &Error{Type: e.Type.text, Message: b.language.template(e.Message), Body: e.Body.or("")}
	switch {
	case e.Status != nil:
		made.Status = e.Status.value
	case e.at.child("status") == nil:
		b.at(e.at, "for example {status: 429, message: \"slow down\"}", "the error has no status")
	}
	body := e.at.keyOf("body")
	for _, name := range []string{"type", "message"} {
		if key := e.at.keyOf(name); key != nil && body != nil {
			b.at(key, "keep one of the two", "a `body` is sent as it stands, so `%s` says nothing", name)
		}
	}
	if e.RetryAfter != nil {
		made.RetryAfter = e.RetryAfter.value
	}
	made.Headers = b.headers(e.Headers, e.at.child("headers"), false)
	return made
}
