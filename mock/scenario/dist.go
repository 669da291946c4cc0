package scenario

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

var quantileKey = regexp.MustCompile(`^p([0-9]{1,3})(?:\.([0-9]{1,7}))?$`)

func forms() []string {
	return []string{"constant", "uniform", "normal", "lognormal", "exponential", "mix", "sum", "blend", "trace", "like"}
}

// point compiles one timing point of a profile; nil when it was not given or is wrong.
type point struct {
	*builder
	profile, name string
	into          *Profile // whose point it is
	factors       bool     // plain factors in place of durations
	tokens        bool     // mix parts may carry tokens
	blended       bool     // it is a table of a blend
}

func (p *point) dist(n *node) *latency.Dist {
	n = p.resolve(n)
	if n == nil {
		return nil
	}
	place := "profiles." + p.profile + "." + p.name
	sum := n.child("sum")
	if n.kind != mapping || sum == nil {
		return &latency.Dist{Parts: []latency.Component{p.component(n, "", place)}}
	}
	if !p.only(n, "sum") {
		return nil
	}
	if p.tokens {
		p.at(sum, "give the gaps one distribution", "`%s` can't be a `sum`: the parts of a sum are drawn once for each request, gaps many times", p.name)
		return nil
	}
	if sum.kind != mapping || len(sum.pairs) == 0 {
		p.at(sum, "for example {network: 20ms, padding: 5ms}", "`sum` is a map of named parts")
		return nil
	}
	var d latency.Dist
	for _, part := range sum.pairs {
		p.checkName(part.key, "a part's name")
		switch part.key.text {
		case QueuePart:
			p.at(part.key, "choose another name", "a part can't be called `queue`: that is the wait for a slot")
		case InputPart:
			p.at(part.key, "choose another name", "a part can't be called `input_tokens`: that is what `per_input_token` adds")
		}
		place := place + "." + part.key.text
		if part.value.kind == mapping && (part.value.child("sum") != nil || part.value.child("like") != nil) {
			p.place(place)
			p.at(part.value, "", "a part of a sum can't be a `sum` or a `like`")
			continue
		}
		d.Parts = append(d.Parts, p.component(part.value, part.key.text, place))
	}
	return &d
}

// resolve follows `like` to the distribution it stands for.
func (p *point) resolve(n *node) *node {
	if n == nil || n.poisoned() || n.kind == nothing {
		return nil
	}
	seen := []string{p.profile}
	for n.kind == mapping && n.child("like") != nil {
		like := n.child("like")
		if !p.only(n, "like") {
			return nil
		}
		other, ok := p.doc.Profiles[like.text]
		if !ok || other.at == nil {
			p.at(like, didYouMean(like.text, p.profileNames()), "there is no profile %s", quote(like.text))
			return nil
		}
		if slices.Contains(seen, like.text) {
			if like.text != p.profile {
				return nil // said where the circle is
			}
			p.at(like, "", "`like` goes round in a circle: %s", strings.Join(append(seen, like.text), " → "))
			return nil
		}
		seen = append(seen, like.text)
		if n = other.at.child(p.name); n == nil {
			p.at(like, "", "profile %s has no `%s`", quote(like.text), p.name)
			return nil
		}
	}
	return n
}

// only checks that a form stands alone in its map.
func (p *point) only(n *node, form string) bool {
	for _, one := range n.pairs {
		if one.key.text != form {
			p.at(one.key, "", "%s can't stand beside `%s`", quote(one.key.text), form)
			return false
		}
	}
	return true
}

// table compiles a distribution that is no sum; nil when something is wrong with it.
func (p *point) table(n *node, inMix bool) *latency.Table {
	switch {
	case n.poisoned():
		return nil
	case n.kind == nothing:
		p.at(n, "give it a value or remove the key", "`%s` has no value", p.name)
		return nil
	case n.kind == list:
		p.at(n, "for example {uniform: [17ms, 23ms]}", "a list says no distribution")
		return nil
	case n.kind != mapping:
		v, ok := p.value(n)
		if !ok {
			return nil
		}
		return latency.Constant(v)
	}
	var form *pair
	var quantiles []pair
	for _, one := range n.pairs {
		key := one.key.text
		switch {
		case inMix && (key == "share" || key == "tokens"):
		case quantileKey.MatchString(key):
			quantiles = append(quantiles, one)
		case slices.Contains(forms(), key):
			if form != nil {
				p.at(one.key, "keep one of the two", "`%s` can't stand beside `%s`", key, form.key.text)
				return nil
			}
			form = &one
		default:
			p.at(one.key, formHint(key), "%s is no distribution", quote(key))
			return nil
		}
	}
	switch {
	case form != nil && len(quantiles) > 0:
		p.at(quantiles[0].key, "keep one of the two", "quantiles can't stand beside `%s`", form.key.text)
		return nil
	case form != nil:
		return p.form(form.key, form.value, inMix)
	case len(quantiles) > 0:
		points, ok := p.quantiles(quantiles)
		if !ok {
			return nil
		}
		return p.made(n, latency.Quantiles, points)
	}
	p.at(n, "for example {p50: 20ms, p99: 90ms}", "this says no distribution")
	return nil
}

// made calls a maker of tables and reports its error.
func (p *point) made(n *node, maker func([]latency.Point) (*latency.Table, error), points []latency.Point) *latency.Table {
	return p.checked(n)(maker(points))
}

// checked passes a table through, or reports why there is none.
func (p *point) checked(n *node) func(*latency.Table, error) *latency.Table {
	return func(t *latency.Table, err error) *latency.Table {
		if err != nil {
			message := err.Error()
			if p.factors {
				message = asFactors(message)
			}
			p.at(n, "", "%s", message)
			return nil
		}
		return t
	}
}

// asFactors turns the durations of a message into factors: a billionth is to 1 as 1ns is to 1s.
func asFactors(message string) string {
	return durationWord.ReplaceAllStringFunc(message, func(word string) string {
		d, err := time.ParseDuration(word)
		if err != nil {
			return word
		}
		return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
	})
}

var durationWord = regexp.MustCompile(`-?\b[0-9][0-9.]*(ns|µs|ms|s|m|h)([0-9.]+(ns|µs|ms|s|m))*\b`)

func formHint(key string) string {
	if quantileLike.MatchString(key) {
		return "quantiles are p0 to p100, such as p99.9"
	}
	if close := near(key, forms()); len(close) > 0 {
		return "did you mean " + oneOf(close) + "?"
	}
	return "use quantiles such as p50 and p99, or " + oneOf(forms())
}

var quantileLike = regexp.MustCompile(`^[pPq][0-9]`)

func (p *point) quantiles(pairs []pair) ([]latency.Point, bool) {
	var points []latency.Point
	good := true
	for _, one := range pairs {
		u, ok := p.quantile(one.key)
		v, fine := p.value(one.value)
		good = good && ok && fine
		points = append(points, latency.Point{U: u, V: v})
	}
	slices.SortFunc(points, func(a, b latency.Point) int { return int(int64(a.U) - int64(b.U)) })
	return points, good
}

func (p *point) quantile(key *node) (latency.U, bool) {
	m := quantileKey.FindStringSubmatch(key.text)
	u, _ := strconv.ParseUint(m[1]+m[2]+strings.Repeat("0", 7-len(m[2])), 10, 64)
	if u > uint64(latency.Whole) {
		p.at(key, "", "a quantile is p0 to p100")
		return 0, false
	}
	return latency.U(u), true
}

// value reads a duration in nanoseconds, or a factor in billionths.
func (p *point) value(n *node) (int64, bool) {
	if n.poisoned() {
		return 0, false
	}
	if !p.factors {
		v, hint, message := parseDuration(n)
		if message != "" {
			p.at(n, hint, "%s", message)
			return 0, false
		}
		return int64(v), true
	}
	m := factorForm.FindStringSubmatch(n.text)
	if m == nil || n.kind != number {
		p.at(n, "for example 1.5", "`%s` takes plain factors from 0 to 9999, this is %s", p.name, quote(n.text))
		return 0, false
	}
	v, _ := strconv.ParseInt(m[1]+m[2]+strings.Repeat("0", 9-len(m[2])), 10, 64)
	return v, true
}

var factorForm = regexp.MustCompile(`^([0-9]{1,4})(?:\.([0-9]{1,9}))?$`)
