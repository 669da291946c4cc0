package claim

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// group is a measure of its own over some of a workload's rows.
type group struct {
	measure *scenario.Measure
	adders  []gatherer // each once, also when functions share its values
	figures []gatherer
	room    []float64
}

// group makes what a measure over some rows gathers.
func (g *gathering) group(m *scenario.Measure) *group {
	made := &group{measure: m, room: make([]float64, len(m.Gathered))}
	// The values of a group are its own, so it has a prefix of its own.
	g.prefixes++
	prefix := fmt.Sprintf("%d\x00", g.prefixes)
	for _, spec := range m.Gathered {
		one, key := g.gatherer(spec, prefix)
		made.figures = append(made.figures, one)
		if key == "" {
			made.adders = append(made.adders, one)
		} else if v := gatherer(g.shared[key]); !slices.Contains(made.adders, v) {
			made.adders = append(made.adders, v)
		}
	}
	return made
}

func (p *group) add(r *row) {
	for _, one := range p.adders {
		one.add(r)
	}
}

// clear forgets all rows.
func (p *group) clear() {
	for _, one := range p.adders {
		switch one := one.(type) {
		case *values:
			one.reset()
		case *share:
			one.hits, one.all = 0, 0
		case *distinct:
			clear(one.seen)
		}
	}
}

func (p *group) value() float64 {
	for i, one := range p.figures {
		p.room[i] = one.figure()
	}
	return p.measure.Value(p.room)
}

// windows is the share of the consecutive windows of n rows in which a condition holds. A window
// lies within one run; what is left over at its end counts for nothing.
type windows struct {
	*group
	n, at      int
	hold, seen uint64
}

func (w *windows) add(r *row) {
	w.group.add(r)
	if w.at++; w.at < w.n {
		return
	}
	w.seen++
	if w.value() == 1 {
		w.hold++
	}
	w.fresh()
}

func (w *windows) fresh() {
	w.at = 0
	w.clear()
}

func (w *windows) figure() float64 {
	if w.seen == 0 {
		return math.NaN()
	}
	return float64(w.hold) / float64(w.seen)
}

// slope is how much a figure rises per unit of what it follows: the least-squares line through the
// figures at each of its values. Two of them give the straight line between.
type slope struct {
	*gathering
	spec   *scenario.Gather
	by     func(*row) float64
	groups map[float64]*group
}

// mostGroups bounds the values that a slope can follow.
const mostGroups = 1000

func (s *slope) add(r *row) {
	x := s.by(r)
	if !(x >= s.spec.Low && x <= s.spec.High) {
		return
	}
	p := s.groups[x]
	if p == nil {
		if len(s.groups) >= mostGroups {
			s.keep(fmt.Errorf("slope: more than %d values of %s", mostGroups, s.spec.By.Source))
			return
		}
		p = s.group(s.spec.Inner)
		s.groups[x] = p
	}
	p.add(r)
}

func (s *slope) fresh() {
	for _, p := range s.groups {
		for _, one := range p.adders {
			one.fresh()
		}
	}
}

func (s *slope) figure() float64 {
	xs := make([]float64, 0, len(s.groups))
	for x := range s.groups {
		xs = append(xs, x)
	}
	slices.Sort(xs)
	var n, sx, sy, sxx, sxy float64
	for _, x := range xs {
		y := s.groups[x].value()
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	if n < 2 {
		return math.NaN()
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
