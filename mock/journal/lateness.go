package journal

import (
	"math"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Lateness is by how much the latest of the steps sent missed its instant; 0 when none was sent.
func (e Entry) Lateness() time.Duration {
	var worst time.Duration
	for _, s := range e.Steps {
		if s.Actual >= 0 {
			worst = max(worst, s.Actual-s.Planned)
		}
	}
	return worst
}

// LatenessP99 is what 99 % of the steps sent missed their instants by at most (nearest rank, so with
// fewer than 100 steps it is the latest's); 0 when none was sent.
func (e Entry) LatenessP99() time.Duration {
	late := make([]time.Duration, 0, len(e.Steps))
	for _, s := range e.Steps {
		if s.Actual >= 0 {
			late = append(late, max(s.Actual-s.Planned, 0))
		}
	}
	if len(late) == 0 {
		return 0
	}
	slices.Sort(late)
	return late[int(math.Ceil(0.99*float64(len(late))))-1]
}

// Lateness says by how much the steps of several answers missed their instants.
type Lateness struct {
	Requests int           `json:"requests"` // with at least one step sent
	Steps    int64         `json:"steps"`    // sent
	Max      time.Duration `json:"max_ns"`
	P99      time.Duration `json:"p99_ns"` // to 0.1 %, and never less than it is
	// Evicted is how many requests may have matched, but have no records any more.
	Evicted int `json:"evicted"`
}

// Lateness measures the kept answers that match, a run's for example.
func (j *Journal) Lateness(q Query) Lateness {
	kept, gone, _ := j.snapshot(q)
	l := Lateness{Evicted: gone}
	all := hdrhistogram.New(1, int64(time.Hour), 3)
	for _, r := range matcher(q.terms()).among(kept) {
		sent := false
		r.each(func(s Step) {
			if s.Actual < 0 {
				return
			}
			sent = true
			l.Steps++
			late := max(s.Actual-s.Planned, 0)
			l.Max = max(l.Max, late)
			_ = all.RecordValue(min(int64(late), int64(time.Hour))) // which it can hold
		})
		if sent {
			l.Requests++
		}
	}
	if l.Steps > 0 { // the nearest rank, as one request has it
		rank := math.Ceil(0.99 * float64(l.Steps))
		l.P99 = min(time.Duration(all.ValueAtQuantile(100*rank/float64(l.Steps))), l.Max)
	}
	return l
}
