package latency

import (
	"math/bits"
	"slices"
)

// Table is a distribution as whole quantiles, straight between them: nanoseconds, or billionths of a plain factor. It
// never changes once made and may be shared. The zero value is not useful.
type Table struct {
	// Node i says that a part us[i] of all draws lies below vs[i]. The first is at 0, the last at Whole. Two nodes at one
	// place are a jump.
	us       []U
	vs       []int64
	index    [buckets + 1]uint32 // per per mille: the last node at or before its start
	tokens   []tokenRange        // by rising end, the last at Whole; empty when no part says any
	min, max int64
	mean     float64
}

const (
	buckets     = 1_000
	bucketWidth = Whole / buckets
)

// Point is one quantile: the part U of all values lies below V. U is 0 for p0 and Whole for p100.
type Point struct {
	U U
	V int64
}

type tokenRange struct {
	end      U
	min, max uint16
}

// Constant returns the table of which every draw is v.
func Constant(v int64) *Table {
	return newTable([]Point{{0, v}, {Whole, v}}, nil)
}

// newTable takes points that start at 0, end at Whole and don't fall in U.
func newTable(points []Point, tokens []tokenRange) *Table {
	points = trim(points)
	t := &Table{
		us:     make([]U, len(points)),
		vs:     make([]int64, len(points)),
		tokens: tokens,
		min:    points[0].V,
		max:    points[0].V,
	}
	var hi, lo uint64 // twice the area under the table: a sum of whole numbers, since floats would round as they add up
	for i, p := range points {
		t.us[i], t.vs[i] = p.U, p.V
		t.min, t.max = min(t.min, p.V), max(t.max, p.V)
		if i > 0 {
			last := points[i-1]
			h, l := bits.Mul64(uint64(p.U-last.U), uint64(p.V)+uint64(last.V))
			var carry uint64
			lo, carry = bits.Add64(lo, l, 0)
			hi, _ = bits.Add64(hi, h, carry)
		}
	}
	i := 0
	for k := range t.index {
		for i+1 < len(t.us) && t.us[i+1] <= U(k)*bucketWidth {
			i++
		}
		t.index[k] = uint32(i)
	}
	const two64 = 1 << 64
	t.mean = (float64(float64(hi)*two64) + float64(lo)) / (2 * float64(Whole))
	return t
}

// trim leaves out what no draw can reach: all but the ends of several points at one place, and of several at one value.
func trim(points []Point) []Point {
	kept := make([]Point, 0, len(points))
	for i, p := range points {
		first := i == 0 || points[i-1].U != p.U
		last := i == len(points)-1 || points[i+1].U != p.U
		if !first && !last || !last && p.U == 0 || !first && p.U == Whole {
			continue
		}
		if n := len(kept); n > 1 && kept[n-1].V == p.V && kept[n-2].V == p.V {
			kept = kept[:n-1]
		}
		kept = append(kept, p)
	}
	return slices.Clip(kept)
}

// At returns the value at u, rounded down, so that exactly a part u of all draws gives less than the quantile u. What
// lies at Whole or above counts as the last draw.
func (t *Table) At(u U) int64 {
	u = min(u, Whole-1)
	k := u / bucketWidth
	i, end := t.index[k], t.index[k+1]
	for end-i > 8 { // the outermost per mille of a long tail holds hundreds of nodes
		if middle := (i + end + 1) / 2; t.us[middle] <= u {
			i = middle
		} else {
			end = middle - 1
		}
	}
	for i < end && t.us[i+1] <= u {
		i++
	}
	low := t.vs[i]
	rise, width, far := t.vs[i+1]-low, t.us[i+1]-t.us[i], u-t.us[i]
	const small = 1 << 33 // a far is below 2³⁰, so their product fits
	if uint64(rise) < small {
		return low + int64(uint64(rise)*uint64(far)/uint64(width))
	}
	if rise < 0 {
		return low - partOf(-rise, far, width)
	}
	return low + partOf(rise, far, width)
}

// partOf returns v·far/width, rounded down; far ≤ width.
func partOf(v int64, far, width U) int64 {
	hi, lo := bits.Mul64(uint64(v), uint64(far))
	part, _ := bits.Div64(hi, lo, uint64(width))
	return int64(part)
}

// Tokens returns how many tokens the event that u was drawn for carries: those of the mix part that u falls in, 0 when
// it doesn't say. Within a range the last three digits of u choose.
func (t *Table) Tokens(u U) int {
	for _, r := range t.tokens {
		if u < r.end {
			return int(r.min) + int(uint32(u%1_000)*uint32(r.max-r.min+1)/1_000)
		}
	}
	return 0
}

// Min returns the lower end of the values.
func (t *Table) Min() int64 { return t.min }

// Max returns the upper end of the values: no draw is above it.
func (t *Table) Max() int64 { return t.max }

// Mean returns the mean of the values.
func (t *Table) Mean() float64 { return t.mean }
