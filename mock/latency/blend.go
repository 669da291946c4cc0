package latency

import (
	"cmp"
	"math"
	"slices"
)

// Blend is a distribution that follows a number: a table at each of its points, between two points straight between
// their values at the same draw, flat outside. The zero value is not useful.
type Blend struct {
	xs     []float64
	tables []*Table
}

// BlendPoint says that at X the distribution is Table.
type BlendPoint struct {
	X     float64
	Table *Table
}

// NewBlend returns the blend of at least one point, in any order, no two at one X.
func NewBlend(at []BlendPoint) (*Blend, error) {
	if len(at) == 0 {
		return nil, wrong("give at least one point, such as {0: 20ms, 1: 40ms}")
	}
	at = slices.Clone(at)
	slices.SortStableFunc(at, func(a, b BlendPoint) int { return cmp.Compare(a.X, b.X) })
	b := &Blend{}
	for i, p := range at {
		switch {
		case math.IsNaN(p.X) || math.IsInf(p.X, 0):
			return nil, wrong("a point must lie at a number: %v is none", p.X)
		case p.Table == nil:
			return nil, wrong("the point at %v has no distribution", p.X)
		case i > 0 && p.X == at[i-1].X:
			return nil, wrong("the point at %v is given twice", p.X)
		}
		b.xs = append(b.xs, p.X)
		b.tables = append(b.tables, p.Table)
	}
	return b, nil
}

// At returns what is drawn from when the number is x. How far x lies between two points is rounded to a billionth.
func (b *Blend) At(x float64) Values {
	last := len(b.xs) - 1
	switch {
	case !(x > b.xs[0]):
		return Values{table: b.tables[0]}
	case x >= b.xs[last]:
		return Values{table: b.tables[last]}
	}
	i := 1
	for b.xs[i] <= x {
		i++
	}
	part := (x - b.xs[i-1]) / (b.xs[i] - b.xs[i-1])
	return Values{table: b.tables[i-1], other: b.tables[i], weight: whole(part * float64(Whole))}
}

// Values is what one request draws from: a table, one between two tables, or a trace. The zero value is none of them,
// and draws nothing.
type Values struct {
	table  *Table
	other  *Table // nil: the first one alone
	weight int64  // of the other, in billionths
	trace  *Trace
}

// Values returns what draws from the table.
func (t *Table) Values() Values { return Values{table: t} }

// At returns the value of draw n, which came to u. Only a table looks at u and only a trace at n.
func (v *Values) At(u U, n uint64) int64 {
	switch {
	case v.other != nil:
		from, to := v.table.At(u), v.other.At(u)
		if to < from {
			return from - Scale(from-to, v.weight)
		}
		return from + Scale(to-from, v.weight)
	case v.table != nil:
		return v.table.At(u)
	case v.trace != nil:
		return v.trace.At(n)
	}
	return 0
}

// None reports whether there is nothing to draw from.
func (v *Values) None() bool { return v.table == nil && v.trace == nil }

// TokenRange returns how few and how many tokens an event may carry, as Table.TokenRange does.
func (v *Values) TokenRange(u U) (least, most int) {
	if v.table == nil || len(v.table.tokens) == 0 {
		return 0, 0
	}
	return v.table.TokenRange(u)
}
