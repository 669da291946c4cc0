package mock_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// judged is a test whose failures are read: it stops nowhere.
type judged struct {
	failures []string
	cleanups []func()
}

func (*judged) Helper()             {}
func (j *judged) Cleanup(f func())  { j.cleanups = append(j.cleanups, f) }
func (*judged) Logf(string, ...any) {}
func (j *judged) Fatalf(format string, args ...any) {
	j.failures = append(j.failures, fmt.Sprintf(format, args...))
}

// end is the end of the test.
func (j *judged) end() {
	for i := len(j.cleanups) - 1; i >= 0; i-- {
		j.cleanups[i]()
	}
}

func TestAFailedCountShowsTheNearestRequestsAndHowToPlanThemAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow), mock.Seed(7))
		c := calling(srv, "X-Orrery-Run", "t1", "X-Tenant", "it's me")
		c.post(t, body(nil))
		c.post(t, []byte(`{"model":"m"}`))
		srv.RequireCount(t, 2, journal.Query{Run: "t1"})
		srv.RequireCount(t, 1, journal.Query{Run: "t1", Status: 200})
		srv.RequireNone(t, journal.Query{Run: "t2"})

		var tb judged
		srv.RequireCount(&tb, 2, journal.Query{Run: "t1", Status: 200})
		require.Len(t, tb.failures, 1)
		said := tb.failures[0]
		require.Contains(t, said, "orrery: 1 requests match run=t1 status=200, not 2\n")
		require.Contains(t, said, "#1 POST /v1/messages: status 200, complete in phase done, attempt 1\n")
		require.Contains(t, said, "scenario slow, run t1, request 1 of it, seed 7, route whole, connection 1, request 1 on it")
		require.Contains(t, said, "#2 POST /v1/messages: status 400, refused")
		require.Contains(t, said, "but status is 400, not 200")
		require.Contains(t, said, "plan: head 1s, body 1s, end 1s; sent late by up to 0s")
		require.Contains(t, said, `again: printf %s '{"model":"m"}' | orrery plan SCENARIO.yaml --seed 7 -n 2`+
			` --header 'Anthropic-Version: 2023-06-01' --header 'X-Orrery-Run: t1' --header 'X-Tenant: it'\''s me' --request -`)
		require.NotContains(t, said, secret)

		srv.RequireNone(&tb, journal.Query{Status: 400})
		require.Contains(t, tb.failures[1], "1 requests match status=400, not one should")
		tb = judged{}
		mock.StartInMemory(t).RequireCount(&tb, 1, journal.Query{})
		require.Contains(t, tb.failures[0], "is empty: 0 requests have arrived")
	})
}

func TestCountsAreRightAfterEvictionAndDoubtIsToldFromAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow), mock.JournalLimit(30_000))
		calling(srv).postAll(t, 50, 5, question(nil))
		require.NotZero(t, srv.Journal().Evicted())
		srv.RequireCount(t, 50, journal.Query{Status: 200})
		srv.RequireNone(t, journal.Query{Status: 429})
		var tb judged
		srv.RequireNone(&tb, journal.Query{Model: "another"})
		require.Contains(t, tb.failures[0], "nobody knows whether a request matched model=another: ")
		srv.RequireCount(&tb, 50, journal.Query{Attempt: 1})
		require.Contains(t, tb.failures[1], "nobody knows whether 50 requests match attempt=1: it is ")
		srv.RequireCount(&tb, 49, journal.Query{Route: "whole"})
		require.Regexp(t, `orrery: 50 \(\d+ evicted\) requests match route=whole, not 49`, tb.failures[2])
	})
}

func TestAssertionsWaitForWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow))
		l, err := calling(srv).listen(t.Context(), body(fields{"stream": true, "max_tokens": 200}))
		require.NoError(t, err)
		_, err = l.next()
		require.NoError(t, err)
		var tb judged
		start := time.Now()
		left := journal.Query{Outcome: journal.ClientLeft}
		srv.RequireCount(&tb, 1, left)
		srv.RequireIdle(&tb)
		require.Equal(t, 4*time.Second, time.Since(start))
		require.Len(t, tb.failures, 2)
		require.Contains(t, tb.failures[0], "0 requests match outcome=client-left, not 1")
		require.Contains(t, tb.failures[0], "but outcome is open, not client-left")
		require.Contains(t, tb.failures[1], "1 requests are still under way")
		require.Contains(t, tb.failures[1], "open in phase not known")
		require.NoError(t, l.Body.Close())
		srv.RequireCount(t, 1, left)
		srv.RequireIdle(t)
		tb = judged{}
		srv.RequireNone(&tb, left)
		require.Len(t, tb.failures, 1)
	})
}

func TestAStrictScriptRefusesOneMoreAndMissesNone(t *testing.T) { // B99
	synctest.Test(t, func(t *testing.T) {
		for asked, wrong := range map[int]string{1: "1 scripted answers were never asked for", 2: "", 3: "1 requests came beyond the script"} {
			var tb judged
			srv := mock.StartInMemory(&tb, mock.ScenarioText(slow), mock.Strict(&tb))
			srv.Next(mock.Text("one"), mock.Overloaded())
			answers := calling(srv).postAll(t, asked, 1, question(nil))
			require.Equal(t, "one", tell(t, answers[0]).text)
			if asked == 3 {
				extra := tell(t, answers[2])
				require.Equal(t, http.StatusNotImplemented, extra.status)
				require.Equal(t, "api_error", extra.text)
				require.Contains(t, extra.message, "orrery: the script has no answer left for this request")
				require.Equal(t, "false", answers[2].header.Get("X-Should-Retry"))
				require.Equal(t, "(unscripted)", srv.Journal().Last().Route)
			}
			tb.end()
			if wrong == "" {
				require.Empty(t, tb.failures)
				continue
			}
			require.Len(t, tb.failures, 1, asked)
			require.Contains(t, tb.failures[0], wrong)
		}
	})
}

func TestAttemptsAreNumberedWhateverTheScenarioAsks(t *testing.T) { // R14
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow), mock.Seed(9))
		srv.Next(mock.Overloaded(), mock.Overloaded(), mock.Text("at last"))
		c := calling(srv)
		for range 4 {
			c.post(t, body(nil))
		}
		var attempts []int
		for _, e := range srv.Journal().All() {
			attempts = append(attempts, e.Attempt)
			require.EqualValues(t, 9, e.Seed)
		}
		require.Equal(t, []int{1, 2, 3, 1}, attempts)
		calls := srv.Journal().Calls(journal.Query{})
		require.Len(t, calls, 2)
		require.Len(t, calls[0].Attempts, 3)
		require.Len(t, srv.Journal().Find(journal.Query{Attempt: 3}), 1)
	})
}

func TestTheJournalsFileHasEveryRequestOnceTheServerIsClosed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal.jsonl")
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow), mock.JournalFile(file))
		calling(srv).post(t, body(nil))
		l, err := calling(srv).listen(t.Context(), body(fields{"stream": true}))
		require.NoError(t, err)
		_, err = l.next()
		require.NoError(t, err)
		require.NoError(t, srv.Close())
		_, _ = l.rest()
	})
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Regexp(t, `(?s)^\{"sequence":1,.*"outcome":"complete".*\n\{"sequence":2,.*"outcome":"client-left".*\}\n$`, string(text))
	require.NotContains(t, string(text), "tides", "prompts only when asked for")
	require.NotContains(t, string(text), secret)
	_, err = mock.New(mock.JournalFile(filepath.Join(file, "below a file")))
	require.ErrorContains(t, err, "the journal's file: ")
}
