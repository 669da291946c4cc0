// Package scenario is the file format and nothing else: it loads a YAML file, checks it, and
// turns it into a [Scenario] that the rest of the program plays.
//
// It is strict: whatever it doesn't know is an error, all errors of a file are reported at once,
// and each names file, line and column, shows the line and says what to do.
// It knows no clock, no socket and no request.
//
//	library, err := scenario.NewLibrary(os.DirFS("scenarios"))
//	s, err := library.Load("zio")
package scenario

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

// Scenario is one loaded file with its parents merged in and every expression compiled.
// It never changes once loaded, so any number of runs may share it.
type Scenario struct {
	Name  string
	Title string
	// About is the file's leading comment: what the scenario shows.
	About string
	// File is where it was read from, Source what stood there.
	File   string
	Source []byte
	// Seed is the seed of its runs unless one is told another.
	Seed uint64

	// Parameters are the body fields accepted beside the API's own, sorted by name.
	Parameters []Parameter
	// Facts are the file's named conditions, ordered so that each comes after those it uses.
	Facts    []Fact
	Profiles map[string]*Profile
	Routes   []*Route
	Guards   []*Guard

	// Metrics are time series of its own, in the order of the file.
	Metrics []Metric

	// Workloads, Claims and Contradictions are in the order of the file. They aren't inherited (R30).
	Workloads      []*Workload
	Claims         []*Claim
	Contradictions []Contradiction

	API    API
	Models []Model // of its own, sorted by id
	// Preload is what the clients of each run find; nil: nothing.
	Preload *Preload
	// Phases is nil when the file has none.
	Phases *Phases
	// Starts is what date it is at a run's first request; zero: the real one.
	Starts time.Time
	// Keys are the API keys that the scenario knows.
	Keys []Key
	// Limits are those of each key that has none of its own; nil: none.
	Limits *Limits
	Cache  Cache
	// Upload says how bodies are taken in; nil: as ever.
	Upload *Upload
	// Freeze holds the stretches of a run in which nothing leaves, in the order of time; they don't overlap.
	Freeze []Window
	// Figures are those of every answer; a route's with the same name stands in its place.
	Figures  []Figure
	Warnings []Warning

	// Queues are those of the profiles, by the profiles' names.
	Queues []*Queue
	// Places names everything that draws; a place's number is its index.
	Places []string
	// uses holds the built-in facts that any expression of the file reads, dotted ones also by their group.
	uses map[string]bool
	// slots says where an Env keeps what the file's expressions read.
	slots *slots
	// speech is the language of the file's expressions, for those of outcomes to come.
	speech *language
	// keyNames finds a key's name by its text.
	keyNames map[string]string
}

// Uses reports whether any expression of the scenario reads the fact, so that a run needn't work
// out what nobody asks for. Dotted facts go by their whole name and by their group: "blocks.image", "blocks".
func (s *Scenario) Uses(fact string) bool { return s.uses[fact] }

// Fact is a named condition of the file: asked_for: stream and messages > 8.
type Fact struct {
	Name string
	Expr *Expr
}

// Profile is one named latency behaviour. A nil timing point was not given.
type Profile struct {
	Name string

	Headers      *latency.Dist // arrival to the response's headers; absent: with message_start
	MessageStart *latency.Dist // arrival to message_start; absent: with the first token
	FirstToken   *latency.Dist // arrival to the first content delta (TTFT)
	TokenGap     *latency.Dist // from delta event to delta event (ITL)
	Pace         *latency.Dist // one plain factor per request on its gaps, in billionths
	Stop         *latency.Dist // last delta to message_stop; absent: none
	Respond      *latency.Dist // arrival to the whole non-streamed answer; absent: as long as the stream takes

	// TokensPerEvent is how many tokens a delta event carries; a mix part's own tokens win.
	TokensPerEvent Range
	// TokensPerEventPlace is where a range of them draws.
	TokensPerEventPlace int
	// PingEvery is the silence after which a ping goes out; 0: never.
	PingEvery time.Duration
	// Load multiplies all durations but the wait in a queue; nil: nothing does.
	Load *Load
	// PerInputToken is added to the first token, or to a whole answer, for each input token that isn't
	// read from the cache (R37).
	PerInputToken time.Duration
	// Queue is the capacity that the profile's requests share; nil: there is no end to it.
	Queue *Queue
	// Follows are the numbers that the profile's blends follow, by their number.
	Follows []*Expr
	// Random asks for independent draws in place of exact ones.
	Random bool
	// DrawByBody ties the draws to the request's bytes in place of its ordinal.
	DrawByBody bool
}

// Load is a factor that follows a number such as the concurrency.
type Load struct {
	By    *Expr
	Curve latency.Curve
}

// Range is a whole number from Min to Max, both included. The zero value was not given.
type Range struct{ Min, Max int }

// Route is a condition and what answers when it holds. Its tests come in this order: Endpoint,
// Protocol, When, Share, Times.
type Route struct {
	Name string
	// Index is the route's position, for a run's counters.
	Index int
	// Endpoint is whose requests it takes: count_tokens, models, batches, results, complete, files or
	// skills; "" is messages.
	Endpoint string
	// Protocol is what they must come over, as a request has it: HTTP/1.1, HTTP/2.0 or HTTP/3.0; "" is any.
	Protocol string
	When     *Expr // nil: always
	Share    *Share
	Times    *Times
	Outcome
}

// Outcome is what answers: a profile and a reply, or an error or an [HTTP] (which take the profile's
// respond when both are given). One of an endpoint other than messages may have none of these: then
// it is the endpoint's own answer, with its headers and faults.
type Outcome struct {
	Profile *Profile
	Reply   *Reply
	Headers []Header
	Usage   []Usage
	Marks   []Mark
	Error   *Error
	// HTTP stands in place of the API's answer; nil: it doesn't.
	HTTP *HTTP
	// Never: the request is accepted and never answered, not even with an error.
	Never bool
	// RawText streams the text itself, as text/plain, in place of events.
	RawText bool
	// Faults happen to the answer, in the order of the file.
	Faults []fault.Fault
	// Reads are the facts that an outcome of [Loader.ParseOutcome] reads and its scenario doesn't, sorted.
	Reads []string
	// VerbatimHead sends the headers in their order, with the spaces around their values. HTTP/1.1 only.
	VerbatimHead bool
	// Figures and Warnings are the outcome's own, beside the scenario's.
	Figures  []Figure
	Warnings []Warning
}

// Guard is a condition on the finished plan that may refuse it.
type Guard struct {
	Name  string // may be empty; its places are then named by its number in the file
	When  *Expr
	Marks []Mark
	Error *Error
}

// Share lets exactly this part of those that reach it pass: a draw below Below passes.
type Share struct {
	Place int
	Below latency.U
}

// Times says which of those that pass are taken: the First to the Last (counted from 1), or
// every Every-th. Per is "run", "key" or "body".
type Times struct {
	First, Last int
	Every       int
	Per         string
}

// Header is a response header. Several of one name are sent one after the other. A value that is
// rendered empty leaves it out.
type Header struct {
	Name  string
	Value Template
	// Remove takes the header out, the API's own too.
	Remove bool
	// Empty sends it with an empty value.
	Empty bool
}

// Usage overrides one number of the answer's usage.
type Usage struct {
	Field string
	Value *Expr
}

// Mark is a named yes or no that a request carries into the journal: by a condition, by an
// exact share, or always (both nil).
type Mark struct {
	Name  string
	When  *Expr
	Share *Share
	// Planned marks read planned.* and so wait for the plan.
	Planned bool
}

// Error is an answer in the API's error shape, or a Body as it stands.
type Error struct {
	Status     int
	Type       string // empty: the API's own type for the status
	Message    Template
	RetryAfter time.Duration // 0: no retry-after header
	Headers    []Header
	Body       string // when given, sent in place of the JSON envelope
}

// API says how the API's own side behaves.
type API struct {
	Validation string // strict, warn or off
	Models     string // any or listed
	Padding    bool   // random spaces before a data line's last brace, as the API sends them
	CDNHeaders bool   // headers of a content delivery network
	// Paths are further paths of endpoints, by path: complete is the only endpoint to have any.
	Paths map[string]string
	// Downloadable says that uploaded files may be downloaded, which the API does not allow.
	Downloadable bool
}

// Parameter is a body field accepted beside the API's own.
type Parameter struct {
	Name    string
	Type    string // string, boolean, number or integer
	Enum    []string
	Minimum *float64
	Maximum *float64
	Default any // nil: none; else string, bool, float64 or int
}
