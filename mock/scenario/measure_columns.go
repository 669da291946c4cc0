package scenario

import (
	"slices"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/latency"
)

// Needs says which rows have a column; in a row without it, its value counts for nothing.
type Needs uint8

// What a row must be for a column to have a value.
const (
	Answered   Needs = 1 << iota // answered with a 2xx, completely
	Streamed                     // a stream
	ChainEnded                   // the last call of a chain
	Left                         // the client left before the end
	OfAGap                       // a row of w.gaps
	OfAWrite                     // a row of w.writes
)

// Column is a column of a workload's rows.
type Column struct {
	// Name is as measures write it.
	Name string
	// Type is int, float, bool or string.
	Type string
	// Needs is what a row must be to have it.
	Needs Needs
	// Doc is one line, without a full stop.
	Doc string
}

// Sent tells whether the column is about what was sent, so that it is the same for all requests
// made from one template.
func (c Column) Sent() bool { return strings.HasPrefix(c.Name, "sent.") }

// Columns lists the columns that measures may use, those with a name of the file's own by their
// pattern.
func Columns() []Column {
	return []Column{
		{"duration_ms", "float", Answered, "milliseconds from arrival to the last byte of an answer"},
		{"ttft_ms", "float", Answered, "milliseconds from arrival to an answer's first token"},
		{"ended_ms", "float", 0, "milliseconds from arrival to the last byte of whatever was sent, also of an error"},
		{"status", "int", 0, "the HTTP status, 0 when nothing came"},
		{"answered", "bool", 0, "whether the answer came whole, with a 2xx"},
		{"refused", "bool", 0, "whether it was refused, with a status from 400"},
		{"left", "bool", 0, "whether the client left before the end"},
		{"released_ms", "float", Left, "milliseconds from the client's leaving to its slot's release"},
		{"route", "string", 0, "the name of the route that answered"},
		{"phase", "string", 0, "the run's phase"},
		{"error_type", "string", 0, "the type of an error in the API's shape"},
		{"tokens", "int", Answered, "tokens of the answer; of a row of w.gaps, of the event after the gap"},
		{"input_tokens", "int", 0, "tokens of the request, as the mock counts them"},
		{"bytes", "int", 0, "bytes of the answer's body"},
		{"answer", "string", Answered, "the text of the answer"},
		{"body", "string", 0, "the answer's body as it left, up to 16 MiB of it, without its content-encoding; \"\" when that can't be undone"},
		{"valid_utf8", "bool", 0, "whether that body as a whole is valid UTF-8"},
		{"split_characters", "int", 0, "how many writes of the answer end inside a character of several bytes"},
		{"model", "string", Answered, "the model that the answer names"},
		{"stop_reason", "string", Answered, "why the answer stopped"},
		{"calls", "int", Answered, "how many calls of the client's tools the answer holds"},
		{"request_id", "string", 0, "the response's request-id"},
		{"ordinal", "int", 0, "the number of the request in its run, from 1"},
		{"elapsed_ms", "float", 0, "milliseconds from the run's first request to this one"},
		{"concurrency", "int", 0, "how many requests of the run were under way at its arrival, itself included"},
		{"qps", "int", 0, "how many requests of the run came in the second before it, itself included"},
		{"connection", "int", 0, "the number of its connection"},
		{"connection_requests", "int", 0, "how many requests had come on it, itself included"},
		{"try", "int", 0, "which try at the same request this was, from 1"},
		{"warned", "bool", 0, "whether the journal has a warning about the request"},
		{"warning", "string", 0, "the warnings, joined by \"; \""},
		{"chain_ms", "float", ChainEnded, "milliseconds from the first call of a chain to the end of its last"},
		{"chain_calls", "int", ChainEnded, "how many calls the chain had"},
		{"gap_ms", "float", OfAGap, "milliseconds from one delta event to the next; in w.gaps only"},
		{"gap_index", "int", OfAGap, "the number of the gap in its stream, from 1; in w.gaps only"},
		{"write_ms", "float", OfAWrite, "milliseconds from arrival to a write of the body; in w.writes only"},
		{"write_bytes", "int", OfAWrite, "bytes of the write; in w.writes only"},
		{"write_index", "int", OfAWrite, "the number of the write in its answer, from 1; in w.writes only"},
		{"write_last", "bool", OfAWrite, "whether no other write of the answer follows; in w.writes only"},
		{"ends_inside", "string", OfAWrite, "what of a stream the write ends inside of: data line, other line, event, or \"\"; in w.writes only"},
		{"splits_character", "bool", OfAWrite, "whether the write ends inside a character of several bytes; in w.writes only"},
		{"sent.name", "string", 0, "the name of the part or of the entry of the mix or sequence"},
		{"sent.rate", "float", 0, "the rate at which requests were sent, per second; 0 in a closed loop"},
		{"sent.clients", "int", 0, "how many clients sent in a closed loop"},
		{"sent.model", "string", 0, "the model asked for"},
		{"sent.stream", "bool", 0, "whether a stream was asked for"},
		{"sent.max_tokens", "int", 0, "the request's max_tokens"},
		{"sent.input_tokens", "int", 0, "the request's tokens"},
		{"sent.system_tokens", "int", 0, "the tokens of its system prompt"},
		{"sent.template_tokens", "int", 0, "the template_tokens asked for"},
		{"sent.messages", "int", 0, "how many messages it had"},
		{"sent.images", "int", 0, "how many images it had"},
		{"sent.documents", "int", 0, "how many documents it had"},
		{"sent.tools", "int", 0, "how many tools it offered"},
		{"sent.tool_choice", "string", 0, "its choice of tools, \"\" without one"},
		{"sent.tool_turns", "int", 0, "how often a tool was called before"},
		{"sent.result_tokens", "int", 0, "the tokens of each result of these calls"},
		{"sent.key", "string", 0, "the API key"},
		{"sent.protocol", "string", 0, "the protocol"},
		{"sent.connection", "string", 0, "new or reuse"},
		{"sent.params.NAME", "", 0, "a body field of the scenario's own"},
		{`sent.header("NAME")`, "string", 0, "a header of the request"},
		{`header("NAME")`, "string", 0, "a header of the response"},
		{"marks.NAME", "bool", 0, "a mark of the request"},
		{"usage.FIELD", "int", Answered, "a number of the answer's usage"},
		{"figures.NAME", "float", 0, "a figure of the request"},
		{"part.NAME", "float", 0, "milliseconds of a named part of a sum, or of the queue"},
	}
}

// headerColumn is how header("x-y") is called once it is flattened.
const headerColumn = "header:"

// LookupColumn finds a column by its name. Headers go by header:NAME and sent.header:NAME, NAME in
// lower case; what has a name of the scenario's own must be one of its.
func (s *Scenario) LookupColumn(name string) (Column, bool) {
	for _, c := range Columns() {
		if c.Name == name {
			return c, true
		}
	}
	group, member, _ := strings.Cut(name, ".")
	switch {
	case strings.HasPrefix(name, headerColumn), strings.HasPrefix(name, "sent."+headerColumn):
		return Column{Name: name, Type: "string"}, true
	case group == "sent":
		if p, ok := s.parameter(strings.TrimPrefix(member, "params.")); ok && strings.HasPrefix(member, "params.") {
			return Column{Name: name, Type: parameterKind(p)}, true
		}
	case group == "usage":
		return Column{Name: name, Type: "int", Needs: Answered}, slices.Contains(usageFields(), member)
	case group == "marks":
		return Column{Name: name, Type: "bool"}, slices.Contains(s.markNames(), member)
	case group == "part":
		return Column{Name: name, Type: "float"}, slices.Contains(s.partNames(), member)
	case group == "figures":
		return Column{Name: name, Type: "float"}, slices.Contains(s.figureNames(), member)
	}
	return Column{}, false
}

func parameterKind(p Parameter) string {
	switch p.Type {
	case "boolean":
		return "bool"
	case "number":
		return "float"
	case "integer":
		return "int"
	}
	return "string"
}

func (s *Scenario) parameter(name string) (Parameter, bool) {
	for _, p := range s.Parameters {
		if p.Name == name {
			return p, true
		}
	}
	return Parameter{}, false
}

// markNames lists the marks of the routes and guards.
func (s *Scenario) markNames() []string {
	var names []string
	for _, r := range s.Routes {
		for _, m := range r.Marks {
			names = append(names, m.Name)
		}
	}
	for _, g := range s.Guards {
		for _, m := range g.Marks {
			names = append(names, m.Name)
		}
	}
	return names
}

// figureNames lists the figures of the scenario and of its routes.
func (s *Scenario) figureNames() []string {
	var names []string
	for _, f := range s.Figures {
		names = append(names, f.Name)
	}
	for _, r := range s.Routes {
		for _, f := range r.Figures {
			names = append(names, f.Name)
		}
	}
	return names
}

// partNames lists the parts that plans have: those of sums, and what profiles add.
func (s *Scenario) partNames() []string {
	names := []string{QueuePart, InputPart, "first-token", "respond"}
	for _, p := range s.Profiles {
		for _, d := range []*latency.Dist{p.FirstToken, p.Respond} {
			if d == nil {
				continue
			}
			for _, part := range d.Parts {
				if part.Name != "" {
					names = append(names, part.Name)
				}
			}
		}
	}
	return names
}

// zero is a value of the column's type, by which formulas are checked.
func (c Column) zero() any { return BuiltinFact{Type: c.Type}.zero() }
