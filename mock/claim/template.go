package claim

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// template is one request as a client sends it: read once from its real bytes, then varied without
// changing what it counts.
type template struct {
	ask     ask
	name    string // of the part, the entry of the mix or of the sequence
	body    []byte
	header  http.Header
	request *wire.Request
	refusal *wire.Error // in place of request, when the body is one that the API refuses
	vary    string
	// What varies is the text or system prompt, between these two.
	before, after string
	clocked       []clocked // headers that hold the time
	key           string    // the name of the key in the scenario
	keys          int
}

// value is a column of what was sent.
func (t *template) value(name string) any {
	a := &t.ask
	switch name {
	case "name":
		return t.name
	case "model":
		return a.model
	case "stream":
		return a.stream
	case "max_tokens":
		return a.maxTokens
	case "input_tokens":
		return t.request.InputTokens
	case "system_tokens":
		return t.request.SystemTokens
	case "template_tokens":
		return a.templateTokens
	case "messages":
		return a.messages + 2*a.toolTurns
	case "images":
		return a.images
	case "documents":
		return a.documents
	case "tools":
		return a.tools
	case "tool_choice":
		return a.toolChoice
	case "tool_turns":
		return a.toolTurns
	case "result_tokens":
		return a.resultTokens
	case "key":
		return a.key
	case "protocol":
		return a.protocol
	case "connection":
		return a.connection
	}
	if name, ok := strings.CutPrefix(name, "params."); ok {
		return a.params[name]
	}
	return nil
}

func (t *template) headerOf(name string) string { return strings.Join(t.header[name], ", ") }

// templates makes requests for one scenario.
type templates struct {
	scenario    *scenario.Scenario
	reader      *wire.Reader
	completions *wire.Completions
	place       latency.Place
}

func newTemplates(s *scenario.Scenario, seed uint64) *templates {
	return &templates{s, wire.NewReader(), wire.NewCompletions(), latency.NewPlace(seed, "workloads/texts")}
}

// leastText is the length in tokens from which a made-up text can be varied.
const leastText = 2

// make builds the request and reads it as the server does.
func (m *templates) make(a ask, name, vary string) (*template, error) {
	t := &template{ask: a, name: name, vary: vary, keys: a.keys, key: m.scenario.KeyName(a.key)}
	t.headers()
	for _, p := range m.scenario.Parameters {
		if _, sent := a.params[p.Name]; !sent {
			t.ask.params = with(t.ask.params, p.Name, p.Absent())
		}
	}
	if vary == "system" && a.system == "" && a.systemTokens == 0 {
		return nil, errors.New("`vary: system` needs a request with a system prompt")
	}
	if a.toolTurns > 0 && a.tools == 0 {
		return nil, errors.New("`tool_turns` needs `tools`: only a tool that is offered can have been called")
	}
	// The text's length follows from what the rest of the request counts.
	text := leastText
	for range 4 {
		t.body = m.body(a, t, text)
		read, refusal := m.read(t)
		t.request, t.refusal = read, refusal
		if refusal != nil || a.inputTokens == 0 || read.InputTokens == a.inputTokens {
			break
		}
		text += a.inputTokens - read.InputTokens
		if text < leastText {
			return nil, fmt.Errorf("a request of this kind has at least %d tokens, so it can't have %d", a.inputTokens-text+leastText, a.inputTokens)
		}
	}
	if t.refusal != nil {
		t.request = &wire.Request{Model: a.model, Stream: a.stream, MaxTokens: a.maxTokens}
	}
	return t, nil
}

// varying is the text with a label in it that can be another for each request, of as many tokens: in
// place of the second word of prose, else at the end.
func (t *template) varying(text string) string {
	t.before, t.after = text, ""
	if rest, found := strings.CutPrefix(text, proseBegins+" "); found {
		t.before = proseBegins
		if end := strings.IndexFunc(rest, func(r rune) bool { return r < 'a' || r > 'z' }); end >= 0 {
			t.after = rest[end:]
		}
	}
	return t.varied(0)
}

// varied is the n-th variant of what varies.
func (t *template) varied(n uint64) string { return t.before + label(n) + t.after }

func (m *templates) read(t *template) (*wire.Request, *wire.Error) {
	o := wire.ReadOptions{
		Version: t.header.Get("Anthropic-Version"), Betas: run.Betas(t.header), Listed: m.scenario.API.Models == "listed",
		Models: run.Models(m.scenario),
	}
	switch m.scenario.API.Validation {
	case "warn":
		o.Validation = wire.Warn
	case "off":
		o.Validation = wire.Off
	}
	for _, p := range m.scenario.Parameters {
		o.Extra = append(o.Extra, wire.ExtraField{Name: p.Name})
	}
	if m.completes(t.ask) {
		return m.completions.Read(t.body, o)
	}
	return m.reader.Read(t.body, o)
}

// completes says whether a request goes to the older endpoint, /v1/complete.
func (m *templates) completes(a ask) bool {
	return a.path == "/v1/complete" || m.scenario.API.Paths[a.path] == "complete"
}

// body is the request as JSON, with a text of that many tokens unless it has one of its own.
func (m *templates) body(a ask, t *template, tokens int) []byte {
	body := map[string]any{"model": a.model, "max_tokens": a.maxTokens}
	if a.stream {
		body["stream"] = true
	}
	for name, v := range a.params {
		body[name] = v
	}
	system := a.system
	if system == "" {
		system = prose(m.place, "system", a.systemTokens)
	}
	if t.vary == "system" {
		system = t.varying(system)
	}
	if system != "" {
		body["system"] = system
	}
	text := a.text
	switch {
	case text != "":
	case a.templateTokens > 0:
		text = repeated(m.place, t.name, a.templateTokens, max(tokens, a.templateTokens))
	case a.inputTokens > 0:
		text = prose(m.place, t.name, tokens)
	default:
		text = prose(m.place, t.name, 12)
	}
	if t.vary == "text" {
		text = t.varying(text)
	}
	if m.completes(a) {
		delete(body, "max_tokens")
		delete(body, "system")
		body["max_tokens_to_sample"] = a.maxTokens
		body["prompt"] = system + "\n\nHuman: " + text + "\n\nAssistant:"
		return written(body)
	}
	body["messages"] = m.turns(a, text)
	if a.tools > 0 {
		body["tools"] = offered(a.tools)
	}
	switch a.toolChoice {
	case "":
	case "tool":
		body["tool_choice"] = map[string]any{"type": "tool", "name": toolName(0)}
	default:
		body["tool_choice"] = map[string]any{"type": a.toolChoice}
	}
	return written(body)
}

func written(body map[string]any) []byte {
	b, err := json.Marshal(body)
	if err != nil {
		panic(err) // maps of plain values can be written
	}
	return b
}

// blank puts one more blank into the text: what is asked is nearly the same.
func (m *templates) blank(t *template) error {
	var body map[string]any
	if err := json.Unmarshal(t.body, &body); err != nil {
		return err
	}
	turns, _ := body["messages"].([]any)
	last, _ := turns[len(turns)-1].(map[string]any)
	text, ok := last["content"].(string)
	if !ok {
		return fmt.Errorf("near %s: its last turn isn't plain text", t.name)
	}
	last["content"] = strings.Replace(text, " ", "  ", 1)
	t.body, _ = json.Marshal(body)
	t.request, t.refusal = m.read(t)
	t.name = "near " + t.name
	return nil
}

// clocked is a header whose value holds the client's time.
type clocked struct {
	name  string
	parts []clockPart
}

type clockPart struct {
	text, form string // form is "" for plain text
	off        time.Duration
}

// headers sets the request's headers; those that hold the time are set when it is sent.
func (t *template) headers() {
	t.header = http.Header{}
	t.header.Set("Content-Type", "application/json")
	t.header.Set("Anthropic-Version", "2023-06-01")
	t.header.Set("X-Api-Key", t.ask.key)
	for _, h := range t.ask.headers {
		value, _ := h.value.(string)
		if parts := clockParts(value); parts != nil {
			t.clocked = append(t.clocked, clocked{h.name, parts})
		}
		if value == "" {
			t.header.Del(h.name)
			continue
		}
		t.header.Set(h.name, value)
	}
}

// clockParts cuts a value at its ${…}; nil when it has none.
func clockParts(value string) []clockPart {
	var parts []clockPart
	for {
		before, rest, open := strings.Cut(value, "${")
		inner, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			break
		}
		p := clockPart{text: before, form: inner}
		if at := strings.IndexAny(inner, "+-"); at > 0 {
			p.form = inner[:at]
			p.off, _ = time.ParseDuration(inner[at:]) // an offset that is none counts as none
		}
		parts, value = append(parts, p), after
	}
	if parts == nil {
		return nil
	}
	return append(parts, clockPart{text: value})
}

func (c *clocked) at(now time.Time) string {
	var b strings.Builder
	for _, p := range c.parts {
		b.WriteString(p.text)
		at := now.Add(p.off)
		switch p.form {
		case "unix_ns":
			fmt.Fprint(&b, at.UnixNano())
		case "unix_ms":
			fmt.Fprint(&b, at.UnixMilli())
		case "http_date":
			b.WriteString(at.UTC().Format(http.TimeFormat))
		}
	}
	return b.String()
}
