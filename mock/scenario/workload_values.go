package scenario

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// entries are a value's, or those of a list of values.
func entries(n *node) []*node {
	if n.kind == list {
		return n.items
	}
	return []*node{n}
}

func oneOrMore(s *jsonschema.Schema) *jsonschema.Schema {
	return either(s, &jsonschema.Schema{Type: "array", Items: s, MinItems: ptr(1)})
}

// someOf reports whether a list, if it is one, has anything in it.
func (d *decoder) someOf(n *node) bool {
	if n.kind == list && len(n.items) == 0 {
		d.at(n, "leave the key out", "the list is empty")
		return false
	}
	return true
}

// each reads a value, or every value of a list.
func (d *decoder) each(n *node, read func(one *node)) {
	if !d.someOf(n) {
		return
	}
	what := d.what
	for _, one := range entries(n) {
		d.what = what
		read(one)
	}
}

// texts is text, or a list of texts of which each gives a run of its own.
type texts struct {
	spot
	all []string
}

func (t *texts) decode(d *decoder, n *node) {
	d.each(n, func(one *node) {
		var l label
		if l.decode(d, one); one.kind == words {
			t.all = append(t.all, l.text)
		}
	})
}

func (texts) JSONSchema() *jsonschema.Schema { return oneOrMore(text()) }

// flags is true or false, or both.
type flags struct {
	spot
	all []bool
}

func (f *flags) decode(d *decoder, n *node) {
	d.each(n, func(one *node) {
		var v flag
		if v.decode(d, one); one.kind == boolean {
			f.all = append(f.all, v.value)
		}
	})
}

func (flags) JSONSchema() *jsonschema.Schema { return oneOrMore(flag{}.JSONSchema()) }

// wholes is a whole number from 0, a range that is spread over the requests, or a list of numbers.
type wholes struct {
	spot
	all    []int
	spread *Range
}

var wholeForm = regexp.MustCompile(`^[0-9]{1,9}$`)

func (w *wholes) decode(d *decoder, n *node) {
	if !d.someOf(n) {
		return
	}
	if n.kind == words && strings.Contains(n.text, "..") {
		s := span{}
		s.decode(d, n)
		w.spread = &s.value
		return
	}
	for _, one := range entries(n) {
		if one.kind != number || !wholeForm.MatchString(one.text) {
			d.at(one, "for example 200", "%s must be a whole number from 0", d.what)
			continue
		}
		v, _ := strconv.Atoi(one.text)
		w.all = append(w.all, v)
	}
}

func (wholes) JSONSchema() *jsonschema.Schema {
	return either(whole("0"), pattern(`^[0-9]{1,7}\.\.[0-9]{1,7}$`), &jsonschema.Schema{Type: "array", Items: whole("0"), MinItems: ptr(1)})
}

// scalars is a single value, or a list of values of which each gives a run of its own.
type scalars struct {
	spot
	all []*node
}

func (s *scalars) decode(d *decoder, n *node) {
	d.each(n, func(one *node) {
		if one.kind == mapping || one.kind == list || one.kind == nothing {
			d.at(one, "", "%s must be a single value or a list of them, this is %s", d.what, one.kind)
			return
		}
		s.all = append(s.all, one)
	})
}

func (scalars) JSONSchema() *jsonschema.Schema { return oneOrMore(anything{}.JSONSchema()) }

var rateForm = regexp.MustCompile(`^([0-9]{1,9}(?:\.[0-9]{1,6})?)/(s|min|h)$`)

// parseRate reads a rate such as 500/s, per second; 0 after a problem.
func parseRate(d *decoder, n *node) float64 {
	m := rateForm.FindStringSubmatch(n.text)
	hint := "for example 500/s"
	if n.kind == number {
		hint = "write " + n.text + "/s"
	}
	if m == nil {
		d.at(n, hint, "a rate is a number per second, this is %s", quote(n.text))
		return 0
	}
	v, _ := strconv.ParseFloat(m[1], 64)
	switch m[2] {
	case "min":
		v /= 60
	case "h":
		v /= 3600
	}
	if v <= 0 || v > 1_000_000 {
		d.at(n, "", "a rate is more than 0 and at most 1000000/s")
		return 0
	}
	return v
}

// rate is how fast requests come: one rate, steps, or a rise.
type rate struct {
	spot
	stages []Stage
}

const rateExample = "for example 500/s, {steps: [{rate: 200/s, for: 1.5s}, {rate: 400/s, for: 1.5s}]} or {from: 200/s, to: 2000/s, for: 15s, steps: 10}"

func (r *rate) decode(d *decoder, n *node) {
	switch {
	case n.kind != mapping:
		r.stages = []Stage{{PerSecond: parseRate(d, n)}}
	case n.child("from") != nil:
		r.rise(d, n)
	case n.child("steps") != nil:
		r.steps(d, n)
	default:
		d.at(n, rateExample, "the rate has neither `steps` nor `from`")
	}
}

// known refuses keys that a map of a rate doesn't have.
func (r *rate) known(d *decoder, n *node, names ...string) bool {
	good := true
	for _, p := range n.pairs {
		known := false
		for _, name := range names {
			known = known || p.key.text == name
		}
		if !known {
			d.at(p.key, keyHint(p.key.text, names), "unknown key %s in a rate", quote(p.key.text))
			good = false
		}
	}
	for _, name := range names {
		if good && n.child(name) == nil {
			d.at(n, rateExample, "the rate has no `%s`", name)
			good = false
		}
	}
	return good
}

func (r *rate) steps(d *decoder, n *node) {
	if !r.known(d, n, "steps") {
		return
	}
	all := n.child("steps")
	if all.kind != list || len(all.items) == 0 {
		d.at(all, rateExample, "`steps` is a list of rates and how long they last")
		return
	}
	for _, one := range all.items {
		if !r.known(d, one, "rate", "for") {
			continue
		}
		var f duration
		f.decode(d, one.child("for"))
		r.stages = append(r.stages, Stage{PerSecond: parseRate(d, one.child("rate")), For: f.value})
	}
}

func (r *rate) rise(d *decoder, n *node) {
	if !r.known(d, n, "from", "to", "for", "steps") {
		return
	}
	from, to := parseRate(d, n.child("from")), parseRate(d, n.child("to"))
	var f duration
	f.decode(d, n.child("for"))
	steps, err := strconv.Atoi(n.child("steps").text)
	if err != nil || steps < 2 || steps > 1000 {
		d.at(n.child("steps"), "for example 10", "a rise has 2 to 1000 steps")
		return
	}
	for i := range steps {
		r.stages = append(r.stages, Stage{
			PerSecond: from + (to-from)*float64(i)/float64(steps-1),
			For:       f.value*time.Duration(i+1)/time.Duration(steps) - f.value*time.Duration(i)/time.Duration(steps),
		})
	}
}

func (rate) JSONSchema() *jsonschema.Schema {
	one := pattern(rateForm.String())
	d := duration{}.JSONSchema()
	step := object([]string{"rate", "for"}, fields{"rate": one, "for": d})
	return either(one,
		object([]string{"steps"}, fields{"steps": {Type: "array", Items: step, MinItems: ptr(1)}}),
		object([]string{"from", "to", "for", "steps"}, fields{"from": one, "to": one, "for": d, "steps": whole("2")}))
}

// vary says what differs from request to request.
type vary struct{ choice }

func (*vary) words() []string               { return []string{"text", "system", "none"} }
func (c *vary) decode(d *decoder, n *node)  { c.pick(d, n, c.words()) }
func (vary) JSONSchema() *jsonschema.Schema { return enum((*vary)(nil).words()) }

// stepFile is an entry of a sequence: the name of a text, or a map that changes the request.
type stepFile struct {
	spot
	name    string
	request *askFile
}

func (s *stepFile) decode(d *decoder, n *node) {
	if n.kind == mapping {
		s.request = &askFile{}
		d.into(n, valueOf(s.request), "a step")
		return
	}
	var l label
	l.decode(d, n)
	s.name = l.text
}

func (stepFile) JSONSchema() *jsonschema.Schema { return either(text(), ref("ask")) }

// calls is how many calls chains have.
type calls struct {
	spot
	all []Calls
}

func (c *calls) decode(d *decoder, n *node) {
	if n.kind != mapping {
		var w wholes
		if w.decode(d, n); len(w.all) == 1 && w.all[0] > 0 {
			c.all = []Calls{{w.all[0], latency.Whole}}
		} else {
			d.at(n, "for example 5, or {5: 70%, 4: 30%}", "a chain has at least one call")
		}
		return
	}
	var total uint64
	for _, p := range n.pairs {
		count, err := strconv.Atoi(p.key.text)
		if err != nil || count < 1 || count > 1000 {
			d.at(p.key, "for example {5: 70%, 4: 30%}", "%s is no number of calls", quote(p.key.text))
			return
		}
		part, hint, message := parseShare(p.value)
		if message != "" {
			d.at(p.value, hint, "%s", message)
			return
		}
		total += uint64(part)
		c.all = append(c.all, Calls{count, part})
	}
	if total != uint64(latency.Whole) {
		d.at(n, "for example {5: 70%, 4: 30%}", "the shares of the calls add up to 100%%, these to %s%%", strconv.FormatFloat(float64(total)/1e7, 'f', -1, 64))
	}
}

func (calls) JSONSchema() *jsonschema.Schema {
	return either(whole("1"), &jsonschema.Schema{Type: "object", AdditionalProperties: share{}.JSONSchema(), MinProperties: ptr(1)})
}

// longDuration is a duration that may be days long.
type longDuration struct {
	spot
	value time.Duration
}

func (t *longDuration) decode(d *decoder, n *node) {
	v, err := time.ParseDuration(n.text)
	if err != nil || v <= 0 || v > 1000*time.Hour || n.kind != words {
		d.at(n, "for example 72h", "a soak lasts some hours, at most 1000h")
		return
	}
	t.value = v
}

func (longDuration) JSONSchema() *jsonschema.Schema { return pattern(durationPattern) }
