package scenario

import (
	"slices"
	"strconv"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// form compiles a distribution that is written as {form: …}.
func (p *point) form(key, n *node, inMix bool) *latency.Table {
	if n.poisoned() {
		return nil
	}
	switch key.text {
	case "constant":
		if v, ok := p.value(n); ok {
			return latency.Constant(v)
		}
		return nil
	case "uniform":
		return p.uniform(n)
	case "normal":
		return p.normal(n)
	case "lognormal":
		return p.lognormal(n)
	case "exponential":
		return p.exponential(n)
	case "mix":
		if inMix {
			p.at(key, "put its parts beside the others", "a part of a mix can't be a `mix`")
			return nil
		}
		return p.mix(n)
	case "sum":
		p.at(key, "put the sum on the timing point itself", "a `sum` can't stand inside another distribution")
	case "blend", "trace":
		p.at(key, "put it on the timing point itself, or make it a part of a `sum`", "a `%s` can't stand inside another distribution", key.text)
	default:
		p.at(key, "put it on the timing point itself", "a `like` can't stand inside another distribution")
	}
	return nil
}

func (p *point) uniform(n *node) *latency.Table {
	if n.kind != list || len(n.items) != 2 {
		p.at(n, "for example [17ms, 23ms]", "`uniform` takes two values, the lowest and the highest")
		return nil
	}
	low, ok := p.value(n.items[0])
	high, fine := p.value(n.items[1])
	if !ok || !fine {
		return nil
	}
	return p.checked(n)(latency.Uniform(low, high))
}

// settings reads the named values of a form: mean, sd, min, max and, where allowed, quantiles.
type settings struct {
	named     map[string]int64
	quantiles []pair
	limits    latency.Limits
}

func (p *point) settings(form string, n *node, quantiles bool, keys ...string) (settings, bool) {
	s := settings{named: map[string]int64{}}
	if n.kind != mapping {
		p.at(n, "for example {mean: 50ms, sd: 5ms}", "`%s` takes a map", form)
		return s, false
	}
	keys = append(keys, "min", "max")
	good := true
	for _, one := range n.pairs {
		key := one.key.text
		switch {
		case slices.Contains(keys, key):
			v, ok := p.value(one.value)
			s.named[key], good = v, good && ok
		case quantiles && quantileKey.MatchString(key):
			s.quantiles = append(s.quantiles, one)
		default:
			p.at(one.key, keyHint(key, keys), "unknown key %s in `%s`", quote(key), form)
			good = false
		}
	}
	if v, ok := s.named["min"]; ok {
		s.limits.Min = &v
	}
	if v, ok := s.named["max"]; ok {
		s.limits.Max = &v
	}
	return s, good
}

// has reports the first of the keys that is missing.
func (p *point) has(n *node, form string, s settings, keys ...string) bool {
	for _, key := range keys {
		if _, ok := s.named[key]; !ok {
			p.at(n, "", "`%s` has no `%s`", form, key)
			return false
		}
	}
	return true
}

func (p *point) normal(n *node) *latency.Table {
	s, ok := p.settings("normal", n, false, "mean", "sd")
	if !ok || !p.has(n, "normal", s, "mean", "sd") {
		return nil
	}
	return p.checked(n)(latency.Normal(s.named["mean"], s.named["sd"], s.limits))
}

func (p *point) lognormal(n *node) *latency.Table {
	s, ok := p.settings("lognormal", n, true, "mean", "sd")
	if !ok {
		return nil
	}
	_, mean := s.named["mean"]
	_, sd := s.named["sd"]
	switch {
	case len(s.quantiles) > 0 && (mean || sd):
		p.at(n, "keep one of the two", "`lognormal` takes two quantiles or mean and sd, not both")
	case len(s.quantiles) == 2:
		points, ok := p.quantiles(s.quantiles)
		if !ok {
			return nil
		}
		return p.checked(n)(latency.LogNormal(points[0], points[1], s.limits))
	case len(s.quantiles) > 0:
		p.at(n, "for example {p50: 60ms, p99: 180ms}", "`lognormal` takes exactly two quantiles, these are %d", len(s.quantiles))
	case !mean && !sd:
		p.at(n, "for example {p50: 60ms, p99: 180ms}", "`lognormal` takes two quantiles, or mean and sd")
	case p.has(n, "lognormal", s, "mean", "sd"):
		return p.checked(n)(latency.LogNormalMean(s.named["mean"], s.named["sd"], s.limits))
	}
	return nil
}

func (p *point) exponential(n *node) *latency.Table {
	if n.kind != mapping {
		mean, ok := p.value(n)
		if !ok {
			return nil
		}
		return p.checked(n)(latency.Exponential(mean, latency.Limits{}))
	}
	s, ok := p.settings("exponential", n, false, "mean")
	if !ok || !p.has(n, "exponential", s, "mean") {
		return nil
	}
	return p.checked(n)(latency.Exponential(s.named["mean"], s.limits))
}

func (p *point) mix(n *node) *latency.Table {
	if n.kind != list || len(n.items) == 0 {
		p.at(n, "for example [{share: 70%, uniform: [17ms, 23ms]}, {share: 30%, constant: 90ms}]", "`mix` takes a list of parts")
		return nil
	}
	var parts []latency.Part
	var total uint64
	good := true
	for _, item := range n.items {
		part, ok := p.part(item)
		good = good && ok
		total += uint64(part.Share)
		parts = append(parts, part)
	}
	if !good {
		return nil
	}
	if total != uint64(latency.Whole) {
		p.at(n, "", "the shares of a mix add up to 100%%, these to %s%%", strconv.FormatFloat(float64(total)/1e7, 'f', -1, 64))
		return nil
	}
	return p.checked(n)(latency.Mix(parts))
}

func (p *point) part(n *node) (part latency.Part, good bool) {
	if n.poisoned() {
		return part, false
	}
	if n.kind != mapping {
		p.at(n, "for example {share: 30%, constant: 90ms}", "a part of a mix is a map with a share and a distribution, this is %s", n.kind)
		return part, false
	}
	good = true
	if s := n.child("share"); s == nil {
		p.at(n, "for example {share: 30%, constant: 90ms}", "a part of a mix needs a share")
		good = false
	} else if !s.poisoned() {
		v, hint, message := parseShare(s)
		if message != "" {
			p.at(s, hint, "%s", message)
			good = false
		}
		part.Share = v
	}
	if t := n.child("tokens"); t != nil && p.tokens && p.blended {
		p.at(t, "put it beside the blend, as `tokens_per_event`", "`tokens` can't stand in a `blend`, whose events would carry two tables' tokens")
		good = false
	} else if t != nil && !p.tokens {
		p.at(t, "", "`tokens` belongs into a mix of `token-gap` only")
		good = false
	} else if t != nil && !t.poisoned() {
		var s span
		s.decode(&decoder{report: p.report, what: "`tokens`"}, t)
		part.TokensMin, part.TokensMax = s.value.Min, s.value.Max
		good = good && s.value.Min > 0
	}
	part.Table = p.table(n, true)
	return part, good && part.Table != nil
}
