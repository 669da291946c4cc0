package scenario

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// Workload is traffic of which a claim measures something. Each of its variants plays in a fresh
// run (R45).
type Workload struct {
	Name string
	// Requests is how many units are measured: requests or, with Chain, chains. 0: For says how long.
	Requests int
	For      time.Duration
	// Rates are those of an open loop, a variant each; Clients those of a closed one. One of the two is
	// empty; both are when Parts send.
	Rates   []Rate
	Clients []int
	Poisson bool
	// Think is how long a client waits between an answer and its next request; nil: not at all.
	Think *latency.Table
	// Warmup is how many units come first and are not measured.
	Warmup  int
	Request Ask
	// Vary is what differs from request to request: text, system or none.
	Vary string
	// Mix are kinds of requests by exact shares, Parts sources that send at the same time, Sequence
	// steps that follow each other over and over. At most one of the three is given.
	Mix      []Kind
	Parts    []Source
	Sequence []Step
	Retry    *Retry
	// CancelAfter is when clients leave, counted from arrival; nil: they don't.
	CancelAfter *latency.Table
	// GiveUp is how long clients wait for the end of an answer.
	GiveUp time.Duration
	// Chain says how many requests a unit has; empty: one.
	Chain []Calls
	// Soak is how long a soak of the workload lasts; 0: it has none.
	Soak time.Duration
}

// Rate is how fast requests come, stage after stage. The last stage goes on as long as needed when
// it has no length.
type Rate []Stage

// Stage is a stretch of one rate.
type Stage struct {
	PerSecond float64
	For       time.Duration // 0: to the end
}

// Kind is one kind of requests of a mix.
type Kind struct {
	Name    string
	Share   latency.U // its part of all; Whole for all
	Request Ask
	Vary    string
}

// Source is one source of requests among several.
type Source struct {
	Name    string
	Rate    Rate // empty: a closed loop
	Clients int
	Poisson bool
	Request Ask
	Vary    string
}

// Step is one entry of a sequence.
type Step struct {
	// Name is the name of its text, or a number when the step has none.
	Name string
	// Near asks for the text of that name with one more blank.
	Near    bool
	Request Ask
}

// Retry says when a request is sent again that was refused or never answered.
type Retry struct {
	After time.Duration
	// Tries is how often a request is sent at most, the first time included.
	Tries int
	// Counted asks for x-stainless-retry-count, as SDKs send it.
	Counted bool
}

// Calls is a number of calls and the exact part of the chains that have it.
type Calls struct {
	Calls int
	Share latency.U
}

// Ask is what a request is. Each field holds the values it takes, of which each gives a variant of the
// workload; an empty one was not given.
type Ask struct {
	Model, System, Text                []string
	Key, Protocol, Connection, Path    []string
	Stream                             []bool
	MaxTokens, InputTokens             []int
	SystemTokens, TemplateTokens       []int
	Messages, Images, Documents, Tools []int
	// ToolChoice is auto, any, tool or none. ToolTurns is how often a tool was called before, each time
	// with a result of ResultTokens tokens.
	ToolChoice              []string
	ToolTurns, ResultTokens []int
	Keys                    []int
	Headers, Params, Facts  []Field
	// Spread is the field whose values are spread evenly over the requests of one run, SpreadOver
	// its values: input_tokens, system_tokens or result_tokens; "" for none.
	Spread     string
	SpreadOver Range
}

// Field is a named value of a request: of a header, or of a body field of the scenario's own.
type Field struct {
	Name   string
	Values []any // string, bool, float64 or int
}

// Claim is a sentence of an article and the figures that show whether it holds.
type Claim struct {
	ID, Says string
	Checks   []Check
	// ShownBy is the test or scenario that shows what can't be measured here.
	ShownBy string
	// NotMeasured says why nothing is measured; such a claim has no Checks.
	NotMeasured string
}

// Contradiction is something claimed that can't be true together with something else, or with the
// world, and what the mock does about it.
type Contradiction struct{ ID, Text string }
