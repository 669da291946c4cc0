package mock_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// told is a client's view of an answer.
type told struct {
	status  int
	text    string // of the message, or the error's type
	retry   string
	colour  string
	took    time.Duration
	message string // of the error
}

func tell(t *testing.T, a answer) told {
	t.Helper()
	var b struct {
		Content []struct{ Text string }
		Error   struct{ Type, Message string }
	}
	require.NoError(t, json.Unmarshal(a.body, &b))
	v := told{a.status, b.Error.Type, a.header.Get("Retry-After"), a.header.Get("X-Colour"), a.took, b.Error.Message}
	if len(b.Content) > 0 {
		v.text = b.Content[0].Text
	}
	return v
}

func TestScriptedAnswersGoOutOnceEachInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow))
		c := calling(srv)
		srv.Next(
			mock.RateLimited(1500*ms),
			mock.Overloaded(),
			mock.Text("with a delay").With("whole").Header("X-Colour", "blue"),
			mock.Text("at once"),
		)
		srv.Next(mock.Failure(http.StatusBadGateway, "The proxy is out.").With("whole"))

		answers := c.postAll(t, 6, 1, question(nil))

		require.Equal(t, told{429, "rate_limit_error", "2", "", 0, "Rate limited"}, tell(t, answers[0]))
		require.Equal(t, told{529, "overloaded_error", "", "", 0, "Overloaded"}, tell(t, answers[1]))
		require.Equal(t, told{200, "with a delay", "", "blue", time.Second, ""}, tell(t, answers[2]))
		require.Equal(t, told{200, "at once", "", "", 0, ""}, tell(t, answers[3]))
		require.Equal(t, told{502, "api_error", "", "", time.Second, "The proxy is out."}, tell(t, answers[4]))
		require.Equal(t, "whole", srv.Journal().Last().Route, "then the routes answer again")
		require.Len(t, srv.Journal().Find(journal.Query{Outcome: journal.Refused}), 3)
	})
}

func TestScriptedTextCanBeStreamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow))
		srv.Next(mock.Text("one two three").With("slow"))

		_, events := calling(srv).stream(t, body(fields{"stream": true}))

		text := ""
		for _, e := range events {
			if e.name == "content_block_delta" {
				text += e.data["delta"].(map[string]any)["text"].(string)
			}
		}
		require.Equal(t, "one two three", text)
		require.Equal(t, 300*ms, deltas(events)[0])
	})
}

func TestABadRequestUsesUpNoScriptedAnswer(t *testing.T) { // R25
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow))
		srv.Next(mock.Text("for a good one"))
		c := calling(srv)
		require.Equal(t, http.StatusBadRequest, c.post(t, body(fields{"max_tokens": "many"})).status)
		count, err := c.postTo("/v1/messages/count_tokens", body(fields{"max_tokens": nil}))
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, count.status)
		require.Equal(t, "for a good one", tell(t, c.post(t, body(nil))).text)
	})
}

func TestManyClientsShareScriptedAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow))
		for range 30 {
			srv.Next(mock.Overloaded())
		}
		answers := calling(srv).postAll(t, 100, 20, question(nil))
		require.Equal(t, 0.3, share(answers, func(a answer) bool { return a.status == 529 }))
	})
}

func TestAnUnknownProfileIsToldWhereItIsWritten(t *testing.T) {
	h, err := mock.New(mock.ScenarioText(slow))
	require.NoError(t, err)
	require.PanicsWithValue(t, `orrery: scenario "slow" has no profile "fast"; it has slow, whole`, func() {
		h.Next(mock.Text("hello").With("fast"))
	})
}

func TestAnAnswerIsNotChangedByWhatIsMadeOfIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow))
		plain := mock.Text("hello").Header("X-Colour", "red")
		_ = plain.Header("X-Colour", "blue").With("whole")
		srv.Next(plain)
		require.Equal(t, told{200, "hello", "", "red", 0, ""}, tell(t, calling(srv).post(t, body(nil))))
	})
}
