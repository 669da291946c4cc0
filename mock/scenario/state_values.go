package scenario

import (
	"strconv"
	"strings"
	"time"
)

// instant is a date with its time.
type instant struct {
	spot
	value time.Time
}

func (i *instant) decode(d *decoder, n *node) {
	v, err := time.Parse(time.RFC3339, n.text)
	switch {
	case n.kind == mapping, n.kind == list, err != nil:
		hint := "write it as 2024-10-18T00:00:00Z"
		if day, err := time.Parse(time.DateOnly, n.text); err == nil {
			hint = "write it as " + day.Format(time.RFC3339)
		}
		d.at(n, hint, "%s must be a date with its time and zone", d.what)
	case v.Year() < 1970:
		d.at(n, "", "%s must be a date from 1970 on", d.what)
	}
	i.value = v.UTC()
}

// word is text or a number, such as a tier.
type word struct {
	spot
	text string
}

func (w *word) decode(d *decoder, n *node) {
	if n.kind != words && n.kind != number {
		d.at(n, "", "%s must be text, it is %s", d.what, n.kind)
		return
	}
	w.text = n.text
}

// maxPhase bounds a phase's length: some claims are about weeks.
const maxPhase = 366 * 24 * time.Hour

// phaseLength is a duration or a number of requests.
type phaseLength struct {
	spot
	value int64
	count bool
}

func (l *phaseLength) decode(d *decoder, n *node) {
	if count, err := strconv.ParseInt(n.text, 10, 64); err == nil && n.kind == number {
		if count < 1 {
			d.at(n, "", "%s must be at least 1", d.what)
		}
		l.value, l.count = count, true
		return
	}
	v, hint, message := parseDurationTo(n, maxPhase)
	switch {
	case message != "":
		d.at(n, hint, "%s", message)
	case v == 0:
		d.at(n, "", "a phase can't be over at once")
	}
	l.value = int64(v)
}

// warnFile is one warning's text, or a list of warnings.
type warnFile struct {
	spot
	warnings []warningFile
}

// warningFile is a warning and when it is given.
type warningFile struct {
	spot
	When *expression `yaml:"when"`
	Text *template   `yaml:"text"`
}

func (w *warnFile) decode(d *decoder, n *node) {
	if n.kind == list {
		d.into(n, valueOf(&w.warnings), "`warn`")
		return
	}
	text := &template{label{spot: spot{n}}}
	text.decode(d, n)
	w.warnings = []warningFile{{spot: spot{n}, Text: text}}
}

// quantityFile is a figure: an expression, a map that says how it comes about, or a list of these.
// (The schema has plain numbers under the name of figure.)
type quantityFile struct {
	spot
	cases []figureCase
}

// figureCase is one way to a figure.
type figureCase struct {
	spot
	When     *expression         `yaml:"when"`
	Value    *expression         `yaml:"value"`
	Of       *expression         `yaml:"of"`
	Factor   *factorDistribution `yaml:"factor"`
	Decimals *decimals           `yaml:"decimals"`
}

func (f *quantityFile) decode(d *decoder, n *node) {
	what := strings.Replace(d.what, "quantity", "figure", 1)
	items := []*node{n}
	if n.kind == list {
		items = n.items
	}
	for _, item := range items {
		var c figureCase
		if item.kind == mapping || item.kind == list || item.poisoned() {
			d.into(item, valueOf(&c), what)
		} else {
			c.at, c.Value = item, &expression{}
			d.into(item, valueOf(c.Value), what)
		}
		f.cases = append(f.cases, c)
	}
}

// decimals is how many decimals a figure has.
type decimals struct {
	spot
	value int
}

func (t *decimals) decode(d *decoder, n *node) {
	v, err := strconv.Atoi(n.text)
	if err != nil || n.kind != number || v < 0 || v > 9 {
		d.at(n, "for example 4", "%s must be 0 to 9", d.what)
	}
	t.value = v
}

type phasesBy struct{ choice }

func (*phasesBy) words() []string              { return []string{"time", "count"} }
func (c *phasesBy) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

// visibleText reports whether s can be sent as a key: 1 to 200 visible ASCII characters.
func visibleText(s string) bool {
	return s != "" && len(s) <= 200 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
