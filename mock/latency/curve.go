package latency

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Curve is a factor that follows a number, such as the load: straight between its points and flat outside (R36). The
// zero value is 1 everywhere.
type Curve struct {
	xs      []float64
	factors []int64
}

// CurvePoint says that at X the factor is Factor.
type CurvePoint struct{ X, Factor float64 }

// NewCurve returns the curve through at least one point, in any order, no two at one X. Factors lie from 0 to 1,000,000.
func NewCurve(at []CurvePoint) (Curve, error) {
	if len(at) == 0 {
		return Curve{}, wrong("give at least one point, such as {86: 1, 500: 1.045}")
	}
	const highest = 1e6
	at = slices.Clone(at)
	slices.SortStableFunc(at, func(a, b CurvePoint) int { return cmp.Compare(a.X, b.X) })
	var c Curve
	for i, p := range at {
		switch {
		case math.IsNaN(p.X) || math.IsInf(p.X, 0):
			return Curve{}, wrong("a point must lie at a number: %v is none", p.X)
		case !(p.Factor >= 0):
			return Curve{}, wrong("the factor at %v must not be negative: it is %v", p.X, p.Factor)
		case p.Factor > highest:
			return Curve{}, wrong("the factor at %v must not be above a million: it is %v", p.X, p.Factor)
		case i > 0 && p.X == at[i-1].X:
			return Curve{}, wrong("the factor at %v is given twice", p.X)
		}
		c.xs = append(c.xs, p.X)
		c.factors = append(c.factors, whole(p.Factor*float64(Whole)))
	}
	return c, nil
}

// At returns the factor at x in billionths.
func (c Curve) At(x float64) int64 {
	last := len(c.xs) - 1
	switch {
	case last < 0:
		return int64(Whole)
	case !(x > c.xs[0]):
		return c.factors[0]
	case x >= c.xs[last]:
		return c.factors[last]
	}
	i := 1
	for c.xs[i] <= x {
		i++
	}
	x0, x1, f0, f1 := c.xs[i-1], c.xs[i], c.factors[i-1], c.factors[i]
	return f0 + int64(math.Round(float64(f1-f0)*((x-x0)/(x1-x0))))
}

// Scale returns v times a factor in billionths, rounded to the nearest whole number (a half away from 0). Neither may be
// negative; a product beyond the largest int64 is that.
func Scale(v, factor int64) int64 {
	hi, lo := bits.Mul64(uint64(v), uint64(factor))
	lo, carry := bits.Add64(lo, uint64(Whole)/2, 0)
	hi += carry
	if hi == 0 { // below 18 s, mostly; a division by a constant is a multiplication
		return int64(lo / uint64(Whole))
	}
	if hi >= uint64(Whole) {
		return math.MaxInt64
	}
	scaled, _ := bits.Div64(hi, lo, uint64(Whole))
	return int64(min(scaled, math.MaxInt64))
}
