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
	problem error // what was wrong in making it
}

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

// outcome is the answer as a route would give it.
func (a Answer) outcome(s *scenario.Scenario) (*scenario.Outcome, error) {
	if a.problem != nil {
		return nil, a.problem
	}
	o := &scenario.Outcome{Headers: a.headers, Error: a.failure}
	if a.failure == nil {
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
