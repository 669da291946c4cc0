package scenario

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// label is plain text.
type label struct {
	spot
	text string
}

func (l *label) decode(d *decoder, n *node) {
	switch n.kind {
	case words:
		l.text = n.text
	case boolean, number:
		d.at(n, "quote it: "+strconv.Quote(n.text), "%s must be text, it is %s", d.what, n.kind)
	default:
		d.at(n, "", "%s must be text, it is %s", d.what, n.kind)
	}
}

// or is the label's text, or another when it is absent.
func (l *label) or(other string) string {
	if l == nil {
		return other
	}
	return l.text
}

// template is text that may hold ${EXPR}.
type template struct{ label }

// expression is a condition or a formula over the facts.
type expression struct {
	spot
	text string
}

func (e *expression) decode(d *decoder, n *node) {
	switch n.kind {
	case words, number:
		e.text = n.text
	case boolean:
		e.text = strings.ToLower(n.text)
	case mapping:
		d.at(n, "quote it", "%s must be an expression, it is a map", d.what)
	default:
		d.at(n, "quote it", "%s must be an expression, it is %s", d.what, n.kind)
	}
	if n.kind == words && strings.TrimSpace(n.text) == "" {
		d.at(n, "leave the key out for no condition", "%s is an empty expression", d.what)
	}
}

// version is the format's version.
type version struct{ spot }

func (v *version) decode(d *decoder, n *node) {
	if n.text != "1" || n.kind != number {
		d.at(n, "write `orrery: 1`", "this format has version 1 only")
	}
}

// seed is a whole number from 0.
type seed struct {
	spot
	value uint64
}

func (s *seed) decode(d *decoder, n *node) {
	v, err := strconv.ParseUint(n.text, 10, 64)
	if err != nil || n.kind != number {
		d.at(n, "for example `seed: 20241022`", "a seed is a whole number from 0 to 18446744073709551615")
		return
	}
	s.value = v
}

// flag is true or false.
type flag struct {
	spot
	value bool
}

func (f *flag) decode(d *decoder, n *node) {
	if n.kind != boolean {
		d.at(n, "", "%s must be true or false", d.what)
		return
	}
	f.value = strings.EqualFold(n.text, "true")
}

// figure is a plain number.
type figure struct {
	spot
	value float64
}

func (f *figure) decode(d *decoder, n *node) {
	v, ok := decimal(n.text)
	if n.kind != number || !ok {
		d.at(n, "", "%s must be a plain number such as 1.04", d.what)
		return
	}
	f.value = v
}

// decimal reads a number as people write them: no hex, no exponent, no underscores.
func decimal(s string) (float64, bool) {
	if !plainNumber.MatchString(s) {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

var (
	plainNumber = regexp.MustCompile(`^-?[0-9]{1,15}(\.[0-9]{1,15})?$`)
	spanForm    = regexp.MustCompile(`^([0-9]{1,7})(?:\.\.([0-9]{1,7}))?$`)
	shareForm   = regexp.MustCompile(`^([0-9]{1,3})(?:\.([0-9]+))?%$`)
)

// anything is a scalar whose type is checked later.
type anything struct{ spot }

func (a *anything) decode(d *decoder, n *node) {
	if n.kind == mapping || n.kind == list {
		d.at(n, "", "%s must be a single value, it is %s", d.what, n.kind)
	}
}

// maxDuration bounds durations so that factors on them can't overflow.
const maxDuration = 24 * time.Hour

// duration is a length of time with its unit.
type duration struct {
	spot
	value time.Duration
	right bool // it is a duration
}

func (t *duration) decode(d *decoder, n *node) {
	v, hint, message := parseDuration(n)
	if message != "" {
		d.at(n, hint, "%s", message)
		return
	}
	t.value, t.right = v, true
}

func parseDuration(n *node) (v time.Duration, hint, message string) {
	return parseDurationTo(n, maxDuration)
}

func parseDurationTo(n *node, most time.Duration) (v time.Duration, hint, message string) {
	if n.kind != words && n.kind != number {
		return 0, "write it as 150ms", "this must be a duration, it is " + n.kind.String()
	}
	text := n.text
	v, err := time.ParseDuration(text)
	switch {
	case strings.HasPrefix(text, "-"):
		return 0, "", "a duration can't be negative"
	case n.kind == number && text != "0":
		return 0, "write it as " + text + "ms or " + text + "s", "the duration " + text + " has no unit"
	case err != nil:
		if _, err := time.ParseDuration(strings.ToLower(strings.ReplaceAll(text, " ", ""))); err == nil {
			return 0, "write it as " + strings.ToLower(strings.ReplaceAll(text, " ", "")), quote(text) + " is not a duration"
		}
		return 0, "write it as 150ms, 1.5s, 200us or 1m30s", quote(text) + " is not a duration"
	case v > most:
		return 0, "", "the duration " + text + " is longer than " + strings.TrimSuffix(most.String(), "0m0s")
	}
	return v, "", ""
}

// share is a part of a hundred, exact to a billionth.
type share struct {
	spot
	value latency.U
}

func (s *share) decode(d *decoder, n *node) {
	v, hint, message := parseShare(n)
	if message != "" {
		d.at(n, hint, "%s", message)
		return
	}
	s.value = v
}

func parseShare(n *node) (v latency.U, hint, message string) {
	m := shareForm.FindStringSubmatch(n.text)
	if m == nil {
		if f, ok := decimal(n.text); ok && f >= 0 {
			if f <= 1 && f > 0 {
				return 0, "write " + strconv.FormatFloat(f*100, 'g', 9, 64) + "%", "a share is written in percent"
			}
			return 0, "write " + n.text + "%", "a share is written in percent"
		}
		return 0, "write it as 30% or 0.5%", "this must be a share of 0% to 100%"
	}
	if len(m[2]) > 7 {
		return 0, "use up to 7 decimals", "a share is exact to a billionth only"
	}
	billionths, _ := strconv.ParseUint(m[1]+m[2]+strings.Repeat("0", 7-len(m[2])), 10, 64)
	if billionths > uint64(latency.Whole) {
		return 0, "", "a share can't be more than 100%"
	}
	return latency.U(billionths), "", ""
}

// span is a whole number, or a range of them: 200 or 200..400.
type span struct {
	spot
	value Range
}

func (s *span) decode(d *decoder, n *node) {
	m := spanForm.FindStringSubmatch(n.text)
	if m == nil || n.kind != words && n.kind != number {
		d.at(n, "write 3 or 2..4", "%s must be a whole number or a range of them", d.what)
		return
	}
	s.value.Min, _ = strconv.Atoi(m[1])
	s.value.Max = s.value.Min
	if m[2] != "" {
		s.value.Max, _ = strconv.Atoi(m[2])
	}
	switch {
	case s.value.Min < 1:
		d.at(n, "", "%s must be at least 1", d.what)
	case s.value.Max < s.value.Min:
		d.at(n, "write "+m[2]+".."+m[1], "the range %s ends before it starts", n.text)
	}
}

// times says which of the requests that reach a route it takes.
type times struct {
	spot
	value Times
}

func (t *times) decode(d *decoder, n *node) {
	if every, ok := strings.CutPrefix(n.text, "every "); ok && n.kind == words {
		v, err := strconv.Atoi(strings.TrimSpace(every))
		if err != nil || v < 1 {
			d.at(n, "for example `every 3`", "%s is not a count", quote(every))
		}
		t.value.Every = v
		return
	}
	m := spanForm.FindStringSubmatch(n.text)
	if m == nil || n.kind != words && n.kind != number {
		d.at(n, "write `3` (the first three), `2..4` or `every 3`", "%s does not say which times", quote(n.text))
		return
	}
	var s span
	s.decode(d, n)
	t.value.First, t.value.Last = s.value.Min, s.value.Max
	if m[2] == "" {
		t.value.First = 1
	}
}

// status is an HTTP status of an error.
type status struct {
	spot
	value int
}

func (s *status) decode(d *decoder, n *node) {
	v, err := strconv.Atoi(n.text)
	switch {
	case err != nil || v < 300 || v > 599 || n.kind != number:
		d.at(n, "for example 429 or 529; any other is an `http`", "an error's status is 300 to 599")
		return
	case v == 304:
		d.at(n, "use `http: {status: 304}`", "an answer with status 304 has no body, so it can't be an error in the API's shape")
		return
	}
	s.value = v
}

// markFile is true, false, a share or a condition.
type markFile struct {
	spot
	share *share
	when  *expression
}

func (m *markFile) decode(d *decoder, n *node) {
	switch {
	case n.kind == boolean && strings.EqualFold(n.text, "true"):
	case shareForm.MatchString(n.text), n.kind == number:
		m.share = &share{spot: spot{n}}
		m.share.decode(d, n)
	default:
		m.when = &expression{spot: spot{n}}
		m.when.decode(d, n)
	}
}

// distribution is how long something takes; it is compiled with its profile.
type distribution struct{ spot }

func (t *distribution) decode(*decoder, *node) {}

// gapDistribution is a distribution whose mix parts may carry tokens.
type gapDistribution struct{ spot }

func (t *gapDistribution) decode(*decoder, *node) {}

// factorDistribution is a distribution of plain factors in place of durations.
type factorDistribution struct{ spot }

func (t *factorDistribution) decode(*decoder, *node) {}
