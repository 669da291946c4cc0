package plot

import (
	"fmt"
	"math"
	"strings"
)

// describe says in a few sentences what a figure shows, for those who can't see it.
func describe(f *Figure) string {
	var b strings.Builder
	b.WriteString(f.Note + ".")
	for i := range f.Panels {
		p := &f.Panels[i]
		fmt.Fprintf(&b, " %s:", p.Title)
		for j := range p.Series {
			if j > 0 {
				b.WriteString(";")
			}
			b.WriteString(" " + p.Series[j].said(f.Kind))
		}
		b.WriteString(".")
		for _, c := range p.Claims {
			fmt.Fprintf(&b, " %s.", c.said())
		}
	}
	return b.String()
}

// said is one series in words.
func (s *Series) said(k Kind) string {
	switch k {
	case Quantiles:
		return fmt.Sprintf("%s p50 %s, p99 %s", s.Name, duration(s.value(0.5)), duration(s.value(0.99)))
	case Load:
		if len(s.Points) == 0 {
			return s.Name + " has no answer"
		}
		last := s.Points[len(s.Points)-1]
		return fmt.Sprintf("%s %s at %v, %s at %v", s.Name, duration(s.Points[0].Y), s.Points[0].X, duration(last.Y), last.X)
	case Gaps:
		highest := Point{}
		for _, p := range s.Points {
			if p.Y > highest.Y {
				highest = p
			}
		}
		bars := make([]float64, len(s.Points))
		for i, p := range s.Points {
			bars[i] = p.Y
		}
		return fmt.Sprintf("humps: %d, the highest at %s", humps(bars), duration(highest.X))
	}
	return fmt.Sprintf("%s, %d events, %s", rowName(s), len(s.Points), rowEnd(s))
}

// value is the curve's at a percentile, or at the last one before it.
func (s *Series) value(q float64) float64 {
	v := math.NaN()
	for _, p := range s.Points {
		if p.X <= q+1e-9 {
			v = p.Y
		}
	}
	return v
}

// fails tells whether a claim's figure lies outside without a contradiction that says so.
func (r *Range) fails() bool { return !r.Holds && r.Contradicts == "" }

// said is a claim and what was measured, in words.
func (r *Range) said() string {
	verdict := "holds"
	switch {
	case r.fails():
		verdict = "fails"
	case !r.Holds:
		verdict = "contradicts, as " + r.Contradicts + " says"
	}
	return fmt.Sprintf("%s %s: %s, claimed %s, of %s", r.Claim, verdict, r.Measured, r.Within, r.Measure)
}
