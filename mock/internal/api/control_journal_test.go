package api_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheJournalIsListedInShortAndFromItsEnd(t *testing.T) {
	c := controls{serving(t)}
	for range 5 {
		c.ask("/scenarios/quick", hello)
	}
	listed := func(query string) ([]any, map[string]any) {
		t.Helper()
		status, told := c.do("GET", "/journal?"+query, "")
		require.Equal(t, 200, status, told)
		var sequences []any
		for _, one := range told["data"].([]any) {
			sequences = append(sequences, one.(map[string]any)["sequence"])
		}
		return sequences, told
	}
	sequences, told := listed("fields=summary&limit=10000")
	require.Equal(t, []any{1., 2., 3., 4., 5.}, sequences)
	require.Equal(t, []any{false, 5.}, []any{told["has_more"], told["last"]})
	one := told["data"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"quick", "all", 200., "complete", false, 3.},
		[]any{one["scenario"], one["route"], one["status"], one["outcome"], one["stream"], one["steps"]})
	for _, long := range []string{"header", "body", "facts", "draws"} {
		require.NotContains(t, one, long)
	}
	sequences, told = listed("fields=summary&newest=true&limit=2")
	require.Equal(t, []any{4., 5.}, sequences)
	require.Equal(t, true, told["has_more"])
	sequences, told = listed("newest=true&limit=3&before=4")
	require.Equal(t, []any{1., 2., 3.}, sequences)
	require.Equal(t, false, told["has_more"])
	require.Contains(t, told["data"].([]any)[0], "header", "these are whole")

	for query, field := range map[string]string{
		"fields=some": "fields", "newest=yes": "newest", "newest=true&before=x": "before", "before=3": "before",
		"limit=1001": "limit", "fields=summary&limit=10001": "limit",
	} {
		status, told := c.do("GET", "/journal?"+query, "")
		require.Equal(t, []any{400, field}, []any{status, told["field"]}, query)
	}
}

func TestOneRequestIsReadWithAllThatIsKnownOfIt(t *testing.T) {
	c := controls{serving(t)}
	c.ask("/scenarios/quick", hello)
	status, told := c.do("GET", "/journal/1", "")
	require.Equal(t, 200, status)
	require.Equal(t, []any{1., "quick", "all", hello}, []any{told["sequence"], told["scenario"], told["route"], told["body"]})
	for _, name := range []string{"header", "facts", "draws", "steps", "released_ns", "late_max_ns"} {
		require.Contains(t, told, name)
	}
	for _, none := range []string{"2", "0", "x", "-1", "18446744073709551616"} {
		status, told = c.do("GET", "/journal/"+none, "")
		require.Equal(t, []any{404, "sequence"}, []any{status, told["field"]}, none)
	}
	_, told = c.do("GET", "/journal/2", "")
	require.Equal(t, "it hasn't come yet: the last one so far is 1", told["detail"])
	c.do("DELETE", "/journal", "")
	_, told = c.do("GET", "/journal/1", "")
	require.Contains(t, told["detail"], "it was there once")
}

func TestTheJournalIsFollowedInShort(t *testing.T) {
	c := controls{serving(t)}
	server := httptest.NewServer(c)
	defer server.Close()
	answer, err := http.Get(server.URL + "/_orrery/journal/tail?fields=summary")
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, "text/event-stream", answer.Header.Get("Content-Type"))
	c.ask("/scenarios/quick", hello)
	lines := bufio.NewScanner(answer.Body)
	for _, want := range []string{"id: 1", "event: request", `data: {"sequence":1,`} {
		require.True(t, lines.Scan())
		require.True(t, strings.HasPrefix(lines.Text(), want), lines.Text())
	}
	require.NotContains(t, lines.Text(), `"steps":[`)
	status, told := c.do("GET", "/journal/tail?fields=few", "")
	require.Equal(t, []any{400, "fields"}, []any{status, told["field"]})
}

func TestARunThatIsNotThereIsSaidBesideItsCountOfNothing(t *testing.T) {
	c := controls{serving(t)}
	c.do("POST", "/runs", `{"scenario": "quick", "name": "made"}`)
	for query, note := range map[string]any{
		"scenario=quick&run=made": nil, "scenario=quick": nil, "run=nope": nil, "scenario=home&run=default": nil,
		"scenario=quick&run=nope": `there is no run "nope" of the scenario "quick"; POST /_orrery/runs makes one, and so does its first request`,
	} {
		status, told := c.do("GET", "/journal/count?"+query, "")
		require.Equal(t, []any{200, 0., note}, []any{status, told["seen"], told["note"]}, query)
	}
	_, told := c.do("GET", "/journal/wait?scenario=quick&run=nope&timeout=1ms", "")
	require.Contains(t, told["detail"], `there is no run "nope"`)

	c.ask("/scenarios/quick/runs/gone", hello)
	c.do("DELETE", "/runs/quick/made", "")
	status, told := c.do("GET", "/journal/count?scenario=quick&run=gone", "")
	require.Equal(t, []any{200, 1., nil}, []any{status, told["seen"], told["note"]})
}
