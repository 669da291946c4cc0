// Package api is the Messages API over HTTP: endpoints, the choice of scenario and run, CORS.
//
// One request goes one way: arrive, read, decide (facts, route, outcome, plan, guards), play,
// record. [Service.serve] is that way; the endpoints differ only in how they read and decide.
//
//	s := api.New(api.Config{…})
//	http.Serve(listener, s)
package api

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/go-chi/chi/v5"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/play"
	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/store"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// DefaultRun is the run of whoever names none.
const DefaultRun = "default"

// Config is what a service is made of. All but Seed and Logger must be given.
type Config struct {
	Default *scenario.Scenario // answers whoever names no scenario
	Library *scenario.Library  // the scenarios that can be named
	Replies *reply.Library
	Journal *journal.Journal
	Clock   clock.Clock
	Store   *store.Store // nil: one in memory
	Seed    *uint64      // nil: each scenario's own
	Logger  *slog.Logger // nil: no log
}

// Service answers the API's requests. It starts no goroutine.
type Service struct {
	Config
	router  http.Handler
	reader  *wire.Reader
	olds    *wire.Completions
	player  play.Player
	home    *run.Run // of whoever names neither scenario nor run
	runs    *run.Runs
	headers headers
	room    *semaphore.Weighted            // for large bodies while they are read
	perform func(*exchange, *run.Decision) // what is done with a decision: it is played

	connections atomic.Uint64 // accepted so far

	named *store.Store // where files are looked up that a request names

	planning sync.Mutex // guards ends
	ends     *lru.Cache[endKey, end]

	preloading sync.Mutex // held while a run's objects are laid out

	mu     sync.Mutex // guards loaded
	loaded map[string]*part
}

// part is a scenario and what reading its requests needs.
type part struct {
	*scenario.Scenario
	options wire.ReadOptions
	models  []wire.Model
}

// New makes a service.
func New(c Config) *Service {
	s := &Service{
		Config:  c,
		reader:  wire.NewReader(),
		olds:    wire.NewCompletions(),
		runs:    run.NewRuns(),
		headers: newHeaders(),
		room:    semaphore.NewWeighted(mostAtOnce),
		perform: (*exchange).play,
		loaded:  map[string]*part{},
	}
	if s.Store == nil {
		s.Store, _ = store.Open("") // which can't fail
	}
	s.named = s.Store
	s.ends, _ = lru.New[endKey, end](store.MostBatches) // which can't fail with a size
	s.loaded[c.Default.Name] = newPart(c.Default)
	s.home = s.preload(s.newRun(c.Default, DefaultRun))
	s.router = s.routes()
	return s
}

func newPart(s *scenario.Scenario) *part {
	p := &part{Scenario: s, models: run.Models(s)}
	p.options.Models = p.models
	p.options.Listed = s.API.Models == "listed"
	p.options.Signature = wire.Signed
	switch s.API.Validation {
	case "warn":
		p.options.Validation = wire.Warn
	case "off":
		p.options.Validation = wire.Off
	}
	for _, parameter := range s.Parameters {
		p.options.Extra = append(p.options.Extra, wire.ExtraField{
			Name:  parameter.Name,
			Check: func(v *wire.Value) *wire.Error { return checkParameter(parameter, v) },
		})
	}
	return p
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.router.ServeHTTP(w, r) }

func (s *Service) routes() http.Handler {
	r := chi.NewRouter()
	r.Use(cross)
	r.NotFound(s.serve((*exchange).otherwise))
	r.MethodNotAllowed(s.serve((*exchange).methodNotAllowed))
	r.Route("/_orrery", s.control)
	for _, base := range []string{"/scenarios/{scenario}", "/runs/{run}", "/scenarios/{scenario}/runs/{run}"} {
		r.Route(base, s.endpoints)
	}
	s.endpoints(r)
	return shortcut(s.serve((*exchange).messages), r)
}

// shortcut spares the requests that matter most the router, which copies each.
func shortcut(messages http.HandlerFunc, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/messages" && r.Method == http.MethodPost && r.Header.Get("Origin") == "" {
			messages(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}

func (s *Service) endpoints(r chi.Router) {
	r.Post("/v1/messages", s.serve((*exchange).messages))
	r.Post("/v1/messages/count_tokens", s.serve((*exchange).countTokens))
	r.Post("/v1/complete", s.serve((*exchange).completion))
	r.Route("/v1/messages/batches", func(r chi.Router) {
		r.Post("/", s.serve((*exchange).createBatch))
		r.Get("/", s.serve((*exchange).listBatches))
		r.Get("/{batch}", s.serve((*exchange).getBatch))
		r.Delete("/{batch}", s.serve((*exchange).deleteBatch))
		r.Post("/{batch}/cancel", s.serve((*exchange).cancelBatch))
		r.Get("/{batch}/results", s.serve((*exchange).batchResults))
	})
	r.Route("/v1/files", func(r chi.Router) {
		r.Post("/", s.serve((*exchange).createFile))
		r.Get("/", s.serve((*exchange).listFiles))
		r.Get("/{file}", s.serve((*exchange).getFile))
		r.Delete("/{file}", s.serve((*exchange).deleteFile))
		r.Get("/{file}/content", s.serve((*exchange).fileContent))
	})
	r.Route("/v1/skills", func(r chi.Router) {
		r.Post("/", s.serve((*exchange).createSkill))
		r.Get("/", s.serve((*exchange).listSkills))
		r.Get("/{skill}", s.serve((*exchange).getSkill))
		r.Delete("/{skill}", s.serve((*exchange).deleteSkill))
		r.Post("/{skill}/versions", s.serve((*exchange).createVersion))
		r.Get("/{skill}/versions", s.serve((*exchange).listVersions))
		r.Get("/{skill}/versions/{version}", s.serve((*exchange).getVersion))
		r.Delete("/{skill}/versions/{version}", s.serve((*exchange).deleteVersion))
		r.Get("/{skill}/versions/{version}/content", s.serve((*exchange).versionContent))
	})
	r.Get("/v1/keys", s.serve((*exchange).keys))
	r.Get("/v1/models", s.serve((*exchange).models))
	r.Get("/v1/models/{model}", s.serve((*exchange).model))
}

// serve is the way of one request. One that ends without a decision has nobody to answer: its
// connection is broken off, or else net/http would send an empty 200.
func (s *Service) serve(decide func(*exchange) *run.Decision) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x := s.arrive(w, r)
		defer x.record()
		d := decide(x)
		if d == nil {
			panic(http.ErrAbortHandler)
		}
		s.perform(x, d)
	}
}

// Next scripts the outcomes of the next requests of the default run.
func (s *Service) Next(outcomes ...*scenario.Outcome) { s.home.Next(outcomes...) }

type connectionKey struct{}

// connection counts the requests on one connection.
type connection struct {
	number   uint64
	requests atomic.Int64
}

// ConnContext is the http.Server's: it numbers connections, so that the journal can tell them apart.
func (s *Service) ConnContext(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, &connection{number: s.connections.Add(1)})
}
