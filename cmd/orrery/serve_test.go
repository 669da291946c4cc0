package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Scenarios that answer with two tokens, the second after 300 ms or after an hour.
const (
	slow    = untilGap + "300ms" + afterGap
	endless = untilGap + "1h" + afterGap

	untilGap = "orrery: 1\nname: slow\nextends: messages\nprofiles:\n  slow: {message-start: 0ms, first-token: 0ms, token-gap: "
	afterGap = "}\nroutes:\n  - {name: all, profile: slow, reply: {text: Good day}}\n"
)

// serving is orrery serve inside the test, with signals of its own.
type serving struct {
	url     string
	signals chan os.Signal
	stderr  *bytes.Buffer
	ended   chan error
}

func serveInTest(t *testing.T, scenario string, drain time.Duration) *serving {
	t.Helper()
	file := t.TempDir() + "/slow.yaml"
	require.NoError(t, os.WriteFile(file, []byte(scenario), 0o600))
	stdout, w := io.Pipe()
	s := &serving{signals: make(chan os.Signal, 2), stderr: &bytes.Buffer{}, ended: make(chan error, 1)}
	c := &console{stdout: &output{w: w}, stderr: s.stderr, settings: newSettings()}
	c.settings.listen, c.settings.scenario, c.settings.drain, c.settings.log = "127.0.0.1:0", text(file), duration(drain), logOff
	go func() {
		s.ended <- c.serve(s.signals)
		_ = w.Close()
	}()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	s.url = strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	return s
}

// stream asks for a stream and returns once its first token has come.
func (s *serving) stream(t *testing.T) (rest *bufio.Reader) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.url+"/v1/messages", strings.NewReader(hello))
	require.NoError(t, err)
	r.Header.Set("content-type", "application/json")
	r.Header.Set("anthropic-version", "2023-06-01")
	r.Header.Set("x-api-key", "any")
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	resp, err := client.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(t, http.StatusOK, resp.StatusCode)
	rest = bufio.NewReader(resp.Body)
	for {
		line, err := rest.ReadString('\n')
		require.NoError(t, err)
		if line == "event: content_block_delta\n" {
			return rest
		}
	}
}

func TestASignalLetsRequestsUnderWayEndAndTakesNoOther(t *testing.T) {
	s := serveInTest(t, slow, time.Minute)
	rest := s.stream(t)
	s.signals <- syscall.SIGTERM
	body, err := io.ReadAll(rest)
	require.NoError(t, err)
	require.Contains(t, string(body), "event: message_stop")
	require.NoError(t, <-s.ended)
	require.Contains(t, s.stderr.String(), "terminated: requests under way have 1m0s to end")
	_, err = http.Get(s.url + "/_orrery/health")
	require.Error(t, err)
}

func TestRequestsThatOutlastTheDrainAreCutOffAndThatIsAProblem(t *testing.T) {
	s := serveInTest(t, endless, time.Millisecond)
	rest := s.stream(t)
	s.signals <- syscall.SIGTERM
	require.ErrorContains(t, <-s.ended, "requests under way were cut off after 1ms; --drain gives them longer")
	_, err := io.ReadAll(rest)
	require.Error(t, err)
}

func TestASecondSignalEndsAtOnce(t *testing.T) {
	s := serveInTest(t, endless, time.Hour)
	rest := s.stream(t)
	s.signals <- syscall.SIGTERM
	s.signals <- os.Interrupt
	require.ErrorContains(t, <-s.ended, "interrupt: ended at once, requests under way were cut off")
	_, err := io.ReadAll(rest)
	require.Error(t, err)
}

func TestWithoutRequestsADrainIsOverAtOnce(t *testing.T) {
	s := serveInTest(t, slow, time.Hour)
	s.signals <- syscall.SIGTERM
	require.NoError(t, <-s.ended)
}
