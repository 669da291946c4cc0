package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// figure is a named number: units of 10^-decimals, or a plain value when decimals is negative.
type figure struct {
	name     string
	units    int64
	value    float64
	decimals int
}

func (f *figure) float() float64 {
	if f.decimals < 0 {
		return f.value
	}
	return float64(f.units) / float64(powerOfTen(f.decimals))
}

// number is the figure as JSON has it, to the last of its decimals.
func (f *figure) number() json.Number {
	if f.decimals < 0 {
		return json.Number(strconv.FormatFloat(f.value, 'f', -1, 64))
	}
	sign, units := "", uint64(f.units)
	if f.units < 0 {
		sign, units = "-", -units
	}
	one := powerOfTen(f.decimals)
	text := sign + strconv.FormatUint(units/one, 10)
	if f.decimals > 0 {
		text += fmt.Sprintf(".%0*d", f.decimals, units%one)
	}
	return json.Number(text)
}

func powerOfTen(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= 10
	}
	return p
}

// Figures are the request's figures by name, exact to their last decimal.
func (d *Decision) Figures() map[string]json.Number {
	all := make(map[string]json.Number, len(d.figures))
	for i := range d.figures {
		all[d.figures[i].name] = d.figures[i].number()
	}
	return all
}

// Figure is the figure of that name as the nearest float; ok is false when the request has none.
func (d *Decision) Figure(name string) (value float64, ok bool) {
	for i := range d.figures {
		if d.figures[i].name == name {
			return d.figures[i].float(), true
		}
	}
	return 0, false
}

// figure works out the scenario's figures, and the outcome's own in place of those with their
// names. One that can't be worked out is a warning: no client sees a figure.
func (r *Run) figure(d *Decision, o *scenario.Outcome) {
	for i := range r.scenario.Figures {
		f := &r.scenario.Figures[i]
		if !slices.ContainsFunc(o.Figures, func(own scenario.Figure) bool { return own.Name == f.Name }) {
			r.figureOf(d, f)
		}
	}
	for i := range o.Figures {
		r.figureOf(d, &o.Figures[i])
	}
}

func (r *Run) figureOf(d *Decision, f *scenario.Figure) {
	for i := range f.Cases {
		c := &f.Cases[i]
		if c.When != nil {
			holds, err := c.When.Bool(r.facts.env)
			if err != nil {
				d.warn("figure %s: %v", f.Name, err)
				return
			}
			if !holds {
				continue
			}
		}
		made, err := r.figureCase(d, c)
		if err != nil {
			d.warn("figure %s: %v", f.Name, err)
			return
		}
		made.name = f.Name
		d.figures = append(d.figures, made)
		return
	}
}

func (r *Run) figureCase(d *Decision, c *scenario.FigureCase) (figure, error) {
	if c.Value != nil {
		v, err := c.Value.Float(r.facts.env)
		if err != nil {
			return figure{}, err
		}
		return rounded(v, c.Decimals)
	}
	of, err := c.Of.Int(r.facts.env)
	if err != nil {
		return figure{}, err
	}
	units, ok := product(int64(of), c.Factor.At(r.draw(d, c.Place)), c.Decimals)
	if !ok {
		return figure{}, errTooLarge
	}
	return figure{units: units, decimals: c.Decimals}, nil
}

var errTooLarge = errors.New("the number is too large")

func rounded(v float64, decimals int) (figure, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return figure{}, fmt.Errorf("gives %v, which is no number", v)
	}
	if decimals < 0 {
		return figure{value: v, decimals: -1}, nil
	}
	units := math.Round(v * float64(powerOfTen(decimals)))
	if math.Abs(units) > 1<<53 {
		return figure{}, errTooLarge
	}
	return figure{units: int64(units), decimals: decimals}, nil
}

// product is v times a factor in billionths, in units of 10^-decimals, half away from zero.
func product(v, factor int64, decimals int) (units int64, ok bool) {
	size := uint64(v)
	if v < 0 {
		size = -size
	}
	unit := powerOfTen(9 - decimals)
	hi, lo := bits.Mul64(size, uint64(factor))
	lo, carry := bits.Add64(lo, unit/2, 0)
	if hi += carry; hi >= unit {
		return 0, false
	}
	n, _ := bits.Div64(hi, lo, unit)
	if n > math.MaxInt64 {
		return 0, false
	}
	if v < 0 {
		return -int64(n), true
	}
	return int64(n), true
}

// warn adds a warning for the journal. The request's own warnings stay as they are: others may
// hold the same list.
func (d *Decision) warn(format string, args ...any) {
	d.Warnings = append(d.Warnings[:len(d.Warnings):len(d.Warnings)], fmt.Sprintf(format, args...))
}

// warn gives the scenario's warnings and the outcome's own.
func (r *Run) warn(d *Decision, o *scenario.Outcome) {
	for _, c := range r.memory.complaints {
		d.warn("%s", c)
	}
	r.warnings(d, r.scenario.Warnings)
	if o != nil {
		r.warnings(d, o.Warnings)
	}
}

func (r *Run) warnings(d *Decision, all []scenario.Warning) {
	if len(all) > 0 && !r.facts.plans {
		r.facts.plan(d.Timeline) // an error's, which came before any plan
	}
	for i := range all {
		w := &all[i]
		if w.When != nil {
			if holds, err := w.When.Bool(r.facts.env); err != nil {
				d.warn("warning: %v", err)
				continue
			} else if !holds {
				continue
			}
		}
		text, err := w.Text.Text(r.facts.env)
		if err != nil {
			text = fmt.Sprintf("warning: %v", err)
		}
		d.warn("%s", text)
	}
}

// usage tells expressions what the answer's usage says; all zero without one.
func (f *facts) usage(t *timeline.Timeline) {
	var input, output, created, read int
	if t.Message != nil {
		u := &t.Message.Usage
		input, output, created, read = u.Input, u.Output, u.CacheCreation, u.CacheRead
	}
	f.env.Set("usage.input_tokens", input)
	f.env.Set("usage.output_tokens", output)
	f.env.Set("usage.cache_creation_input_tokens", created)
	f.env.Set("usage.cache_read_input_tokens", read)
	f.env.Set("usage.total_tokens", input+output+created+read)
}
