package api

import (
	"errors"
	"net/http"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// move is what the body that moves a clock holds: exactly one of these.
type move struct {
	Advance string `json:"advance"`
	Next    int    `json:"next"`
	Until   string `json:"until"`
	Hold    bool   `json:"hold"`
	Release bool   `json:"release"`
}

// toldClock is a run's clock as the control API tells of it.
type toldClock struct {
	Kind    string     `json:"clock"`
	Held    bool       `json:"held"`
	Now     time.Time  `json:"now"`
	Waiting []toldWait `json:"waiting"`
	Steps   int        `json:"steps"` // instants that this call went to
}

type toldWait struct {
	In    float64 `json:"in_ms"` // from now
	Label string  `json:"request"`
}

func clockOf(s *session, steps int) toldClock {
	t := toldClock{Kind: "real", Now: s.clock.Now(), Waiting: []toldWait{}, Steps: steps}
	if s.stepped == nil {
		return t
	}
	t.Kind, t.Held = "stepped", s.stepped.Held()
	for _, wait := range s.stepped.Waiting() {
		t.Waiting = append(t.Waiting, toldWait{float64(wait.At.Sub(t.Now)) / 1e6, wait.Label})
	}
	return t
}

func (s *Service) readClock(w http.ResponseWriter, r *http.Request) {
	if found := s.chosenRun(w, r); found != nil {
		tell(w, http.StatusOK, clockOf(found, 0))
	}
}

func (s *Service) moveClock(w http.ResponseWriter, r *http.Request) {
	found := s.chosenRun(w, r)
	if found == nil {
		return
	}
	var m move
	if !take(w, r, &m) {
		return
	}
	if found.stepped == nil {
		refuse(w, http.StatusConflict, "clock", "this run's clock isn't stepped; make a run with {\"clock\": \"stepped\"}")
		return
	}
	given := 0
	for _, is := range []bool{m.Advance != "", m.Next != 0, m.Until != "", m.Hold, m.Release} {
		if is {
			given++
		}
	}
	if given != 1 {
		refuse(w, http.StatusBadRequest, "", "give one of advance, next, until, hold and release, such as {\"next\": 1}")
		return
	}
	steps, field, err := s.step(found, m, r)
	switch {
	case err == nil:
		tell(w, http.StatusOK, clockOf(found, steps))
	case errors.Is(err, clock.ErrNothingWaits), errors.Is(err, clock.ErrBusy), errors.Is(err, clock.ErrRuns):
		refuse(w, http.StatusConflict, field, err.Error())
	default:
		refuse(w, http.StatusBadRequest, field, err.Error())
	}
}

// step moves a clock and says which member is at fault.
func (s *Service) step(found *session, m move, r *http.Request) (steps int, field string, err error) {
	switch {
	case m.Hold:
		found.stepped.Hold()
		return 0, "", nil
	case m.Release:
		found.stepped.Release()
		return 0, "", nil
	case m.Next != 0:
		steps, err = found.stepped.NextEvent(r.Context(), m.Next)
		return steps, "next", err
	case m.Advance != "":
		d, err := time.ParseDuration(m.Advance)
		if err != nil || d <= 0 {
			return 0, "advance", errors.New("a duration such as 150ms or 2s, more than 0")
		}
		err = found.stepped.Advance(r.Context(), d)
		return 0, "advance", err
	case m.Until != "first-token":
		return 0, "until", errors.New("until is first-token")
	}
	before := s.begun(found)
	steps, err = found.stepped.StepUntil(r.Context(), func() bool { return s.begun(found) > before })
	return steps, "until", err
}

// begun is how many of a run's answers have said something.
func (s *Service) begun(of *session) int {
	n := 0
	for _, e := range s.Journal.Find(journal.Query{Scenario: of.Scenario().Name, Run: of.Name()}) {
		if e.ActualTTFT() >= 0 || e.PlannedTTFT() < 0 && e.Outcome != journal.Open {
			n++
		}
	}
	return n
}
