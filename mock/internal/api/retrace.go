package api

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// retraced writes an answer as a scenario of its own, whose one route gives it to whoever asks: the same
// text in the same pieces, at the same instants. inPieces spells each delta of a text; otherwise they all
// carry as many tokens as the first. What a scenario can't say is left out.
func retraced(e journal.Entry, d *run.Decision, inPieces bool) string {
	t := retracing{d: d, t: d.Timeline, inPieces: inPieces}
	t.line("# The answer to request %d of the run %s of the scenario %s, to the nanosecond.", e.Ordinal, oneLine(e.Run), e.Scenario)
	t.line("orrery: 1")
	t.line("name: replay")
	t.line("seed: %d", e.Seed)
	t.api()
	t.parameters()
	t.line("profiles:")
	t.line("  replay:")
	t.profile()
	t.line("routes:")
	t.line("  - name: the answer")
	t.answer()
	return t.String()
}

type retracing struct {
	strings.Builder
	d        *run.Decision
	t        *timeline.Timeline
	inPieces bool
}

func (t *retracing) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// api keeps how the scenario took requests in.
func (t *retracing) api() {
	a := t.d.Scenario().API
	var words []string
	if a.Validation != "strict" {
		words = append(words, "validation: "+a.Validation)
	}
	if !a.Padding {
		words = append(words, "padding: false")
	}
	if a.CDNHeaders {
		words = append(words, "cdn_headers: true")
	}
	if words != nil {
		t.line("api: {%s}", strings.Join(words, ", "))
	}
}

// parameters keep the body fields that the request may have.
func (t *retracing) parameters() {
	all := t.d.Scenario().Parameters
	if len(all) == 0 {
		return
	}
	t.line("parameters:")
	for _, p := range all {
		words := []string{"type: " + p.Type}
		if p.Enum != nil {
			words = []string{"enum: " + quotedList(p.Enum)}
		}
		if p.Minimum != nil {
			words = append(words, "minimum: "+strconv.FormatFloat(*p.Minimum, 'f', -1, 64))
		}
		if p.Maximum != nil {
			words = append(words, "maximum: "+strconv.FormatFloat(*p.Maximum, 'f', -1, 64))
		}
		t.line("  %s: {%s}", p.Name, strings.Join(words, ", "))
	}
}

// profile is when what leaves leaves.
func (t *retracing) profile() {
	if !t.t.Streams() {
		t.line("    respond: %s", t.t.Duration())
		return
	}
	var start, last timeline.Step
	var deltas, pings []timeline.Step
	silence := time.Duration(0)
	for i := range t.t.Len() {
		switch s := t.t.Step(i); s.Kind {
		case timeline.MessageStart:
			start = s
		case timeline.Delta:
			deltas = append(deltas, s)
		case timeline.Ping:
			if pings = append(pings, s); len(pings) == 2 { // the first is the API's own
				silence = s.Due - t.t.Step(i-1).Due
			}
		case timeline.MessageDelta:
			last = s
		}
	}
	t.line("    headers: %s", t.t.Step(0).Due)
	t.line("    message-start: %s", start.Due)
	if len(deltas) == 0 {
		t.line("    first-token: %s", last.Due)
	} else {
		t.line("    first-token: %s", deltas[0].Due)
		t.gaps(deltas)
		if stop := last.Due - deltas[len(deltas)-1].Due; stop > 0 {
			t.line("    stop: %s", stop)
		}
		if n := deltas[slices.IndexFunc(deltas, func(s timeline.Step) bool { return s.Tokens() > 0 || s == deltas[len(deltas)-1] })].Tokens(); n > 1 && !t.inPieces {
			t.line("    tokens_per_event: %d", n)
		}
	}
	if silence > 0 {
		t.line("    ping_every: %s", silence)
	}
}

func (t *retracing) gaps(deltas []timeline.Step) {
	var gaps []string
	for i := range deltas[1:] {
		gaps = append(gaps, (deltas[i+1].Due - deltas[i].Due).String())
	}
	switch {
	case len(gaps) == 0:
	case len(slices.Compact(slices.Clone(gaps))) == 1:
		t.line("    token-gap: %s", gaps[0])
	default:
		t.line("    token-gap: {trace: [%s]}", strings.Join(gaps, ", "))
	}
}

// answer is what is said.
func (t *retracing) answer() {
	if t.t.Duration() >= timeline.Never {
		t.line("    never: true")
		return
	}
	t.line("    profile: replay")
	t.headers()
	switch e := t.t.Error; {
	case e != nil && t.t.Raw != nil:
		t.line("    error: {status: %d, body: %s}", e.Status, quoted(string(t.t.Raw)))
	case e != nil:
		words := []string{fmt.Sprintf("status: %d", e.Status), "type: " + e.Type, "message: " + quoted(escapedTemplate(e.Message))}
		if e.RetryAfter > 0 {
			words = append(words, "retry_after: "+e.RetryAfter.String())
		}
		t.line("    error: {%s}", strings.Join(words, ", "))
	case t.t.Raw != nil:
		t.line("    http: {status: %d, body: %s}", t.t.Status, quoted(string(t.t.Raw)))
	case t.t.Message != nil:
		t.message(t.t.Message)
	}
}

func (t *retracing) headers() {
	type header struct {
		name   string
		values []string
	}
	var all []header
	for _, f := range t.d.Headers {
		value := quoted(escapedTemplate(f.Value))
		if i := slices.IndexFunc(all, func(h header) bool { return strings.EqualFold(h.name, f.Name) }); i >= 0 {
			all[i].values = append(all[i].values, value)
			continue
		}
		all = append(all, header{f.Name, []string{value}})
	}
	if len(all) == 0 {
		return
	}
	t.line("    headers:")
	for _, h := range all {
		switch {
		case len(h.values) > 1:
			t.line("      %s: [%s]", quoted(h.name), strings.Join(h.values, ", "))
		default:
			t.line("      %s: %s", quoted(h.name), h.values[0])
		}
	}
}

func (t *retracing) message(m *wire.Message) {
	t.usage(m)
	t.line("    reply:")
	if m.Refusal != nil {
		t.line("      refusal: {category: %s, explanation: %s}", cmp.Or(m.Refusal.Category, "null"), quoted(m.Refusal.Explanation))
	} else if m.StopReason != "end_turn" && m.StopReason != "tool_use" {
		t.line("      stop_reason: %s", quoted(m.StopReason))
	}
	t.line("      blocks:")
	for i := range m.Blocks {
		t.line("        - %s", t.block(i, &m.Blocks[i]))
	}
}

func (t *retracing) block(index int, b *wire.Block) string {
	switch {
	case b.Raw != nil:
		return "raw: " + string(b.Raw)
	case b.Type == "redacted_thinking":
		return "redacted_thinking: true"
	case b.Type == "thinking":
		return "thinking: " + quoted(b.Text)
	case b.IsCall() && b.Type == "tool_use":
		return fmt.Sprintf("tool_use: {name: %s, pieces: %s}", quoted(b.Name), quotedList(t.pieces(index, b)))
	case b.IsCall():
		return fmt.Sprintf("%s: {name: %s, input: %s}", b.Type, quoted(b.Name), b.Text)
	case t.inPieces || b.Pieces != nil:
		return "text: {pieces: " + quotedList(t.pieces(index, b)) + "}"
	default:
		return "text: " + quoted(b.Text)
	}
}

// pieces are the deltas of a block, or all of it when it isn't streamed.
func (t *retracing) pieces(index int, b *wire.Block) []string {
	var all []string
	for i := range t.t.Len() {
		switch s := t.t.Step(i); {
		case s.Kind != timeline.Delta || int(s.Block) != index:
		case s.Part == timeline.Given:
			text, _ := b.Piece(int(s.From))
			all = append(all, text)
		case s.Part == timeline.Piece:
			all = append(all, b.Span(int(s.From), int(s.To)))
		}
	}
	if !t.t.Streams() {
		return []string{b.Text}
	}
	return all
}

// usage keeps the numbers that the route gave in place of those that were counted.
func (t *retracing) usage(m *wire.Message) {
	overrides := func(r *scenario.Route) bool { return r.Name == t.d.Route() && len(r.Usage) > 0 }
	if !slices.ContainsFunc(t.d.Scenario().Routes, overrides) {
		return
	}
	u := m.Usage
	t.line("    usage: {input_tokens: %d, output_tokens: %d, cache_creation_input_tokens: %d, cache_read_input_tokens: %d}",
		u.Input, u.Output, u.CacheCreation, u.CacheRead)
}

// quoted is a text as a YAML double-quoted scalar. Every escape of Go's is one of YAML's, too, except for
// bytes that aren't UTF-8.
func quoted(text string) string { return strconv.Quote(strings.ToValidUTF8(text, "\ufffd")) }

func quotedList(all []string) string {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = quoted(one)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// escapedTemplate is a text in which ${ is no expression.
func escapedTemplate(text string) string { return strings.ReplaceAll(text, "${", "$${") }

// oneLine keeps a name from ending a comment.
func oneLine(text string) string { return strings.Trim(strconv.Quote(text), `"`) }
