package journal

import (
	"encoding/json"
	"net/http"
	"time"
	"unicode/utf8"
)

// Outcome says how a request ended.
type Outcome string

const (
	// Open: it is still under way.
	Open Outcome = "open"
	// Complete: the answer was sent to its end.
	Complete Outcome = "complete"
	// Refused: the answer was an error, and was sent to its end.
	Refused Outcome = "refused"
	// Broken: the server broke the answer off, as its faults say.
	Broken Outcome = "broken"
	// ClientLeft: the client hung up first.
	ClientLeft Outcome = "client-left"
	// Failed: the server couldn't answer.
	Failed Outcome = "failed"
)

// Phase says how far a request had come when it ended.
type Phase string

const (
	// Reading its body.
	Reading Phase = "reading"
	// Waiting for the answer's headers to be due.
	Waiting Phase = "waiting"
	// Headers: sent, and nothing of the body.
	Headers Phase = "headers"
	// Streaming: some of the body was sent.
	Streaming Phase = "streaming"
	// Done: all of it was.
	Done Phase = "done"
)

// Draw is one use of chance: the N-th draw of a place in the run, counted from 0, which came to U
// billionths.
type Draw struct {
	Place string `json:"place"`
	N     uint64 `json:"n"`
	U     uint32 `json:"u"`
}

// Step is one step of an answer. Its times are offsets from arrival.
type Step struct {
	Kind  string `json:"kind"`            // head, event, body, end; bytes: what a fault made of events
	Event string `json:"event,omitempty"` // of the event that ends with it, its name: message_start
	Index int    `json:"index"`           // of an event, its content block
	// Tokens is how many tokens of the answer it carries.
	Tokens  int           `json:"tokens"`
	Planned time.Duration `json:"planned_ns"` // Never, and null in JSON: it isn't due for ever
	Actual  time.Duration `json:"actual_ns"`  // −1: not sent
	Bytes   int           `json:"bytes"`      // of body sent; planned ones until it is
}

// Entry is a copy of a record as it stood when it was asked for. What isn't known yet is zero. Only
// Body is shared with the journal: don't change it.
type Entry struct {
	// Sequence numbers the requests of a journal from 1 in order of arrival, Ordinal those of a run
	// (R1; 0 for a request that belongs to none).
	Sequence  uint64 `json:"sequence"`
	Ordinal   uint64 `json:"ordinal"`
	Scenario  string `json:"scenario"`
	Run       string `json:"run"`
	RequestID string `json:"request_id"`
	Seed      uint64 `json:"seed"` // of the run's draws; 0 until it is decided
	// Attempt is which attempt of a retrying client this is, from 1 (R14); RetryCount the header
	// X-Stainless-Retry-Count as it was sent, "" without.
	Attempt    int    `json:"attempt"`
	RetryCount string `json:"retry_count"`

	Method   string `json:"method"`
	Path     string `json:"path"`
	Protocol string `json:"protocol"`
	Client   string `json:"client"` // the key's fingerprint, else the remote address (R16)
	Key      string `json:"key"`    // the key's fingerprint
	// Connection numbers the connection, ConnectionRequests the requests on it, this one included.
	Connection         uint64      `json:"connection"`
	ConnectionRequests int         `json:"connection_requests"`
	Arrived            time.Time   `json:"arrived"`
	Header             http.Header `json:"header"` // keys and cookies withheld
	// HeaderLines are the header lines as they came over HTTP/1.1: names as sent, their order, duplicates
	// and padding; keys and cookies withheld. Nil for other protocols.
	HeaderLines []string `json:"header_lines,omitempty"`
	Body        []byte   `json:"-"` // in JSON: body when it is UTF-8, else body_base64

	Route string          `json:"route"`
	Facts map[string]any  `json:"facts"`
	Marks map[string]bool `json:"marks"`
	Draws []Draw          `json:"draws"`
	// Parts are the named shares of what the first token takes or, of an answer that is timed as a whole,
	// the whole answer. They add up to it.
	Parts    map[string]time.Duration `json:"parts_ns"`
	Warnings []string                 `json:"warnings"`
	// Usage is the answer's, nil when it is no message; Figures are the scenario's, exact to their
	// last decimal.
	Usage   *Usage                 `json:"usage,omitempty"`
	Figures map[string]json.Number `json:"figures"`

	Status  int           `json:"status"`
	Outcome Outcome       `json:"outcome"`
	Phase   Phase         `json:"phase"`
	Ended   time.Duration `json:"ended_ns"` // offset from arrival; 0 while open
	// Released is the offset from arrival at which the request's slot in its profile's queue got free; 0
	// when it had none, or has it still.
	Released time.Duration `json:"released_ns"`
	Bytes    int64         `json:"bytes"` // of the response's body, as sent
	Steps    []Step        `json:"steps"`
}

// MarshalJSON writes the entry as one object. Durations are whole nanoseconds in members that end
// in _ns; the body is a string in body when it is UTF-8 and otherwise Base64 in body_base64.
func (e Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	out := struct {
		plain
		LateMax    time.Duration `json:"late_max_ns"`
		LateP99    time.Duration `json:"late_p99_ns"`
		Body       string        `json:"body,omitempty"`
		BodyBase64 []byte        `json:"body_base64,omitempty"`
	}{plain: plain(e), LateMax: e.Lateness(), LateP99: e.LatenessP99()}
	out.Facts, out.Marks, out.Header = orEmpty(e.Facts), orEmpty(e.Marks), orEmpty(e.Header)
	out.Parts = orEmpty(e.Parts)
	out.Figures = orEmpty(e.Figures)
	out.Draws, out.Warnings, out.Steps = orNone(e.Draws), orNone(e.Warnings), orNone(e.Steps)
	if utf8.Valid(e.Body) {
		out.Body = string(e.Body)
	} else {
		out.BodyBase64 = e.Body
	}
	return json.Marshal(out)
}

// Never is the planned offset of what doesn't come, 146 years: an answer that isn't given ends then.
const Never = time.Duration(1) << 62

// MarshalJSON writes the step as one object, with null for a planned time that never comes.
func (s Step) MarshalJSON() ([]byte, error) {
	type plain Step
	if s.Planned < Never {
		return json.Marshal(plain(s))
	}
	return json.Marshal(struct {
		plain
		Planned *time.Duration `json:"planned_ns"`
	}{plain: plain(s)})
}

// orEmpty and orNone spare readers a null where an object or an array belongs.
func orEmpty[M ~map[K]V, K comparable, V any](m M) M {
	if m == nil {
		return M{}
	}
	return m
}

func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// ContentDelta is the event that carries content: what TTFT and gaps are measured by (R40).
const ContentDelta = "content_block_delta"

// Planned is each step's planned offset from arrival.
func (e Entry) Planned() []time.Duration {
	out := make([]time.Duration, len(e.Steps))
	for i, s := range e.Steps {
		out[i] = s.Planned
	}
	return out
}

// Actual is the offset from arrival at which each step was sent; −1 for one that wasn't.
func (e Entry) Actual() []time.Duration {
	out := make([]time.Duration, len(e.Steps))
	for i, s := range e.Steps {
		out[i] = s.Actual
	}
	return out
}

// PlannedDuration is the last step's planned offset from arrival; −1 when there are no steps, [Never]
// or more for an answer without an end.
func (e Entry) PlannedDuration() time.Duration {
	if len(e.Steps) == 0 {
		return -1
	}
	return e.Steps[len(e.Steps)-1].Planned
}

// ActualDuration is the offset from arrival of the last step that was sent; −1 when none was.
func (e Entry) ActualDuration() time.Duration {
	last := time.Duration(-1)
	for _, s := range e.Steps {
		last = max(last, s.Actual)
	}
	return last
}

// PlannedTTFT is the planned offset of the first content delta; −1 when the answer has none.
func (e Entry) PlannedTTFT() time.Duration { return e.firstDelta().Planned }

// ActualTTFT is the offset at which the first content delta was sent; −1 when none was.
func (e Entry) ActualTTFT() time.Duration { return e.firstDelta().Actual }

func (e Entry) firstDelta() Step {
	for _, s := range e.Steps {
		if s.Event == ContentDelta {
			return s
		}
	}
	return Step{Planned: -1, Actual: -1}
}

// Gaps is the planned times from content delta to content delta, across content blocks (R40): one
// fewer than there are deltas.
func (e Entry) Gaps() []time.Duration {
	var gaps []time.Duration
	before := time.Duration(-1)
	for _, s := range e.Steps {
		if s.Event != ContentDelta {
			continue
		}
		if before >= 0 {
			gaps = append(gaps, s.Planned-before)
		}
		before = s.Planned
	}
	return gaps
}
