package latency

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Floating point differs between CPUs in two ways, and a table must not. Some CPUs fuse a product and the sum that it
// goes into, with one rounding instead of two: a product that is added to something is therefore written
// float64(x*y), which forbids that. And functions such as log are written in each CPU's own instructions and differ in
// their last bit: what they return is therefore settled, that is, rounded to a billionth, before anything is made of it.
// A value would have to lie within 10⁻¹⁵ or so of the border between two billionths to be settled differently; the
// numbers of the grid, which every table uses, are known not to, and the others are one or two per table.

// ceiling is where values end, 146 years.
const ceiling = 1 << 62

// grid returns the places of the points that a curve is cut into, rising: dense where values are and in proportion to
// their rarity in the tails, down to single billionths.
func grid() []U {
	var points []U
	step := U(1)
	for u := U(1); u < Whole/2; u += step {
		points = append(points, u)
		if u < 1_000 {
			step = max(1, u/8)
		} else {
			step = min(u/48, 3_000_000)
		}
	}
	half := len(points)
	points = append(points, Whole/2)
	for i := half - 1; i >= 0; i-- {
		points = append(points, Whole-points[i])
	}
	return points
}

// normal returns the quantile u of the normal distribution with mean 0 and standard deviation 1.
func normal(u U) float64 {
	return settled(distuv.UnitNormal.Quantile(float64(u) / float64(Whole)))
}

// exponential returns the quantile u of the exponential distribution with mean 1.
func exponential(u U) float64 {
	return settled(distuv.Exponential{Rate: 1}.Quantile(float64(u) / float64(Whole)))
}

func settled(x float64) float64 { return math.Round(x*float64(Whole)) / float64(Whole) }

// whole rounds x to the nearest whole number no further from 0 than the ceiling.
func whole(x float64) int64 {
	return int64(math.Round(min(max(x, -ceiling), ceiling)))
}

// exp returns e to the power of x, the same on every CPU, unlike math.Exp: a series for what is left of x beyond whole
// powers of two.
func exp(x float64) float64 {
	const (
		ln2High = 6.93147180369123816490e-01 // its product with a whole number below 2²⁰ is exact
		ln2Low  = 1.90821492927058770002e-10
		terms   = 14
	)
	x = min(max(x, -700), 700)
	powers := math.Round(x / math.Ln2)
	rest := x - float64(powers*ln2High) - float64(powers*ln2Low)
	sum := 1.0
	for i := terms; i > 0; i-- {
		sum = 1 + float64(sum*rest)/float64(i)
	}
	return math.Ldexp(sum, int(powers))
}
