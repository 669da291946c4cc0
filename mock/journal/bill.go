package journal

import (
	"encoding/json"
	"maps"
	"time"
)

// Usage is what an answer says it cost, in tokens.
type Usage struct {
	Input         int `json:"input_tokens"`
	Output        int `json:"output_tokens"`
	CacheCreation int `json:"cache_creation_input_tokens"`
	CacheRead     int `json:"cache_read_input_tokens"`
}

// Total is the sum of its four numbers.
func (u Usage) Total() int { return u.Input + u.Output + u.CacheCreation + u.CacheRead }

// Charge is what a request is billed with: its usage, and the scenario's figures by name, exact to
// their last decimal.
type Charge struct {
	Date    time.Time // in the run; zero: when it arrived
	Model   string
	Usage   Usage
	Figures map[string]json.Number
}

// Bill is one line of the billing listing.
type Bill struct {
	Sequence  uint64                 `json:"sequence"`
	RequestID string                 `json:"request_id"`
	Scenario  string                 `json:"scenario"`
	Run       string                 `json:"run"`
	Ordinal   uint64                 `json:"ordinal"`
	Time      time.Time              `json:"time"` // on the run's calendar
	Model     string                 `json:"model"`
	Usage     Usage                  `json:"usage"`
	Total     int                    `json:"total_tokens"`
	Figures   map[string]json.Number `json:"figures"`
}

// Bills are the first n lines, in order of arrival, of requests that came after the one with this
// sequence, match, and were or are being answered with a message. More says whether there are
// further ones.
func (j *Journal) Bills(after uint64, n int, q Query) (bills []Bill, more bool) {
	q.After = max(q.After, after)
	for _, r := range j.matching(q) {
		bill, ok := r.bill()
		switch {
		case !ok:
		case len(bills) >= n:
			return bills, true
		default:
			bills = append(bills, bill)
		}
	}
	return bills, false
}

func (r *Record) bill() (Bill, bool) {
	r.mu.Lock()
	ordinal, id, d := r.ordinal, r.requestID, r.decision
	r.mu.Unlock()
	if d == nil {
		return Bill{}, false
	}
	c := d.Charge()
	if c == nil {
		return Bill{}, false
	}
	date := c.Date
	if date.IsZero() {
		date = r.arrival.Arrived
	}
	return Bill{
		Sequence: r.sequence, RequestID: id, Scenario: r.arrival.Scenario, Run: r.arrival.Run, Ordinal: ordinal,
		Time: date.UTC(), Model: c.Model, Usage: c.Usage, Total: c.Usage.Total(), Figures: orEmpty(maps.Clone(c.Figures)),
	}, true
}
