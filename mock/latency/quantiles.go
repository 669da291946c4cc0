package latency

import (
	"cmp"
	"slices"
)

// Quantiles returns the table through at least two quantiles, in any order, straight between them. Where p0 or p100 is
// missing the curve goes on beyond the outermost quantile as the log-normal through the two nearest ones (R32).
func Quantiles(points []Point) (*Table, error) {
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(a.U, b.U) })
	if err := checkQuantiles(points); err != nil {
		return nil, err
	}
	// p0 and p100 say how far values go and nothing about how fast a curve without that end would fall off.
	inner := slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return p.U == 0 || p.U == Whole })
	var all []Point
	if first := points[0]; first.U > 0 {
		if len(inner) < 2 {
			return nil, wrong("give p0, or a second quantile between p0 and p100: from %s alone it can't be said how values go on below it", first.U)
		}
		all = below(inner[0], inner[1])
	}
	all = append(all, points...)
	if last := points[len(points)-1]; last.U < Whole {
		if len(inner) < 2 {
			return nil, wrong("give p100, or a second quantile between p0 and p100: from %s alone it can't be said how values go on above it", last.U)
		}
		a, b := inner[len(inner)-2], inner[len(inner)-1]
		if a.V == 0 && b.V > 0 {
			return nil, wrong("give p100: %s is 0, and no log-normal through it and %s goes on above", a.U, b.U)
		}
		tail := above(a, b)
		if end := tail[len(tail)-1].V; end >= ceiling {
			return nil, wrong("give p100: from %s (%v) to %s (%v) values grow so fast that the longest would take over a century", a.U, amount(a.V), b.U, amount(b.V))
		}
		all = append(all, tail...)
	}
	return newTable(all, nil), nil
}

func checkQuantiles(points []Point) error {
	if len(points) < 2 {
		return wrong("give at least two quantiles, such as p50 and p99; for a value that never varies, write it alone")
	}
	for i, p := range points {
		switch {
		case p.U > Whole:
			return wrong("there is no quantile above p100")
		case p.V < 0:
			return wrong("%s must not be negative: it is %v", p.U, amount(p.V))
		case p.V >= ceiling:
			return wrong("%s must be shorter: it is %v", p.U, amount(p.V))
		case i > 0 && p.U == points[i-1].U:
			return wrong("%s is given twice", p.U)
		case i > 0 && p.V < points[i-1].V:
			return wrong("quantiles must not fall: %s is %v but %s is %v", p.U, amount(p.V), points[i-1].U, amount(points[i-1].V))
		}
	}
	return nil
}

// below returns the points under a of the log-normal through a and b.
func below(a, b Point) []Point {
	if a.V == 0 {
		return []Point{{0, 0}}
	}
	curve := throughPoints(a, b)
	points := []Point{{0, curve.at(1)}}
	for _, u := range grid() {
		if u < a.U {
			points = append(points, Point{u, curve.at(u)})
		}
	}
	return points
}

// above returns the points over b of the log-normal through a and b.
func above(a, b Point) []Point {
	if b.V == 0 {
		return []Point{{Whole, 0}}
	}
	curve := throughPoints(a, b)
	curve.middle, curve.from = float64(b.V), normal(b.U) // it joins the table at b
	var points []Point
	for _, u := range grid() {
		if u > b.U {
			points = append(points, Point{u, curve.at(u)})
		}
	}
	return append(points, Point{Whole, curve.at(Whole - 1)})
}

// Uniform returns the table whose values are spread evenly from low to high.
func Uniform(low, high int64) (*Table, error) {
	switch {
	case low < 0:
		return nil, wrong("the low end must not be negative: it is %v", amount(low))
	case high < low:
		return nil, wrong("the low end comes first: [%v, %v]", amount(high), amount(low))
	case high >= ceiling:
		return nil, wrong("the high end must be shorter: it is %v", amount(high))
	}
	return newTable([]Point{{0, low}, {Whole, high}}, nil), nil
}
