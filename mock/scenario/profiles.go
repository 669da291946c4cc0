package scenario

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// shortestSilence bounds how many pings an answer of hours can hold.
const shortestSilence = 10 * time.Millisecond

func (b *builder) profiles() {
	// By name, so that a place's number doesn't follow the order in the file.
	for _, name := range b.profileNames() {
		p := b.doc.Profiles[name]
		key := b.doc.at.child("profiles").keyOf(name)
		b.checkName(key, "a profile's name")
		made := &Profile{Name: name}
		b.made.Profiles[name] = made
		if p.at == nil || p.at.kind != mapping {
			continue
		}
		timing := func(point point) *latency.Dist {
			point.builder, point.profile, point.into = b, name, made
			return point.dist(p.at.child(point.name))
		}
		made.Headers = timing(point{name: "headers"})
		made.MessageStart = timing(point{name: "message-start"})
		made.FirstToken = timing(point{name: "first-token"})
		made.TokenGap = timing(point{name: "token-gap", tokens: true})
		made.Pace = timing(point{name: "pace", factors: true})
		made.Stop = timing(point{name: "stop"})
		made.Respond = timing(point{name: "respond"})
		if p.TokensPerEvent != nil {
			made.TokensPerEvent = p.TokensPerEvent.value
		}
		made.TokensPerEventPlace = b.place("profiles." + name + ".tokens_per_event")
		if p.PingEvery != nil {
			made.PingEvery = p.PingEvery.value
			if at := p.PingEvery.at; at != nil && made.PingEvery < shortestSilence {
				b.at(at, "write it as 10ms or more", "`ping_every` is shorter than 10ms: a long answer would be pings alone")
			}
		}
		made.Random = p.Sampling.text == "random"
		made.DrawByBody = p.DrawBy.text == "body"
		made.Load = b.load(p.Load)
		made.PerInputToken = b.perInputToken(p.PerInputToken)
		made.Queue = b.queue(name, p.Queue)
		b.complete(key, &p)
	}
}

// complete checks that a profile says enough to plan an answer.
func (b *builder) complete(key *node, p *profileFile) {
	first := p.at.child("first-token") != nil
	if !first && p.at.child("respond") == nil {
		if p.at.hurt {
			return
		}
		b.at(key, "use 0 for an answer at once", "the profile %s has neither `first-token` nor `respond`", quote(key.text))
		return
	}
	for _, name := range []string{"headers", "message-start", "token-gap", "pace", "stop"} {
		if point := p.at.keyOf(name); point != nil && !first {
			b.at(point, "", "`%s` needs `first-token` beside it", name)
		}
	}
	if point := p.at.keyOf("pace"); point != nil && first && p.at.child("token-gap") == nil {
		b.at(point, "", "`pace` multiplies the gaps: it needs `token-gap` beside it")
	}
}

func (b *builder) load(l *loadFile) *Load {
	if l == nil || l.at == nil || l.at.kind != mapping {
		return nil
	}
	points := l.at.child("at")
	if l.By == nil && l.at.child("by") == nil {
		b.at(l.at, "for example {by: concurrency, at: {100: 1, 500: 1.5}}", "`load` does not say what the factor follows (`by`)")
	}
	if points == nil {
		b.at(l.at, "for example {by: concurrency, at: {100: 1, 500: 1.5}}", "`load` has no points (`at`)")
	}
	made := &Load{}
	if l.By != nil && l.By.at != nil {
		made.By = b.compile(l.By.at, l.By.text, 0, wantNumber)
	}
	var curve []latency.CurvePoint
	for key, f := range ordered(l.At, points) {
		x, ok := decimal(key.text)
		if !ok {
			b.at(key, "for example {100: 1, 500: 1.5}", "a point of `load` is a plain number, this is %s", quote(key.text))
			return nil
		}
		if f.at == nil {
			return nil
		}
		if f.value < 0 {
			b.at(f.at, "", "a factor can't be negative")
			return nil
		}
		curve = append(curve, latency.CurvePoint{X: x, Factor: f.value})
	}
	if points == nil || points.kind != mapping {
		return nil
	}
	slices.SortFunc(curve, func(x, y latency.CurvePoint) int { return cmp.Compare(x.X, y.X) })
	c, err := latency.NewCurve(curve)
	if err != nil {
		b.at(points, "", "%s", err)
		return nil
	}
	made.Curve = c
	return made
}
