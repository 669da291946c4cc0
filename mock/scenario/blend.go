package scenario

import (
	"strings"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// component compiles what one place draws from: a table, a blend or a trace.
func (p *point) component(n *node, name, place string) latency.Component {
	c := latency.Component{Name: name, Place: p.place(place)}
	if n.kind == mapping {
		for _, form := range []string{"blend", "trace"} {
			of := n.child(form)
			if of == nil || of.poisoned() {
				continue
			}
			if !p.only(n, form) {
				return c
			}
			if form == "blend" {
				c.By, c.Blend = p.blend(of)
			} else {
				c.Trace = p.trace(of)
			}
			return c
		}
	}
	c.Table = p.table(n, false)
	return c
}

// blend compiles a distribution that follows a number, and returns which of the profile's it is.
func (p *point) blend(n *node) (by int, made *latency.Blend) {
	const example = "for example {by: concurrency, at: {0: 20ms, 100: 40ms}}"
	if n.kind != mapping {
		p.at(n, example, "`blend` takes a map")
		return 0, nil
	}
	good := true
	for _, one := range n.pairs {
		if key := one.key.text; key != "by" && key != "at" {
			p.at(one.key, keyHint(key, []string{"by", "at"}), "unknown key %s in `blend`", quote(key))
			good = false
		}
	}
	for _, key := range []string{"by", "at"} {
		if n.child(key) == nil && good && !n.hurt {
			p.at(n, example, "`blend` has no `%s`", key)
			good = false
		}
	}
	if !good {
		return 0, nil
	}
	by = p.follow(n.child("by"))
	points := p.blendPoints(n.child("at"))
	if points == nil {
		return by, nil
	}
	made, err := latency.NewBlend(points)
	if err != nil {
		p.at(n.child("at"), "", "%s", err)
	}
	return by, made
}

// follow compiles the number that a blend follows.
func (p *point) follow(n *node) int {
	if n == nil || n.poisoned() {
		return 0
	}
	e := expression{spot: spot{n}}
	e.decode(&decoder{report: p.report, what: "`by`"}, n)
	if x := p.compile(n, e.text, 0, wantNumber); x != nil {
		p.into.Follows = append(p.into.Follows, x)
	}
	return len(p.into.Follows) - 1
}

func (p *point) blendPoints(n *node) []latency.BlendPoint {
	switch {
	case n == nil || n.poisoned():
		return nil
	case n.kind != mapping || len(n.pairs) == 0:
		p.at(n, "for example {0: 20ms, 100: 40ms}", "`at` is a map of points")
		return nil
	}
	var points []latency.BlendPoint
	good := true
	for _, one := range n.pairs {
		x, ok := decimal(one.key.text)
		if !ok {
			p.at(one.key, "for example {0: 20ms, 100: 40ms}", "a point of `blend` is a plain number, this is %s", quote(one.key.text))
		}
		inside := *p
		inside.blended = true
		t := inside.table(one.value, false)
		good = good && ok && t != nil
		points = append(points, latency.BlendPoint{X: x, Table: t})
	}
	if !good {
		return nil
	}
	return points
}

// trace compiles recorded values: a list of them, or the name of a file that holds one a line.
func (p *point) trace(n *node) *latency.Trace {
	var values []int64
	switch {
	case n.kind == list:
		for _, item := range n.items {
			v, ok := p.value(item)
			if !ok {
				return nil
			}
			values = append(values, v)
		}
	case n.kind != words || n.text == "":
		p.at(n, "for example [210ms, 190ms]", "`trace` takes a list of values, or the name of a trace")
		return nil
	case p.loader.Trace == nil:
		p.at(n, "", "there is no trace %s", quote(n.text))
		return nil
	default:
		text, ok := p.loader.Trace(n.text)
		if !ok {
			p.at(n, didYouMean(n.text, p.loader.Traces), "there is no trace %s", quote(n.text))
			return nil
		}
		if values, ok = p.recorded(n.text, text); !ok {
			return nil
		}
	}
	made, err := latency.NewTrace(values)
	if err != nil {
		if p.factors {
			err = latency.InFactors(err)
		}
		p.at(n, "", "%s", err)
		return nil
	}
	return made
}

// recorded reads a trace's file: one value a line; empty lines and those that start with # don't count.
func (p *point) recorded(name, text string) ([]int64, bool) {
	src := newSource("trace "+name, strings.ReplaceAll(text, "\r\n", "\n"))
	var values []int64
	for i, line := range src.lines {
		word := strings.TrimSpace(line)
		if word == "" || strings.HasPrefix(word, "#") {
			continue
		}
		n := &node{kind: words, src: src, line: i + 1, col: 1 + strings.Index(line, word), text: word, plain: true}
		if plainNumber.MatchString(word) {
			n.kind = number
		}
		v, ok := p.value(n)
		if !ok {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}
