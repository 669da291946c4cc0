package scenario

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// maxUnits bounds a workload, so that a typo doesn't run for hours.
const maxUnits = 200_000_000

func (b *builder) workloadNames() []string { return slices.Sorted(maps.Keys(b.doc.Workloads)) }

func (b *builder) workloads() {
	for key, w := range ordered(b.doc.Workloads, b.doc.at.child("workloads")) {
		switch {
		case !identifier.MatchString(key.text):
			b.at(key, "measures speak of it: use letters, digits and _", "a workload can't be called %s", quote(key.text))
		case slices.Contains(gatherers(), key.text) || slices.Contains(reservedWords(), key.text):
			b.at(key, "choose another name", "%s has a meaning already", quote(key.text))
		}
		if w.at == nil || w.at.kind != mapping {
			continue
		}
		b.made.Workloads = append(b.made.Workloads, b.workload(key, &w))
	}
}

func (b *builder) workload(key *node, w *workloadFile) *Workload {
	made := &Workload{Name: key.text, Vary: w.Vary.or("text"), GiveUp: 10 * time.Minute}
	made.Requests = b.oneNumber(w.Requests, "requests", 1)
	made.Warmup = b.oneNumber(w.Warmup, "warmup", 0)
	if w.For != nil {
		made.For = w.For.value
	}
	if w.Rate != nil {
		made.Rates = append(made.Rates, w.Rate.stages)
	}
	for _, r := range w.Rates {
		made.Rates = append(made.Rates, r.stages)
	}
	if w.Clients != nil {
		made.Clients = w.Clients.all
		b.positive(w.Clients, "clients")
	}
	made.Poisson = w.Poisson != nil && w.Poisson.value
	made.Think = b.delay(w.at.child("think"), "think")
	made.CancelAfter = b.delay(w.at.child("cancel_after"), "cancel_after")
	if w.GiveUp != nil {
		made.GiveUp = w.GiveUp.value
	}
	if w.Soak != nil {
		made.Soak = w.Soak.value
	}
	if r := w.Retry; r != nil && r.at.kind == mapping {
		made.Retry = &Retry{Tries: 2, Counted: r.Counted != nil && r.Counted.value}
		if r.Tries != nil {
			made.Retry.Tries = b.oneNumber(r.Tries, "tries", 2)
		}
		if r.After != nil {
			made.Retry.After = r.After.value
		} else if r.at.child("after") == nil {
			b.at(r.at, "for example {after: 500ms}", "`retry` doesn't say how long after")
		}
	}
	if w.Chain != nil {
		made.Chain = w.Chain.Calls.all
		if w.Chain.at.kind == mapping && w.Chain.at.child("calls") == nil {
			b.at(w.Chain.at, "for example {calls: 5}", "`chain` doesn't say how many calls")
		}
	}
	made.Request = b.ask(w.Request)
	b.mixed(w, made)
	b.pacing(key, w, made)
	return made
}

// mixed compiles mix, parts and sequence, at most one of which is there.
func (b *builder) mixed(w *workloadFile, made *Workload) {
	var given []*node
	for _, name := range []string{"mix", "parts", "sequence"} {
		if k := w.at.keyOf(name); k != nil {
			given = append(given, k)
		}
	}
	if len(given) > 1 {
		b.at(given[1], "keep one of the two", "`%s` can't stand beside `%s`", given[1].text, given[0].text)
	}
	var total uint64
	complete := true
	for key, k := range ordered(w.Mix, w.at.child("mix")) {
		b.checkTitle(key, "the name of a kind")
		kind := Kind{Name: key.text, Request: b.ask(k.Request), Vary: k.Vary.or(made.Vary)}
		if k.Share != nil {
			kind.Share = k.Share.value
		} else if complete = false; k.at != nil && k.at.child("share") == nil && !k.at.hurt {
			b.at(key, "for example {share: 30%, request: {…}}", "%s has no share", quote(key.text))
		}
		total += uint64(kind.Share)
		made.Mix = append(made.Mix, kind)
	}
	if m := w.at.child("mix"); m != nil && m.kind == mapping && complete && total != uint64(latency.Whole) {
		b.at(m, "", "the shares of a mix add up to 100%%, these to %s%%", percent(total))
	}
	for key, p := range ordered(w.Parts, w.at.child("parts")) {
		b.checkTitle(key, "a part's name")
		made.Parts = append(made.Parts, b.source(key, &p, made))
	}
	for i, s := range w.Sequence {
		step := Step{Name: s.name, Request: b.ask(s.request)}
		step.Name, step.Near = strings.CutPrefix(step.Name, "near ")
		if s.request != nil {
			step.Name = stepName(s.request, i)
		}
		made.Sequence = append(made.Sequence, step)
	}
}

// stepName is the name of the text of a step that changes the request: text it has by that name, else
// its number.
func stepName(a *askFile, i int) string {
	if a.Text != nil && len(a.Text.all) > 0 {
		return a.Text.all[0]
	}
	return "step " + string(rune('a'+i%26))
}

func (b *builder) source(key *node, p *partFile, w *Workload) Source {
	s := Source{Name: key.text, Request: b.ask(p.Request), Vary: p.Vary.or(w.Vary), Poisson: p.Poisson != nil && p.Poisson.value}
	switch {
	case p.at == nil || p.at.kind != mapping:
	case p.Rate != nil && p.Clients != nil:
		b.at(p.at.keyOf("clients"), "keep one of the two", "a part has a rate or clients, not both")
	case p.Rate != nil:
		s.Rate = p.Rate.stages
	case p.Clients != nil:
		s.Clients = b.oneNumber(p.Clients, "clients", 1)
	case !p.at.hurt:
		b.at(key, "for example {rate: 600/s, request: {key: busy}}", "the part has neither a rate nor clients")
	}
	return s
}

// pacing checks that a workload says how fast and how long, once.
func (b *builder) pacing(key *node, w *workloadFile, made *Workload) {
	var given []*node
	for _, name := range []string{"rate", "rates", "clients", "parts"} {
		if k := w.at.keyOf(name); k != nil {
			given = append(given, k)
		}
	}
	switch {
	case w.at.hurt:
		return
	case len(given) == 0:
		b.at(key, "add `rate: 500/s` or `clients: 100`", "the workload %s doesn't say how fast requests come", quote(key.text))
	case len(given) > 1:
		b.at(given[1], "keep one of the two", "`%s` can't stand beside `%s`", given[1].text, given[0].text)
	}
	count, length := w.at.keyOf("requests"), w.at.keyOf("for")
	switch {
	case count != nil && length != nil:
		b.at(length, "keep one of the two", "a workload has a number of `requests` or a length (`for`), not both")
	case count == nil && length == nil && !finite(made.Rates):
		b.at(key, "add `requests: 1000` or `for: 60s`", "the workload %s doesn't say how many requests", quote(key.text))
	case made.Requests > maxUnits:
		b.at(count, "", "a workload has at most %d requests", maxUnits)
	}
	if k := w.at.keyOf("think"); k != nil && made.Clients == nil && made.Parts == nil && made.Chain == nil {
		b.at(k, "use `clients` in place of a rate", "only clients think: requests at a rate don't wait for answers")
	}
	for i, r := range made.Rates {
		for j, s := range r {
			if j < len(r)-1 && s.For <= 0 {
				b.at(given[0], "give each step but the last a length", "step %d of rate %d has no length, so the next never comes", j+1, i+1)
			}
		}
	}
}

// finite tells whether every rate ends by itself.
func finite(rates []Rate) bool {
	for _, r := range rates {
		if len(r) == 0 || r[len(r)-1].For <= 0 {
			return false
		}
	}
	return len(rates) > 0
}

// oneNumber is a number that can't be a list or a range here.
func (b *builder) oneNumber(w *wholes, name string, least int) int {
	switch {
	case w == nil || w.at == nil:
		return 0
	case len(w.all) != 1:
		if w.spread != nil || len(w.all) > 1 {
			b.at(w.at, "make several workloads", "`%s` is one number here", name)
		}
		return 0
	case w.all[0] < least:
		b.at(w.at, "", "`%s` must be at least %d", name, least)
	}
	return w.all[0]
}

func (b *builder) positive(w *wholes, name string) {
	if w.spread != nil || slices.Contains(w.all, 0) {
		b.at(w.at, "", "`%s` must be at least 1", name)
	}
}

// delay compiles a distribution of durations outside of profiles.
func (b *builder) delay(n *node, name string) *latency.Table {
	if n == nil || n.poisoned() {
		return nil
	}
	p := point{builder: b, profile: "workloads", name: name}
	return p.table(n, false)
}
