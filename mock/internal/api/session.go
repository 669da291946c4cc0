package api

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// session is a run and what surrounds it: its time, and the gates that hold its answers back.
type session struct {
	*run.Run
	clock clock.Clock
	gates *gates
}

func (s *Service) newSession(of *scenario.Scenario, name string) *session {
	return &session{
		Run:   run.New(run.Config{Name: name, Scenario: of, Replies: s.Replies, Seed: s.Seed, Attempts: true}),
		clock: s.Clock,
		gates: newGates(),
	}
}

// Idle reports whether nothing of the run is in flight, on its own clock.
func (s *session) Idle(time.Time) bool { return s.Run.Idle(s.clock.Now()) }

// session finds or makes the run of a scenario. The default one is always there (R7).
func (s *Service) session(of, name string) (*session, *wire.Error) {
	if of == s.Default.Name && name == DefaultRun {
		return s.home, nil
	}
	if len(name) > maxRunName {
		return nil, wire.Own(400, "a run's name has at most 128 bytes.")
	}
	return s.runs.Get(of, name, s.Clock.Now(), func() (*session, *wire.Error) {
		p, problem := s.load(of)
		if problem != nil {
			return nil, problem
		}
		return s.preload(s.newSession(p.Scenario, name)), nil
	})
}

const maxRunName = 128
