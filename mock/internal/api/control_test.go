package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// controls ask a service's control API as a client on this machine would.
type controls struct {
	*service
}

func (c controls) do(method, path, body string, headers ...string) (int, map[string]any) {
	c.t.Helper()
	r := httptest.NewRequest(method, "http://localhost:4010/_orrery"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:1234"
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
		if name == "Host" {
			r.Host = value
		}
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	var told map[string]any
	if w.Body.Len() > 0 && strings.Contains(w.Header().Get("Content-Type"), "json") {
		require.NoError(c.t, json.Unmarshal(w.Body.Bytes(), &told), w.Body.String())
	}
	return w.Code, told
}

// ask asks for a message of a run; its answer's status.
func (c controls) ask(path, body string) *httptest.ResponseRecorder {
	c.t.Helper()
	r := httptest.NewRequest("POST", path+"/v1/messages", strings.NewReader(body))
	r.Header.Set("X-Api-Key", "any")
	r.Header.Set("Anthropic-Version", "2023-06-01")
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w
}

func TestEveryOperationOfTheControlAPIIsInItsDocumentAndNoOther(t *testing.T) {
	c := controls{serving(t)}
	_, document := c.do("GET", "/openapi.json", "")
	described := map[string]bool{}
	for path, methods := range document["paths"].(map[string]any) {
		for method := range methods.(map[string]any) {
			described[strings.ToUpper(method)+" "+path] = true
		}
	}
	served := map[string]bool{}
	require.NoError(t, chi.Walk(c.Routes(), func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if strings.HasPrefix(path, "/_orrery") {
			served[method+" "+path] = true
		}
		return nil
	}))
	require.Equal(t, served, described)
	require.Greater(t, len(served), 20)
}

func TestARunIsMadeUsedReadResetAndForgotten(t *testing.T) {
	c := controls{serving(t)}
	status, made := c.do("POST", "/runs", `{"scenario": "quick", "name": "t1", "seed": 7, "speed": "max", "label": "first"}`)
	require.Equal(t, 201, status)
	require.Equal(t, "http://localhost:4010/scenarios/quick/runs/t1", made["url"])
	require.Equal(t, []any{7., "max", "real", "first"}, []any{made["seed"], made["speed"], made["clock"], made["label"]})

	require.Equal(t, 200, c.ask("/scenarios/quick/runs/t1", hello).Code)
	_, counted := c.do("GET", "/journal/count?scenario=quick&run=t1", "")
	require.Equal(t, 1., counted["seen"])

	status, _ = c.do("POST", "/runs/quick/t1/reset", "")
	require.Equal(t, 200, status)
	_, counted = c.do("GET", "/journal/count?scenario=quick&run=t1", "")
	require.Equal(t, 0., counted["seen"])
	_, read := c.do("GET", "/runs/quick/t1", "")
	require.Equal(t, made["seed"], read["seed"], "a reset run is made as it was")

	_, listed := c.do("GET", "/runs", "")
	require.Len(t, listed["runs"], 2, "the default one and this")
	status, _ = c.do("DELETE", "/runs/quick/t1", "")
	require.Equal(t, 204, status)
	status, gone := c.do("GET", "/runs/quick/t1", "")
	require.Equal(t, []any{404, "run"}, []any{status, gone["field"]})
	status, _ = c.do("DELETE", "/runs/home/default", "")
	require.Equal(t, 409, status)
}

func TestARunWithoutANameGetsOneOfItsOwn(t *testing.T) {
	c := controls{serving(t)}
	_, one := c.do("POST", "/runs", `{"scenario": "quick"}`)
	_, two := c.do("POST", "/runs", `{"scenario": "quick"}`)
	require.NotEqual(t, one["run"], two["run"])
	_, three := c.do("POST", "/runs", "")
	require.Equal(t, "home", three["scenario"], "the server's own")
}

func TestNobodyElseReachesTheControlAPI(t *testing.T) {
	token := func(c *api.Config) { c.ControlToken = "let-me-in" }
	c := controls{serving(t, token)}
	for name, headers := range map[string][]string{
		"a page of another origin": {"Origin: https://evil.example"},
		"a name that was rebound":  {"Host: evil.example:4010"},
		"a wrong token":            {"Authorization: Bearer let-me"},
		"an image of a page":       {"Sec-Fetch-Site: cross-site"},
		"a page with the token":    {"Authorization: Bearer let-me-in", "Origin: https://evil.example"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"/runs", "/journal", "/scenarios", "/openapi.json"} {
				status, told := c.do("GET", path, "", headers...)
				require.Equal(t, 403, status)
				require.NotContains(t, told, "runs")
			}
		})
	}
	status, _ := c.do("GET", "/runs", "", "Host: orrery:4010", "Authorization: Bearer let-me-in")
	require.Equal(t, 200, status, "with the token, from anywhere")
}

func TestAnswersAreScriptedOverHTTPAndUsedOnceEach(t *testing.T) {
	c := controls{serving(t)}
	c.do("POST", "/runs", `{"scenario": "quick", "name": "s", "strict": true}`)
	status, told := c.do("POST", "/runs/quick/s/next", `[{"error": {"status": 529}}, {"reply": "at last"}]`)
	require.Equal(t, []any{200, 2.}, []any{status, told["scripted"]})
	require.Equal(t, 529, c.ask("/scenarios/quick/runs/s", hello).Code)
	require.Contains(t, c.ask("/scenarios/quick/runs/s", hello).Body.String(), "at last")
	require.Equal(t, 501, c.ask("/scenarios/quick/runs/s", hello).Code, "a strict run has nothing more to say")
}

func TestAGateHoldsAnAnswerUntilItIsReleased(t *testing.T) {
	c := controls{serving(t)}
	c.do("POST", "/runs", `{"scenario": "quick", "name": "g"}`)
	c.do("POST", "/runs/quick/g/next", `{"reply": "held", "faults": [{"stall": {"gate": "go"}, "before": "headers"}]}`)
	answered := make(chan *httptest.ResponseRecorder)
	go func() { answered <- c.ask("/scenarios/quick/runs/g", hello) }()
	require.Eventually(t, func() bool {
		_, told := c.do("GET", "/runs/quick/g/gates", "")
		gates := told["gates"].([]any)
		return len(gates) == 1 && gates[0].(map[string]any)["waiting"] == 1.
	}, 5*time.Second, time.Millisecond)
	_, told := c.do("POST", "/runs/quick/g/gates/go/release", "")
	require.Equal(t, 1., told["released"])
	require.Contains(t, (<-answered).Body.String(), "held")
}

func TestASteppedRunMovesOnlyWhenItIsTold(t *testing.T) {
	c := controls{serving(t)}
	c.do("POST", "/runs", `{"scenario": "home", "name": "step", "clock": "stepped"}`)
	streamed := strings.Replace(hello, `"max_tokens"`, `"stream":true,"max_tokens"`, 1)
	answered := make(chan *httptest.ResponseRecorder)
	go func() { answered <- c.ask("/scenarios/home/runs/step", streamed) }()

	status, told := c.do("POST", "/runs/home/step/clock", `{"until": "first-token"}`)
	require.Equal(t, 200, status, told)
	entry := c.Journal.Find(journal.Query{Run: "step"})[0]
	require.Equal(t, 30*time.Millisecond, entry.ActualTTFT())
	require.Equal(t, 1, sent(entry))

	status, told = c.do("POST", "/runs/home/step/clock", `{"next": 2}`)
	require.Equal(t, []any{200, 2.}, []any{status, told["steps"]})
	require.Equal(t, 3, sent(c.Journal.Find(journal.Query{Run: "step"})[0]))

	_, told = c.do("POST", "/runs/home/step/clock", `{"advance": "99ms"}`)
	require.Equal(t, 3, sent(c.Journal.Find(journal.Query{Run: "step"})[0]), "the fourth is due after 100")
	require.Len(t, told["waiting"], 1)

	c.do("POST", "/runs/home/step/clock", `{"release": true}`)
	w := <-answered
	require.Contains(t, w.Body.String(), "message_stop")
	entry = c.Journal.Find(journal.Query{Run: "step"})[0]
	require.Equal(t, journal.Complete, entry.Outcome)
}

// sent is how many deltas have left.
func sent(e journal.Entry) int {
	n := 0
	for _, s := range e.Steps {
		if s.Event == "content_block_delta" && s.Actual >= 0 {
			n++
		}
	}
	return n
}

func TestTheJournalIsListedWaitedForAndFollowed(t *testing.T) {
	c := controls{serving(t)}
	tail := httptest.NewRecorder()
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan bool)
	go func() {
		defer close(left)
		r := httptest.NewRequestWithContext(ctx, "GET", "http://localhost/_orrery/journal/tail?run=j", nil)
		r.RemoteAddr = "127.0.0.1:1"
		c.ServeHTTP(&locked{ResponseRecorder: tail}, r)
	}()
	c.ask("/scenarios/quick/runs/j", hello)
	status, told := c.do("GET", "/journal/wait?run=j&n=1&timeout=5s", "")
	require.Equal(t, 200, status)
	require.Len(t, told["data"], 1)
	c.ask("/scenarios/quick/runs/j", hello)
	_, told = c.do("GET", "/journal?run=j&limit=1", "")
	require.Equal(t, true, told["has_more"])
	_, told = c.do("GET", "/journal/calls?run=j", "")
	require.NotEmpty(t, told["calls"])
	_, told = c.do("GET", "/journal/lateness?run=j", "")
	require.Contains(t, told, "p99_ms")
	status, _ = c.do("GET", "/journal/wait?run=j&n=9&timeout=10ms", "")
	require.Equal(t, 408, status)
	leave()
	<-left
	status, _ = c.do("DELETE", "/journal?scenario=quick&run=j", "")
	require.Equal(t, 204, status)
	_, told = c.do("GET", "/journal?run=j", "")
	require.Empty(t, told["data"])
}

// locked is a recorder that can be flushed by another goroutine than the one that reads it.
type locked struct{ *httptest.ResponseRecorder }

func TestPlansOverHTTPAreWhatIsServed(t *testing.T) {
	c := controls{serving(t)}
	status, told := c.do("POST", "/plans?scenario=quick&n=2", hello)
	require.Equal(t, 200, status)
	require.Len(t, told["data"], 2)
	require.Equal(t, 0, c.Journal.Len(), "nothing was played")
	for _, one := range told["data"].([]any) {
		planned := one.(map[string]any)
		require.Equal(t, []any{"quick", "all", 200.}, []any{planned["scenario"], planned["route"], planned["status"]})
	}
}

func TestAReloadChangesAllOrNothingAndRunsKeepWhatTheyPlay(t *testing.T) {
	var next func() (*scenario.Library, *scenario.Scenario, error)
	c := controls{serving(t, func(config *api.Config) {
		config.Reload = func() (*scenario.Library, *scenario.Scenario, error) { return next() }
	})}
	require.Contains(t, c.ask("/scenarios/quick/runs/kept", hello).Body.String(), "quick")

	next = func() (*scenario.Library, *scenario.Scenario, error) { return nil, nil, errors.New("quick.yaml:3: no") }
	status, told := c.do("POST", "/reload", "")
	require.Equal(t, 409, status)
	require.Contains(t, told["detail"], "quick.yaml:3")
	_, health := c.do("GET", "/health", "")
	require.Contains(t, health, "reload")
	require.Contains(t, c.ask("/scenarios/quick/runs/new", hello).Body.String(), "quick")

	changed := files()
	changed["quick.yaml"].Data = bytes.Replace(changed["quick.yaml"].Data, []byte("reply: quick"), []byte("reply: changed"), 1)
	library, err := scenario.NewLibrary(changed)
	require.NoError(t, err)
	home, err := library.Load("home")
	require.NoError(t, err)
	next = func() (*scenario.Library, *scenario.Scenario, error) { return library, home, nil }
	status, _ = c.do("POST", "/reload", "")
	require.Equal(t, 200, status)
	require.Contains(t, c.ask("/scenarios/quick/runs/kept", hello).Body.String(), "quick")
	require.Contains(t, c.ask("/scenarios/quick/runs/newer", hello).Body.String(), "changed")
	c.do("POST", "/runs/quick/kept/reset", "")
	require.Contains(t, c.ask("/scenarios/quick/runs/kept", hello).Body.String(), "changed")
	_, health = c.do("GET", "/health", "")
	require.NotContains(t, health, "reload")
}

func TestAScenarioIsActivatedForWhoeverNamesNone(t *testing.T) {
	c := controls{serving(t)}
	status, _ := c.do("POST", "/scenarios/quick/activate", "")
	require.Equal(t, 200, status)
	require.Contains(t, c.ask("", hello).Body.String(), "quick")
	_, told := c.do("GET", "/scenarios", "")
	require.Equal(t, "quick", told["playing"])
}

func TestAFaultThatTheConnectionCannotCarryIsSaidInTheJournal(t *testing.T) {
	c := controls{serving(t)}
	for end, why := range map[string]string{"{end: goaway, after: start}": "HTTP/2", "{end: stream-reset, after: start}": "no streams to reset"} {
		status, told := c.do("POST", "/runs/home/default/next", "{reply: x, faults: ["+end+"]}")
		require.Equal(t, 200, status, told)
		func() {
			defer func() { _ = recover() }() // the body is cut off
			c.ask("", hello)
		}()
		require.Contains(t, strings.Join(c.Journal.Last().Warnings, ";"), why)
	}
}
