package plot

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// gaps draws a histogram for each profile; those whose gaps are drawn from the same table share one.
func (k *kit) gaps(f *Figure) error {
	f.Title = "gaps between token events"
	var all []time.Duration
	var subjects []*subject
	samples := map[*subject][]time.Duration{}
	for _, s := range k.subjects {
		if alike := sameGaps(subjects, s); alike != nil {
			alike.name += ", " + s.name
			continue
		}
		if s.profile != nil && s.profile.FirstToken == nil {
			continue // it times whole answers only, and spreads a stream's tokens evenly
		}
		found, err := k.streamed(s)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		subjects, samples[s] = append(subjects, s), found
		all = append(all, found...)
	}
	if len(subjects) == 0 {
		return k.empty("streams several events")
	}
	claims, err := k.ranges()
	if err != nil {
		return err
	}
	bins := newBins(sorted(all))
	highest := 0.0
	for _, s := range subjects {
		panel := Panel{Title: s.name, X: bins.axis(), Series: []Series{{Name: s.name, Tone: s.tone}}}
		for i, share := range bins.shares(samples[s]) {
			panel.Series[0].Points = append(panel.Series[0].Points, Point{bins.edge(i), share})
			highest = math.Max(highest, share)
		}
		for _, c := range claims {
			if c.column == "gap_ms" && c.Tone == s.tone {
				panel.Claims = append(panel.Claims, c.Range)
			}
		}
		f.Panels = append(f.Panels, panel)
	}
	for i := range f.Panels {
		f.Panels[i].Y = shares(highest)
	}
	f.Note = k.note(fmt.Sprintf("%d streams each", k.n(streams)))
	return nil
}

func sameGaps(before []*subject, s *subject) *subject {
	if s.profile == nil || s.profile.TokenGap == nil {
		return nil
	}
	for _, b := range before {
		if p := b.profile; p != nil && b.scenario == s.scenario && sameDist(p.TokenGap, s.profile.TokenGap) && sameDist(p.Pace, s.profile.Pace) &&
			p.Random == s.profile.Random && p.Load == nil && s.profile.Load == nil {
			return b
		}
	}
	return nil
}

// sameDist tells whether two timing points draw from equal tables, if at places of their own.
func sameDist(a, b *latency.Dist) bool {
	if a == nil || b == nil || len(a.Parts) != len(b.Parts) {
		return a == b
	}
	for i := range a.Parts {
		x, y := a.Parts[i], b.Parts[i]
		x.Place, y.Place = 0, 0
		if x.Blend != nil || y.Blend != nil || !reflect.DeepEqual(x, y) {
			return false
		}
	}
	return true
}

// bins cut the time into bars of one width.
type bins struct{ width time.Duration }

// mostBars is what a terminal of 80 columns has room for, beside the axis.
const mostBars = 60

// newBins makes bars of a round width that hold all but the longest half per cent.
func newBins(sorted []time.Duration) bins {
	end := time.Duration(1)
	if len(sorted) > 0 {
		end = max(quantile(sorted, 0.995)+1, 1)
	}
	for scale := time.Microsecond; ; scale *= 10 {
		for _, width := range []time.Duration{scale, 2 * scale, 5 * scale / 2, 5 * scale} {
			if width*mostBars >= end {
				return bins{width}
			}
		}
	}
}

func (b bins) edge(i int) float64 { return ms(b.width) * float64(i) }

// shares is how much of all times each bar holds, in per cent. What is longer than the last is in none.
func (b bins) shares(times []time.Duration) []float64 {
	counts := make([]float64, mostBars)
	for _, t := range times {
		if i := int(t / b.width); i < mostBars {
			counts[i]++
		}
	}
	for i := range counts {
		counts[i] *= 100 / float64(max(len(times), 1))
	}
	return counts
}

// humps counts the bars' hills that stand apart: at least an eighth of the highest, with something
// lower than half of that between them.
func humps(bars []float64) int {
	highest := 0.0
	for _, b := range bars {
		highest = math.Max(highest, b)
	}
	n, inside := 0, false
	for _, b := range bars {
		switch {
		case !inside && b >= highest/8:
			n, inside = n+1, true
		case inside && b < highest/16:
			inside = false
		}
	}
	return n
}
