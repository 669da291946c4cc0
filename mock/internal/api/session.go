package api

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// session is a run and what surrounds it: its time, and the gates that hold its answers back.
type session struct {
	*run.Run
	how     how
	part    *part
	clock   clock.Clock
	stepped *clock.Stepped // the clock, when it can be stepped; else nil
	gates   *gates

	answering atomic.Int64 // requests under way
	begun     atomic.Int64 // on a stepped clock, answers that have sent a token or ended without one
	silent    atomic.Int64 // requests under way whose answer hasn't sent a token
}

// how is what a run is told when it is made, beside its scenario and name.
type how struct {
	Seed    *uint64 // nil: the server's, else the scenario's own
	Speed   float64 // of its clock; 0: 1
	Stepped bool    // its clock stands until it is stepped
	Strict  bool    // what isn't scripted is refused
	Label   string  // for people
}

func (s *Service) newSession(of *part, name string, how how) (*session, error) {
	made := &session{how: how, part: of, clock: s.Clock, gates: newGates(of.gates)}
	if how.Speed != 0 {
		scaled, err := clock.Scaled(s.Clock, how.Speed)
		if err != nil {
			return nil, err
		}
		made.clock = scaled
	}
	if how.Stepped {
		made.stepped = clock.NewStepped(made.clock, made.clock.Now())
		made.clock = made.stepped
	}
	seed := s.Seed
	if how.Seed != nil {
		seed = how.Seed
	}
	note := ""
	if s.runs.Forgotten(of.Name, name) {
		note = "this run had been forgotten to make room for others, and begins anew: counters and draws start again"
	}
	made.Run = run.New(run.Config{
		Name: name, Scenario: of.Scenario, Replies: s.Replies, Seed: seed, Note: note, Attempts: true, // the journal counts them in any case
	})
	if how.Strict {
		made.Strict()
	}
	return s.preload(made), nil
}

// Idle reports whether nothing of the run is in flight, on its own clock; what waits at a gate is, however
// long ago it was planned to end.
func (s *session) Idle(time.Time) bool { return s.answering.Load() == 0 && s.Run.Idle(s.clock.Now()) }

// Next scripts the outcomes of the run's next requests.
func (s *session) Next(outcomes ...*scenario.Outcome) {
	for _, o := range outcomes {
		s.gates.expect(o.Gates())
	}
	s.Run.Next(outcomes...)
}

// letGo ends all waiting for somebody's word, of requests in a run that nobody can name any more.
func (s *session) letGo() {
	s.gates.releaseAll()
	if s.stepped != nil {
		s.stepped.Release()
	}
}

// session finds or makes the run of a scenario. The default one is always there (R7).
func (s *Service) session(of, name string) (*session, *wire.Error) {
	if found, there := s.find(of, name); there {
		return found, nil
	}
	if wrong := misnamed(name); wrong != "" {
		return nil, wire.Own(400, wrong)
	}
	return s.runs.Get(of, name, s.Clock.Now(), func() (*session, *wire.Error) {
		p, problem := s.load(of)
		if problem != nil {
			return nil, problem
		}
		made, err := s.newSession(p, name, how{})
		if err != nil {
			return nil, wire.Own(500, err.Error())
		}
		return made, nil
	})
}

const maxRunName = 128

// misnamed says why a run can't be called so; "" when it can.
func misnamed(name string) string {
	switch {
	case len(name) > maxRunName:
		return fmt.Sprintf("a run's name has at most %d bytes, this one has %d.", maxRunName, len(name))
	case !utf8.ValidString(name):
		return "a run's name is UTF-8; what a header can't carry goes into the base URL, percent-encoded."
	case strings.ContainsFunc(name, unicode.IsControl):
		return "a run's name has no control characters."
	case name == "." || name == "..":
		return "a run can't be called . or .., which clients take out of a URL."
	}
	return ""
}

// create makes a run that isn't there yet. Without a name it gets one of its own.
func (s *Service) create(of, name string, how how) (*session, *wire.Error) {
	p, problem := s.load(of)
	if problem != nil {
		return nil, problem
	}
	for name == "" {
		free := fmt.Sprintf("run-%d", s.unnamed.Add(1))
		if _, taken := s.find(of, free); !taken {
			name = free
		}
	}
	if _, there := s.find(of, name); there {
		return nil, wire.Own(409, fmt.Sprintf("the run %s of %s is there already. Delete it, reset it, or take another name.", name, of))
	}
	made, err := s.newSession(p, name, how)
	if err != nil {
		return nil, wire.Own(400, err.Error())
	}
	kept, problem := s.runs.Get(of, name, s.Clock.Now(), func() (*session, *wire.Error) { return made, nil })
	if problem == nil && kept != made {
		return nil, wire.Own(409, fmt.Sprintf("the run %s of %s was made by somebody else just now.", name, of))
	}
	return made, problem
}

// find is a run that is there.
func (s *Service) find(of, name string) (*session, bool) {
	if home := s.home.Load(); of == home.Scenario().Name && name == DefaultRun {
		return home, true
	}
	return s.runs.Find(of, name)
}

// reset begins a run anew, with the scenario as it is by now. Requests under way keep the old one.
func (s *Service) reset(old *session) (*session, *wire.Error) {
	p, problem := s.load(old.Scenario().Name)
	if problem != nil {
		return nil, problem
	}
	made, err := s.newSession(p, old.Name(), old.how)
	if err != nil {
		return nil, wire.Own(500, err.Error())
	}
	if !s.home.CompareAndSwap(old, made) && !s.runs.Replace(p.Name, old.Name(), made) {
		return nil, wire.Own(404, "the run is gone.")
	}
	s.Journal.Clear(p.Name, old.Name())
	old.letGo()
	return made, nil
}
