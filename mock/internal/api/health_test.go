package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/internal/memnet"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/transport"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// healthOf reads what a server tells of itself.
func healthOf(t testing.TB, body io.Reader) map[string]any {
	t.Helper()
	var told map[string]any
	require.NoError(t, json.NewDecoder(body).Decode(&told))
	return told
}

func (s *service) health() map[string]any {
	s.t.Helper()
	return s.healthTo("localhost:4010")
}

// healthTo is what a server tells this machine of itself under a name.
func (s *service) healthTo(host string) map[string]any {
	s.t.Helper()
	r := request("GET", "/_orrery/health", "", "X-Api-Key", "")
	r.Host, r.RemoteAddr = host, "127.0.0.1:1234"
	w := s.do(r)
	require.Equal(s.t, http.StatusOK, w.Code)
	return healthOf(s.t, w.Body)
}

func TestHealthTellsStrangersNothingElse(t *testing.T) {
	require.Equal(t, map[string]any{"status": "ok"}, serving(t).healthTo("evil.example:4010"))
}

func TestHealthSaysWhatIsPlayed(t *testing.T) {
	s := serving(t)
	told := s.health()
	require.Equal(t, []any{"ok", "home"}, []any{told["status"], told["scenario"]})
	require.NotContains(t, told, "connections", "nothing is known of them behind somebody else's listener")
	require.Zero(t, s.Journal.Len())
}

func TestHealthCountsWhatHadToGo(t *testing.T) {
	s := serving(t, func(c *api.Config) { c.Journal = journal.New(20_000) })
	const asked = run.Most + 5
	for i := range asked {
		require.Equal(t, 200, s.post(hello, "X-Orrery-Run", fmt.Sprint("r", i)).Code)
	}
	told := s.health()
	require.Equal(t, map[string]any{"kept": 1000., "limit": 1000., "forgotten": 5., "refused": 0.}, told["runs"])
	kept := len(s.Journal.All())
	require.Less(t, kept, asked)
	require.Equal(t, map[string]any{"requests": float64(asked), "evicted": float64(asked - kept)}, told["journal"])
}

// served runs a test in a bubble with a service behind a server of ours.
func served(t *testing.T, test func(*testing.T, *network)) {
	synctest.Test(t, func(t *testing.T) {
		n := &network{serving(t), memnet.New(), nil}
		server, err := transport.Serve(n.listener, transport.Config{Handler: n, Clock: clock.Real(), Connections: 50})
		require.NoError(t, err)
		carrier := &http.Transport{DialContext: n.dial, MaxIdleConnsPerHost: 50}
		n.client = &http.Client{Transport: carrier}
		test(t, n)
		require.NoError(t, server.Close())
		carrier.CloseIdleConnections()
	})
}

func (n *network) health() map[string]any {
	n.t.Helper()
	response, err := n.client.Get("http://127.0.0.1/_orrery/health")
	require.NoError(n.t, err)
	defer response.Body.Close()
	return healthOf(n.t, response.Body)
}

func TestHealthCountsWhatIsOpenAndUnderWay(t *testing.T) {
	served(t, func(t *testing.T, n *network) {
		open := n.raw(whole(hello))
		go func() { _, _ = io.Copy(io.Discard, open) }()
		synctest.Wait()
		told := n.health()
		require.Equal(t, map[string]any{"open": 2., "limit": 50., "full": 0., "refused": 0.}, told["connections"])
		require.Equal(t, map[string]any{
			"under_way": 2., "streams": 0., "streams_limit": 20_000., "streams_refused": 0., "bodies_given_up": 0.,
		}, told["requests"])
		require.NoError(t, open.Close())
		synctest.Wait()
		require.Equal(t, 1., n.health()["requests"].(map[string]any)["under_way"])
	})
}

func TestLargeBodiesThatOnlyAnnounceThemselvesHoldNoRoom(t *testing.T) {
	served(t, func(t *testing.T, n *network) {
		for range 40 { // of 32 MB each
			c := n.raw(head(fmt.Sprint("Content-Length: ", api.MaxBody)) + "{")
			defer c.Close()
			go func() { _, _ = io.Copy(io.Discard, c) }()
		}
		synctest.Wait()
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://x/scenarios/quick/v1/messages", strings.NewReader(strings.Repeat(" ", 1<<20)+hello))
		require.NoError(t, err)
		r.Header = request("POST", "/", "").Header
		start := time.Now()
		response, err := n.client.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, 200, response.StatusCode)
		require.Zero(t, time.Since(start), "it waited for nobody")
	})
}
