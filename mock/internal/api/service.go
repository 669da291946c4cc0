// Package api is the Messages API over HTTP: endpoints, the choice of scenario and run, CORS.
//
// One request goes one way: arrive, read, decide (facts, route, outcome, plan, guards), play,
// record. [Service.serveAt] is that way; the endpoints differ only in how they read and decide.
//
//	s := api.New(api.Config{…})
//	http.Serve(listener, s)
package api

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/go-chi/chi/v5"
	lru "github.com/hashicorp/golang-lru/v2"

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
	Speed   float64      // at which Clock goes; 0: 1
	Seed    *uint64      // nil: each scenario's own
	Logger  *slog.Logger // nil: no log
	// LogBodies puts the beginning of each request's body into its line of the log, prompts and all.
	LogBodies bool
	// Reload reads all scenarios anew, and the default one; nil: there is nothing to read anew.
	Reload func() (*scenario.Library, *scenario.Scenario, error)
	// Verify measures what a scenario claims, with at most so many requests a workload, 0: as the file
	// says. Its verdicts are shown as JSON. Nil: nothing can be measured here.
	Verify func(ctx context.Context, s *scenario.Scenario, requests int) (verdicts any, err error)
	// Metrics answers whoever scrapes the time series; nil: there are none.
	Metrics http.Handler
	// ControlToken opens the control API to other machines; "": to none.
	ControlToken string
}

// Service answers the API's requests. It starts no goroutine.
type Service struct {
	Config
	router  http.Handler
	paths   chi.Routes
	reader  *wire.Reader
	olds    *wire.Completions
	player  play.Player
	home    atomic.Pointer[session] // of whoever names neither scenario nor run
	runs    *run.Runs[*session]
	headers headers
	room    *room                          // for large bodies while they are read
	perform func(*exchange, *run.Decision) // what is done with a decision: it is played
	unnamed atomic.Uint64                  // runs that were given a name

	named *store.Store // where files are looked up that a request names

	planning sync.Mutex // guards ends
	ends     *lru.Cache[endKey, end]

	drafts    *drafts
	loads     loads
	verifying sync.Mutex // held while claims are measured
	plots     *plots

	preloading sync.Mutex // held while a run's objects are laid out
	reloading  sync.Mutex // held while the scenarios are read anew

	mu     sync.Mutex        // guards the rest
	shelf  *scenario.Library // the scenarios that can be named
	loaded map[string]*part  // those of them that were
	stale  error             // why the last reload changed nothing; nil: it did, or there was none
}

// part is a scenario and what reading its requests needs.
type part struct {
	*scenario.Scenario
	options wire.ReadOptions
	models  []wire.Model
	gates   []string // the names of those that its answers may come to
}

// New makes a service.
func New(c Config) *Service {
	s := &Service{
		Config:  c,
		reader:  wire.NewReader(),
		olds:    wire.NewCompletions(),
		runs:    run.NewRuns[*session](),
		headers: newHeaders(),
		room:    newRoom(mostAtOnce),
		perform: (*exchange).play,
		plots:   newPlots(),
		loaded:  map[string]*part{},
	}
	if s.Store == nil {
		s.Store, _ = store.Open("") // which can't fail
	}
	s.named = s.Store
	s.ends, _ = lru.New[endKey, end](store.MostBatches) // which can't fail with a size
	s.drafts = newDrafts(s.forgetRuns)
	s.shelf = c.Library
	home := newPart(c.Default)
	s.loaded[c.Default.Name] = home
	first, _ := s.newSession(home, DefaultRun, how{}) // which can only fail for its speed
	s.home.Store(first)
	s.router = s.routes()
	return s
}

func newPart(s *scenario.Scenario) *part {
	p := &part{Scenario: s, models: run.Models(s), gates: s.Gates()}
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

// Playing is the scenario of whoever names none.
func (s *Service) Playing() *scenario.Scenario { return s.home.Load().Scenario() }

// Scenarios are those that can be named.
func (s *Service) Scenarios() *scenario.Library {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shelf
}

// Routes are the paths that are served.
func (s *Service) Routes() chi.Routes { return s.paths }

// ServeHTTP answers one request. A mistake of the server's that no exchange has caught, in the control API
// say, is a 500 and a line in the log, and nothing else.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case http.ErrAbortHandler:
			panic(cause)
		default:
			s.complain(r.URL.Path, cause)
			rescue(w, 0)
		}
	}()
	s.router.ServeHTTP(w, r)
}

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
	s.paths = r
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
	r.Post("/v1/messages/count_tokens", s.serveAt("count_tokens", (*exchange).countTokens))
	r.Post("/v1/complete", s.serveAt("complete", (*exchange).completion))
	r.Route("/v1/messages/batches", func(r chi.Router) {
		r.Post("/", s.serveAt("batches", (*exchange).createBatch))
		r.Get("/", s.serveAt("batches", (*exchange).listBatches))
		r.Get("/{batch}", s.serveAt("batches", (*exchange).getBatch))
		r.Delete("/{batch}", s.serveAt("batches", (*exchange).deleteBatch))
		r.Post("/{batch}/cancel", s.serveAt("batches", (*exchange).cancelBatch))
		r.Get("/{batch}/results", s.serveAt("results", (*exchange).batchResults))
	})
	r.Route("/v1/files", func(r chi.Router) {
		r.Post("/", s.serveAt("files", (*exchange).createFile))
		r.Get("/", s.serveAt("files", (*exchange).listFiles))
		r.Get("/{file}", s.serveAt("files", (*exchange).getFile))
		r.Delete("/{file}", s.serveAt("files", (*exchange).deleteFile))
		r.Get("/{file}/content", s.serveAt("files", (*exchange).fileContent))
	})
	r.Route("/v1/skills", func(r chi.Router) {
		r.Post("/", s.serveAt("skills", (*exchange).createSkill))
		r.Get("/", s.serveAt("skills", (*exchange).listSkills))
		r.Get("/{skill}", s.serveAt("skills", (*exchange).getSkill))
		r.Delete("/{skill}", s.serveAt("skills", (*exchange).deleteSkill))
		r.Post("/{skill}/versions", s.serveAt("skills", (*exchange).createVersion))
		r.Get("/{skill}/versions", s.serveAt("skills", (*exchange).listVersions))
		r.Get("/{skill}/versions/{version}", s.serveAt("skills", (*exchange).getVersion))
		r.Delete("/{skill}/versions/{version}", s.serveAt("skills", (*exchange).deleteVersion))
		r.Get("/{skill}/versions/{version}/content", s.serveAt("skills", (*exchange).versionContent))
	})
	r.Get("/v1/keys", s.serve((*exchange).keys))
	r.Get("/v1/models", s.serveAt("models", (*exchange).models))
	r.Get("/v1/models/{model}", s.serveAt("models", (*exchange).model))
}

// serve is the way of one request to the messages endpoint, and to whatever routes don't speak of.
func (s *Service) serve(decide func(*exchange) *run.Decision) http.HandlerFunc {
	return s.serveAt("", decide)
}

// serveAt is the way of one request to an endpoint as routes name it, "" for messages. One that ends
// without a decision has nobody to answer: its connection is broken off, or else net/http would send an
// empty 200.
func (s *Service) serveAt(endpoint string, decide func(*exchange) *run.Decision) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x := s.arrive(w, r)
		x.query.Endpoint = endpoint
		defer x.record()
		d := decide(x)
		if d == nil {
			panic(http.ErrAbortHandler)
		}
		s.perform(x, d)
	}
}

// Next scripts the outcomes of the next requests of the default run.
func (s *Service) Next(outcomes ...*scenario.Outcome) { s.home.Load().Next(outcomes...) }

// Release opens a gate of the default run and returns how many answers waited there.
func (s *Service) Release(gate string) int { return s.home.Load().gates.release(gate) }
