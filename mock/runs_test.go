package mock_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// failsFirst answers every request of a run but the first.
const failsFirst = `
orrery: 1
name: fails-first
profiles: {quick: {respond: 0}}
routes:
  - {name: fails, times: 1, profile: quick, error: {status: 529, headers: {retry-after-ms: "1"}}}
  - {name: answers, profile: quick, reply: at last}
`

// control asks the server's control API. What comes back is the status and the body's members.
func (c caller) control(method, path, body string) (int, map[string]any, error) {
	r, err := http.NewRequest(method, c.srv.URL+"/_orrery"+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	response, err := c.srv.Client().Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || len(text) == 0 {
		return response.StatusCode, nil, err
	}
	var told map[string]any
	if err := json.Unmarshal(text, &told); err != nil {
		return response.StatusCode, nil, fmt.Errorf("%s: %w", text, err)
	}
	return response.StatusCode, told, nil
}

// did is control, for what must be done.
func (c caller) did(t testing.TB, method, path, body string) map[string]any {
	t.Helper()
	status, told, err := c.control(method, path, body)
	require.NoError(t, err)
	require.Less(t, status, 300, told)
	return told
}

// inRun asks in a run by its base path.
func (c caller) inRun(name string, body []byte) (answer, error) {
	return c.postTo("/runs/"+name+"/v1/messages", body)
}

// Every second client takes a run of another name each time, the others begin theirs anew. So there are more
// runs than a server keeps, and the oldest have to go.
func TestTwentyClientsOfOneServerSeeTheirOwnRunsFailureAndNoOther(t *testing.T) {
	const clients = 20
	for name, shared := range map[string]struct {
		start  func(mock.TB, ...mock.Option) *mock.Server
		rounds int
	}{"on a socket": {mock.Start, 100}, "in memory": {mock.StartInMemory, 500}} {
		t.Run(name, func(t *testing.T) {
			rounds := shared.rounds
			if testing.Short() || raceDetector {
				rounds = 25
			}
			srv := shared.start(t, mock.ScenarioText(failsFirst), mock.JournalLimit(4<<20))
			errs := make([]error, clients)
			var group sync.WaitGroup
			for i := range clients {
				group.Go(func() { errs[i] = seeFailures(calling(srv), i, rounds) })
			}
			group.Wait()
			for _, err := range errs {
				require.NoError(t, err)
			}
			runs := calling(srv).did(t, "GET", "/health", "")["runs"].(map[string]any)
			require.LessOrEqual(t, runs["kept"], float64(run.Most))
			require.EqualValues(t, max(clients/2+clients/2*rounds-run.Most, 0), runs["forgotten"])
		})
	}
}

func seeFailures(c caller, client, rounds int) error {
	name := fmt.Sprintf("client-%d", client)
	for round := range rounds {
		if client%2 == 0 {
			name = fmt.Sprintf("client-%d-%d", client, round)
		}
		if client%2 == 1 && round > 0 {
			if status, told, err := c.control("POST", "/runs/fails-first/"+name+"/reset", ""); err != nil || status != http.StatusOK {
				return fmt.Errorf("resetting %s: %d %v %w", name, status, told, err)
			}
		}
		for want := range 2 {
			a, err := c.inRun(name, body(nil))
			if err != nil {
				return err
			}
			if refused := a.status == 529; refused != (want == 0) || !refused && a.status != 200 {
				return fmt.Errorf("%s, round %d, request %d: status %d", name, round, want+1, a.status)
			}
		}
	}
	return nil
}

func TestARequestToAForgottenRunSaysSoOnce(t *testing.T) {
	srv := mock.StartInMemory(t, mock.ScenarioText(failsFirst))
	c := calling(srv)
	ask := func(name string) int {
		a, err := c.inRun(name, body(nil))
		require.NoError(t, err)
		return a.status
	}
	require.Equal(t, 529, ask("old"))
	for i := range run.Most {
		ask(fmt.Sprint("new-", i))
	}
	status, told, err := c.control("GET", "/runs/fails-first/old", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, told["detail"], "forgotten to make room")

	require.Equal(t, 529, ask("old"), "it begins anew")
	require.Contains(t, strings.Join(srv.Journal().Last().Warnings, ";"), "this run had been forgotten")
	require.Equal(t, 200, ask("old"))
	require.Empty(t, srv.Journal().Last().Warnings)
	c.did(t, "POST", "/runs/fails-first/old/reset", "")
	require.Equal(t, 529, ask("old"))
	require.Empty(t, srv.Journal().Last().Warnings, "it was reset, and not forgotten")
}

// Requests that arrive while a control call is under way may see either state; one that starts once it has
// answered sees the new one.
func TestNothingEscapesAControlCallThatHasAnswered(t *testing.T) {
	const clients = 10
	rounds := 20
	if testing.Short() || raceDetector {
		rounds = 8
	}
	dir := t.TempDir()
	says := func(name, reply string) {
		text := fmt.Sprintf("orrery: 1\nname: %s\nprofiles: {quick: {respond: 0}}\nroutes: [{name: all, profile: quick, reply: %s}]\n", name, reply)
		require.NoError(t, replaceFile(dir, name+".yaml", text))
	}
	says("one", "first")
	says("two", "second")
	srv := mock.Start(t, mock.ScenarioDir(dir), mock.Scenario("one"), mock.JournalLimit(4<<20))
	c := calling(srv)

	stop := make(chan struct{})
	var noise sync.WaitGroup
	for i := range 4 {
		noise.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				_, _ = c.postTo([]string{"/v1/messages", fmt.Sprintf("/scenarios/one/runs/noise-%d-%d/v1/messages", i, n%50)}[n%2], body(nil))
			}
		})
	}
	defer noise.Wait()
	defer close(stop)

	// all must answer so from here on.
	all := func(what, path string, reply string) {
		t.Helper()
		got, errs := make([]answer, clients), make([]error, clients)
		var group sync.WaitGroup
		for i := range clients {
			group.Go(func() { got[i], errs[i] = c.postTo(strings.ReplaceAll(path, "N", fmt.Sprint(i)), body(nil)) })
		}
		group.Wait()
		for i := range clients {
			require.NoError(t, errs[i])
			require.Contains(t, string(got[i].body), reply, what)
		}
	}
	for round := range rounds {
		name, reply := [2]string{"two", "one"}[round%2], [2]string{"second", "first"}[round%2]
		if round > 0 && name == "one" {
			reply = fmt.Sprint("version ", round-1)
		}
		c.did(t, "POST", "/scenarios/"+name+"/activate", "")
		all("activate", "/v1/messages", reply)

		says("one", fmt.Sprint("version ", round))
		both := make(chan error, 2) // one of the two may have read the file before it was written, had it begun earlier
		for range 2 {
			go func() {
				_, _, err := c.control("POST", "/reload", "")
				both <- err
			}()
		}
		require.NoError(t, <-both)
		require.NoError(t, <-both)
		all("reload", fmt.Sprintf("/scenarios/one/runs/new-%d-N/v1/messages", round), fmt.Sprint("version ", round))

		c.did(t, "POST", "/runs/one/new-0-0/reset", "")
		all("reset", "/scenarios/one/runs/new-0-0/v1/messages", fmt.Sprint("version ", round))
		c.did(t, "POST", "/runs/one/new-0-0/next", "["+strings.Repeat(`{"reply": "scripted"},`, clients-1)+`{"reply": "scripted"}]`)
		all("next", "/scenarios/one/runs/new-0-0/v1/messages", "scripted")
		all("after next", "/scenarios/one/runs/new-0-0/v1/messages", fmt.Sprint("version ", round))
	}
}

// A request keeps the scenario that it began with: its body comes in only after everything has changed.
func TestARequestUnderWayKeepsItsScenarioOverAReload(t *testing.T) {
	dir := t.TempDir()
	const file = "orrery: 1\nname: mine\nprofiles: {quick: {respond: 0}}\nroutes: [{name: all, profile: quick, reply: VERSION}]\n"
	require.NoError(t, replaceFile(dir, "mine.yaml", strings.Replace(file, "VERSION", "old", 1)))
	srv := mock.StartInMemory(t, mock.ScenarioDir(dir), mock.Scenario("mine"))
	c := calling(srv)
	begun, rest := io.Pipe()
	got := make(chan string)
	go func() {
		r, err := http.NewRequest("POST", srv.URL+"/runs/r/v1/messages", begun)
		if err == nil {
			r.Header = c.header.Clone()
			var response *http.Response
			if response, err = srv.Client().Do(r); err == nil {
				defer response.Body.Close()
				var text []byte
				text, err = io.ReadAll(response.Body)
				got <- string(text)
			}
		}
		if err != nil {
			got <- err.Error()
		}
	}()
	ask := body(nil)
	_, err := rest.Write(ask[:10])
	require.NoError(t, err)
	arrived := func() bool { return srv.Journal().UnderWay(journal.Query{Run: "r"}).Seen == 1 }
	require.Eventually(t, arrived, 10*time.Second, ms)
	require.NoError(t, replaceFile(dir, "mine.yaml", strings.Replace(file, "VERSION", "new", 1)))
	c.did(t, "POST", "/reload", "")
	c.did(t, "POST", "/runs/mine/r/reset", "")
	a, err := c.inRun("r", ask)
	require.NoError(t, err)
	require.Contains(t, string(a.body), `"new"`)
	_, err = io.Copy(rest, bytes.NewReader(ask[10:]))
	require.NoError(t, err)
	require.NoError(t, rest.Close())
	require.Contains(t, <-got, `"old"`)
}

// replaceFile writes a file so that nobody reads half of it.
func replaceFile(dir, name, text string) error {
	half := filepath.Join(dir, name+".half")
	if err := os.WriteFile(half, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(half, filepath.Join(dir, name))
}
