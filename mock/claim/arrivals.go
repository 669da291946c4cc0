package claim

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// random is the next arrival of a stage whose requests come at random: the gaps between them are
// exponential, drawn independently. A gap that reaches past a stage's end is drawn anew from there.
func (s *source) random() (at time.Duration, ok bool) {
	for {
		stage := &s.rate[s.stage]
		if s.exponential == nil {
			s.exponential, _ = latency.Exponential(int64(float64(time.Second)/stage.PerSecond), latency.Limits{}) // a period above 0 has one
		}
		s.last += time.Duration(s.exponential.At(s.gaps.Random(s.drawn)))
		s.drawn++
		if stage.For == 0 || s.last < s.stageFrom+stage.For {
			return s.last, true
		}
		if s.stage == len(s.rate)-1 {
			return 0, false
		}
		s.stageFrom += stage.For
		s.stage, s.exponential, s.last = s.stage+1, nil, s.stageFrom
	}
}

// now is the rate of the stage that the last arrival was in.
func (s *source) now() float64 {
	if len(s.rate) == 0 {
		return 0
	}
	return s.rate[s.stage].PerSecond
}
