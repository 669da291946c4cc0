package api

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"
)

// longestVerify is how long claims may take to be measured.
const longestVerify = time.Minute

// verify measures a scenario's claims, one scenario at a time, until its client leaves or time is up.
func (s *Service) verify(w http.ResponseWriter, r *http.Request) {
	p, problem := s.load(segment(r, "scenario"))
	if problem != nil {
		refuseScenario(w, "scenario", problem)
		return
	}
	requests := 0
	if r.URL.Query().Get("requests") != "" {
		if requests = wholeNumber(w, r, "requests", 0, math.MaxInt32); requests == 0 {
			return
		}
	}
	if s.Verify == nil {
		refuse(w, http.StatusNotImplemented, "", "this server measures no claims; orrery verify does")
		return
	}
	if !s.verifying.TryLock() {
		refuse(w, http.StatusTooManyRequests, "", "another scenario's claims are being measured; ask again when that has ended")
		return
	}
	defer s.verifying.Unlock()
	ctx, cancel := context.WithTimeout(r.Context(), longestVerify)
	defer cancel()
	verdicts, err := s.Verify(ctx, p.Scenario, requests)
	switch {
	case err == nil:
		tell(w, http.StatusOK, verdicts)
	case r.Context().Err() != nil: // nobody is there to be answered
	case errors.Is(err, context.DeadlineExceeded):
		refuse(w, http.StatusServiceUnavailable, "requests", "it takes more than a minute; ?requests=2000 measures less, and orrery verify takes as long as it needs")
	default:
		refuse(w, http.StatusInternalServerError, "", err.Error())
	}
}
