package api

import (
	"encoding/json"
	"net/http"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/transport"
)

// health says that the server answers, what it plays, what it holds of everything that has a bound,
// and what it had to drop or to leave waiting since its start. Others than those whom the control API
// answers learn only the first.
func (s *Service) health(w http.ResponseWriter, r *http.Request) {
	if !s.trusted(r) {
		tell(w, http.StatusOK, map[string]string{"status": "ok"})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	runs := s.runs.Counts()
	waiting, waited := s.room.counts()
	told := map[string]any{
		"status": "ok", "scenario": s.Playing().Name,
		// The default run, which is never forgotten, isn't counted.
		"runs":    map[string]any{"kept": runs.Kept, "limit": run.Most, "forgotten": runs.Forgotten, "refused": runs.Refused},
		"journal": map[string]any{"requests": s.Journal.Len(), "evicted": s.Journal.Evicted()},
		"large_bodies": map[string]any{
			"waiting": waiting, "waited": waited, "limit_bytes": mostAtOnce,
		},
	}
	// Behind a listener that isn't ours nothing is known of them.
	if c, known := transport.From(r.Context()).Counts(); known {
		told["connections"] = map[string]any{
			"open": c.Connections, "limit": c.MostConnections, "full": c.Full, "refused": c.Refused,
		}
		told["requests"] = map[string]any{
			"under_way": c.Requests, "streams": c.Streams, "streams_limit": c.MostStreams,
			"streams_refused": c.StreamsRefused, "bodies_given_up": c.StoodStill,
		}
	}
	if err := s.staleness(); err != nil {
		told["reload"] = map[string]any{"error": err.Error()}
	}
	if f := s.Journal.File(); f != nil {
		if lost, err := f.Lost(); err != nil {
			told["journal_file"] = map[string]any{"error": err.Error(), "lost_lines": lost}
		}
	}
	_ = json.NewEncoder(w).Encode(told)
}
