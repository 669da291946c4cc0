package plot

import (
	"math"
	"strconv"
)

// Scale is how an axis goes from its low to its high end.
type Scale string

// The scales.
const (
	Linear Scale = "linear"
	Log    Scale = "log"
	Nines  Scale = "nines" // of percentiles, as parts of one: each further nine is as far again
)

// Axis is one of a panel's two.
type Axis struct {
	Label string  `json:"label,omitempty"`
	Scale Scale   `json:"scale"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Ticks []Tick  `json:"ticks,omitempty"`
}

// Tick is a place on an axis with a label.
type Tick struct {
	At    float64 `json:"at"`
	Label string  `json:"label"`
}

// place is where on the axis a value lies: 0 at its low end, 1 at its high one.
func (a *Axis) place(v float64) float64 {
	low, high, at := a.Low, a.High, v
	switch a.Scale {
	case Log:
		low, high, at = math.Log(low), math.Log(high), math.Log(math.Max(v, a.Low))
	case Nines:
		low, high, at = -math.Log10(1-low), -math.Log10(1-high), -math.Log10(1-v)
	}
	if high == low {
		return 0
	}
	return math.Min(math.Max((at-low)/(high-low), 0), 1)
}

// nines is the axis of percentiles that n requests can tell of.
func nines(n int) Axis {
	a := Axis{Label: "percentile of requests", Scale: Nines, Low: 0, High: 1 - math.Pow(10, -mostNines(n))}
	for _, q := range []float64{0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999} {
		if q <= a.High+1e-9 {
			a.Ticks = append(a.Ticks, Tick{q, percentile(q)})
		}
	}
	return a
}

// percentile is the name of a quantile: p99.9.
func percentile(q float64) string { return "p" + strconv.FormatFloat(100*q, 'g', 6, 64) }

// enough is how many times its low end the high end of a range is before a logarithmic axis pays.
const enough = 8

// times is an axis for milliseconds from low to high.
func times(low, high float64) Axis {
	if low > 0 && high/low >= enough {
		a := Axis{Scale: Log, Low: low / 1.1, High: high * 1.1}
		steps := []float64{1, 2, 5}
		if high/low > 300 {
			steps = []float64{1}
		}
		for scale := math.Pow(10, math.Floor(math.Log10(a.Low))); scale <= a.High; scale *= 10 {
			for _, s := range steps {
				if v := scale * s; v >= a.Low && v <= a.High {
					a.Ticks = append(a.Ticks, Tick{v, duration(v)})
				}
			}
		}
		return a
	}
	if high/3 > high-low && low > 0 { // a narrow one needn't begin at 0
		margin := math.Max(high-low, high/10) / 8 // so that labels of three digits differ
		return linear(low-margin, high+margin, 3, duration)
	}
	return linear(0, math.Max(high*1.05, 1), 3, duration)
}

// since is an axis of milliseconds from arrival.
func since(latest float64) Axis {
	a := linear(0, math.Max(latest*1.02, 1), 4, duration)
	a.Label = "since the request's arrival"
	return a
}

func shares(highest float64) Axis {
	return linear(0, math.Max(highest*1.1, 1), 3, func(v float64) string { return plain(v) + " %" })
}

func inFlight(most int) Axis {
	a := Axis{Label: "requests in flight", Scale: Log, Low: 1, High: float64(most)}
	for v := 1; v <= most; v *= 2 {
		if v == 1 || v >= 4 {
			a.Ticks = append(a.Ticks, Tick{float64(v), strconv.Itoa(v)})
		}
	}
	return a
}

func (b bins) axis() Axis {
	a := linear(0, b.edge(mostBars), 4, duration)
	a.Label = "gap"
	return a
}

// linear is an axis with at least so many round steps, and seldom more than twice as many.
func linear(low, high float64, least int, label func(float64) string) Axis {
	a := Axis{Scale: Linear, Low: low, High: high}
	most := (high - low) / float64(least)
	step := math.Pow(10, math.Floor(math.Log10(most)))
	for _, by := range []float64{5, 2} {
		if step*by <= most*(1+1e-9) {
			step *= by
			break
		}
	}
	for i := math.Ceil(low / step); i*step <= high*(1+1e-12); i++ {
		a.Ticks = append(a.Ticks, Tick{i * step, label(i * step)})
	}
	return a
}

// duration writes milliseconds with the unit that suits.
func duration(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 1:
		return plain(v*1000) + " µs"
	case v < 1000:
		return plain(v) + " ms"
	case v < 1_000_000:
		return plain(v/1000) + " s"
	}
	return plain(v/60_000) + " min"
}

// plain is a number with three digits that count.
func plain(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
