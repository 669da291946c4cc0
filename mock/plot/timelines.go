package plot

import (
	"fmt"
	"math"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
)

// timelines draws streams, a row each: what a profile or a route gives, or whatever the routes decide.
func (k *kit) timelines(f *Figure) error {
	f.Title = "what requests get, and when"
	subjects := k.subjects
	if k.Profile == "" && k.Route == "" {
		subjects = nil
		for i, s := range k.scenarios {
			subjects = append(subjects, &subject{name: s.Name, scenario: s, tone: i})
		}
		k.left = nil
	}
	n := k.n(rows)
	latest := 0.0
	for _, s := range subjects {
		panel := Panel{Title: s.name, Y: Axis{Scale: Linear, Low: 0, High: float64(n)}}
		err := k.ask(s, true, 1, n, func(i int, d *run.Decision) {
			made := request(s, i, d)
			panel.Series = append(panel.Series, made)
			for _, at := range []*float64{made.Row.Head, made.Row.End} {
				if at != nil {
					latest = math.Max(latest, *at)
				}
			}
			if n := len(made.Points); n > 0 {
				latest = math.Max(latest, made.Points[n-1].X)
			}
		})
		if err != nil {
			return err
		}
		f.Panels = append(f.Panels, panel)
	}
	for i := range f.Panels {
		f.Panels[i].X = since(latest)
	}
	f.Note = k.note(fmt.Sprintf("%d streams, each asked for when the one before has ended", n))
	return nil
}

// request is a row with a tick for each event of tokens.
func request(s *subject, i int, d *run.Decision) Series {
	t := d.Timeline
	made := Series{Name: d.Route(), Tone: s.tone, Row: &Row{Ordinal: d.Ordinal, Route: d.Route(), Status: t.Status, Head: instant(t.Step(0).Due), End: instant(t.Duration())}}
	if s.outcome != nil {
		made.Name, made.Row.Route = s.name, ""
	}
	if t.Status == 0 {
		made.Row.Head = nil
	}
	for _, due := range deltas(t) {
		made.Points = append(made.Points, Point{ms(due), float64(i)})
	}
	return made
}

func instant(at time.Duration) *float64 {
	if at >= timeline.Never {
		return nil
	}
	v := ms(at)
	return &v
}
