package latency

import "math"

// Limits clamp a distribution: what would lie outside is drawn at the limit itself (R33). A nil limit is none.
type Limits struct{ Min, Max *int64 }

// Normal returns the normal distribution with that mean and standard deviation. Without Min it is clamped at 0, since
// nothing takes a negative time.
func Normal(mean, sd int64, l Limits) (*Table, error) {
	if err := checkMoments(mean, sd); err != nil {
		return nil, err
	}
	return l.shape(func(u U) float64 {
		return float64(mean) + float64(float64(sd)*normal(u))
	})
}

// LogNormal returns the log-normal distribution through two quantiles, neither of them p0 or p100.
func LogNormal(a, b Point, l Limits) (*Table, error) {
	if a.U > b.U {
		a, b = b, a
	}
	if err := checkQuantiles([]Point{a, b}); err != nil {
		return nil, err
	}
	switch {
	case a.U == 0 || b.U == Whole:
		return nil, wrong("a log-normal has no p0 and no p100: give two quantiles between them, and min or max for an end")
	case a.V == 0:
		return nil, wrong("%s of a log-normal must be above 0", a.U)
	}
	curve := throughPoints(a, b)
	return l.shape(curve.float, a, b)
}

// LogNormalMean returns the log-normal distribution whose values have that mean and standard deviation.
func LogNormalMean(mean, sd int64, l Limits) (*Table, error) {
	if err := checkMoments(mean, sd); err != nil {
		return nil, err
	}
	if mean == 0 {
		return nil, wrong("the mean of a log-normal must be above 0")
	}
	ratio := float64(sd) / float64(mean)
	squared := float64(ratio * ratio)
	curve := logNormal{
		middle: float64(mean) / math.Sqrt(1+squared),
		sigma:  settled(math.Sqrt(math.Log1p(squared))),
	}
	return l.shape(curve.float)
}

// Exponential returns the exponential distribution with that mean: the time between events that know nothing of one
// another.
func Exponential(mean int64, l Limits) (*Table, error) {
	if err := checkMoments(mean, 0); err != nil {
		return nil, err
	}
	return l.shape(func(u U) float64 { return float64(mean) * exponential(u) })
}

func checkMoments(mean, sd int64) error {
	switch {
	case mean < 0:
		return wrong("the mean must not be negative: it is %v", amount(mean))
	case sd < 0:
		return wrong("the standard deviation must not be negative: it is %v", amount(sd))
	case mean >= ceiling || sd >= ceiling:
		return wrong("mean and standard deviation must be shorter: they are %v and %v", amount(mean), amount(sd))
	}
	return nil
}

// logNormal is the log-normal curve whose value where the normal distribution has from is middle.
type logNormal struct{ middle, from, sigma float64 }

// throughPoints returns the curve through two points with 0 < a.U < b.U < Whole and 0 < a.V ≤ b.V. It meets a exactly,
// and b to within a few parts in a billion.
func throughPoints(a, b Point) logNormal {
	from := normal(a.U)
	return logNormal{
		middle: float64(a.V),
		from:   from,
		sigma:  settled(math.Log(float64(b.V)/float64(a.V))) / (normal(b.U) - from),
	}
}

func (c logNormal) float(u U) float64 {
	return c.middle * exp(float64(c.sigma*(normal(u)-c.from)))
}

func (c logNormal) at(u U) int64 { return whole(c.float(u)) }

// shape makes a table of a quantile function. It passes through the exact points, which the function may miss by a hair.
func (l Limits) shape(quantile func(U) float64, exact ...Point) (*Table, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	var points []Point
	for _, u := range grid() {
		for len(exact) > 0 && exact[0].U < u {
			points, exact = fit(points, exact[0]), exact[1:]
		}
		if len(exact) == 0 || exact[0].U > u {
			points = append(points, Point{u, whole(quantile(u))})
		}
	}
	for i := 1; i < len(points); i++ {
		points[i].V = max(points[i].V, points[i-1].V)
	}
	first, last := points[0], points[len(points)-1]
	points = append([]Point{{0, first.V}}, append(points, Point{Whole, last.V})...)
	return l.table(points)
}

// fit adds an exact point, and lowers those before it that lie a hair above it.
func fit(points []Point, p Point) []Point {
	for i := len(points) - 1; i >= 0 && points[i].V > p.V; i-- {
		points[i].V = p.V
	}
	return append(points, p)
}

func (l Limits) check() error {
	switch {
	case l.Min != nil && *l.Min < 0:
		return wrong("min must not be negative: it is %v", amount(*l.Min))
	case l.Max != nil && *l.Max < 0:
		return wrong("max must not be negative: it is %v", amount(*l.Max))
	case l.Min != nil && l.Max != nil && *l.Min > *l.Max:
		return wrong("min (%v) is above max (%v)", amount(*l.Min), amount(*l.Max))
	}
	return nil
}

func (l Limits) table(points []Point) (*Table, error) {
	var low int64
	if l.Min != nil {
		low = *l.Min
	}
	first, last := points[0].V, points[len(points)-1].V
	if l.Max != nil {
		if *l.Max < first {
			return nil, wrong("max (%v) is below every value, the least being %v: write the constant instead", amount(*l.Max), amount(first))
		}
		points = bend(points, *l.Max, func(v int64) bool { return v > *l.Max })
	}
	if l.Min != nil && low > last {
		return nil, wrong("min (%v) is above every value, the greatest being %v: write the constant instead", amount(low), amount(last))
	}
	points = bend(points, low, func(v int64) bool { return v < low })
	if points[len(points)-1].V >= ceiling {
		return nil, wrong("give a max: the longest values would take over a century")
	}
	return newTable(points, nil), nil
}

// bend puts the points that lie outside at the limit, and a point where the curve crosses it: else the straight line to
// the next point inside would move the part of draws that are clamped.
func bend(points []Point, limit int64, outside func(int64) bool) []Point {
	bent := make([]Point, 0, len(points)+1)
	for i, p := range points {
		if i > 0 && outside(p.V) != outside(points[i-1].V) {
			last := points[i-1]
			cross := last.U + U(float64(p.U-last.U)*((float64(limit)-float64(last.V))/(float64(p.V)-float64(last.V))))
			bent = append(bent, Point{cross, limit})
		}
		if outside(p.V) {
			p.V = limit
		}
		bent = append(bent, p)
	}
	return bent
}
