package api

import (
	"encoding/json"
	"net/http"
)

// health says that the server answers, and what it plays.
func (s *Service) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"status": "ok", "scenario": s.Default.Name})
}
