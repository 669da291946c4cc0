package api

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// choice is the scenario and the run that a request asks for.
type choice struct{ scenario, run string }

// chosen reads the choice: each of the two from the first of base path, header and key that
// names it (R4), else the default.
func (s *Service) chosen(r *http.Request, key string) choice {
	c := choice{scenario: s.Playing().Name, run: DefaultRun}
	byKey := choice{}
	if name, ok := strings.CutPrefix(key, "orrery:"); ok {
		byKey.scenario, byKey.run, _ = strings.Cut(name, ":")
	}
	for _, name := range []string{segment(r, "scenario"), r.Header.Get("X-Orrery-Scenario"), byKey.scenario} {
		if name != "" {
			c.scenario = name
			break
		}
	}
	for _, name := range []string{segment(r, "run"), r.Header.Get("X-Orrery-Run"), byKey.run} {
		if name != "" {
			c.run = name
			break
		}
	}
	return c
}

// segment is a part of the path that has a name, as whoever asks means it.
func segment(r *http.Request, name string) string {
	text := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return text
	}
	if plain, err := url.PathUnescape(text); err == nil { // the router went by what was sent
		return plain
	}
	return text
}

// load finds a scenario or a draft by name; a file is compiled on first use, while others are served.
func (s *Service) load(name string) (*part, *wire.Error) {
	s.mu.Lock()
	p, ok := s.loaded[name]
	shelf := s.shelf
	s.mu.Unlock()
	if !ok {
		p, ok = s.drafts.parts.Get(name)
	}
	if ok {
		return p, nil
	}
	loaded, err := shelf.Load(name)
	if err != nil {
		return nil, unloadable(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.loaded[name]; ok {
		return p, nil
	}
	p = newPart(loaded)
	if s.shelf == shelf { // or else it has been read anew meanwhile
		s.loaded[name] = p
	}
	return p, nil
}

// unknown is an error when a name is none of a file's, a draft's, a run's or a record's scenario; else nil.
func (s *Service) unknown(name string) error {
	s.mu.Lock()
	known := append(s.shelf.Names(), slices.Collect(maps.Keys(s.loaded))...)
	s.mu.Unlock()
	known = append(known, s.drafts.parts.Keys()...)
	for _, one := range append(s.runs.All(), s.home.Load()) {
		known = append(known, one.Scenario().Name)
	}
	if slices.Contains(known, name) || !s.Journal.Count(journal.Query{Scenario: name}).Never() {
		return nil
	}
	slices.Sort(known)
	return scenario.Unknown(name, slices.Compact(known))
}

// unloadable is 404 for a name that isn't known, and 500 for a file that has mistakes.
func unloadable(err error) *wire.Error {
	if unknown := new(scenario.UnknownError); errors.As(err, &unknown) {
		return wire.Own(http.StatusNotFound, err.Error())
	}
	return wire.Own(http.StatusInternalServerError, "the scenario can't be played: "+err.Error())
}
