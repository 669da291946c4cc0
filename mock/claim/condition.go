package claim

import (
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// reader turns the formulas of a scenario's measures into functions of a row. It keeps the first
// problem of any.
type reader struct {
	scenario *scenario.Scenario
	row      *scenario.Row
	problem  error
}

func newReader(s *scenario.Scenario) *reader {
	return &reader{scenario: s, row: scenario.NewRow()}
}

// condition is the formula as a test; nil holds always.
func (x *reader) condition(f *scenario.Formula) func(*row) bool {
	switch {
	case f == nil:
		return nil
	case f.Test != nil:
		return x.test(f.Test)
	}
	set := x.setter(f)
	return func(r *row) bool {
		set(r)
		holds, err := f.Bool(x.row)
		x.keep(err)
		return holds
	}
}

// value is the formula as a number.
func (x *reader) value(f *scenario.Formula) func(*row) float64 {
	if f.Plain != "" {
		return numberOf(f.Plain)
	}
	set := x.setter(f)
	return func(r *row) float64 {
		set(r)
		v, err := f.Number(x.row)
		x.keep(err)
		return v
	}
}

func (x *reader) keep(err error) {
	if err != nil && x.problem == nil {
		x.problem = err
	}
}

// any is the formula as any value.
func (x *reader) any(f *scenario.Formula) func(*row) any {
	set := x.setter(f)
	return func(r *row) any {
		set(r)
		v, err := f.Value(x.row)
		x.keep(err)
		return v
	}
}

// needs is what a row must be for the formula to have a value.
func (x *reader) needs(f *scenario.Formula) (all scenario.Needs) {
	if f == nil {
		return 0
	}
	for _, name := range f.Columns {
		c, _ := x.scenario.LookupColumn(name)
		all |= c.Needs
	}
	return all
}

// setter fills the expressions' row with the columns that the formula reads.
func (x *reader) setter(f *scenario.Formula) func(*row) {
	var sets []func(*row)
	for _, name := range f.Columns {
		c, _ := x.scenario.LookupColumn(name)
		switch c.Type {
		case "string":
			words := wordsOf(name)
			sets = append(sets, func(r *row) { x.row.Set(name, words(r)) })
			continue
		case "bool":
			number := numberOf(name)
			sets = append(sets, func(r *row) { x.row.Set(name, number(r) == 1) })
		case "int":
			number := numberOf(name)
			sets = append(sets, func(r *row) { x.row.Set(name, int(number(r))) })
		default:
			number := numberOf(name)
			sets = append(sets, func(r *row) { x.row.Set(name, number(r)) })
		}
	}
	return func(r *row) {
		for _, set := range sets {
			set(r)
		}
	}
}

func (x *reader) test(t *scenario.Test) func(*row) bool {
	switch t.Op {
	case "and":
		a, b := x.test(t.Of[0]), x.test(t.Of[1])
		return func(r *row) bool { return a(r) && b(r) }
	case "or":
		a, b := x.test(t.Of[0]), x.test(t.Of[1])
		return func(r *row) bool { return a(r) || b(r) }
	case "not":
		a := x.test(t.Of[0])
		return func(r *row) bool { return !a(r) }
	case "is":
		number := numberOf(t.Column)
		return func(r *row) bool { return number(r) == 1 }
	}
	if t.Words {
		words, same := wordsOf(t.Column), t.Op == "=="
		return func(r *row) bool { return (words(r) == t.Text) == same }
	}
	number, than := numberOf(t.Column), t.Number
	switch t.Op {
	case "==":
		return func(r *row) bool { return number(r) == than }
	case "!=":
		return func(r *row) bool { return number(r) != than }
	case "<":
		return func(r *row) bool { return number(r) < than }
	case "<=":
		return func(r *row) bool { return number(r) <= than }
	case ">":
		return func(r *row) bool { return number(r) > than }
	}
	return func(r *row) bool { return number(r) >= than }
}
