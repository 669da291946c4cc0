package run

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Snapshot is the run's state at a request's ordinal. Facts, plan and guards all read this one.
type Snapshot struct {
	Ordinal     uint64
	Elapsed     time.Duration // since the run's first request (R2)
	Concurrency int           // R17
	QPS         int           // R18
	ClientQPS   int           // R18
	Repeats     int           // R13
	Attempt     int           // R14
}

// facts fills an environment with what the scenario's expressions read, and with nothing else.
type facts struct {
	env    *scenario.Env
	facts  []reader
	params []parameter
	named  []named
	query  *Query // the request under decision, for header()
	usages bool   // whether any expression reads usage.*
	plans  bool   // whether the plan of the request under decision is known

	duration, ttft, output scenario.Slot // of planned
}

type reader struct {
	name string
	at   scenario.Slot
	read func(*Query, *Snapshot) any
}

type parameter struct {
	name, fact string
	at         scenario.Slot
	absent     any // its value when it isn't sent
}

type named struct {
	scenario.Fact
	at scenario.Slot
}

func newFacts(s *scenario.Scenario) *facts {
	f := &facts{env: s.NewEnv(), usages: s.Uses("usage")}
	for _, b := range scenario.BuiltinFacts() {
		if read := reading(b.Name); read != nil && s.Uses(b.Name) {
			f.reads(b.Name, read)
		}
	}
	for _, p := range s.Parameters {
		name := "params." + p.Name
		f.params = append(f.params, parameter{p.Name, name, f.env.Slot(name), p.Absent()})
	}
	for _, n := range s.Facts {
		f.named = append(f.named, named{n, f.env.Slot(n.Name)})
	}
	f.duration, f.ttft, f.output = f.env.Slot("planned.duration_ms"), f.env.Slot("planned.ttft_ms"), f.env.Slot("planned.output_tokens")
	f.env.Set("header", f.header)
	return f
}

// reads adds a fact and how it is read.
func (f *facts) reads(name string, read func(*Query, *Snapshot) any) {
	f.facts = append(f.facts, reader{name, f.env.Slot(name), read})
}

// header is all values of a request header (R9), but for those that hold keys: facts end up in the
// journal, and answers may repeat them.
func (f *facts) header(name string) string {
	values, ok := f.query.Header[name] // the loader has made constant names canonical
	if !ok {
		values = f.query.Header.Values(name)
	}
	if len(values) > 0 && slices.Contains(KeyHeaders(), http.CanonicalHeaderKey(name)) {
		return "[withheld]"
	}
	return strings.Join(values, ", ")
}

// KeyHeaders are the headers in which clients send keys. What they hold is kept nowhere.
func KeyHeaders() []string {
	return []string{"X-Api-Key", "Authorization", "Proxy-Authorization", "Cookie"}
}

// first is the first value of a header whose name is spelled as net/http keeps it, which spares a
// look at each of its letters.
func first(h http.Header, canonical string) string {
	if values := h[canonical]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// set fills the environment for one request and keeps the values for the journal.
func (f *facts) set(d *Decision, q *Query) error {
	f.query, f.plans = q, false
	d.values = slices.Grow(d.values, len(f.facts)+len(f.params)+len(f.named))
	keep := func(at scenario.Slot, value any) {
		f.env.Put(at, value)
		d.values = append(d.values, value)
	}
	for i := range f.facts {
		r := &f.facts[i]
		value := r.read(q, &d.snapshot)
		if told, ok := q.Facts[r.name]; ok {
			value = told
		}
		keep(r.at, value)
	}
	for i := range f.params {
		p := &f.params[i]
		keep(p.at, p.value(q.Request.Extra))
	}
	for i := range f.named {
		n := &f.named[i]
		v, err := n.Expr.Value(f.env)
		if err != nil {
			return fmt.Errorf("fact %s: %w", n.Name, err)
		}
		keep(n.at, v)
	}
	return nil
}

// plan adds what only the finished plan can tell.
func (f *facts) plan(t *timeline.Timeline) {
	f.plans = true
	f.env.Put(f.duration, milliseconds(t.Duration()))
	f.env.Put(f.ttft, milliseconds(t.TTFT()))
	tokens := 0
	if t.Message != nil {
		tokens = t.Message.Usage.Output
	}
	f.env.Put(f.output, tokens)
	if f.usages {
		f.usage(t)
	}
}

// describe names the values that set kept.
func (f *facts) describe(values []any) map[string]any {
	all := make(map[string]any, len(values))
	for i, v := range values {
		switch {
		case i < len(f.facts):
			all[f.facts[i].name] = v
		case i < len(f.facts)+len(f.params):
			all[f.params[i-len(f.facts)].fact] = v
		default:
			all[f.named[i-len(f.facts)-len(f.params)].Name] = v
		}
	}
	return all
}

// value is what was sent. What isn't of the parameter's type, which only a lax validation lets
// pass, counts as absent.
func (p *parameter) value(extra map[string]any) any {
	sent := extra[p.name]
	switch p.absent.(type) {
	case bool:
		if v, ok := sent.(bool); ok {
			return v
		}
	case string:
		if v, ok := sent.(string); ok {
			return v
		}
	case float64:
		if v, ok := sent.(float64); ok {
			return v
		}
	case int:
		if v, ok := sent.(float64); ok && v == math.Trunc(v) && math.Abs(v) <= 1<<53 {
			return int(v)
		}
	}
	return p.absent
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// reading says how a built-in fact is read; package scenario documents each.
func reading(name string) func(*Query, *Snapshot) any {
	switch name {
	case "model":
		return func(q *Query, _ *Snapshot) any { return q.Request.Model }
	case "model_date":
		return func(q *Query, _ *Snapshot) any { return q.Request.Answering.Date }
	case "version":
		return func(q *Query, _ *Snapshot) any { return q.Request.Version }
	case "stream":
		return func(q *Query, _ *Snapshot) any { return q.Request.Stream }
	case "messages":
		return func(q *Query, _ *Snapshot) any { return len(q.Request.Messages) }
	case "system":
		return func(q *Query, _ *Snapshot) any { return q.Request.System }
	case "system_tokens":
		return func(q *Query, _ *Snapshot) any { return q.Request.SystemTokens }
	case "text":
		return func(q *Query, _ *Snapshot) any { return q.Request.LastUserText() }
	case "input_tokens":
		return func(q *Query, _ *Snapshot) any { return q.Request.InputTokens }
	case "max_tokens":
		return func(q *Query, _ *Snapshot) any { return q.Request.MaxTokens }
	case "stop_sequences":
		return func(q *Query, _ *Snapshot) any { return q.Request.StopSequences }
	case "tools":
		return func(q *Query, _ *Snapshot) any { return len(q.Request.Tools) }
	case "blocks.text":
		return func(q *Query, _ *Snapshot) any { return q.Request.Blocks.Text }
	case "blocks.image":
		return func(q *Query, _ *Snapshot) any { return q.Request.Blocks.Image }
	case "blocks.document":
		return func(q *Query, _ *Snapshot) any { return q.Request.Blocks.Document }
	case "blocks.search_result":
		return func(q *Query, _ *Snapshot) any { return q.Request.Blocks.SearchResult }
	case "blocks.tool_use":
		return func(q *Query, _ *Snapshot) any { return q.Request.Blocks.ToolUse }
	case "blocks.tool_result":
		return func(q *Query, _ *Snapshot) any { return q.Request.Blocks.ToolResult }
	case "blocks.thinking":
		return func(q *Query, _ *Snapshot) any { return q.Request.Blocks.Thinking }
	case "betas":
		return func(q *Query, _ *Snapshot) any { return Betas(q.Header) }
	case "api_keys":
		return func(q *Query, _ *Snapshot) any { return len(q.Header.Values("X-Api-Key")) }
	case "method":
		return func(q *Query, _ *Snapshot) any { return q.Method }
	case "path":
		return func(q *Query, _ *Snapshot) any { return q.Path }
	case "protocol":
		return func(q *Query, _ *Snapshot) any { return q.Protocol }
	case "client":
		return func(q *Query, _ *Snapshot) any { return q.Client }
	case "connection.requests":
		return func(q *Query, _ *Snapshot) any { return q.ConnectionRequests }
	case "request_bytes":
		return func(q *Query, _ *Snapshot) any { return q.Bytes }
	case "ordinal":
		return func(_ *Query, s *Snapshot) any { return int(s.Ordinal) }
	case "elapsed_ms":
		return func(_ *Query, s *Snapshot) any { return milliseconds(s.Elapsed) }
	case "concurrency":
		return func(_ *Query, s *Snapshot) any { return s.Concurrency }
	case "qps":
		return func(_ *Query, s *Snapshot) any { return s.QPS }
	case "client_qps":
		return func(_ *Query, s *Snapshot) any { return s.ClientQPS }
	case "repeats":
		return func(_ *Query, s *Snapshot) any { return s.Repeats }
	case "attempt":
		return func(_ *Query, s *Snapshot) any { return s.Attempt }
	}
	return nil // header, planned and usage, which are set elsewhere, and what the run remembers
}

// Betas are the values of the anthropic-beta headers, split at their commas.
func Betas(h http.Header) []string {
	var all []string
	for _, v := range h.Values("Anthropic-Beta") {
		for beta := range strings.SplitSeq(v, ",") {
			all = append(all, strings.TrimSpace(beta))
		}
	}
	return all
}
