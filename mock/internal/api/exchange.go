package api

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/transport"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// MaxBody is the most that a request's body may hold: the API's 32 MB.
const MaxBody = 32 << 20

// exchange is one request and its answer.
type exchange struct {
	service *Service
	w       http.ResponseWriter
	r       *http.Request
	part    *part
	run     *session

	connection *transport.Conn
	clock      clock.Clock // the run's, for this request
	leave      func()      // ends the request's work on it
	problem    *wire.Error // found before the body was read
	query      run.Query
	entry      *journal.Record
	asked      []byte        // its body; nil while it is read
	decision   *run.Decision // nil before there is one

	status  int
	outcome journal.Outcome
	phase   journal.Phase
	// finish is done once the entry is closed, when the client may see the end; nil: nothing.
	finish func()
	left   time.Time // when the answer was broken off; zero: it wasn't

	first   *firstToken // of an answer on a stepped clock, else nil
	content *content    // the body of an answer that is too large to be held, else nil
}

// arrive notes the time, finds scenario and run, and opens the journal's entry.
func (s *Service) arrive(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{service: s, w: w, r: r, outcome: journal.ClientLeft, phase: journal.Reading}
	x.query = run.Query{
		Header: r.Header, Method: r.Method, Path: pathOf(r), Protocol: r.Proto,
	}
	x.connection = transport.From(r.Context())
	x.query.ConnectionRequests = x.connection.Took()
	key := keyOf(r.Header)
	fingerprint := fingerprintOf(key)
	x.query.Client = fingerprint
	if key == "" {
		x.query.Client = host(r.RemoteAddr)
	}
	x.choose(s.chosen(r, key), key)
	x.clock, x.leave = clock.Enter(x.run.clock, r.Method+" "+r.URL.Path)
	x.query.Arrived = x.clock.Now()
	x.query.Key = x.run.Scenario().KeyName(key)
	arrival := journal.Arrival{
		Scenario: x.run.Scenario().Name, Run: x.run.Name(),
		Method: r.Method, Path: cmp.Or(r.URL.RawPath, r.URL.Path), Protocol: r.Proto, Client: x.query.Client, Key: fingerprint,
		Arrived: x.query.Arrived, Header: x.query.Header, Head: x.connection.Head(),
		Connection: x.connection.Number(), ConnectionRequests: x.query.ConnectionRequests,
	}
	x.entry = s.Journal.Open(arrival)
	x.run.answering.Add(1)
	x.run.silent.Add(1)
	return x
}

// choose settles scenario and run. What can't be had is a problem, told by the default ones.
func (x *exchange) choose(c choice, key string) {
	switch {
	case key == "":
		x.problem = wire.MissingKey()
	default:
		x.problem = versionProblem(x.r.Header.Values("Anthropic-Version"))
	}
	if x.r.Header.Get("Origin") != "" && x.r.Header.Get("Anthropic-Dangerous-Direct-Browser-Access") != "true" {
		x.problem = wire.BrowserHeaderMissing()
	}
	chosen, problem := x.service.session(c.scenario, c.run)
	if problem != nil {
		x.problem = problem
		chosen = x.service.home.Load()
	}
	x.run = chosen
	x.part = chosen.part
	if x.problem == nil && x.part.options.Validation == wire.Strict {
		x.problem = betaProblem(x.r.Header)
	}
}

// unreadable is what to say of a body that ended in an error: nothing when the client has left.
func (x *exchange) unreadable(err error) *wire.Error {
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return wire.TooLarge()
	}
	broken := new(net.OpError)
	if x.r.Context().Err() != nil || errors.As(err, &broken) {
		return nil
	}
	for _, end := range []error{io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed} {
		if errors.Is(err, end) {
			return nil
		}
	}
	return wire.Unreadable(err.Error())
}

// options say how to read a request with these headers.
func (s *Service) options(p *part, h http.Header) wire.ReadOptions {
	options := p.options
	options.Version = h.Get("Anthropic-Version")
	options.Betas = run.Betas(h)
	return options
}

// options say how to read the exchange's request, and which files it may name.
func (x *exchange) options() wire.ReadOptions {
	options := x.service.options(x.part, x.r.Header)
	options.Kept, options.Open = x.keeps, x.open
	return options
}

// read reads and checks the request's body. Without a request and without a problem, the client
// has left.
func (x *exchange) read(countOnly bool) (*wire.Request, *wire.Error) {
	body, problem := x.body()
	if body == nil {
		return nil, problem
	}
	if x.problem != nil {
		return nil, x.problem
	}
	options := x.options()
	options.CountOnly = countOnly
	request, problem := x.service.reader.Read(body, options)
	if request != nil && options.Validation == wire.Warn {
		if beta := betaProblem(x.r.Header); beta != nil {
			request.Warnings = append(request.Warnings, beta.Message)
		}
	}
	return request, problem
}

// refuse answers with an error; without one the client has left, and nothing is answered.
func (x *exchange) refuse(problem *wire.Error) *run.Decision {
	if problem == nil {
		return nil
	}
	return x.run.Refuse(x.query, problem)
}

func (x *exchange) messages() *run.Decision {
	request, problem := x.read(false)
	if request == nil {
		return x.refuse(problem)
	}
	x.query.Request = request
	return x.run.Decide(x.query)
}

func (x *exchange) countTokens() *run.Decision {
	request, problem := x.read(true)
	if request == nil {
		return x.refuse(problem)
	}
	x.query.Request = request
	return x.run.Direct(x.query, wire.AppendCount(nil, request.InputTokens))
}

func (x *exchange) models() *run.Decision {
	answer, problem := wire.AppendModels(nil, x.part.models, x.r.URL.Query())
	if problem != nil && x.lax() {
		answer, problem = wire.AppendModels(nil, x.part.models, nil)
	}
	return x.direct(answer, problem)
}

func (x *exchange) model() *run.Decision {
	name := chi.URLParam(x.r, "model")
	if p := x.run.Scenario().Preload; p != nil && slices.Contains(p.Models, name) {
		return x.direct(wire.AppendUnlistedModel(nil, name), nil)
	}
	return x.direct(wire.AppendModel(nil, x.part.models, name))
}

// direct answers a request that has no body and takes no time.
func (x *exchange) direct(answer []byte, problem *wire.Error) *run.Decision {
	if x.problem != nil {
		problem = x.problem
	}
	if problem != nil {
		return x.refuse(problem)
	}
	return x.run.Direct(x.query, answer)
}

func (x *exchange) notFound() *run.Decision { return x.unserved(wire.NotFound()) }

func (x *exchange) methodNotAllowed() *run.Decision { return x.unserved(wire.MethodNotAllowed()) }

func (x *exchange) unserved(problem *wire.Error) *run.Decision {
	if strings.HasPrefix(x.query.Path, "/v1/") {
		return x.run.Refuse(x.query, problem)
	}
	return x.run.Stray(x.query, problem)
}

// pathOf is a request's path under the base that names a scenario or a run.
func pathOf(r *http.Request) string {
	if r.URL.RawPath == "" {
		return below(r.URL.Path)
	}
	path := below(r.URL.RawPath) // in which a name's own slashes are escaped
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}

// below is the path under the base that names a scenario or a run.
func below(path string) string {
	for _, base := range []string{"/scenarios/", "/runs/"} {
		if rest, ok := strings.CutPrefix(path, base); ok {
			if _, after, found := strings.Cut(rest, "/"); found {
				path = "/" + after
			}
		}
	}
	return path
}

// keyOf is the API key as it was sent, in x-api-key or as a bearer token.
func keyOf(h http.Header) string {
	if key := h.Get("X-Api-Key"); key != "" {
		return key
	}
	scheme, token, _ := strings.Cut(h.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	return ""
}

// fingerprintOf tells keys apart without keeping them.
func fingerprintOf(key string) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(key))
	return "key-" + hex.EncodeToString(sum[:6])
}

func host(address string) string {
	if h, _, err := net.SplitHostPort(address); err == nil {
		return h
	}
	return address
}

func betaProblem(h http.Header) *wire.Error {
	if unknown := wire.UnknownBetas(run.Betas(h)); len(unknown) > 0 {
		return wire.BadBeta(unknown...)
	}
	return nil
}

func versionProblem(values []string) *wire.Error {
	switch version := strings.Join(values, ", "); version {
	case "":
		return wire.MissingVersion()
	case "2023-01-01", "2023-06-01", "2026-10-21":
		return nil
	default:
		return wire.BadVersion(version)
	}
}
