package mock

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Answer is a scripted answer, for [Handler.Next]. It leaves at once unless With gives it a
// profile's delays.
type Answer struct {
	text    string
	blocks  []scenario.Block // in place of text
	refusal *scenario.Refusal
	failure *scenario.Error
	profile string
	headers []scenario.Header
	written string   // in the language of a scenario file, in place of all that
	faults  []string // in that language
	problem error    // what was wrong in making it
}

// Outcome answers as a route of a scenario file would that says this: profile, reply, headers, error,
// http, faults and so on, but no condition.
//
//	mock.Outcome(`{http: {status: 520, body: "<html>"}, headers: {request-id: ""}}`)
func Outcome(text string) Answer { return Answer{written: text} }

// Text answers with this text, and stop reason end_turn unless max_tokens or a stop sequence
// ends it sooner.
func Text(text string) Answer { return Answer{text: text} }

// RateLimited answers 429, with retry-after in whole seconds, rounded up.
func RateLimited(retryAfter time.Duration) Answer {
	return Failure(http.StatusTooManyRequests, "Rate limited").after(retryAfter)
}

// Overloaded answers 529.
func Overloaded() Answer { return Failure(529, "Overloaded") }

// Failure answers with an error in the API's shape; its type follows from the status (400 to 599).
func Failure(status int, message string) Answer {
	return Answer{failure: &scenario.Error{Status: status, Message: scenario.Text(message)}}
}

// With gives the answer the delays of one of the scenario's profiles.
func (a Answer) With(profile string) Answer {
	a.profile = profile
	return a
}

// Header adds a response header.
func (a Answer) Header(name, value string) Answer {
	a.headers = append(a.headers[:len(a.headers):len(a.headers)], scenario.Header{Name: name, Value: scenario.Text(value)})
	return a
}

// Fault makes these go wrong with the answer, each as a scenario file spells it:
//
//	mock.Text("Three words, and then").Fault("{end: reset, after: content_block_delta 3}")
func (a Answer) Fault(faults ...string) Answer {
	a.faults = append(a.faults[:len(a.faults):len(a.faults)], faults...)
	return a
}

// outcome is the answer as a route would give it.
func (a Answer) outcome(s *scenario.Scenario, lib *scenario.Library) (*scenario.Outcome, error) {
	if a.problem != nil {
		return nil, a.problem
	}
	o := &scenario.Outcome{Error: a.failure}
	if a.written != "" {
		var err error
		if o, err = lib.ParseOutcome(s, a.written); err != nil {
			return nil, err
		}
	}
	o.Headers = append(o.Headers, a.headers...)
	if len(a.faults) > 0 {
		broken, err := lib.ParseOutcome(s, "faults: ["+strings.Join(a.faults, ", ")+"]")
		if err != nil {
			return nil, err
		}
		o.Faults = append(o.Faults, broken.Faults...)
	}
	if a.failure == nil && a.written == "" {
		o.Reply = &scenario.Reply{Text: a.text, Blocks: a.blocks, Refusal: a.refusal}
	}
	if a.profile != "" {
		p, ok := s.Profiles[a.profile]
		if !ok {
			return nil, fmt.Errorf("scenario %q has no profile %q; it has %s", s.Name, a.profile, strings.Join(slices.Sorted(maps.Keys(s.Profiles)), ", "))
		}
		o.Profile = p
	}
	return o, nil
}

func (a Answer) after(d time.Duration) Answer {
	failure := *a.failure
	failure.RetryAfter = d
	a.failure = &failure
	return a
}
