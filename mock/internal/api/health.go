package api

import (
	"encoding/json"
	"net/http"
)

// health says that the server answers, and what it plays.
func (s *Service) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	told := map[string]any{"status": "ok", "scenario": s.Default.Name}
	if f := s.Journal.File(); f != nil {
		if lost, err := f.Lost(); err != nil {
			told["journal_file"] = map[string]any{"error": err.Error(), "lost_lines": lost}
		}
	}
	_ = json.NewEncoder(w).Encode(told)
}
