package api

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// asked is what the body that makes a run may hold.
type asked struct {
	Scenario string         `json:"scenario"`
	Name     string         `json:"name"`
	Seed     *uint64        `json:"seed"`
	Speed    jsontext.Value `json:"speed"`
	Clock    string         `json:"clock"`
	Strict   bool           `json:"strict"`
	Label    string         `json:"label"`
}

// toldRun is a run as the control API tells of it.
type toldRun struct {
	Scenario string `json:"scenario"`
	Run      string `json:"run"`
	URL      string `json:"url"` // the base URL of its clients
	Seed     uint64 `json:"seed"`
	Clock    string `json:"clock"`
	Speed    string `json:"speed"`
	Strict   bool   `json:"strict"`
	Label    string `json:"label,omitzero"`
	Waiting  int    `json:"scripted"` // answers that nobody has asked for
	Idle     bool   `json:"idle"`
}

func runAt(r *http.Request, s *session) toldRun {
	t := toldRun{
		Scenario: s.Scenario().Name, Run: s.Name(), Seed: s.Seed(), Clock: "real", Speed: "1", Strict: s.how.Strict, Label: s.how.Label,
		Waiting: s.Waiting(), Idle: s.Idle(time.Time{}),
	}
	if s.stepped != nil {
		t.Clock = "stepped"
	}
	switch s.how.Speed {
	case 0:
	case clock.MaxSpeed():
		t.Speed = "max"
	default:
		t.Speed = strconv.FormatFloat(s.how.Speed, 'g', -1, 64)
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	t.URL = scheme + "://" + r.Host + "/scenarios/" + url.PathEscape(t.Scenario) + "/runs/" + url.PathEscape(t.Run)
	return t
}

func (s *Service) createRun(w http.ResponseWriter, r *http.Request) {
	var a asked
	if !take(w, r, &a) {
		return
	}
	if a.Scenario == "" {
		a.Scenario = s.Playing().Name
	}
	h := how{Seed: a.Seed, Strict: a.Strict, Label: a.Label}
	switch a.Clock {
	case "", "real":
	case "stepped":
		h.Stepped = true
	default:
		refuse(w, http.StatusBadRequest, "clock", "a run's clock is real or stepped")
		return
	}
	speed := strings.Trim(string(a.Speed), `"`)
	switch n, err := strconv.ParseFloat(speed, 64); {
	case speed == "" || speed == "null":
	case speed == "max":
		h.Speed = clock.MaxSpeed()
	case err != nil || n < clock.SlowestSpeed || n > clock.FastestSpeed:
		refuse(w, http.StatusBadRequest, "speed", "a speed is a number from 0.001 to 1000000, such as 10, or max")
		return
	default:
		h.Speed = n
	}
	if len(a.Name) > maxRunName || strings.ContainsAny(a.Name, "/?#%") {
		refuse(w, http.StatusBadRequest, "name", "a run's name has at most 128 bytes, and none of / ? # %")
		return
	}
	if len(a.Label) > maxRunName {
		refuse(w, http.StatusBadRequest, "label", "a label has at most 128 bytes")
		return
	}
	made, problem := s.create(a.Scenario, a.Name, h)
	if problem != nil {
		field := map[int]string{http.StatusNotFound: "scenario", http.StatusConflict: "name"}[problem.Status]
		refuseAs(w, field, problem)
		return
	}
	tell(w, http.StatusCreated, runAt(r, made))
}

// chosenRun is the run that the path names; nil once it has answered that there is none.
func (s *Service) chosenRun(w http.ResponseWriter, r *http.Request) *session {
	of, name := chi.URLParam(r, "scenario"), chi.URLParam(r, "run")
	found, ok := s.find(of, name)
	if !ok {
		why := "there is no run " + strconv.Quote(name) + " of the scenario " + strconv.Quote(of) + "; POST /_orrery/runs makes one, and so does its first request"
		if s.runs.Forgotten(of, name) {
			why = "the run " + strconv.Quote(name) + " was forgotten to make room for others; its next request begins it anew"
		}
		refuse(w, http.StatusNotFound, "run", why)
		return nil
	}
	return found
}

func (s *Service) listRuns(w http.ResponseWriter, r *http.Request) {
	all := []toldRun{runAt(r, s.home.Load())}
	for _, one := range s.runs.All() {
		all = append(all, runAt(r, one))
	}
	tell(w, http.StatusOK, map[string]any{"runs": all})
}

func (s *Service) readRun(w http.ResponseWriter, r *http.Request) {
	if found := s.chosenRun(w, r); found != nil {
		tell(w, http.StatusOK, runAt(r, found))
	}
}

func (s *Service) deleteRun(w http.ResponseWriter, r *http.Request) {
	found := s.chosenRun(w, r)
	switch {
	case found == nil:
	case found == s.home.Load():
		refuse(w, http.StatusConflict, "run", "the default run is always there; reset it")
	default:
		s.runs.Remove(found.Scenario().Name, found.Name())
		s.Journal.Clear(found.Scenario().Name, found.Name())
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Service) resetRun(w http.ResponseWriter, r *http.Request) {
	found := s.chosenRun(w, r)
	if found == nil {
		return
	}
	made, problem := s.reset(found)
	if problem != nil {
		refuseAs(w, "", problem)
		return
	}
	tell(w, http.StatusOK, runAt(r, made))
}

// scriptRun takes outcomes in the language of scenario files, of which JSON is a part.
func (s *Service) scriptRun(w http.ResponseWriter, r *http.Request) {
	found := s.chosenRun(w, r)
	if found == nil {
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostControl))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "", "the body can't be read, or has more than 1 MB")
		return
	}
	texts := []string{string(body)}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		var list []jsontext.Value
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !take(w, r, &list) {
			return
		}
		texts = texts[:0]
		for _, one := range list {
			texts = append(texts, string(one))
		}
	}
	var outcomes []*scenario.Outcome
	for i, text := range texts {
		o, err := s.Scenarios().ParseOutcome(found.Scenario(), text)
		if err != nil {
			refuse(w, http.StatusBadRequest, strconv.Itoa(i), err.Error())
			return
		}
		outcomes = append(outcomes, o)
	}
	found.Next(outcomes...)
	tell(w, http.StatusOK, map[string]int{"scripted": found.Waiting()})
}

func (s *Service) listGates(w http.ResponseWriter, r *http.Request) {
	if found := s.chosenRun(w, r); found != nil {
		tell(w, http.StatusOK, map[string]any{"gates": found.gates.all()})
	}
}

func (s *Service) releaseGate(w http.ResponseWriter, r *http.Request) {
	if found := s.chosenRun(w, r); found != nil {
		tell(w, http.StatusOK, map[string]int{"released": found.gates.release(chi.URLParam(r, "gate"))})
	}
}

// toldGate is a gate as the control API tells of it.
type toldGate struct {
	Name    string `json:"gate"`
	Open    bool   `json:"open"`
	Waiting int    `json:"waiting"`
}

func (g *gates) all() []toldGate {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]toldGate, 0, len(g.by))
	for name, one := range g.by {
		all = append(all, toldGate{name, one.open, one.waiting})
	}
	slices.SortFunc(all, func(a, b toldGate) int { return strings.Compare(a.Name, b.Name) })
	return all
}
