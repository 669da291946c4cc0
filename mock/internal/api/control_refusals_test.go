package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
)

func TestWhatIsWrongWithAControlRequestIsNamed(t *testing.T) {
	c := controls{serving(t)}
	c.do("POST", "/runs", `{"scenario": "quick", "name": "there"}`)
	c.do("POST", "/runs", `{"scenario": "quick", "name": "stands", "clock": "stepped"}`)
	c.do("POST", "/runs/quick/there/next", `{"reply": "held", "faults": [{"stall": {"gate": "go"}, "before": "headers"}]}`)
	const stands, quick = "/runs/quick/stands/clock", "/runs/quick/there"
	for name, test := range map[string]struct {
		method, path, body string
		status             int
		field, detail      string
	}{
		"unknown member":      {"POST", "/runs", `{"sed": 1}`, 400, "sed", "no such member here; there are scenario, name, seed, speed, clock, strict, label"},
		"unknown move":        {"POST", stands, `{"nxt": 1}`, 400, "nxt", "there are advance, next, until, hold, release"},
		"given twice":         {"POST", "/runs", `{"seed": 1, "seed": 2}`, 400, "seed", "keep one of the two"},
		"a text for a number": {"POST", "/runs", `{"seed": "x"}`, 400, "seed", "wrong kind, a text: give a whole number from 0"},
		"a number for a text": {"POST", "/runs", `{"name": 5}`, 400, "name", "wrong kind, a number: give a text in quotes"},
		"below nothing":       {"POST", "/runs", `{"seed": -1}`, 400, "seed", "from 0 to 18446744073709551615"},
		"a fraction":          {"POST", "/runs", `{"seed": 1.5}`, 400, "seed", "whole number"},
		"a text for a truth":  {"POST", "/runs", `{"strict": "yes"}`, 400, "strict", "true or false, without quotes"},
		"a list for a run":    {"POST", "/runs", `[1]`, 400, "", "wrong kind, a list: give an object in braces"},
		"no JSON":             {"POST", "/runs", `{"seed": `, 400, "", "no JSON"},
		"more behind it":      {"POST", "/runs", `{} {}`, 400, "", "no JSON"},
		"too large":           {"POST", "/runs", strings.Repeat(" ", 1<<20+1), 413, "", "more than 1 MB"},
		"speed":               {"POST", "/runs", `{"speed": 0}`, 400, "speed", "speed is 0; it is a number from 0.001"},
		"no speed":            {"POST", "/runs", `{"speed": "NaN"}`, 400, "speed", `such as 10, or "max"`},
		"clock":               {"POST", "/runs", `{"clock": "slow"}`, 400, "clock", `clock is "slow"`},
		"long name":           {"POST", "/runs", `{"name": "` + strings.Repeat("n", 129) + `"}`, 400, "name", "at most 128 bytes, this one has 129"},
		"name of a folder":    {"POST", "/runs", `{"name": ".."}`, 400, "name", "out of a URL"},
		"name with a newline": {"POST", "/runs", `{"name": "a\nb"}`, 400, "name", "control characters"},
		"long label":          {"POST", "/runs", `{"label": "` + strings.Repeat("n", 129) + `"}`, 400, "label", "128 bytes"},
		"taken":               {"POST", "/runs", `{"scenario": "quick", "name": "there"}`, 409, "name", "there already"},
		"no scenario":         {"POST", "/runs", `{"scenario": "quik"}`, 404, "scenario", "quick"},
		"a broken scenario":   {"POST", "/runs", `{"scenario": "broken"}`, 422, "scenario", "broken.yaml:3:"},
		"a run of none":       {"GET", "/runs/quik/there", "", 404, "scenario", "did you mean `quick`?"},
		"a gate of none":      {"POST", "/runs/quik/there/gates/go/release", "", 404, "scenario", "did you mean `quick`?"},
		"count of none":       {"GET", "/journal/count?scenario=quik", "", 404, "scenario", "did you mean `quick`?"},
		"wait for none":       {"GET", "/journal/wait?scenario=hom&timeout=5m", "", 404, "scenario", "did you mean `home`?"},
		"list of none":        {"GET", "/journal?scenario=quik", "", 404, "scenario", "did you mean `quick`?"},
		"tail of none":        {"GET", "/journal/tail?scenario=quik", "", 404, "scenario", "did you mean `quick`?"},
		"no run":              {"GET", "/runs/quick/nobody", "", 404, "run", "no run"},
		"no path":             {"GET", "/nothing", "", 404, "", "openapi.json"},
		"wrong method":        {"PUT", "/runs", "", 405, "", "PUT"},
		"bad outcome":         {"POST", quick + "/next", `[{"reply": "a"}, {"replay": "b"}]`, 400, "1", "replay"},
		"no gate at all":      {"POST", "/runs/quick/stands/gates/go/release", "", 404, "gate", "they have none"},
		"another gate":        {"POST", quick + "/gates/gone/release", "", 404, "gate", `"gone", neither by its scenario nor by what was scripted: they have go`},
		"bad filter":          {"GET", "/journal?stauts=200", "", 400, "stauts", "there are after, attempt"},
		"a filter twice":      {"GET", "/journal?run=a&run=b", "", 400, "run", "give it once"},
		"bad limit":           {"GET", "/journal?limit=0", "", 400, "limit", "1 to 1000"},
		"bad timeout":         {"GET", "/journal/wait?timeout=1h", "", 400, "timeout", "5m"},
		"clear of a half":     {"DELETE", "/journal?run=there", "", 400, "scenario", "scenario and run"},
		"nothing to reload":   {"POST", "/reload", "", 409, "", "built in"},
		"clock can't step":    {"POST", quick + "/clock", `{"next": 1}`, 409, "clock", "isn't stepped"},
		"no move":             {"POST", stands, ``, 400, "", "give one of advance, next"},
		"two moves":           {"POST", stands, `{"next": 1, "hold": true}`, 400, "", "give one of"},
		"no step":             {"POST", stands, `{"next": 0}`, 400, "next", "next is 0; it is how many instants to go to, from 1"},
		"a step back":         {"POST", stands, `{"next": -1}`, 400, "next", "from 1"},
		"half a step":         {"POST", stands, `{"next": 0.5}`, 400, "next", "whole number"},
		"no unit":             {"POST", stands, `{"advance": "5"}`, 400, "advance", "no unit"},
		"no duration":         {"POST", stands, `{"advance": "soon"}`, 400, "advance", `advance is "soon"`},
		"no advance":          {"POST", stands, `{"advance": ""}`, 400, "advance", "150ms"},
		"back in time":        {"POST", stands, `{"advance": "-1s"}`, 400, "advance", "more than 0"},
		"beyond all time":     {"POST", stands, `{"advance": "9999999999h"}`, 400, "advance", "at most 8784h0m0s (a year)"},
		"another until":       {"POST", stands, `{"until": "the end"}`, 400, "until", `"first-token"`},
		"plan of no scenario": {"POST", "/plans?scenario=nobody", hello, 404, "scenario", "nobody"},
	} {
		t.Run(name, func(t *testing.T) {
			status, told := c.do(test.method, test.path, test.body)
			require.Equal(t, test.status, status, told)
			require.Contains(t, told["detail"], test.detail)
			field, _ := told["field"].(string)
			require.Equal(t, test.field, field)
		})
	}
	_, listed := c.do("GET", "/runs", "")
	require.Len(t, listed["runs"], 3, "nothing of all that has made a run")
}

func TestAWaitInVainSaysWhatCameInstead(t *testing.T) {
	c := controls{serving(t)}
	c.ask("/scenarios/quick/runs/w", hello)
	status, told := c.do("GET", "/journal/wait?run=w&n=2&timeout=10ms", "")
	require.Equal(t, []any{408, "timeout"}, []any{status, told["field"]})
	require.Contains(t, told["detail"], "within 10ms 1 of 2 requests that match (run=w) have ended, and 0 are under way. Wait longer")
	require.NotContains(t, told["detail"], "context")
}

func TestARunMayHaveAnyNameThatAURLCanCarry(t *testing.T) {
	c := controls{serving(t)}
	for _, name := range []string{"Überprüfung", "TestX/a_case#01", "a,b;c=d", "100%", "%2F", "a b+c", "?", "日本", `"quoted"\`, "...", "t%C3%A9"} {
		t.Run(name, func(t *testing.T) {
			status, made := c.do("POST", "/runs", fmt.Sprintf(`{"scenario": "quick", "name": %q}`, name))
			require.Equal(t, 201, status, made)
			base := strings.TrimPrefix(made["url"].(string), "http://localhost:4010")
			require.Equal(t, 200, c.ask(base, hello).Code)
			require.Equal(t, 200, c.ask("/scenarios/quick/runs/"+strictly(name), hello).Code, "with every byte escaped")
			_, counted := c.do("GET", "/journal/count?scenario=quick&path=/v1/messages&run="+url.QueryEscape(name), "")
			require.Equal(t, 2., counted["seen"])
			_, read := c.do("GET", "/runs/quick/"+strictly(name), "")
			require.Equal(t, name, read["run"])
			status, _ = c.do("DELETE", "/runs/quick/"+url.PathEscape(name), "")
			require.Equal(t, 204, status)
		})
	}
}

// strictly escapes every byte, as no client does and every client may.
func strictly(s string) string {
	var escaped strings.Builder
	for _, b := range []byte(s) {
		fmt.Fprintf(&escaped, "%%%02x", b)
	}
	return escaped.String()
}

func TestARunThatCannotBeNamedIsNotMade(t *testing.T) {
	c := controls{serving(t)}
	for name, header := range map[string][]string{
		"bytes":     {"X-Orrery-Run", "\xff\xfe"},
		"in a key":  {"X-Api-Key", "orrery:quick:\xff"},
		"too long":  {"X-Orrery-Run", strings.Repeat("n", 129)},
		"a folder":  {"X-Orrery-Run", ".."},
		"a control": {"X-Orrery-Run", "a\x01"},
	} {
		t.Run(name, func(t *testing.T) {
			said := requireError(t, c.post(hello, header...), 400, "invalid_request_error")
			require.Contains(t, said, "orrery: a run")
		})
	}
	_, listed := c.do("GET", "/runs", "")
	require.Len(t, listed["runs"], 1)
}

func TestAGateThatIsKnownMayBeReleasedBeforeAnybodyComes(t *testing.T) {
	c := controls{serving(t)}
	c.do("POST", "/runs", `{"scenario": "quick", "name": "g"}`)
	c.do("POST", "/runs/quick/g/next", `{"reply": "passed", "faults": [{"stall": {"gate": "go"}, "before": "headers"}]}`)
	_, listed := c.do("GET", "/runs/quick/g/gates", "")
	require.Equal(t, []any{map[string]any{"gate": "go", "open": false, "waiting": 0.}}, listed["gates"])
	status, told := c.do("POST", "/runs/quick/g/gates/go/release", "")
	require.Equal(t, []any{200, 0.}, []any{status, told["released"]})
	require.Contains(t, told["note"], "no answer waited there")
	require.Contains(t, c.ask("/scenarios/quick/runs/g", hello).Body.String(), "passed")
}

func TestARunTellsItsSpeedAndWhatComesOfItWithTheServers(t *testing.T) {
	for _, test := range []struct {
		server         float64
		asked          string
		own, effective string
	}{
		{0, `{}`, "1", "1"}, {0, `{"speed": 0.5}`, "0.5", "0.5"}, {10, `{}`, "1", "10"}, {10, `{"speed": "2.5"}`, "2.5", "25"}, {10, `{"speed": "max"}`, "max", "max"},
	} {
		c := controls{serving(t, func(config *api.Config) { config.Speed = test.server })}
		_, made := c.do("POST", "/runs", test.asked)
		require.Equal(t, []any{test.own, test.effective}, []any{made["speed"], made["effective_speed"]})
	}
}

func TestScriptedAnswersAreBounded(t *testing.T) {
	c := controls{serving(t)}
	c.do("POST", "/runs", `{"scenario": "quick", "name": "s"}`)
	many := "[" + strings.TrimSuffix(strings.Repeat("{reply: a},", 5000), ",") + "]"
	many = strings.ReplaceAll(many, "reply", `"reply"`)
	many = strings.ReplaceAll(many, ": a", `: "a"`)
	for range 2 {
		status, told := c.do("POST", "/runs/quick/s/next", many)
		require.Equal(t, 200, status, told)
	}
	status, told := c.do("POST", "/runs/quick/s/next", `{"reply": "a"}`)
	require.Equal(t, 409, status)
	require.Contains(t, told["detail"], "10000 scripted answers wait already")
}

func TestAnAnswerThatNobodyCanLetGoAnyMoreGoes(t *testing.T) {
	for name, end := range map[string][2]string{"delete": {"DELETE", ""}, "reset": {"POST", "/reset"}} {
		t.Run(name, func(t *testing.T) {
			c := controls{serving(t)}
			c.do("POST", "/runs", `{"scenario": "quick", "name": "g", "clock": "stepped"}`)
			c.do("POST", "/runs/quick/g/next", `[{"reply": "held", "faults": [{"stall": {"gate": "go"}, "before": "headers"}]}]`)
			answered := make(chan *httptest.ResponseRecorder)
			go func() { answered <- c.ask("/scenarios/quick/runs/g", hello) }()
			for waiting := 0.; waiting == 0; {
				_, told := c.do("GET", "/runs/quick/g/gates", "")
				waiting = told["gates"].([]any)[0].(map[string]any)["waiting"].(float64)
			}
			c.do(end[0], "/runs/quick/g"+end[1], "")
			require.Contains(t, (<-answered).Body.String(), "held")
		})
	}
}

// odd makes the request that a path as it is sent would be.
func odd(method, path string) *http.Request {
	r := httptest.NewRequest(method, "http://localhost:4010/", nil)
	r.RemoteAddr = "127.0.0.1:1"
	r.URL = &url.URL{Path: path, RawPath: path}
	if plain, err := url.PathUnescape(path); err == nil {
		r.URL.Path = plain
	}
	return r
}

func TestOddPathsAreAnsweredInWords(t *testing.T) {
	c := controls{serving(t)}
	for _, path := range []string{
		"/_orrery/runs/quick/..", "/_orrery/runs/quick/%2e%2e/clock", "/_orrery/runs/%2f/%2F", "/_orrery/runs/quick/%zz", "/_orrery//runs",
		"/_orrery/runs/quick/a%00b", "/_orrery/runs/quick/%ff", "/_orrery/runs/%ff%fe/x/gates", "/_orrery/scenarios/..%2f..%2fetc%2fpasswd",
		"/_orrery/scenarios/%ff", "/_orrery/runs/" + strings.Repeat("a", 100_000) + "/b", "/_orrery/../_orrery/runs", "/_orrery/runs/quick/ /clock",
	} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			w := httptest.NewRecorder()
			c.ServeHTTP(w, odd(method, path))
			what := fmt.Sprintf("%s %.60s", method, path)
			require.GreaterOrEqual(t, w.Code, 400, what)
			require.Less(t, w.Code, 500, what)
			require.Contains(t, w.Header().Get("Content-Type"), "json", what)
			require.Less(t, w.Body.Len(), 1<<20, what)
			require.True(t, json.Valid(w.Body.Bytes()), what)
		}
	}
}
