package mock_test

import (
	"context"
	"encoding/json"
	"fmt"
	"go/format"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// told asks the control API for a text.
func (c caller) told(t *testing.T, path string) (status int, text string) {
	t.Helper()
	response, err := c.srv.Client().Get(c.srv.URL + "/_orrery" + path)
	require.NoError(t, err)
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(all)
}

// asked sends a request, and leaves when it has no answer within a minute.
func (c caller) asked(t *testing.T, path string, body []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := c.request(ctx, path, body)
	require.NoError(t, err)
	response, err := c.srv.Client().Do(r)
	if err != nil {
		return // as the scenario wants it
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
}

// questions are requests of every kind.
func questions() map[string][]byte {
	tool := []fields{{"name": "tide", "description": "When the tide comes", "input_schema": fields{
		"type": "object", "properties": fields{"port": fields{"type": "string"}, "day": fields{"type": "integer"}}, "required": []string{"port", "day"},
	}}}
	return map[string][]byte{
		"whole":    body(nil),
		"stream":   body(fields{"stream": true}),
		"short":    body(fields{"stream": true, "max_tokens": 3}),
		"thinking": body(fields{"stream": true, "model": "claude-sonnet-4-5", "max_tokens": 3000, "thinking": fields{"type": "enabled", "budget_tokens": 1024}}),
		"tool":     body(fields{"stream": true, "tools": tool}),
		"invalid":  body(fields{"max_tokens": "many"}),
		"stops":    body(fields{"stream": true, "stop_sequences": []string{"the"}}),
	}
}

// stepsOf is a plan but for what isn't decided by the scenario.
func stepsOf(e journal.Entry) []string {
	steps := []string{fmt.Sprint(e.Status)}
	for _, s := range e.Steps {
		if s.Planned >= journal.Never {
			s.Planned = 0 // as what JSON doesn't say is read
		}
		steps = append(steps, fmt.Sprint(s.Kind, " ", s.Event, " ", s.Index, " ", s.Tokens, " ", s.Planned))
	}
	return steps
}

func TestACopiedAnswerOfAnyScenarioIsPlayedAgain(t *testing.T) {
	library, err := mock.Library("")
	require.NoError(t, err)
	exact, whole := 0, 0
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t)
		c := calling(srv)
		for _, name := range library.Names() {
			for kind, body := range questions() {
				if kind != "stream" && kind != "whole" && name != "zio" && name != "messages" {
					continue
				}
				c.reset(t, name)
				c.asked(t, "/scenarios/"+name+"/v1/messages", body)
				last := srv.Journal().Last()
				status, text := c.told(t, fmt.Sprintf("/journal/%d/scenario", last.Sequence))
				if len(last.Steps) == 0 {
					require.Equal(t, 409, status, text)
					continue
				}
				require.Equal(t, 200, status, text)
				if strings.Contains(text, "name: replay\n") {
					exact++
					require.Equal(t, stepsOf(last), stepsOf(c.playedAgain(t, text, body, 1)), "%s, %s:\n%s", name, kind, text)
					continue
				}
				whole++
				require.Contains(t, text, fmt.Sprintf("# Request %d of the run default gets", last.Ordinal))
				require.Len(t, stepsOf(c.playedAgain(t, text, body, last.Ordinal)), len(stepsOf(last)), "%s, %s", name, kind)
			}
		}
	})
	require.Greater(t, exact, 80)
	require.Greater(t, whole, 40, "those that faults have had")
	t.Logf("%d by the answer alone, %d by the whole scenario", exact, whole)
}

// playedAgain is the plan of the n-th such request to a scenario that is tried.
func (c caller) playedAgain(t *testing.T, scenario string, body []byte, n uint64) journal.Entry {
	t.Helper()
	var tried struct{ Scenario string }
	c.tell(t, "/scenarios/try", scenario, &tried)
	var plans struct{ Data []journal.Entry }
	c.tell(t, fmt.Sprintf("/plans?scenario=%s&n=%d", tried.Scenario, n), string(body), &plans)
	return plans.Data[n-1]
}

// reset begins a scenario's default run anew, if there is one.
func (c caller) reset(t *testing.T, scenario string) {
	t.Helper()
	if status, _ := c.told(t, "/runs/"+scenario+"/default"); status == http.StatusOK {
		c.tell(t, "/runs/"+scenario+"/default/reset", "", new(any))
	}
}

// tell posts a text to the control API.
func (c caller) tell(t *testing.T, path, text string, into any) {
	t.Helper()
	response, err := c.srv.Client().Post(c.srv.URL+"/_orrery"+path, "", strings.NewReader(text))
	require.NoError(t, err)
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Less(t, response.StatusCode, 300, string(all))
	require.NoError(t, json.Unmarshal(all, into), string(all))
}

func TestACopiedAnswerSaysTheSameWords(t *testing.T) {
	for kind, body := range questions() {
		synctest.Test(t, func(t *testing.T) {
			srv := mock.StartInMemory(t, mock.Scenario("zio"))
			c := calling(srv)
			first, err := c.postTo("/v1/messages", body)
			require.NoError(t, err)
			_, text := c.told(t, "/journal/1/scenario")
			again, err := calling(mock.StartInMemory(t, mock.ScenarioText(text))).postTo("/v1/messages", body)
			require.NoError(t, err)
			require.Equal(t, first.took, again.took)
			require.Equal(t, dataOf(t, first), dataOf(t, again), kind)
		})
	}
}

// dataOf is what an answer says, without ids.
func dataOf(t *testing.T, a answer) (all []string) {
	t.Helper()
	keep := func(v any) {
		m := v.(map[string]any)
		delete(m, "request_id")
		delete(m, "id")
		for _, name := range []string{"message", "content_block"} {
			if inner, is := m[name].(map[string]any); is {
				delete(inner, "id")
			}
		}
		if d, is := m["delta"].(map[string]any); is && d["type"] == "signature_delta" {
			delete(d, "signature")
		}
		told, err := json.Marshal(m)
		require.NoError(t, err)
		all = append(all, string(told))
	}
	for line := range strings.Lines(string(a.body)) {
		data, streams := strings.CutPrefix(line, "data: ")
		if !streams && !strings.HasPrefix(line, "{") {
			continue
		}
		var v any
		require.NoError(t, json.Unmarshal([]byte(data), &v))
		keep(v)
	}
	require.NotEmpty(t, all)
	return all
}

// The copied test is built as if it lay in this module, and run.
func TestACopiedTestPasses(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil || testing.Short() {
		t.Skip("there is no go command, or little time")
	}
	hostile := body(fields{"stream": true, "messages": said("`); panic(\"\u0000\"); (`\r\n ${x} %s \u202e */")})
	var files []string
	synctest.Test(t, func(t *testing.T) {
		c := calling(mock.StartInMemory(t), "X-Odd", "`); panic(1); (` \"quoted\" \\")
		for i, path := range []string{"/scenarios/cut-connection", "/scenarios/cut-connection", "/scenarios/zio"} {
			c.asked(t, path+"/v1/messages", hostile)
			status, file := c.told(t, fmt.Sprintf("/journal/%d/go", i+1))
			require.Equal(t, http.StatusOK, status, file)
			require.NotContains(t, file, secret)
			tidy, err := format.Source([]byte(file))
			require.NoError(t, err)
			require.Equal(t, string(tidy), file)
			files = append(files, file)
		}
	})
	require.NotContains(t, files[0], "for range")
	require.Contains(t, files[1], "for range 1 {")

	dir := t.TempDir()
	here, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "replay_test.go"), []byte(files[1]), 0o600))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(here, "copied", "replay_test.go"): filepath.Join(dir, "replay_test.go"),
	}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
	made := filepath.Join(dir, "replay.test")
	said, err := exec.CommandContext(t.Context(), goTool, "test", "-vet=off", "-c", "-o", made, "-overlay", filepath.Join(dir, "overlay.json"), "./copied").CombinedOutput()
	require.NoError(t, err, string(said))
	run := exec.CommandContext(t.Context(), made, "-test.v")
	run.Dir = dir
	said, err = run.CombinedOutput()
	require.NoError(t, err, string(said))
	require.Contains(t, string(said), "--- PASS: TestReplay")
}
