package plot

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
)

// The numbers in flight at which the load curve is drawn go up to here, and twice as far as the
// slots of a queue where that is less than the farthest.
const (
	ordinaryLoad = 512
	farthestLoad = 4096
)

// load draws the median and the P99 of the time to the first token, or of a whole answer where a profile
// times no tokens, by how many clients ask at once, each again when it has its answer.
func (k *kit) load(f *Figure) error {
	subjects := slices.DeleteFunc(slices.Clone(k.subjects), func(s *subject) bool { return !s.loaded() })
	if len(subjects) == 0 {
		subjects = k.subjects[:1]
	}
	f.Title = "what load does"
	panel := Panel{Title: "Time to the first token, or to the end of what has no stream"}
	most := ordinaryLoad
	for _, s := range subjects {
		if p := s.profile; p != nil && p.Queue != nil && 2*p.Queue.Slots <= farthestLoad {
			most = max(most, 2*p.Queue.Slots)
		}
	}
	for _, s := range subjects {
		curves, err := k.curves(s, most)
		if err != nil {
			return err
		}
		panel.Series = append(panel.Series, curves...)
	}
	panel.X = inFlight(most)
	panel.Y = times(panel.extent())
	f.Panels = []Panel{panel}
	f.Note = k.note(fmt.Sprintf("clients that ask again at once, %d answers measured at each number", k.n(atOnce)))
	return nil
}

// loaded tells whether anything of the subject follows the load.
func (s *subject) loaded() bool {
	p := s.profile
	return p != nil && (p.Load != nil || p.Queue != nil || len(p.Follows) > 0)
}

// curves are the P99 and, dashed, the median.
func (k *kit) curves(s *subject, most int) ([]Series, error) {
	high := Series{Name: s.name + " p99", Tone: s.tone}
	middle := Series{Name: s.name + " p50", Tone: s.tone, Dashed: true}
	for clients := 1.0; ; clients *= 2 {
		at := int(math.Min(clients, float64(most)))
		measured, err := k.at(s, at)
		if err != nil {
			return nil, err
		}
		if len(measured) > 0 {
			high.Points = append(high.Points, Point{float64(at), ms(quantile(measured, 0.99))})
			middle.Points = append(middle.Points, Point{float64(at), ms(quantile(measured, 0.5))})
		}
		if at == most {
			return []Series{high, middle}, nil
		}
	}
}

// at is what so many clients wait, once each has had an answer or two.
func (k *kit) at(s *subject, clients int) ([]time.Duration, error) {
	var measured []time.Duration
	warmup := 0
	if s.loaded() {
		warmup = 2 * clients
	}
	stream := s.profile == nil || s.profile.FirstToken != nil
	err := k.ask(s, stream, clients, warmup+k.n(atOnce), func(i int, d *run.Decision) {
		t := d.Timeline
		if i < warmup || t.Status >= http.StatusBadRequest || t.TTFT() >= timeline.Never {
			return
		}
		measured = append(measured, t.TTFT())
	})
	return sorted(measured), err
}

func sorted(times []time.Duration) []time.Duration {
	slices.Sort(times)
	return times
}
