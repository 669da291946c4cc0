package journal_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

const ms = time.Millisecond

// plan is a Decision of fixed content.
type plan struct {
	status int
	route  string
	marks  map[string]bool
	steps  []journal.Step
	charge *journal.Charge
	size   int
}

func (p *plan) Status() int                     { return p.status }
func (p *plan) Route() string                   { return p.route }
func (p *plan) Facts() map[string]any           { return map[string]any{"messages": 3, "stream": true} }
func (p *plan) Marks() map[string]bool          { return p.marks }
func (p *plan) Parts() map[string]time.Duration { return map[string]time.Duration{"queue": 3} }
func (p *plan) Draws() []journal.Draw {
	return []journal.Draw{{Place: "first-token", N: 4, U: 500_000_000}}
}
func (p *plan) Warnings() []string      { return []string{"no such field: foo"} }
func (p *plan) Charge() *journal.Charge { return p.charge }
func (p *plan) Len() int                { return len(p.steps) }
func (p *plan) Step(i int) journal.Step { return p.steps[i] }
func (p *plan) Size() int               { return p.size }

// numbered is a decision that knows its seed and which attempt it is for.
type numbered struct {
	*plan
	seed    uint64
	attempt int
}

func (n numbered) Seed() uint64 { return n.seed }
func (n numbered) Attempt() int { return n.attempt }

// streamed plans a head, a start and then deltas at their instants, and the end with the last.
func streamed(deltas ...time.Duration) *plan {
	p := &plan{status: 200, route: "answer", steps: []journal.Step{
		{Kind: "head", Planned: deltas[0]},
		{Kind: "event", Event: "message_start", Planned: deltas[0], Bytes: 50},
	}}
	for _, d := range deltas {
		p.steps = append(p.steps, journal.Step{Kind: "event", Event: "content_block_delta", Tokens: 1, Planned: d, Bytes: 10})
	}
	p.steps = append(p.steps, journal.Step{Kind: "end", Planned: deltas[len(deltas)-1]})
	return p
}

// whole opens a record, and closes it as complete.
func whole(j *journal.Journal, a journal.Arrival, body string, p *plan) *journal.Record {
	r := j.Open(a)
	r.Read([]byte(body))
	r.Decided(1, "req_1", p)
	r.Close(journal.Complete, journal.Done, ms)
	return r
}

func paths(entries []journal.Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.Path)
	}
	return out
}

func TestAnEntryHoldsTheWholeRequest(t *testing.T) {
	arrived := time.Date(2026, 10, 21, 12, 0, 0, 5, time.UTC)
	j := journal.New(0)
	r := j.Open(journal.Arrival{
		Scenario: "zio", Run: "t1", Method: "POST", Path: "/v1/messages", Protocol: "HTTP/1.1",
		Client: "c0ffee", Key: "c0ffee", Connection: 7, ConnectionRequests: 2, Arrived: arrived,
		Header: http.Header{"Anthropic-Version": {"2026-10-21"}, "X-Stainless-Retry-Count": {"1"}},
	})
	e := j.Last()
	require.Equal(t, journal.Open, e.Outcome)
	require.Equal(t, 2, e.Attempt, "what the client says, until it is decided")
	require.Empty(t, e.Steps)

	r.Read([]byte(`{"model":"m"}`))
	p := streamed(10*ms, 30*ms)
	p.marks = map[string]bool{"cached": true}
	r.Decided(9, "req_011", numbered{p, 7, 3})
	r.Wrote(0, 10*ms, 0)
	r.Wrote(1, 10*ms, 52)
	r.Wrote(2, 11*ms, 10)
	e = j.Last()
	require.Equal(t, journal.Open, e.Outcome)
	require.Equal(t, []time.Duration{10 * ms, 10 * ms, 11 * ms, -1, -1}, e.Actual(), "while it is under way")

	r.Close(journal.ClientLeft, journal.Streaming, 25*ms)
	require.Equal(t, journal.Entry{
		Sequence: 1, Ordinal: 9, Scenario: "zio", Run: "t1", RequestID: "req_011", Seed: 7, Attempt: 3, RetryCount: "1",
		Method: "POST", Path: "/v1/messages", Protocol: "HTTP/1.1", Client: "c0ffee", Key: "c0ffee",
		Connection: 7, ConnectionRequests: 2, Arrived: arrived,
		Header: http.Header{"Anthropic-Version": {"2026-10-21"}, "X-Stainless-Retry-Count": {"1"}}, Body: []byte(`{"model":"m"}`),
		Route: "answer", Facts: map[string]any{"messages": 3, "stream": true}, Marks: map[string]bool{"cached": true},
		Draws:    []journal.Draw{{Place: "first-token", N: 4, U: 500_000_000}},
		Parts:    map[string]time.Duration{"queue": 3},
		Warnings: []string{"no such field: foo"}, Status: 200,
		Outcome: journal.ClientLeft, Phase: journal.Streaming, Ended: 25 * ms, Bytes: 62,
		Steps: []journal.Step{
			{Kind: "head", Planned: 10 * ms, Actual: 10 * ms},
			{Kind: "event", Event: "message_start", Planned: 10 * ms, Actual: 10 * ms, Bytes: 52},
			{Kind: "event", Event: "content_block_delta", Tokens: 1, Planned: 10 * ms, Actual: 11 * ms, Bytes: 10},
			{Kind: "event", Event: "content_block_delta", Tokens: 1, Planned: 30 * ms, Actual: -1, Bytes: 10},
			{Kind: "end", Planned: 30 * ms, Actual: -1},
		},
	}, j.Last())
}

func TestKeysAreNeverKept(t *testing.T) {
	j := journal.New(0)
	sent := http.Header{
		"X-Api-Key": {"sk-1", "sk-2"}, "Authorization": {"Bearer sk-3"}, "Cookie": {"session=sk-4"},
		"Proxy-Authorization": {"Basic sk-5"}, "User-Agent": {"curl"},
	}
	j.Open(journal.Arrival{Key: "c0ffee", Header: sent})
	require.Equal(t, "sk-1", sent.Get("X-Api-Key"), "the request itself stays as it is")
	e := j.Last()
	require.NotContains(t, fmt.Sprint(e), "sk-")
	require.Equal(t, []string{"[withheld]", "[withheld]"}, e.Header["X-Api-Key"], "that there was one is kept")
	require.Equal(t, "curl", e.Header.Get("User-Agent"))
	require.Equal(t, "c0ffee", e.Key)
}

func TestHeadersAreKeptAsTheyCame(t *testing.T) {
	j := journal.New(0)
	sent := http.Header{
		"Accept": {"a", "b, c", ""}, "x-odd": {"\u200b\x00\n", strings.Repeat("long ", 1000)}, "": {"nameless"},
	}
	j.Open(journal.Arrival{Header: sent})
	require.Equal(t, sent, j.Last().Header)
}

func TestEntriesComeInOrderOfArrival(t *testing.T) {
	j := journal.New(0)
	require.Equal(t, journal.Entry{}, j.Last())
	require.Empty(t, j.All())
	a, b := j.Open(journal.Arrival{Path: "/a"}), j.Open(journal.Arrival{Path: "/b"})
	b.Close(journal.Complete, journal.Done, 0)
	a.Close(journal.Complete, journal.Done, 0)
	require.Equal(t, []string{"/a", "/b"}, paths(j.All()))
	require.Equal(t, "/b", j.Last().Path, "the last to arrive, not to end")
	require.Equal(t, []string{"/a"}, paths(j.Filter(func(e journal.Entry) bool { return e.Sequence == 1 })))
}

func TestAnEntryIsACopy(t *testing.T) {
	j := journal.New(0)
	p := streamed(ms)
	p.marks = map[string]bool{"cached": true}
	whole(j, journal.Arrival{Header: http.Header{"A": {"1"}}}, "", p)
	e := j.Last()
	e.Header.Set("A", "2")
	e.Marks["cached"] = false
	e.Steps[0].Kind = "changed"
	again := j.Last()
	require.Equal(t, "1", again.Header.Get("A"))
	require.True(t, again.Marks["cached"])
	require.Equal(t, "head", again.Steps[0].Kind)
}

func TestTheFirstDecisionAndTheFirstEndCount(t *testing.T) {
	j := journal.New(0)
	r := whole(j, journal.Arrival{}, "", streamed(ms))
	r.Decided(2, "req_2", &plan{status: 500})
	r.Close(journal.Failed, journal.Waiting, time.Hour)
	e := j.Last()
	require.Equal(t, "req_1", e.RequestID)
	require.Equal(t, journal.Complete, e.Outcome)
	require.Equal(t, ms, e.Ended)
}

func TestAStepBeyondThePlanOnlyCountsItsBytes(t *testing.T) {
	j := journal.New(0)
	r := j.Open(journal.Arrival{})
	r.Wrote(0, ms, 5) // nothing is decided yet
	r.Decided(1, "req_1", streamed(ms))
	r.Wrote(99, ms, 5)
	r.Wrote(-1, ms, 5)
	e := j.Last()
	require.EqualValues(t, 15, e.Bytes)
	require.Equal(t, []time.Duration{-1, -1, -1, -1}, e.Actual())
}

func TestTheOldestGoesFirst(t *testing.T) {
	for name, fill := range map[string]func(*journal.Journal, int){
		"for bodies": func(j *journal.Journal, i int) {
			whole(j, journal.Arrival{Path: fmt.Sprint(i)}, string(make([]byte, 10_000)), &plan{})
		},
		"for headers": func(j *journal.Journal, i int) {
			whole(j, journal.Arrival{Path: fmt.Sprint(i), Header: http.Header{"A": {string(make([]byte, 10_000))}}}, "", &plan{})
		},
		"for steps": func(j *journal.Journal, i int) {
			whole(j, journal.Arrival{Path: fmt.Sprint(i)}, "", &plan{steps: make([]journal.Step, 320)})
		},
		"for what a decision holds": func(j *journal.Journal, i int) {
			whole(j, journal.Arrival{Path: fmt.Sprint(i)}, "", &plan{size: 10_000})
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := journal.New(115_000)
			for i := range 1000 {
				fill(j, i)
			}
			require.Equal(t, []string{"990", "991", "992", "993", "994", "995", "996", "997", "998", "999"}, paths(j.All()))
			require.Equal(t, 1000, j.Len())
			require.Equal(t, 990, j.Evicted())
			require.EqualValues(t, 991, j.All()[0].Sequence)
		})
	}
}

func TestAnOpenRecordMayGoAndItsWritesDoNoHarm(t *testing.T) {
	j := journal.New(20_000)
	r := j.Open(journal.Arrival{Path: "/old"})
	r.Decided(1, "req_1", streamed(ms))
	for range 3 {
		whole(j, journal.Arrival{Path: "/new"}, string(make([]byte, 8_000)), &plan{})
	}
	require.Equal(t, []string{"/new", "/new"}, paths(j.All()))
	r.Read(make([]byte, 1<<20))
	r.Wrote(1, ms, 10)
	r.Close(journal.Complete, journal.Done, ms)
	require.Equal(t, []string{"/new", "/new"}, paths(j.All()), "what is gone costs nothing")
}

func TestARecordLargerThanTheJournalIsNotKept(t *testing.T) {
	j := journal.New(2000)
	whole(j, journal.Arrival{}, string(make([]byte, 3000)), &plan{})
	require.Empty(t, j.All())
	require.Equal(t, 1, j.Evicted())
	whole(j, journal.Arrival{Path: "/small"}, "", &plan{})
	require.Equal(t, "/small", j.Last().Path)
}

func TestResetForgetsAllButTheSequence(t *testing.T) {
	j := journal.New(3000)
	open := j.Open(journal.Arrival{})
	for range 10 {
		whole(j, journal.Arrival{}, "", &plan{})
	}
	j.Reset()
	require.Empty(t, j.All())
	require.Zero(t, j.Len())
	require.Zero(t, j.Evicted())
	open.Close(journal.Complete, journal.Done, 0)
	whole(j, journal.Arrival{}, "", &plan{})
	require.EqualValues(t, 12, j.Last().Sequence)
	require.Equal(t, 1, j.Len())
	require.Zero(t, j.Evicted())
}

func TestRecordsMayBeWrittenAndReadAtOnce(t *testing.T) {
	j := journal.New(100_000)
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 200 {
				r := j.Open(journal.Arrival{Header: http.Header{"X-Api-Key": {"k"}}})
				r.Read([]byte("{}"))
				r.Decided(1, "req_1", streamed(ms, 2*ms))
				r.Wrote(0, ms, 1)
				r.Close(journal.Complete, journal.Done, ms)
			}
		})
	}
	for range 50 {
		j.All()
		j.Last()
		j.Find(journal.Query{Outcome: journal.Complete})
	}
	writers.Wait()
	require.Equal(t, 1600, j.Len())
	require.Equal(t, 1600, j.Evicted()+len(j.All()))
}
