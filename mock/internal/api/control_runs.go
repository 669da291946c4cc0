package api

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

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

// mostScripted is how many scripted answers may wait in a run.
const mostScripted = 10_000

// toldRun is a run as the control API tells of it.
type toldRun struct {
	Scenario string `json:"scenario"`
	Run      string `json:"run"`
	URL      string `json:"url"` // the base URL of its clients
	Seed     uint64 `json:"seed"`
	Clock    string `json:"clock"`
	Speed    string `json:"speed"`           // its own
	Pace     string `json:"effective_speed"` // with the server's, on top of which it is
	Strict   bool   `json:"strict"`
	Label    string `json:"label,omitzero"`
	Waiting  int    `json:"scripted"` // answers that nobody has asked for
	Idle     bool   `json:"idle"`
}

func (s *Service) runAt(r *http.Request, one *session) toldRun {
	t := toldRun{
		Scenario: one.Scenario().Name, Run: one.Name(), Seed: one.Seed(), Clock: "real", Strict: one.how.Strict, Label: one.how.Label,
		Waiting: one.Waiting(), Idle: one.Idle(time.Time{}),
	}
	if one.stepped != nil {
		t.Clock = "stepped"
	}
	own := cmp.Or(one.how.Speed, 1)
	t.Speed, t.Pace = speed(own), speed(own*cmp.Or(s.Speed, 1))
	t.URL = baseOf(r) + "/scenarios/" + url.PathEscape(t.Scenario) + "/runs/" + url.PathEscape(t.Run)
	return t
}

// speed is a factor on time, in words.
func speed(factor float64) string {
	if factor == clock.MaxSpeed() {
		return "max"
	}
	return strconv.FormatFloat(factor, 'g', -1, 64)
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
		refuse(w, http.StatusBadRequest, "clock", fmt.Sprintf("clock is %q; a run's clock is \"real\" or \"stepped\"", a.Clock))
		return
	}
	switch text := strings.Trim(string(a.Speed), `"`); text {
	case "", "null":
	case "max":
		h.Speed = clock.MaxSpeed()
	default:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n >= clock.SlowestSpeed && n <= clock.FastestSpeed) {
			refuse(w, http.StatusBadRequest, "speed", fmt.Sprintf("speed is %.40s; it is a number from %v to %d, such as 10, or \"max\"",
				a.Speed, clock.SlowestSpeed, clock.FastestSpeed))
			return
		}
		h.Speed = n
	}
	if wrong := misnamed(a.Name); wrong != "" {
		refuse(w, http.StatusBadRequest, "name", wrong)
		return
	}
	if len(a.Label) > maxRunName {
		refuse(w, http.StatusBadRequest, "label", "a label has at most 128 bytes")
		return
	}
	made, problem := s.create(a.Scenario, a.Name, h)
	if problem != nil {
		field := map[int]string{http.StatusNotFound: "scenario", http.StatusInternalServerError: "scenario", http.StatusConflict: "name"}[problem.Status]
		refuseScenario(w, field, problem)
		return
	}
	tell(w, http.StatusCreated, s.runAt(r, made))
}

// chosenRun is the run that the path names; nil once it has answered that there is none.
func (s *Service) chosenRun(w http.ResponseWriter, r *http.Request) *session {
	of, name := segment(r, "scenario"), segment(r, "run")
	found, ok := s.find(of, name)
	if ok {
		return found
	}
	if unknown := s.unknown(of); unknown != nil {
		refuse(w, http.StatusNotFound, "scenario", unknown.Error())
		return nil
	}
	refuse(w, http.StatusNotFound, "run", s.noRun(of, name))
	return nil
}

// noRun says that a scenario doesn't have that run, and what makes it.
func (s *Service) noRun(of, name string) string {
	if s.runs.Forgotten(of, name) {
		return "the run " + strconv.Quote(name) + " was forgotten to make room for others; its next request begins it anew"
	}
	return "there is no run " + strconv.Quote(name) + " of the scenario " + strconv.Quote(of) + "; POST /_orrery/runs makes one, and so does its first request"
}

func (s *Service) listRuns(w http.ResponseWriter, r *http.Request) {
	all := []toldRun{s.runAt(r, s.home.Load())}
	for _, one := range s.runs.All() {
		all = append(all, s.runAt(r, one))
	}
	tell(w, http.StatusOK, map[string]any{"runs": all})
}

func (s *Service) readRun(w http.ResponseWriter, r *http.Request) {
	if found := s.chosenRun(w, r); found != nil {
		tell(w, http.StatusOK, s.runAt(r, found))
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
		found.letGo()
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
		refuseScenario(w, "", problem)
		return
	}
	tell(w, http.StatusOK, s.runAt(r, made))
}

// scriptRun takes outcomes in the language of scenario files, of which JSON is a part.
func (s *Service) scriptRun(w http.ResponseWriter, r *http.Request) {
	found := s.chosenRun(w, r)
	if found == nil {
		return
	}
	body, ok := bodyOf(w, r)
	if !ok {
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
	if found.Waiting()+len(outcomes) > mostScripted {
		refuse(w, http.StatusConflict, "", fmt.Sprintf("%d scripted answers wait already, and a run keeps at most %d; ask for some first, or reset the run", found.Waiting(), mostScripted))
		return
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
	found := s.chosenRun(w, r)
	if found == nil {
		return
	}
	name := segment(r, "gate")
	if all, has := found.gates.known(name); !has {
		there := "they have none"
		if len(all) > 0 {
			there = "they have " + strings.Join(all, ", ")
		}
		refuse(w, http.StatusNotFound, "gate", fmt.Sprintf("no answer of this run can come to a gate %q, neither by its scenario nor by what was scripted: %s. "+
			"Mend the name, or script the answer first", name, there))
		return
	}
	told := map[string]any{"gate": name, "released": found.gates.release(name)}
	if told["released"] == 0 {
		told["note"] = "no answer waited there; one that comes to it from here on passes"
	}
	tell(w, http.StatusOK, told)
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
