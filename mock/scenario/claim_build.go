package scenario

import (
	"math"
	"regexp"
	"slices"
)

var (
	claimID         = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
	contradictionID = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,15}$`)
)

func (b *builder) contradictions() {
	for key, text := range ordered(b.doc.Contradictions, b.doc.at.child("contradictions")) {
		if !contradictionID.MatchString(key.text) {
			b.at(key, "for example C1", "a contradiction can't be called %s", quote(key.text))
		}
		b.made.Contradictions = append(b.made.Contradictions, Contradiction{key.text, text.text})
	}
}

func (b *builder) claims() {
	for key, c := range ordered(b.doc.Claims, b.doc.at.child("claims")) {
		if !claimID.MatchString(key.text) {
			b.at(key, "for example P01, or a word", "a claim can't be called %s", quote(key.text))
		}
		if c.at == nil || c.at.kind != mapping {
			continue
		}
		b.made.Claims = append(b.made.Claims, b.claim(key, &c))
	}
}

func (b *builder) claim(key *node, c *claimFile) *Claim {
	made := &Claim{ID: key.text, Says: c.Says.or(""), ShownBy: c.ShownBy.or(""), NotMeasured: c.NotMeasured.or("")}
	if c.at.child("says") == nil && !c.at.hurt {
		b.at(key, "add `says: \"…\"`", "the claim %s doesn't say what is claimed", quote(key.text))
	}
	measure, checks, without := c.at.keyOf("measure"), c.at.keyOf("checks"), c.at.keyOf("not_measured")
	switch {
	case measure != nil && checks != nil:
		b.at(checks, "put it among the checks", "`checks` can't stand beside `measure`")
	case without != nil && (measure != nil || checks != nil):
		b.at(without, "remove it", "a claim that is measured has no `not_measured`")
	case measure == nil && checks == nil && without == nil && c.at.child("shown_by") == nil && !c.at.hurt:
		b.at(key, "add `measure`, or `shown_by` with `not_measured: reason`", "nothing shows whether the claim %s holds", quote(key.text))
	}
	if measure == nil {
		for _, name := range []string{"within", "at_least", "at_most", "contradicts"} {
			if k := c.at.keyOf(name); k != nil && !c.at.hurt {
				b.at(k, "add `measure`, or put it into the check", "`%s` is about a measured figure, and the claim has no `measure`", name)
			}
		}
	}
	if measure == nil && checks == nil && made.NotMeasured == "" && made.ShownBy != "" {
		made.NotMeasured = "shown by " + made.ShownBy
	}
	if measure != nil {
		b.check(made, c.at, &checkFile{
			spot: c.spot, Measure: c.Measure, Within: c.Within, AtLeast: c.AtLeast, AtMost: c.AtMost, Contradicts: c.Contradicts,
		})
	}
	if checks != nil && c.Checks == nil && c.at.child("checks").kind == list {
		b.at(checks, "for example [{measure: p99(steady.duration_ms), at_most: 188ms}]", "the list of checks is empty")
	}
	for i := range c.Checks {
		if one := &c.Checks[i]; one.at != nil && one.at.kind == mapping {
			b.check(made, one.at, one)
		}
	}
	return made
}

func (b *builder) check(claim *Claim, at *node, c *checkFile) {
	made := Check{Says: c.Says.or(""), Low: math.Inf(-1), High: math.Inf(1), Contradicts: c.Contradicts.or("")}
	if c.Measure == nil && at.child("measure") == nil && !at.hurt {
		b.at(at, "for example `measure: p99(steady.duration_ms)`", "the check has no measure")
	}
	if c.Measure != nil && c.Measure.at != nil {
		made.Measure = b.measure(c.Measure.at, c.Measure.text)
	}
	var given []*node
	for _, name := range []string{"within", "at_least", "at_most"} {
		if k := at.keyOf(name); k != nil {
			given = append(given, k)
		}
	}
	switch {
	case len(given) == 0 && !at.hurt:
		b.at(at.keyOr("measure"), "add `within: [182ms, 188ms]`, `at_least` or `at_most`", "nothing says where the figure must lie")
	case len(given) > 1 && given[0].text == "within":
		b.at(given[1], "keep one of the two", "`%s` can't stand beside `within`", given[1].text)
	}
	for _, q := range []*quantity{c.AtLeast, c.AtMost} {
		if q != nil && q.unit != "" {
			made.Unit = q.unit
		}
	}
	if c.AtLeast != nil {
		made.Low = c.AtLeast.value
	}
	if c.AtMost != nil {
		made.High = c.AtMost.value
	}
	if w := c.Within; w != nil {
		made.Low, made.High, made.Unit = w.low.value, w.high.value, w.low.unit+w.high.unit
		if w.low.unit != "" {
			made.Unit = w.low.unit
		}
	}
	if made.Contradicts != "" && !slices.ContainsFunc(b.made.Contradictions, func(known Contradiction) bool { return known.ID == made.Contradicts }) {
		var known []string
		for _, one := range b.made.Contradictions {
			known = append(known, one.ID)
		}
		hint := didYouMean(made.Contradicts, known)
		if len(known) == 0 {
			hint = "say it: `contradictions: {" + made.Contradicts + ": \"…\"}`"
		}
		b.at(c.Contradicts.at, hint, "the file states no contradiction %s", quote(made.Contradicts))
	}
	if made.Measure != nil {
		claim.Checks = append(claim.Checks, made)
	}
}

// keyOr is a key's place, or the map's own.
func (n *node) keyOr(key string) *node {
	if k := n.keyOf(key); k != nil {
		return k
	}
	return n
}
