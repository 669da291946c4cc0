package journal

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"time"
)

// retryCount is the header by which the official SDKs number their retries, from 0.
const retryCount = "X-Stainless-Retry-Count"

// attemptOf is which attempt the client says this is, else 1.
func attemptOf(h http.Header) int32 {
	n := 0
	if sent := h[retryCount]; len(sent) > 0 {
		n, _ = retries(sent[0])
	}
	return int32(min(n, math.MaxInt32-1)) + 1
}

// retries reads the header; told is false when it says nothing.
func retries(sent string) (n int, told bool) {
	n, err := strconv.Atoi(sent)
	if err != nil || n < 0 {
		return 0, false
	}
	return n, true
}

const (
	// retryWindow is how long a failure may lie back for the same request to be a retry of it (R14).
	retryWindow = 60 * time.Second
	// noticed is how much later than its client's next request a hang-up may be noticed.
	noticed = 100 * time.Millisecond
)

// Call is what a caller means by one request: its attempts, in order of arrival.
type Call struct {
	// ID is the first attempt's sequence.
	ID       uint64  `json:"id"`
	Attempts []Entry `json:"attempts"`
}

// Last is the attempt that arrived last.
func (c Call) Last() Entry { return c.Attempts[len(c.Attempts)-1] }

// Waits is how long the client waited before each retry, from the end of the attempt before to the
// arrival: one fewer than there are attempts. One is negative when the client hadn't waited for the end.
func (c Call) Waits() []time.Duration {
	var waits []time.Duration
	for i := 1; i < len(c.Attempts); i++ {
		before := c.Attempts[i-1]
		waits = append(waits, c.Attempts[i].Arrived.Sub(before.Arrived.Add(before.Ended)))
	}
	return waits
}

// Calls are the kept entries that match, grouped: an entry belongs to an earlier call when run,
// client, method, path and body (R12: whatever its spelling) are the same and the call waits for a
// retry. It does so for 60 s (R14) after an attempt that was refused or broken off, or whose client
// left; and whatever became of it, when the SDK's header says that this is the next retry. So a
// caller's own retries around an SDK's are one call, and the header, which begins again at 0, shows
// the nesting. Same requests of one client at the same time can't be told apart; there the call that
// has waited longest gets the retry. The query should leave no attempt out, so ask for runs, keys and
// paths rather than for outcomes.
func (j *Journal) Calls(q Query) []Call {
	var calls []*Call
	waiting := map[call][]*Call{} // oldest first
	sorted := identities{}
	for _, e := range j.Find(q) {
		id := call{runID{e.Scenario, e.Run}, e.Client, e.Method, e.Path, sorted.of(e.Body)}
		known := waiting[id]
		i := retried(known, e)
		if i < 0 {
			c := &Call{ID: e.Sequence, Attempts: []Entry{e}}
			calls, waiting[id] = append(calls, c), append(known, c)
			continue
		}
		// To the end of the line: it has waited least from here on.
		c := known[i]
		c.Attempts = append(c.Attempts, e)
		waiting[id] = append(append(known[:i:i], known[i+1:]...), c)
	}
	out := make([]Call, len(calls))
	for i, c := range calls {
		out[i] = *c
	}
	return out
}

// call is what all attempts of a call have in common.
type call struct {
	runID
	client, method, path, identity string
}

// retried is the index of the call that e is an attempt of, -1 for a new one.
func retried(known []*Call, e Entry) int {
	n, told := retries(e.RetryCount)
	waits := -1
	for i, c := range known {
		last := c.Last()
		if before, ok := retries(last.RetryCount); told && n > 0 && ok && before == n-1 {
			return i
		}
		if waits < 0 && last.failedBefore(e) {
			waits = i
		}
	}
	return waits
}

// failedBefore reports whether the entry failed, shortly before another arrived.
func (e Entry) failedBefore(next Entry) bool {
	since := next.Arrived.Sub(e.Arrived.Add(e.Ended))
	switch e.Outcome {
	case Refused, Broken, Failed:
		return since >= 0 && since <= retryWindow
	case ClientLeft:
		return since >= -noticed && since <= retryWindow
	case Complete:
		return e.Status >= http.StatusBadRequest && since >= 0 && since <= retryWindow
	default:
		return false
	}
}

// identities are bodies with sorted keys and without white space, by the bodies as they were sent.
type identities map[string]string

func (known identities) of(body []byte) string {
	if id, ok := known[string(body)]; ok {
		return id
	}
	id := string(body)
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&v) == nil {
		if sorted, err := json.Marshal(v); err == nil {
			id = string(sorted)
		}
	}
	known[string(body)] = id
	return id
}
