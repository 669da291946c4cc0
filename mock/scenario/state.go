package scenario

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// Phases are the stretches of a run, one after the other.
type Phases struct {
	// ByCount says that they end after a number of requests; else they end after a time (R2).
	ByCount bool
	Steps   []Phase
}

// Phase is one stretch of a run.
type Phase struct {
	Name string
	// For is its length, in nanoseconds or in requests; 0 for the last, which lasts to the end.
	For int64
}

// At names the phase of the request with this ordinal, from 1, that arrives so long after the run's
// first. Nil phases have no names: it is "".
func (p *Phases) At(elapsed time.Duration, ordinal uint64) string {
	if p == nil {
		return ""
	}
	passed := int64(elapsed)
	if p.ByCount {
		passed = int64(ordinal) - 1
	}
	for _, step := range p.Steps {
		if passed < step.For {
			return step.Name
		}
		passed -= step.For
	}
	return p.Steps[len(p.Steps)-1].Name
}

// Rest is the name of the entry that stands for all keys which aren't listed.
const Rest = "*"

// Key is an API key that the scenario knows.
type Key struct {
	Name string // or [Rest]
	// Text is the key as clients send it, made up by the file's author.
	Text    string
	Created time.Time // UTC; zero when not given
	Tier    string
	Limits  *Limits // nil: the scenario's
}

// KeyName is the name of the key that a client sent: that of its entry, else "*" when there is an
// entry for the rest, else "".
func (s *Scenario) KeyName(sent string) string {
	if len(s.Keys) == 0 {
		return ""
	}
	name, listed := s.keyNames[sent]
	if !listed {
		name = s.Key("").Name
	}
	return name
}

// Key is the entry of that name, else the one for the rest, else the zero Key.
func (s *Scenario) Key(name string) Key {
	var rest Key
	for _, k := range s.Keys {
		switch k.Name {
		case name:
			return k
		case Rest:
			rest = k
		}
	}
	return rest
}

// Figure is a named number of each request that is answered with a message.
type Figure struct {
	Name string
	// Cases are the ways to it: the first whose condition holds; with none, there is no such figure.
	Cases []FigureCase
}

// FigureCase is one way to a figure: either the Value of an expression, or Of times a drawn Factor,
// worked out in whole numbers.
type FigureCase struct {
	When  *Expr // nil: always
	Value *Expr
	Of    *Expr
	// Factor is in billionths, drawn at Place.
	Factor *latency.Table
	Place  int
	// Decimals is how many the figure is rounded to, half away from zero; -1: not at all.
	Decimals int
}

// Warning is for the journal: what is odd about a request. When is nil for always.
type Warning struct {
	When *Expr
	Text Template
}
