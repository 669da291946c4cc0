package api

import (
	"bytes"
	"io"
	"net/http"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

func (s *Service) ready(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

func (s *Service) listScenarios(w http.ResponseWriter, _ *http.Request) {
	type told struct {
		Name  string `json:"scenario"`
		Title string `json:"title"`
		File  string `json:"file"`
		Draft bool   `json:"draft"` // of no file: it was sent as text
	}
	all := []told{}
	for _, i := range s.Scenarios().List() {
		all = append(all, told{i.Name, i.Title, i.File, false})
	}
	for _, p := range s.drafts.all() {
		all = append(all, told{p.Name, p.Title, p.File, true})
	}
	tell(w, http.StatusOK, map[string]any{"scenarios": all, "playing": s.Playing().Name})
}

func (s *Service) readScenario(w http.ResponseWriter, r *http.Request) {
	p, problem := s.load(segment(r, "scenario"))
	if problem != nil {
		refuseScenario(w, "scenario", problem)
		return
	}
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = w.Write(p.Source)
}

// activate makes a scenario the default one (R7).
func (s *Service) activate(w http.ResponseWriter, r *http.Request) {
	p, problem := s.load(segment(r, "scenario"))
	if problem != nil {
		refuseScenario(w, "scenario", problem)
		return
	}
	made, err := s.newSession(p, DefaultRun, how{})
	if err != nil {
		refuse(w, http.StatusInternalServerError, "", err.Error())
		return
	}
	s.runs.Remove(p.Name, DefaultRun)
	old := s.home.Swap(made)
	s.Journal.Clear(p.Name, DefaultRun)
	old.letGo()
	tell(w, http.StatusOK, s.runAt(r, made))
}

func (s *Service) reload(w http.ResponseWriter, r *http.Request) {
	if err := s.ReloadScenarios(); err != nil {
		refuse(w, http.StatusConflict, "", "nothing was changed: "+err.Error())
		return
	}
	s.listScenarios(w, r)
}

// plans rehearses the body as a request to the messages endpoint.
func (s *Service) plans(w http.ResponseWriter, r *http.Request) {
	n := wholeNumber(w, r, "n", 1, 100)
	if n == 0 {
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "", "the body can't be read, or has more than 32 MB")
		return
	}
	path := "/v1/messages"
	if of := r.URL.Query().Get("scenario"); of != "" {
		if _, problem := s.load(of); problem != nil {
			refuseScenario(w, "scenario", problem)
			return
		}
		path = "/scenarios/" + of + path
	}
	ask, err := http.NewRequestWithContext(r.Context(), http.MethodPost, path, bytes.NewReader(body))
	if err != nil {
		refuse(w, http.StatusBadRequest, "scenario", err.Error())
		return
	}
	ask.Header = r.Header.Clone()
	if keyOf(ask.Header) == "" {
		ask.Header.Set("X-Api-Key", "any")
	}
	if ask.Header.Get("Anthropic-Version") == "" {
		ask.Header.Set("Anthropic-Version", "2023-06-01")
	}
	ask.RequestURI, ask.RemoteAddr = path, r.RemoteAddr
	planned, err := s.Plans(ask, n)
	if err != nil {
		refuse(w, http.StatusBadRequest, "", err.Error())
		return
	}
	var all []journal.Entry
	entries(w, append(all, planned...), map[string]any{})
}
