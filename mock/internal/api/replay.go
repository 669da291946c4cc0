package api

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// replay is how one answer of the journal is got again.
type replay struct {
	entry    journal.Entry
	scenario string // a scenario file's text
	// before is how many requests like this one come first: 0 where the file gives this answer to anyone.
	before uint64
	plan   *timeline.Timeline
}

// replayOf finds a replay of the request that the path names; nil once it has answered that there is none. It is
// the answer alone, as a scenario, if that plays the very same plan; else, as when faults have had the
// answer, it is the scenario itself.
func (s *Service) replayOf(w http.ResponseWriter, r *http.Request) *replay {
	e, ok := s.chosenEntry(w, r)
	if !ok {
		return nil
	}
	d, _ := s.Journal.DecisionAt(e.Sequence).(decided)
	switch {
	case d.Decision == nil:
		refuse(w, http.StatusConflict, "sequence", "nothing has been decided about this request, so there is no answer to play again")
		return nil
	case below(e.Path) != messagesPath || e.Method != http.MethodPost:
		refuse(w, http.StatusConflict, "sequence", "only answers to POST "+messagesPath+" can be played again")
		return nil
	}
	if d.Timeline.Broken() == nil {
		for _, inPieces := range []bool{false, true} {
			if text := retraced(e, d.Decision, inPieces); s.plays(text, e, d.Decision) {
				return &replay{e, text, 0, d.Timeline}
			}
		}
	}
	note := fmt.Sprintf("# Request %d of the run %s gets the answer in question, with the seed %d and when those before were like it.\n",
		e.Ordinal, oneLine(e.Run), e.Seed)
	return &replay{e, note + strings.TrimPrefix(string(d.Scenario().Source), "\ufeff"), e.Ordinal - 1, d.Timeline}
}

const messagesPath = "/v1/messages"

// plays reports whether a scenario gives the request the same answer at the same instants.
func (s *Service) plays(text string, e journal.Entry, d *run.Decision) bool {
	loaded, err := s.Scenarios().LoadText("replay.yaml", []byte(text))
	if err != nil {
		return false
	}
	config := s.Config
	config.Default, config.Seed = loaded, &e.Seed
	planned, err := New(config).Plans(asAsked(e), 1)
	if err != nil || len(planned) != 1 {
		return false
	}
	steps := planned[0].Steps
	if planned[0].Status != d.Timeline.Status || len(steps) != d.Timeline.Len() {
		return false
	}
	for i, step := range steps {
		want := decided{d}.Step(i)
		if step.Kind != want.Kind || step.Event != want.Event || step.Index != want.Index || step.Tokens != want.Tokens || step.Planned != want.Planned {
			return false
		}
	}
	return true
}

// asAsked is a request as it came, but for what chose the scenario and the run.
func asAsked(e journal.Entry) *http.Request {
	r := &http.Request{
		Method: e.Method, URL: &url.URL{Path: messagesPath}, RequestURI: messagesPath, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: e.Header.Clone(), Body: io.NopCloser(bytes.NewReader(e.Body)), ContentLength: int64(len(e.Body)),
	}
	for _, name := range []string{"X-Orrery-Scenario", "X-Orrery-Run"} {
		r.Header.Del(name)
	}
	return r
}

func (s *Service) journalScenario(w http.ResponseWriter, r *http.Request) {
	if found := s.replayOf(w, r); found != nil {
		plainText(w, "application/yaml", found.scenario)
	}
}
