package claim

import (
	"math"
	"math/bits"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// exactly is how many values a distribution keeps as they are; above, a histogram with three digits
// stands for them (R44).
const exactly = 10_000_000

// distribution is a column's values: their moments, and enough of them for percentiles.
type distribution struct {
	n          uint64
	mean, m2   float64
	sum, carry float64
	least      float64
	most       float64

	ranked bool // whether percentiles will be asked for
	values []float64
	sorted bool
	coarse *hdrhistogram.Histogram // of millionths, in place of values
}

// expect makes room for that many values, and takes the histogram at once when they are too many.
func (d *distribution) expect(n uint64) {
	if d.ranked && n > exactly {
		d.coarsen()
	}
}

func (d *distribution) add(v float64) {
	d.n++
	delta := v - d.mean
	d.mean += delta / float64(d.n)
	d.m2 += delta * (v - d.mean)
	y := v - d.carry
	t := d.sum + y
	d.carry = (t - d.sum) - y
	d.sum = t
	if d.n == 1 || v < d.least {
		d.least = v
	}
	if d.n == 1 || v > d.most {
		d.most = v
	}
	switch {
	case !d.ranked:
	case d.coarse != nil:
		d.record(v)
	default:
		d.values = append(d.values, v)
		d.sorted = false
		if len(d.values) > exactly {
			d.coarsen()
		}
	}
}

// reset forgets the values but keeps their room.
func (d *distribution) reset() {
	*d = distribution{ranked: d.ranked, values: d.values[:0]}
}

func (d *distribution) coarsen() {
	if d.coarse != nil {
		return
	}
	d.coarse = hdrhistogram.New(1, math.MaxInt64/2, 3)
	for _, v := range d.values {
		d.record(v)
	}
	d.values = nil
}

// record takes negative values as 0; the least and the most are kept beside.
func (d *distribution) record(v float64) {
	_ = d.coarse.RecordValue(int64(max(v, 0) * 1e6)) // what is out of range is out of any claim's
}

// quantile is the nearest rank of part of whole: the smallest value that this part of all don't exceed.
func (d *distribution) quantile(part, whole uint64) float64 {
	switch {
	case d.n == 0:
		return math.NaN()
	case part >= whole:
		return d.most
	case d.coarse != nil:
		return float64(d.coarse.ValueAtQuantile(100*float64(part)/float64(whole))) / 1e6
	}
	if !d.sorted {
		slices.Sort(d.values)
		d.sorted = true
	}
	return d.values[max(rank(part, whole, d.n), 1)-1]
}

// rank is n·part/whole, rounded up.
func rank(part, whole, n uint64) uint64 {
	hi, lo := bits.Mul64(part, n)
	q, rest := bits.Div64(hi, lo, whole)
	if rest > 0 {
		q++
	}
	return q
}

// sigma is the standard deviation of the values as they are, not an estimate of a larger whole's.
func (d *distribution) sigma() float64 {
	if d.n == 0 {
		return math.NaN()
	}
	return math.Sqrt(d.m2 / float64(d.n))
}

// figure is what the function of that name makes of the values.
func (d *distribution) figure(name string, quantile [2]uint64) float64 {
	if d.n == 0 && name != "sum" {
		return math.NaN()
	}
	switch name {
	case "percentile":
		return d.quantile(quantile[0], quantile[1])
	case "min":
		return d.least
	case "max":
		return d.most
	case "mean":
		return d.mean
	case "sigma":
		return d.sigma()
	}
	return d.sum
}
