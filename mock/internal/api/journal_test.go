package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestNoKeyIsInTheJournalOrTheLog(t *testing.T) {
	const prompt = "a prompt that is nobody's business"
	var lines bytes.Buffer
	s := serving(t, logged(&lines))
	body := strings.Replace(hello, "hi", prompt, 1)
	for _, headers := range [][]string{
		nil,
		{"X-Api-Key", "", "Authorization", "Bearer " + secret},
		{"Proxy-Authorization", "Basic " + secret},
		{"Cookie", "session=" + secret},
		{"Anthropic-Version", ""},
		{"Origin", elsewhere},
	} {
		for _, path := range []string{"/v1/messages/count_tokens", "/scenarios/quick/v1/messages", "/scenarios/none/v1/messages", "/nothing"} {
			s.do(request("POST", path, body, headers...))
		}
	}
	all, err := json.Marshal(s.Journal.All())
	require.NoError(t, err)
	require.Contains(t, string(all), prompt, "the body is kept")
	require.Contains(t, string(all), `"sent":"[withheld]`, "not even by a fact that asks for it")
	require.NotContains(t, string(all), secret)

	require.Equal(t, 24, strings.Count(lines.String(), "msg=request"))
	require.NotContains(t, lines.String(), secret)
	require.NotContains(t, lines.String(), prompt)
}

func TestTheLogHasALineForEachRequest(t *testing.T) {
	var lines bytes.Buffer
	s := serving(t, logged(&lines))
	s.post(hello, "X-Orrery-Run", "a")
	for _, part := range []string{
		"level=INFO", "scenario=quick", "run=a", "method=POST", "path=/scenarios/quick/v1/messages",
		"status=200", "outcome=complete", "phase=done", "took=", "route=all", "request_id=req_",
	} {
		require.Contains(t, lines.String(), part)
	}
	require.Equal(t, 1, strings.Count(lines.String(), "\n"))
}

func TestTheLogHasPromptsWhenTheyAreAskedForAndNeverKeys(t *testing.T) {
	var lines bytes.Buffer
	s := serving(t, logged(&lines), func(c *api.Config) { c.LogBodies = true })
	s.post(strings.Replace(hello, "hi", "a prompt\n"+strings.Repeat("é", 3000), 1))
	require.Contains(t, lines.String(), `a prompt`)
	require.Less(t, lines.Len(), 5<<10, "no more than the beginning")
	require.Equal(t, 1, strings.Count(lines.String(), "\n"), "one line all the same")
	require.NotContains(t, lines.String(), secret)
}

// faulty adds a route that no loader lets through: one without a reply.
func faulty(c *api.Config) {
	made := *c.Default
	made.Routes = []*scenario.Route{{Name: "faulty"}}
	c.Default = &made
}

func TestAMistakeInADecisionIs500AndItsEntryIsClosed(t *testing.T) {
	var lines bytes.Buffer
	s := serving(t, faulty, logged(&lines))
	for range 2 { // The run isn't left locked.
		said := requireError(t, s.do(request("POST", "/v1/messages", hello)), 500, "api_error")
		require.Equal(t, "Internal server error", said)
		e := s.Journal.Last()
		require.Equal(t, []any{journal.Failed, journal.Reading}, []any{e.Outcome, e.Phase})
	}
	require.Equal(t, 200, s.post(hello).Code, "others are served")
	require.Contains(t, lines.String(), "a request made the server panic")
}

func TestARequestsEntryHoldsWhatWasAskedAndDecided(t *testing.T) {
	s := serving(t)
	w := s.post(strings.Replace(hello, "{", `{"note":"n",`, 1), "X-Note", "x")
	e := s.Journal.Last()
	require.Equal(t, "POST /scenarios/quick/v1/messages HTTP/1.1", fmt.Sprint(e.Method, " ", e.Path, " ", e.Protocol))
	require.Equal(t, []string{"quick", "default", "all"}, []string{e.Scenario, e.Run, e.Route})
	require.Equal(t, "nx", e.Facts["noted"])
	require.Equal(t, "n", e.Facts["params.note"])
	require.Equal(t, int64(w.Body.Len()), e.Bytes)
	require.Equal(t, w.Header().Get("Request-Id"), e.RequestID)
	asked, err := e.Request()
	require.NoError(t, err)
	require.Equal(t, "hi", asked.LastText)
}
