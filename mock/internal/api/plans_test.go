package api_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// planOf is an entry as JSON, without what only playing can tell.
func planOf(t *testing.T, e journal.Entry) string {
	t.Helper()
	e.Arrived, e.Ended, e.Connection, e.ConnectionRequests, e.Bytes = time.Time{}, 0, 0, 0, 0
	e.Outcome, e.Phase, e.Header, e.Protocol = "", "", nil, ""
	for i := range e.Steps {
		e.Steps[i].Actual = 0
	}
	b, err := json.MarshalIndent(e, "", " ")
	require.NoError(t, err)
	return string(b)
}

func TestPlansAreWhatIsThenServedAndRecorded(t *testing.T) {
	for name, body := range map[string]string{
		"a message":   hello,
		"a stream":    strings.Replace(hello, "{", `{"stream":true,`, 1),
		"a bad one":   hello[:30],
		"an odd one":  strings.Replace(hello, "{", `{"moodel":1,`, 1),
		"a long text": strings.Replace(hello, "hi", strings.Repeat("long ", 500), 1),
	} {
		for _, path := range []string{"/v1/messages", "/scenarios/quick/runs/a/v1/messages", "/v1/messages/count_tokens", "/v1/none", "/none", "/scenarios/none/v1/messages"} {
			t.Run(name+" to "+path, func(t *testing.T) {
				connected(t, func(t *testing.T, n *network) {
					const times = 3
					plans, err := n.Plans(request("POST", path, body), times)
					require.NoError(t, err)
					require.Len(t, plans, times)
					require.Zero(t, n.Journal.Len(), "nothing has been asked yet")
					for _, planned := range plans {
						require.Equal(t, journal.Open, planned.Outcome)
						for _, s := range planned.Steps {
							require.Equal(t, time.Duration(-1), s.Actual)
						}
						r := request("POST", "http://x"+path, body)
						r.RequestURI = ""
						w, err := n.client.Do(r)
						require.NoError(t, err)
						_, err = io.Copy(io.Discard, w.Body)
						require.NoError(t, err)
						require.NoError(t, w.Body.Close())
						// The client comes from elsewhere; else all is the same.
						served := n.Journal.Last()
						require.Equal(t, planOf(t, planned), planOf(t, served))
					}
				})
			})
		}
	}
}

func TestPlansAreNotBoundedByTheJournal(t *testing.T) {
	s := serving(t)
	s.Config.Journal = journal.New(1000)
	plans, err := s.Plans(request("POST", "/v1/messages", hello), 50)
	require.NoError(t, err)
	require.Len(t, plans, 50)
	require.Equal(t, uint64(50), plans[49].Ordinal)
}

func TestPlansLeaveTheRequestAndTheRunAlone(t *testing.T) {
	s := serving(t)
	r := request("GET", "/v1/models", "")
	r.Body = nil
	plans, err := s.Plans(r, 1)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, plans[0].Status)
	require.Equal(t, uint64(1), func() uint64 { s.do(request("GET", "/v1/models", "")); return s.Journal.Last().Ordinal }())
}

func TestPlansOfABodyThatCannotBeReadAreAnError(t *testing.T) {
	broken := errors.New("the disk is gone")
	r := request("POST", "/v1/messages", "")
	r.Body = io.NopCloser(io.MultiReader(strings.NewReader("{"), failed{broken}))
	_, err := serving(t).Plans(r, 1)
	require.ErrorIs(t, err, broken)
}

type failed struct{ error }

func (f failed) Read([]byte) (int, error) { return 0, f.error }

func TestPlansLeaveNothingBehindAndKnowWhatIsThere(t *testing.T) {
	s := serving(t)
	_, err := s.Plans(request("POST", batches, oneRequest), 2)
	require.NoError(t, err)
	require.Empty(t, decode(t, s.do(request("GET", batches, "")))["data"])

	id := s.made(form("/v1/files", [3]string{"file", "a.txt", "hi"}))
	body := func(id string) string {
		return `{"model":"claude-sonnet-5","max_tokens":9,"messages":[{"role":"user","content":[` +
			`{"type":"document","source":{"type":"file","file_id":"` + id + `"}},{"type":"text","text":"hi"}]}]}`
	}
	for id, status := range map[string]int{id: 200, "file_none": 404} {
		plans, err := s.Plans(request("POST", "/v1/messages", body(id)), 1)
		require.NoError(t, err)
		require.Equal(t, status, plans[0].Status)
	}
}
