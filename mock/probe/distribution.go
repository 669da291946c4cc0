package probe

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Distribution is what is known of many times, in memory that doesn't grow with their number: count,
// extremes, mean and deviation as they are, quantiles to three digits. The zero value is empty and
// ready for use. Don't copy it after the first Add, and let one goroutine use it at a time.
type Distribution struct {
	histogram    *hdrhistogram.Histogram
	count        int64
	lowest       time.Duration
	highest      time.Duration
	mean, spread float64 // Welford's; spread is the sum of squared differences
}

const (
	// resolvable is the longest time whose quantiles are told apart; longer ones count as this long.
	resolvable = 2 * time.Hour
	digits     = 3
)

// Add takes in one more time. One below 0 counts as 0.
func (d *Distribution) Add(t time.Duration) {
	t = max(t, 0)
	if d.histogram == nil {
		d.histogram = hdrhistogram.New(1, int64(resolvable), digits)
	}
	_ = d.histogram.RecordValue(int64(min(t, resolvable))) // it can only fail out of range
	if d.count == 0 || t < d.lowest {
		d.lowest = t
	}
	d.highest = max(d.highest, t)
	d.count++
	from := float64(t) - d.mean
	d.mean += from / float64(d.count)
	d.spread += from * (float64(t) - d.mean)
}

// Count is the number of times.
func (d *Distribution) Count() int64 { return d.count }

// Min is the shortest time; 0 when empty.
func (d *Distribution) Min() time.Duration { return d.lowest }

// Max is the longest time; 0 when empty.
func (d *Distribution) Max() time.Duration { return d.highest }

// Mean is the arithmetic mean; 0 when empty.
func (d *Distribution) Mean() time.Duration { return time.Duration(math.Round(d.mean)) }

// Deviation is the standard deviation of these times, not an estimate for others; 0 when empty.
func (d *Distribution) Deviation() time.Duration {
	if d.count == 0 {
		return 0
	}
	return time.Duration(math.Round(math.Sqrt(d.spread / float64(d.count))))
}

// Quantile is the shortest time that is at least as long as a share q, from 0 to 1, of them, to
// three digits and never outside Min and Max; 0 when empty.
func (d *Distribution) Quantile(q float64) time.Duration {
	if d.count == 0 {
		return 0
	}
	// The histogram rounds ranks to the nearest; a whole rank, the next above, stays what it is.
	rank := math.Ceil(q*float64(d.count) - 1e-6)
	at := time.Duration(d.histogram.ValueAtQuantile(100 * rank / float64(d.count)))
	if at >= resolvable {
		return d.highest
	}
	return max(d.lowest, min(at, d.highest))
}
