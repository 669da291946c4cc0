package scenario

import (
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/invopop/jsonschema"
)

// quantity is a number that may have a unit: 185ms, 1.3, 99.97%, -0.41%.
type quantity struct {
	spot
	value float64
	unit  string // ms (durations, whatever unit they were written in), % or ""
}

var quantityForm = regexp.MustCompile(`^(-?[0-9]{1,15}(?:\.[0-9]{1,15})?)(%|ns|us|µs|ms|s|m|h)?$`)

func (q *quantity) decode(d *decoder, n *node) {
	m := quantityForm.FindStringSubmatch(n.text)
	if m == nil || n.kind != words && n.kind != number {
		d.at(n, "for example 185ms, 99.97% or 1.3", "%s must be a number, with a unit if it has one", d.what)
		return
	}
	q.value, _ = strconv.ParseFloat(m[1], 64)
	switch m[2] {
	case "":
	case "%":
		q.unit = "%"
		q.value = shift(m[1], -2)
	default:
		q.unit = "ms"
		unit, _ := time.ParseDuration("1" + m[2])
		q.value = q.value * float64(unit) / float64(time.Millisecond)
	}
}

// shift moves a decimal number's point, without the rounding of a division.
func shift(digits string, by int) float64 {
	v, _ := strconv.ParseFloat(digits+"e"+strconv.Itoa(by), 64)
	return v
}

func (quantity) JSONSchema() *jsonschema.Schema {
	return either(&jsonschema.Schema{Type: "number"}, pattern(quantityForm.String()))
}

// bounds is a range of quantities, its ends included.
type bounds struct {
	spot
	low, high quantity
}

func (b *bounds) decode(d *decoder, n *node) {
	what := d.what
	if n.kind != list || len(n.items) != 2 {
		d.at(n, "for example [182ms, 188ms]", "%s is a list of two: the least and the most", what)
		return
	}
	before := len(d.problems)
	b.low.decode(d, n.items[0])
	b.high.decode(d, n.items[1])
	switch {
	case len(d.problems) > before:
	case b.low.unit != b.high.unit && b.low.value != 0 && b.high.value != 0:
		d.at(n, "give both the same unit", "the ends of the range have different units")
	case b.low.value > b.high.value:
		d.at(n, "write the lesser one first", "the range ends before it starts")
	}
}

func (bounds) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: quantity{}.JSONSchema(), MinItems: ptr(2), MaxItems: ptr(2)}
}

// Check is one figure of a claim and where it must lie.
type Check struct {
	// Says is what this figure is, "" when the claim says it.
	Says    string
	Measure *Measure
	// Low and High are the ends of the range, both included; infinite where there is none.
	Low, High float64
	// Unit is ms, % (values are then parts of one) or "".
	Unit string
	// Contradicts is the id of the contradiction because of which the figure lies outside.
	Contradicts string
}

// Holds tells whether a figure lies in the range. One without a value doesn't.
func (c *Check) Holds(figure float64) bool { return figure >= c.Low && figure <= c.High }

// Within is the range in words: 182ms to 188ms, at least 95%, at most 0.05.
func (c *Check) Within() string {
	switch {
	case math.IsInf(c.Low, -1) && math.IsInf(c.High, 1):
		return "any"
	case math.IsInf(c.High, 1):
		return "at least " + c.Show(c.Low)
	case math.IsInf(c.Low, -1):
		return "at most " + c.Show(c.High)
	case c.Low == c.High:
		return "exactly " + c.Show(c.Low)
	}
	return c.Show(c.Low) + " to " + c.Show(c.High)
}

// Show writes a figure with the unit of the range, to at most six significant digits and never
// more than four decimals.
func (c *Check) Show(figure float64) string {
	if math.IsNaN(figure) {
		return "no value"
	}
	unit := c.Unit
	if unit == "%" {
		figure *= 100
	}
	decimals := 4
	if a := math.Abs(figure); a >= 1 {
		decimals = max(0, min(4, 5-int(math.Floor(math.Log10(a)))))
	}
	s := strconv.FormatFloat(figure, 'f', decimals, 64)
	if decimals > 0 {
		for s[len(s)-1] == '0' {
			s = s[:len(s)-1]
		}
		if s[len(s)-1] == '.' {
			s = s[:len(s)-1]
		}
	}
	if s == "-0" {
		s = "0"
	}
	return s + unit
}
