package plot

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// quantiles draws percentiles on an axis of nines, as is the custom for latencies: p0, p90, p99 and so
// on are equally far apart.
func (k *kit) quantiles(f *Figure) error {
	f.Title = "how long answers take"
	first := Panel{Title: "Time to the first token, streamed"}
	whole := Panel{Title: "Time to the end, not streamed"}
	n := k.n(requests)
	for _, s := range k.subjects {
		if s.profile == nil || s.profile.FirstToken != nil {
			sample, err := k.sample(s, true)
			if err != nil {
				return err
			}
			first.curve(s, sample.firsts)
		}
		sample, err := k.sample(s, false)
		if err != nil {
			return err
		}
		whole.curve(s, sample.durations)
	}
	claims, err := k.ranges()
	if err != nil {
		return err
	}
	for _, p := range []struct {
		panel  *Panel
		column string
	}{{&first, "ttft_ms"}, {&whole, "duration_ms"}} {
		if len(p.panel.Series) == 0 {
			continue
		}
		p.panel.X = nines(n)
		for _, c := range claims {
			if c.column == p.column && p.panel.agrees(&c.Range) {
				p.panel.Claims = append(p.panel.Claims, c.Range)
			}
		}
		p.panel.Y = times(p.panel.extent())
		f.Panels = append(f.Panels, *p.panel)
	}
	if len(f.Panels) == 0 {
		return k.empty("answers a request")
	}
	f.Note = k.note(fmt.Sprintf("%d requests each, one at a time", n))
	return nil
}

// empty says that there is nothing to draw, for what is there doesn't do it.
func (k *kit) empty(does string) error {
	field := "kind"
	if k.Profile != "" {
		field = "profile"
	} else if k.Route != "" {
		field = "route"
	}
	return &Wrong{field, fmt.Sprintf("nothing here %s, so there is nothing to draw: try %s", does, Timelines), nil}
}

func (k *kit) note(how string) string {
	seed := "each scenario's own seed"
	switch {
	case k.Seed != nil:
		seed = fmt.Sprintf("seed %d", *k.Seed)
	case len(k.scenarios) == 1:
		seed = fmt.Sprintf("seed %d", k.scenarios[0].Seed)
	}
	note := how + ", " + seed
	if len(k.left) > 0 {
		note += "; without " + strings.Join(k.left, ", ")
	}
	return note
}

// curve adds the percentiles of sorted times.
func (p *Panel) curve(s *subject, sorted []time.Duration) {
	if len(sorted) == 0 {
		return
	}
	made := Series{Name: s.name, Tone: s.tone}
	most := mostNines(len(sorted))
	const steps = 150
	for i := range steps + 1 {
		q := 1 - math.Pow(10, -most*float64(i)/steps)
		made.Points = append(made.Points, Point{q, ms(quantile(sorted, q))})
	}
	p.Series = append(p.Series, made)
}

// quantile is the nearest rank (R44).
func quantile(sorted []time.Duration, q float64) time.Duration {
	const slack = 1e-9 // for a q such as 0.99, which no float is
	rank := int(math.Ceil(q*float64(len(sorted)) - slack))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// mostNines is how many nines so many requests can tell of.
func mostNines(n int) float64 { return math.Max(math.Log10(float64(n)), 0.1) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// agrees tells whether a claim's figure is that of the curve in its tone, give or take a tenth. Workloads that
// load the profile, or ask for something else, come to others, and their ranges are about something else.
func (p *Panel) agrees(r *Range) bool {
	for i := range p.Series {
		if s := &p.Series[i]; s.Tone == r.Tone && r.From <= p.X.High+1e-9 {
			return math.Abs(r.Figure-s.value(r.From)) <= s.value(r.From)/10
		}
	}
	return false
}

// extent is from the lowest to the highest of all that is drawn.
func (p *Panel) extent() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	see := func(v float64) { low, high = math.Min(low, v), math.Max(high, v) }
	for _, s := range p.Series {
		for _, point := range s.Points {
			see(point.Y)
		}
	}
	for _, c := range p.Claims {
		for _, end := range []*float64{c.Low, c.High, &c.Figure} {
			if end != nil {
				see(*end)
			}
		}
	}
	return low, high
}
