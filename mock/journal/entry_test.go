package journal_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// half is an answer of three deltas of which two were sent, the second 4 ms late.
func half() journal.Entry {
	j := journal.New(0)
	r := j.Open(journal.Arrival{})
	r.Decided(1, "req_1", streamed(10*ms, 30*ms, 37*ms))
	r.Wrote(0, 10*ms, 0)
	r.Wrote(1, 10*ms, 5)
	r.Wrote(2, 11*ms, 5)
	r.Wrote(3, 34*ms, 5)
	r.Close(journal.ClientLeft, journal.Streaming, 35*ms)
	return j.Last()
}

func TestAnEntrySaysWhatWasPlannedAndWhatWasDone(t *testing.T) {
	e := half()
	require.Equal(t, []time.Duration{10 * ms, 10 * ms, 10 * ms, 30 * ms, 37 * ms, 37 * ms}, e.Planned())
	require.Equal(t, []time.Duration{10 * ms, 10 * ms, 11 * ms, 34 * ms, -1, -1}, e.Actual())
	require.Equal(t, 37*ms, e.PlannedDuration())
	require.Equal(t, 34*ms, e.ActualDuration())
	require.Equal(t, 10*ms, e.PlannedTTFT())
	require.Equal(t, 11*ms, e.ActualTTFT())
	require.Equal(t, []time.Duration{20 * ms, 7 * ms}, e.Gaps())
	require.Equal(t, 4*ms, e.Lateness())
}

func TestAnEntryWithoutStepsHasNoTimes(t *testing.T) {
	e := journal.Entry{}
	require.Empty(t, e.Planned())
	require.Empty(t, e.Actual())
	require.Empty(t, e.Gaps())
	for name, d := range map[string]time.Duration{
		"planned duration": e.PlannedDuration(), "actual duration": e.ActualDuration(),
		"planned TTFT": e.PlannedTTFT(), "actual TTFT": e.ActualTTFT(),
	} {
		require.EqualValues(t, -1, d, name)
	}
	require.Zero(t, e.Lateness())
}

func TestAStepSentAtTheInstantOfArrivalWasSent(t *testing.T) {
	j := journal.New(0)
	r := j.Open(journal.Arrival{})
	r.Decided(1, "req_1", streamed(0))
	r.Wrote(0, 0, 0)
	require.Equal(t, []time.Duration{0, -1, -1, -1}, j.Last().Actual())
}

func TestAnEntryInJSON(t *testing.T) {
	e := journal.Entry{
		Sequence: 3, Ordinal: 2, Scenario: "zio", Run: "t1", RequestID: "req_2", Seed: 7, Attempt: 2, RetryCount: "1",
		Method: "POST", Path: "/v1/messages", Protocol: "HTTP/1.1", Client: "c0ffee", Key: "c0ffee",
		Connection: 7, ConnectionRequests: 1, Arrived: time.Date(2026, 10, 21, 12, 0, 0, 5, time.UTC),
		Header: http.Header{"Accept": {"*/*"}}, Body: []byte(`{"model":"é"}`),
		Route: "answer", Facts: map[string]any{"messages": 3}, Marks: map[string]bool{"cached": true},
		Draws: []journal.Draw{{Place: "pace", N: 1, U: 7}}, Warnings: []string{"w"},
		Usage:   &journal.Usage{Input: 8, Output: 5, CacheCreation: 1, CacheRead: 2},
		Figures: map[string]json.Number{"charged_tokens": "12.9700"},
		Status:  200, Outcome: journal.ClientLeft, Phase: journal.Headers, Ended: 3 * ms, Bytes: 12,
		Parts: map[string]time.Duration{"queue": 3}, Released: 20 * ms,
		Steps: []journal.Step{
			{Kind: "head", Planned: ms, Actual: ms + 1},
			{Kind: "event", Event: "ping", Tokens: 2, Planned: 2 * ms, Actual: -1, Bytes: 12},
		},
	}
	got, err := json.MarshalIndent(e, "", " ")
	require.NoError(t, err)
	require.JSONEq(t, `{
		"sequence": 3, "ordinal": 2, "scenario": "zio", "run": "t1", "request_id": "req_2",
		"seed": 7, "attempt": 2, "retry_count": "1", "late_max_ns": 1, "late_p99_ns": 1,
		"method": "POST", "path": "/v1/messages", "protocol": "HTTP/1.1", "client": "c0ffee", "key": "c0ffee",
		"connection": 7, "connection_requests": 1, "arrived": "2026-10-21T12:00:00.000000005Z",
		"header": {"Accept": ["*/*"]}, "body": "{\"model\":\"é\"}",
		"route": "answer", "facts": {"messages": 3}, "marks": {"cached": true},
		"draws": [{"place": "pace", "n": 1, "u": 7}], "warnings": ["w"],
		"usage": {"input_tokens": 8, "output_tokens": 5, "cache_creation_input_tokens": 1, "cache_read_input_tokens": 2},
		"figures": {"charged_tokens": 12.9700},
		"status": 200, "outcome": "client-left", "phase": "headers", "ended_ns": 3000000, "bytes": 12,
		"parts_ns": {"queue": 3}, "released_ns": 20000000,
		"steps": [
			{"kind": "head", "index": 0, "tokens": 0, "planned_ns": 1000000, "actual_ns": 1000001, "bytes": 0},
			{"kind": "event", "event": "ping", "index": 0, "tokens": 2, "planned_ns": 2000000, "actual_ns": -1, "bytes": 12}
		]
	}`, string(got))
}

func TestAStepThatIsNeverDueHasNoPlannedTimeInJSON(t *testing.T) {
	got, err := json.Marshal(journal.Step{Kind: "end", Planned: journal.Never, Actual: -1})
	require.NoError(t, err)
	require.JSONEq(t, `{"kind": "end", "index": 0, "tokens": 0, "planned_ns": null, "actual_ns": -1, "bytes": 0}`, string(got))
}

func TestABodyThatIsNoUTF8IsBase64InJSON(t *testing.T) {
	got, err := json.Marshal(journal.Entry{Body: []byte{0xff, 0xfe}})
	require.NoError(t, err)
	require.Contains(t, string(got), `"body_base64":"//4="`)
	require.NotContains(t, string(got), `"body":`)
}

func TestAnEmptyEntryInJSONHasNoNulls(t *testing.T) {
	got, err := json.Marshal(journal.Entry{})
	require.NoError(t, err)
	require.NotContains(t, string(got), "null")
	require.NotContains(t, string(got), "body")
}
