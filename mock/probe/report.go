package probe

import (
	"time"
)

// Report adds results up, in memory that doesn't grow with their number. The zero value is ready for
// use; let one goroutine use it at a time, as [Open] and [Closed] do.
//
// Percentiles speak only of what came. What never came stands beside them, as Unanswered.
type Report struct {
	// Shots counts all results, Sent those that were driven, Unanswered those of them that wanted an
	// answer and got none whole.
	Shots, Sent, Unanswered int
	// Statuses counts answers by status, ErrorTypes refusals and error events by the API's word for
	// them; the words beyond the first hundred count as "other".
	Statuses   map[int]int
	ErrorTypes map[string]int
	// TTFT has the first token, Gap the times between deltas, of every stream that got so far;
	// Duration has the answered only, Refusal the refused.
	TTFT, Gap, Duration, Refusal Distribution
	// Lag is how late the prober itself was. Where it comes near the other figures, so do their errors.
	Lag Distribution
	// Usage is the sum of what answers say.
	Usage Usage

	byOutcome [outcomes]int
	first     [outcomes]error

	planned, sent span
}

// span is the first and the last of some offsets.
type span struct{ first, last time.Duration }

const errorTypes = 100

// Add takes in one result. It doesn't keep it.
func (p *Report) Add(r *Result) {
	p.planned.add(r.Planned, p.Shots == 0)
	p.Shots++
	p.byOutcome[r.Outcome]++
	if p.first[r.Outcome] == nil {
		p.first[r.Outcome] = r.Err
	}
	if r.Outcome == NotDriven {
		return
	}
	p.sent.add(r.Sent, p.Sent == 0)
	p.Sent++
	p.Lag.Add(r.Lag())
	if r.Unanswered() {
		p.Unanswered++
	}
	p.count(r)
	if r.FirstToken != Never {
		p.TTFT.Add(r.FirstToken)
	}
	for gap := range r.Gaps() {
		p.Gap.Add(gap)
	}
	switch r.Outcome {
	case Answered:
		p.Duration.Add(r.Duration)
	case Refused:
		p.Refusal.Add(r.Duration)
	}
	p.Usage.Input += r.Usage.Input
	p.Usage.Output += r.Usage.Output
	p.Usage.CacheCreation += r.Usage.CacheCreation
	p.Usage.CacheRead += r.Usage.CacheRead
}

func (p *Report) count(r *Result) {
	if r.Status != 0 {
		if p.Statuses == nil {
			p.Statuses = map[int]int{}
		}
		p.Statuses[r.Status]++
	}
	if r.ErrorType == "" {
		return
	}
	if p.ErrorTypes == nil {
		p.ErrorTypes = map[string]int{}
	}
	word := r.ErrorType
	if _, known := p.ErrorTypes[word]; !known && len(p.ErrorTypes) >= errorTypes {
		word = "other"
	}
	p.ErrorTypes[word]++
}

// Count is the number of results with this outcome.
func (p *Report) Count(o Outcome) int { return p.byOutcome[o] }

// First is the error of the first result with this outcome; nil without one.
func (p *Report) First(o Outcome) error { return p.first[o] }

// PlannedRate is the rate of all shots by their planned instants, per second; 0 for fewer than two.
func (p *Report) PlannedRate() float64 { return p.planned.rate(p.Shots) }

// Rate is the rate that was reached, by the instants of sending, per second; 0 for fewer than two.
func (p *Report) Rate() float64 { return p.sent.rate(p.Sent) }

func (s *span) add(at time.Duration, first bool) {
	if first || at < s.first {
		s.first = at
	}
	if first || at > s.last {
		s.last = at
	}
}

func (s span) rate(n int) float64 {
	if n < 2 || s.last <= s.first {
		return 0
	}
	return float64(n-1) / (s.last - s.first).Seconds()
}
