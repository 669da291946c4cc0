package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

// move is what the body that moves a clock holds: exactly one of these.
type move struct {
	Advance *string `json:"advance"`
	Next    *int    `json:"next"`
	Until   *string `json:"until"`
	Hold    bool    `json:"hold"`
	Release bool    `json:"release"`
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
	for _, is := range []bool{m.Advance != nil, m.Next != nil, m.Until != nil, m.Hold, m.Release} {
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
	case errors.Is(err, clock.ErrNothingWaits), errors.Is(err, clock.ErrBusy), errors.Is(err, clock.ErrRuns), errors.Is(err, errNoFirstToken):
		refuse(w, http.StatusConflict, field, err.Error())
	default:
		refuse(w, http.StatusBadRequest, field, err.Error())
	}
}

// The bounds on one step.
const (
	mostAdvance = 366 * 24 * time.Hour
	mostNext    = 1_000_000
)

// step moves a clock and says which member is at fault.
func (s *Service) step(found *session, m move, r *http.Request) (steps int, field string, err error) {
	switch {
	case m.Hold:
		found.stepped.Hold()
		return 0, "", nil
	case m.Release:
		found.stepped.Release()
		return 0, "", nil
	case m.Next != nil:
		if n := *m.Next; n < 1 || n > mostNext {
			return 0, "next", fmt.Errorf("next is %d; it is how many instants to go to, from 1 to %d", n, mostNext)
		}
		steps, err = found.stepped.NextEvent(r.Context(), *m.Next)
		return steps, "next", err
	case m.Advance != nil:
		d, err := advance(*m.Advance)
		if err != nil {
			return 0, "advance", err
		}
		return 0, "advance", found.stepped.Advance(r.Context(), d)
	case *m.Until != "first-token":
		return 0, "until", fmt.Errorf("until is %q; all that can be stepped to is \"first-token\"", *m.Until)
	}
	steps, err = found.stepToFirstToken(r.Context())
	return steps, "until", err
}

func advance(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil && strings.Contains(err.Error(), "missing unit"):
		return 0, fmt.Errorf("advance is %q, which has no unit; it is a duration such as 150ms, 2s or 1h30m", text)
	case err != nil || d <= 0 || d > mostAdvance:
		return 0, fmt.Errorf("advance is %q; it is a duration such as 150ms, 2s or 1h30m, more than 0 and at most %v (a year)", text, mostAdvance)
	}
	return d, nil
}
