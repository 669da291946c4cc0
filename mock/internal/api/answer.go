package api

import (
	"github.com/seed-954e9acd/orrery/mock/internal/play"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// program is a decision as package play plays it.
type program struct {
	service *Service
	*run.Decision
}

func (p program) Status() int { return p.Timeline.Status }

func (p program) Len() int { return p.Timeline.Len() }

func (p program) Step(i int) play.Step {
	s := p.Timeline.Step(i)
	step := play.Step{Due: s.Due, Kind: play.Write}
	step.Times, step.Alone, step.Gate = p.Timeline.Write(i)
	switch s.Kind {
	case timeline.Head:
		step.Kind = play.Head
	case timeline.End:
		step.Kind = play.End
		if p.breaksOff() {
			step.Kind = play.Break
		}
	}
	return step
}

func (p program) Append(dst []byte, i int) []byte { return p.Timeline.Append(dst, i) }

// decided is a decision as the journal describes it.
type decided struct {
	*run.Decision
}

// Decided is the decision itself, for figures that are made of it.
func (d decided) Decided() *run.Decision { return d.Decision }

func (d decided) Status() int        { return d.Timeline.Status }
func (d decided) Warnings() []string { return d.Decision.Warnings }

func (d decided) Charge() *journal.Charge {
	m := d.Timeline.Message
	if m == nil {
		return nil
	}
	return &journal.Charge{
		Date: d.Date(), Model: m.Model, Figures: d.Figures(),
		Usage: journal.Usage{
			Input: m.Usage.Input, Output: m.Usage.Output, CacheCreation: m.Usage.CacheCreation, CacheRead: m.Usage.CacheRead,
		},
	}
}

func (d decided) Draws() []journal.Draw {
	draws := d.Decision.Draws()
	all := make([]journal.Draw, len(draws))
	for i, w := range draws {
		all[i] = journal.Draw{Place: w.Place, N: w.N, U: uint32(w.U)}
	}
	return all
}

// Size is how many bytes faults made of the answer.
func (d decided) Size() int { return d.Timeline.Held() }

func (d decided) Len() int { return d.Timeline.Len() }

func (d decided) Step(i int) journal.Step {
	s := d.Timeline.Step(i)
	step := journal.Step{
		Kind: s.Kind.String(), Event: d.Timeline.Event(i), Index: int(s.Block), Tokens: s.Tokens(),
		Planned: s.Due, Actual: -1, Bytes: int(d.Timeline.Size(i)),
	}
	if m := d.Timeline.Message; s.Kind == timeline.Body && m != nil {
		step.Tokens = m.Usage.Output
	}
	if s.Kind.IsEvent() {
		step.Kind = "event"
	}
	return step
}
