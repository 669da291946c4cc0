package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/internal/memnet"
	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

const (
	secret = "sk-ant-nobody-may-ever-read-this"
	hello  = `{"model":"claude-sonnet-5","max_tokens":100,"messages":[{"role":"user","content":"hi"}]}`
	// question is the same, for count_tokens.
	question = `{"model":"claude-sonnet-5","messages":[{"role":"user","content":"hi"}]}`
)

// files are the scenarios that every test's service knows. The default is "home".
func files() fstest.MapFS {
	named := func(name, rest string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("orrery: 1\nname: " + name + "\n" + rest)}
	}
	return fstest.MapFS{
		"home.yaml": named("home", `
seed: 3
facts: {busy: concurrency, since: elapsed_ms}
profiles:
  slow: {respond: {uniform: [100ms, 200ms]}, headers: 10ms, message-start: 20ms, first-token: 30ms, token-gap: 100ms}
routes: [{name: all, profile: slow, reply: one two three four five, marks: {later: busy + since > 1}}]
`),
		"quick.yaml": named("quick", `
parameters: {mode: {enum: [hard, soft], default: soft}, level: {type: integer, minimum: 1, maximum: 5}, share: {type: number}, warm: {type: boolean}, note: {type: string}}
facts: {noted: params.note + header("x-note"), sent: header("x-api-key") + header("authorization")}
profiles: {quick: {respond: 0}}
routes: [{name: all, when: noted + sent != "none", profile: quick, reply: quick}]
`),
		"limited.yaml": named("limited", `
limits: {requests: 3, input_tokens: 30400, output_tokens: 8000}
profiles: {quick: {respond: 0}}
routes: [{name: fails, when: text == "fail", error: {status: 529}}, {name: all, profile: quick, reply: one two}]
api: {cdn_headers: true}
`),
		"lax.yaml": named("lax", "profiles: {quick: {respond: 0}}\nroutes: [{name: all, profile: quick, reply: lax}]\napi: {validation: warn}\n"),
		"own-models.yaml": named("own-models", `
api: {models: listed}
models: {mine-1: {alias: mine, name: My model, like: claude-sonnet-5, max_output: 7, created: 2027-01-01T00:00:00Z}}
profiles: {quick: {respond: 0}}
routes: [{name: all, profile: quick, reply: own}]
`),
		"broken.yaml": named("broken", "routes: [{name: all, profile: nothing}]\n"),
	}
}

// service is a service under test, without a server around it.
type service struct {
	*api.Service
	t testing.TB
}

func serving(t testing.TB, changes ...func(*api.Config)) *service {
	t.Helper()
	replies, err := reply.Open(fstest.MapFS{"replies/bees.md": {Data: []byte("Bees dance.")}})
	require.NoError(t, err)
	library, err := scenario.NewLibrary(files())
	require.NoError(t, err)
	home, err := library.Load("home")
	require.NoError(t, err)
	c := api.Config{Default: home, Library: library, Replies: replies, Journal: journal.New(0), Clock: clock.Real()}
	for _, change := range changes {
		change(&c)
	}
	return &service{api.New(c), t}
}

func logged(to *bytes.Buffer) func(*api.Config) {
	return func(c *api.Config) { c.Logger = slog.New(slog.NewTextHandler(to, nil)) }
}

// request makes a request with key and version; headers are names and values in turn, and an
// empty value leaves one out.
func request(method, path, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("X-Api-Key", secret)
	r.Header.Set("Anthropic-Version", "2023-06-01")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	return r
}

func (s *service) do(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// post asks a scenario that answers at once.
func (s *service) post(body string, headers ...string) *httptest.ResponseRecorder {
	return s.do(request("POST", "/scenarios/quick/v1/messages", body, headers...))
}

// envelope is the API's error as a client reads it.
type envelope struct {
	Type  string
	Error struct{ Type, Message string }
	ID    string `json:"request_id"`
}

// requireError checks that an answer is an error in the API's shape, and returns its message.
func requireError(t testing.TB, w *httptest.ResponseRecorder, status int, kind string) string {
	t.Helper()
	require.Equal(t, status, w.Code, w.Body.String())
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	return requireEnvelope(t, w.Body.Bytes(), w.Header(), kind)
}

func requireEnvelope(t testing.TB, body []byte, h http.Header, kind string) string {
	t.Helper()
	var e envelope
	require.NoError(t, json.Unmarshal(body, &e), string(body))
	require.Equal(t, "error", e.Type)
	require.Equal(t, kind, e.Error.Type)
	require.NotEmpty(t, e.ID)
	require.Equal(t, e.ID, h.Get("Request-Id"))
	require.NotEmpty(t, h.Get("X-Should-Retry"))
	return e.Error.Message
}

// network is a service behind a real http.Server on pipes.
type network struct {
	*service
	listener *memnet.Listener
	client   *http.Client
}

// connected runs a test in a bubble, with a server in it.
func connected(t *testing.T, test func(*testing.T, *network), changes ...func(*api.Config)) {
	synctest.Test(t, func(t *testing.T) {
		n := &network{serving(t, changes...), memnet.New(), nil}
		server := &http.Server{Handler: n, ErrorLog: log.New(io.Discard, "", 0)}
		go func() { _ = server.Serve(n.listener) }()
		transport := &http.Transport{DialContext: n.dial}
		n.client = &http.Client{Transport: transport}
		test(t, n)
		require.NoError(t, server.Close())
		transport.CloseIdleConnections()
	})
}

func (n *network) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return n.listener.Dial(ctx)
}

// raw sends bytes on a connection of its own.
func (n *network) raw(text string) net.Conn {
	n.t.Helper()
	c, err := n.listener.Dial(n.t.Context())
	require.NoError(n.t, err)
	_, err = io.WriteString(c, text)
	require.NoError(n.t, err)
	return c
}
