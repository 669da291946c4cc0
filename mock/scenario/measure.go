package scenario

import (
	"math"

	"github.com/expr-lang/expr/vm"
)

// Measure is a figure of a claim: arithmetic over what is gathered from workloads.
type Measure struct {
	Source string
	// Gathered is what has to be gathered while the workloads are played, in order of appearance.
	Gathered []*Gather
	root     term
}

// Value works the figure out; gathered[i] is what came of Gathered[i]. It is NaN when a part of it
// has no value, such as a percentile of nothing.
func (m *Measure) Value(gathered []float64) float64 { return m.root.value(gathered) }

// Gather is one call such as p99(steady.duration_ms, status == 200): what is made of which rows.
type Gather struct {
	// Name is the function: percentile, min, max, mean, sigma, sum, share, count, rate, span,
	// value, distinct, windows, slope, utilization or gpu_seconds.
	Name string
	// Workload is where the rows come from; "" inside of windows, which has them already.
	Workload string
	// Gaps asks for a row for each gap of a stream in place of one for each request, Writes for one for
	// each write of a body.
	Gaps, Writes bool
	// Of is the column or formula whose values are taken; nil where rows are only counted.
	Of *Formula
	// When says which rows count; nil: all. Among says which rows a share is a share of.
	When, Among *Formula
	// Quantile is a percentile's place: Quantile[0] of Quantile[1].
	Quantile [2]uint64
	// N is the length of windows, or which row's value is taken, counted from 1.
	N int
	// Profile is the one whose slots utilization and gpu_seconds speak of; "" for the only one.
	Profile string
	// Inner is what windows asks of each window, and what slope follows. By is what slope follows it
	// over, from Low to High.
	Inner     *Measure
	By        *Formula
	Low, High float64
}

// Formula is a compiled expression over the columns of a row.
type Formula struct {
	Source string
	// Columns are those it reads, sorted, as [LookupColumn] takes them.
	Columns []string
	// Plain is the column's name when the formula is nothing but a column.
	Plain string
	// Test is the formula as comparisons, when it is nothing more than some; else nil.
	Test    *Test
	program *vm.Program
}

// Test is a condition that needs no machine: a comparison of a column with a constant, a bare column
// of true or false, or several of these.
type Test struct {
	// Op is and, or, not, is (a bare column), or one of == != < <= > >=.
	Op     string
	Of     []*Test // of and, or, not
	Column string
	Number float64
	Text   string
	Words  bool // Text is compared, not Number
}

// Row holds the columns of one row, by name, as formulas see them. One goroutine at a time may use it.
type Row struct{ env *Env }

// NewRow makes an empty row.
func NewRow() *Row { return &Row{NewEnv()} }

// Set gives a column its value, of the type that [LookupColumn] says.
func (r *Row) Set(column string, v any) { r.env.values[column] = v }

func (x *Formula) expr() *Expr { return &Expr{Source: x.Source, program: x.program} }

// Number evaluates the formula; true counts as 1.
func (x *Formula) Number(r *Row) (float64, error) {
	v, err := x.expr().Value(r.env)
	if err != nil {
		return math.NaN(), err
	}
	switch v := v.(type) {
	case int:
		return float64(v), nil
	case float64:
		return v, nil
	case bool:
		return truth(v), nil
	}
	return math.NaN(), nil
}

// Value evaluates the formula: a bool, int, float64 or string.
func (x *Formula) Value(r *Row) (any, error) { return x.expr().Value(r.env) }

// Bool evaluates a condition.
func (x *Formula) Bool(r *Row) (bool, error) { return x.expr().Bool(r.env) }

// term is a part of the arithmetic around what is gathered.
type term struct {
	op     string
	number float64
	index  int // into the gathered, of op "gather"
	args   []term
}

func (t term) value(gathered []float64) float64 {
	switch t.op {
	case "number":
		return t.number
	case "gather":
		return gathered[t.index]
	}
	var few [4]float64
	x := few[:0]
	for _, a := range t.args {
		x = append(x, a.value(gathered))
	}
	return calculate(t.op, x)
}

func calculate(op string, x []float64) float64 {
	switch op {
	case "+":
		return x[0] + x[1]
	case "-":
		return x[0] - x[1]
	case "*":
		return x[0] * x[1]
	case "/", "ratio":
		if x[1] == 0 {
			return math.NaN()
		}
		return x[0] / x[1]
	case "neg":
		return -x[0]
	case "abs":
		return math.Abs(x[0])
	case "min", "max":
		best := x[0]
		for _, v := range x[1:] {
			if op == "min" {
				best = math.Min(best, v)
			} else {
				best = math.Max(best, v)
			}
		}
		return best
	case "not":
		return truth(x[0] == 0)
	case "and":
		return truth(x[0] != 0 && x[1] != 0)
	case "or":
		return truth(x[0] != 0 || x[1] != 0)
	}
	return truth(compare(op, x[0], x[1]))
}

func compare(op string, a, b float64) bool {
	switch op {
	case "==":
		return a == b
	case "!=":
		return a != b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
