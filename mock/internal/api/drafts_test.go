package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// draft is a scenario's text that says what it answers.
func draft(reply string) string {
	return "# Tried.\norrery: 1\nname: quick\nprofiles: {fast: {respond: 0}}\nroutes: [{name: all, profile: fast, reply: " + reply + "}]\n"
}

func TestADraftIsPlayedUnderANameOfItsOwnAndChangesNoFile(t *testing.T) {
	c := controls{serving(t)}
	status, told := c.do("POST", "/scenarios/try", draft("tried"))
	require.Equal(t, 201, status, told)
	require.Equal(t, map[string]any{"scenario": "quick@draft-1", "of": "quick", "title": "", "base": "/scenarios/quick@draft-1"}, told)

	require.Contains(t, c.ask("/scenarios/quick@draft-1", hello).Body.String(), "tried")
	require.Contains(t, c.ask("/scenarios/quick@draft-1/runs/a", hello).Body.String(), "tried")
	require.Equal(t, "quick@draft-1", c.Journal.Last().Scenario)
	require.Contains(t, c.ask("/scenarios/quick", hello).Body.String(), `"text":"quick"`)

	status, told = c.do("POST", "/scenarios/try", draft("tried"))
	require.Equal(t, []any{200, "quick@draft-1"}, []any{status, told["scenario"]}, "the same text is the same draft")
	_, told = c.do("POST", "/scenarios/try", draft("again"))
	require.Equal(t, "quick@draft-2", told["scenario"])

	_, told = c.do("GET", "/scenarios", "")
	listed := fmt.Sprint(told["scenarios"])
	require.Contains(t, listed, "quick@draft-2")
	_, told = c.do("GET", "/scenarios/quick@draft-2/overview", "")
	require.Equal(t, []any{true, "Tried."}, []any{told["draft"], told["about"]})
	_, told = c.do("POST", "/plans?scenario=quick@draft-2", hello)
	require.Equal(t, "quick@draft-2", told["data"].([]any)[0].(map[string]any)["scenario"])
	status, _ = c.do("POST", "/runs", `{"scenario": "quick@draft-2", "name": "stepped", "clock": "stepped"}`)
	require.Equal(t, 201, status)
	status, _ = c.do("POST", "/runs/quick@draft-2/stepped/reset", "")
	require.Equal(t, 200, status)
}

func TestAllThatIsWrongWithADraftIsSaidWithItsPlace(t *testing.T) {
	c := controls{serving(t)}
	text := "orrery: 1\nname: bad\nprofiles: {fast: {respnd: 0}}\nroutes:\n  - {name: all, profile: fast, reply: x, shar: 3%}\n"
	status, told := c.do("POST", "/scenarios/try", text)
	require.Equal(t, 200, status)
	_, err := c.Library.LoadText("draft.yaml", []byte(text))
	require.Equal(t, err.Error(), told["detail"], "in the words of orrery check")
	problems := told["problems"].([]any)
	require.Len(t, problems, 2)
	first := problems[0].(map[string]any)
	require.Equal(t, []any{"draft.yaml", 3., 19., "did you mean `respond`?"}, []any{first["file"], first["line"], first["column"], first["hint"]})
	require.Equal(t, "profiles: {fast: {respnd: 0}}", first["excerpt"])
	require.Contains(t, first["message"], `unknown key "respnd"`)

	_, told = c.do("GET", "/scenarios", "")
	require.NotContains(t, fmt.Sprint(told), "@draft")
	for body, want := range map[string]int{"": 200, "\x00\xff": 200, "[1, 2]": 200, strings.Repeat("#", 257<<10): 413} {
		status, _ = c.do("POST", "/scenarios/try", body)
		require.Equal(t, want, status)
	}
}

func TestADraftReadsNoFile(t *testing.T) {
	c := controls{serving(t)}
	for _, line := range []string{
		"extends: ../../../../etc/passwd", "extends: /etc/passwd", "extends: drafts_test",
		"profiles: {a: {first-token: {trace: /etc/passwd}}}", "profiles: {a: {first-token: {trace: ../../../../../fixtures/traces/none}}}",
	} {
		status, told := c.do("POST", "/scenarios/try", "orrery: 1\nname: reader\n"+line+"\nroutes: [{name: all, error: {status: 529}}]\n")
		require.Equal(t, 200, status, line)
		require.NotContains(t, told["detail"], "root:", line)
		require.Contains(t, told["detail"], "there is no", line)
	}
}

func TestOnlySoManyDraftsAreKept(t *testing.T) {
	c := controls{serving(t)}
	for i := range 16 {
		c.do("POST", "/scenarios/try", draft(fmt.Sprint("draft ", i)))
		require.Equal(t, 200, c.ask(fmt.Sprintf("/scenarios/quick@draft-%d", i+1), hello).Code)
	}
	c.do("GET", "/scenarios/quick@draft-1", "") // it is used
	c.do("POST", "/scenarios/try", draft("one more"))
	require.Equal(t, 404, c.ask("/scenarios/quick@draft-2", hello).Code, "the one used longest ago goes, with its runs")
	status, _ := c.do("GET", "/runs/quick@draft-2/default", "")
	require.Equal(t, 404, status)
	for _, i := range []int{1, 3, 17} {
		require.Equal(t, 200, c.ask(fmt.Sprintf("/scenarios/quick@draft-%d", i), hello).Code)
	}
}
