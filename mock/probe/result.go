package probe

import (
	"iter"
	"net/http"
	"time"
)

// Never stands in a [Result] for the time of something that didn't happen.
const Never time.Duration = -1

// Outcome is how a shot ended.
type Outcome int

// The outcomes.
const (
	// NotDriven: never sent, for MaxInFlight requests were under way. It says nothing of the server.
	NotDriven Outcome = iota
	// Answered: a whole answer with a status of 2xx; of a stream of events, one with its message_stop.
	Answered
	// Refused: a whole answer with another status.
	Refused
	// Cut: an answer began and ended early, with an error event, or as no JSON.
	Cut
	// TimedOut: GiveUp passed first.
	TimedOut
	// Left: CancelAfter passed first.
	Left
	// Failed: no answer began: no connection, or one that broke.
	Failed
	// Stopped: the caller's context ended first.
	Stopped
	outcomes
)

// String is the outcome in words: "timed out".
func (o Outcome) String() string {
	switch o {
	case NotDriven:
		return "not driven"
	case Answered:
		return "answered"
	case Refused:
		return "refused"
	case Cut:
		return "cut"
	case TimedOut:
		return "timed out"
	case Left:
		return "left"
	case Failed:
		return "failed"
	case Stopped:
		return "stopped"
	}
	return "unknown"
}

// Outcomes lists them all, in the order in which they read best.
func Outcomes() []Outcome {
	return []Outcome{Answered, Refused, Cut, TimedOut, Failed, Left, Stopped, NotDriven}
}

// Result is what became of a shot. Unless it says otherwise a time counts from the planned instant.
type Result struct {
	Shot *Shot
	// Ordinal counts the shots from 1, in the order of their planning.
	Ordinal int
	Outcome Outcome
	// Err says more about an outcome other than [Answered]; it names neither target nor key. An answer
	// whose connection broke after its message_stop is Answered, with Err.
	Err error

	// Planned and Sent are offsets from the start; Sent is [Never] for what was not driven. Sent is
	// when the request was handed to the transport, before any dialling, which is the server's time.
	Planned, Sent time.Duration
	// HeadersAt is when the response's headers had come, FirstToken when the first content_block_delta
	// had; [Never] without one.
	HeadersAt, FirstToken time.Duration
	// Duration is when the last byte had come, or when it was given up.
	Duration time.Duration
	// Deltas are the stream's content_block_delta events; of a text/plain without a
	// content-length, the pieces in which it came.
	Deltas []Delta
	// Reads are the sizes of the reads from the connection's body, when asked for.
	Reads []int

	// Status is 0 without an answer.
	Status int
	Header http.Header
	// Protocol is the response's, such as HTTP/1.1.
	Protocol string
	// ConnectionRequests is the number of requests sent on the connection so far, this one included;
	// 0 over HTTP/3.
	ConnectionRequests int

	// Text is the answer's text, when asked for.
	Text       string
	Usage      Usage
	StopReason string
	// Calls counts the answer's tool_use blocks.
	Calls int
	// ErrorType is the API's word for the error of a refusal or of an error event.
	ErrorType string
	// Events counts the stream's events of all kinds; Bytes the body's bytes on the wire.
	Events int
	Bytes  int64
}

// Delta is one event with content.
type Delta struct {
	At time.Duration
	// Bytes is the size of its text, thinking or partial JSON, without the event around it.
	Bytes int
	// Text is there when asked for.
	Text string
}

// Usage is what an answer says it cost, in tokens.
type Usage struct {
	Input, Output, CacheCreation, CacheRead int
}

func newResult(shot *Shot, ordinal int, planned time.Duration) *Result {
	return &Result{Shot: shot, Ordinal: ordinal, Planned: planned, Sent: Never, HeadersAt: Never, FirstToken: Never}
}

// Lag is how late the prober was in sending; 0 for what was not driven.
func (r *Result) Lag() time.Duration {
	if r.Sent == Never {
		return 0
	}
	return r.Sent - r.Planned
}

// Gaps are the times between successive deltas, one fewer than there are deltas.
func (r *Result) Gaps() iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		for i := 1; i < len(r.Deltas); i++ {
			if !yield(r.Deltas[i].At - r.Deltas[i-1].At) {
				return
			}
		}
	}
}

// Unanswered reports whether an answer was wanted, and none came whole: [Cut], [TimedOut], [Failed]
// or [Stopped].
func (r *Result) Unanswered() bool {
	switch r.Outcome {
	case Cut, TimedOut, Failed, Stopped:
		return true
	}
	return false
}
