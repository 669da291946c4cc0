package mock

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/seed-954e9acd/orrery/fixtures"
	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/internal/store"
	"github.com/seed-954e9acd/orrery/mock/internal/transport"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Handler answers the API's requests. It starts no goroutine of its own.
type Handler struct {
	service  *api.Service
	settings settings
	// openConnections counts those with a request on them; nil where nothing listens.
	openConnections func() int
	// counts tells of connections and streams; nil likewise.
	counts func() transport.Counts
}

// New makes a handler. An error names what is wrong with the scenario, and where.
func New(opts ...Option) (*Handler, error) {
	s := settings{scenario: "messages", clock: clock.Real(), connections: 10_000}
	for _, opt := range opts {
		opt(&s)
	}
	paced := s.clock
	if s.speed != 0 {
		var err error
		if paced, err = clock.Scaled(s.clock, s.speed); err != nil {
			return nil, err
		}
	}
	replies, err := reply.Open(fixtures.FS)
	if err != nil {
		return nil, err
	}
	lib, played, err := s.read(replies)
	if err != nil {
		return nil, err
	}
	kept, err := store.Open(s.state)
	if err != nil {
		return nil, err
	}
	file, err := s.openJournal()
	if err != nil {
		return nil, err
	}
	service := api.New(api.Config{
		Default: played,
		Library: lib,
		Replies: replies,
		Journal: journal.New(s.journalLimit),
		Clock:   paced,
		Speed:   s.speed,
		Store:   kept,
		Seed:    s.seed,
		Logger:  s.logger,

		LogBodies: s.logBodies,
		Reload:    s.reload(replies),
		Verify:    s.verify,

		ControlToken: s.controlToken,
	})
	service.Journal.KeepIn(file)
	h := &Handler{service: service, settings: s}
	h.measure()
	if s.strict != nil {
		service.Strict()
		s.strict.Cleanup(func() { h.RequireScriptUsed(s.strict) })
	}
	return h, nil
}

func (s *settings) load(lib *scenario.Library) (*scenario.Scenario, error) {
	switch {
	case s.text != "":
		return lib.LoadText("the scenario's text", []byte(s.text))
	case s.file != "":
		return lib.LoadFile(s.file)
	default:
		return lib.Load(s.scenario)
	}
}

// reload reads the settings' files anew; nil where they name none.
func (s *settings) reload(replies *reply.Library) func() (*scenario.Library, *scenario.Scenario, error) {
	if s.dir == "" && s.file == "" {
		return nil
	}
	return func() (*scenario.Library, *scenario.Scenario, error) {
		return s.read(replies)
	}
}

// read reads the scenarios that can be named, and the one to play. What is wrong with any of the user's own files is
// the error, so that no request comes upon it.
func (s *settings) read(replies *reply.Library) (*scenario.Library, *scenario.Scenario, error) {
	lib, err := library(s.dir, replies)
	if err != nil {
		return nil, nil, err
	}
	own := lib.Check()
	played, err := s.load(lib)
	var problems scenario.Problems
	switch {
	case own != nil && s.scenario != "" && errors.As(err, &problems):
		return nil, nil, own // which tells of it
	case own != nil || err != nil:
		return nil, nil, apart(err, own)
	}
	return lib, played, nil
}

// apart joins errors as problems are printed, with an empty line between them.
func apart(one, other error) error {
	switch {
	case one == nil:
		return other
	case other == nil:
		return one
	}
	return fmt.Errorf("%w\n\n%w", one, other)
}

// Reload reads the files of [ScenarioFile] and [ScenarioDir] anew. One with a mistake changes nothing, and is
// the error. Runs that are there keep what they play until they are reset.
func (h *Handler) Reload() error { return h.service.ReloadScenarios() }

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.service.ServeHTTP(w, r) }

// Skipped names what under [StateDir] couldn't be read, and why.
func (h *Handler) Skipped() []string { return h.service.Store.Skipped }

// Journal is the record of every request.
func (h *Handler) Journal() *journal.Journal { return h.service.Journal }

// Scenario is the one that answers whoever names none.
func (h *Handler) Scenario() *scenario.Scenario { return h.service.Playing() }

// Next scripts the answers to the next good requests of the default run, in order of arrival, in
// place of the scenario's routes. Each is used once; then the routes answer again. It
// panics when an answer asks for a profile that the scenario doesn't have, or can't be made.
func (h *Handler) Next(answers ...Answer) {
	outcomes := make([]*scenario.Outcome, len(answers))
	for i, a := range answers {
		var err error
		if outcomes[i], err = a.outcome(h.Scenario(), h.service.Scenarios()); err != nil {
			panic("orrery: " + err.Error())
		}
	}
	h.service.Next(outcomes...)
}

// Release opens a gate of the default run, at which a fault {stall: {gate: NAME}} holds answers back:
// those that wait there go on, and later ones pass. It returns how many waited.
func (h *Handler) Release(gate string) int { return h.service.Release(gate) }

// Plans returns what the next n requests like r would get from an idle run, without playing
// them. Steps that weren't played have an actual time of -1. It reads r's body.
func (h *Handler) Plans(r *http.Request, n int) ([]journal.Entry, error) {
	return h.service.Plans(r, n)
}
