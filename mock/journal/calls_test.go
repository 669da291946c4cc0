package journal_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// tried opens and ends a request at an instant of the test's own; it takes a second.
func tried(j *journal.Journal, at time.Duration, client, retry, body string, o journal.Outcome) {
	a := journal.Arrival{Client: client, Method: "POST", Path: "/v1/messages", Arrived: time.Unix(0, 0).Add(at), Header: http.Header{}}
	if retry != "" {
		a.Header.Set("X-Stainless-Retry-Count", retry)
	}
	r := j.Open(a)
	r.Read([]byte(body))
	r.Decided(1, "req_1", &plan{status: 200})
	r.Close(o, journal.Done, time.Second)
}

func grouped(calls []journal.Call) [][]uint64 {
	var all [][]uint64
	for _, c := range calls {
		var of []uint64
		for _, e := range c.Attempts {
			of = append(of, e.Sequence)
		}
		all = append(all, of)
	}
	return all
}

func TestAttemptsOfOneCallAreGrouped(t *testing.T) {
	const s = time.Second
	for name, test := range map[string]struct {
		try  func(*journal.Journal)
		want [][]uint64
	}{
		"a failure and its retry, spelled otherwise": {func(j *journal.Journal) {
			tried(j, 0, "a", "", `{"x": 1, "y": 2}`, journal.Refused)
			tried(j, 3*s, "a", "", `{"y":2,"x":1}`, journal.Complete)
			tried(j, 6*s, "a", "", `{"y":2,"x":1}`, journal.Complete)
		}, [][]uint64{{1, 2}, {3}}},
		"other bodies and clients": {func(j *journal.Journal) {
			tried(j, 0, "a", "", `{"x":1}`, journal.Refused)
			tried(j, 3*s, "a", "", `{"x":2}`, journal.Refused)
			tried(j, 3*s, "b", "", `{"x":1}`, journal.Refused)
		}, [][]uint64{{1}, {2}, {3}}},
		"too late": {func(j *journal.Journal) {
			tried(j, 0, "a", "", `{}`, journal.Broken)
			tried(j, 62*s, "a", "", `{}`, journal.Complete)
		}, [][]uint64{{1}, {2}}},
		"a client that left is noticed a little late": {func(j *journal.Journal) {
			tried(j, 0, "a", "", `{}`, journal.ClientLeft)
			tried(j, s-50*ms, "a", "", `{}`, journal.Complete)
		}, [][]uint64{{1, 2}}},
		"two at once aren't retries of each other": {func(j *journal.Journal) {
			tried(j, 0, "a", "", `{}`, journal.Refused)
			tried(j, s/2, "a", "", `{}`, journal.Refused)
			tried(j, 2*s, "a", "", `{}`, journal.Refused)
			tried(j, 3*s, "a", "", `{}`, journal.Complete)
		}, [][]uint64{{1, 3}, {2, 4}}},
		"the header says which": {func(j *journal.Journal) {
			tried(j, 0, "a", "0", `{}`, journal.Refused)
			tried(j, 2*s, "a", "1", `{}`, journal.Refused)
			tried(j, 2*s, "a", "0", `{}`, journal.Open)
			tried(j, 4*s, "a", "2", `{}`, journal.Complete)
			tried(j, 5*s, "a", "1", `{}`, journal.Complete)
		}, [][]uint64{{1, 2, 4}, {3, 5}}},
		"retries around retries are one call": {func(j *journal.Journal) { // B46
			for i, retry := range []string{"0", "1", "2", "0", "1", "2"} {
				tried(j, time.Duration(2*i)*s, "a", retry, `{}`, journal.Refused)
			}
		}, [][]uint64{{1, 2, 3, 4, 5, 6}}},
		"a body that isn't JSON": {func(j *journal.Journal) {
			tried(j, 0, "a", "", `{`, journal.Refused)
			tried(j, 2*s, "a", "", `{`, journal.Refused)
		}, [][]uint64{{1, 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			j := journal.New(0)
			test.try(j)
			require.Equal(t, test.want, grouped(j.Calls(journal.Query{})))
		})
	}
}

func TestACallKnowsHowLongItsClientWaited(t *testing.T) {
	j := journal.New(0)
	require.Empty(t, j.Calls(journal.Query{}))
	tried(j, 0, "a", "0", `{}`, journal.Refused)
	tried(j, 1500*ms, "a", "1", `{}`, journal.Refused)
	tried(j, 4500*ms, "a", "2", `{}`, journal.Complete)
	tried(j, 0, "b", "0", `{}`, journal.Complete)
	calls := j.Calls(journal.Query{Client: "a"})
	require.Len(t, calls, 1)
	require.EqualValues(t, 1, calls[0].ID)
	require.Equal(t, []time.Duration{500 * ms, 2 * time.Second}, calls[0].Waits())
	require.Equal(t, "2", calls[0].Last().RetryCount)
	require.Equal(t, 3, calls[0].Last().Attempt)
}
