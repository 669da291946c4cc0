package claim

import (
	"maps"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// ask is what one request is, each field with one value.
type ask struct {
	model, system, text          string
	key, protocol, connection    string
	path                         string
	stream                       bool
	maxTokens, inputTokens       int
	systemTokens, templateTokens int
	messages, images, documents  int
	tools, keys                  int
	toolChoice                   string
	toolTurns, resultTokens      int
	headers                      []field
	params, facts                map[string]any
}

type field struct {
	name  string
	value any
}

// plain is a request of which nothing was said.
func plain() ask {
	return ask{
		model: "claude-sonnet-5", key: "orrery-verify", protocol: "HTTP/1.1", connection: "reuse", path: "/v1/messages",
		maxTokens: 1024, messages: 1, resultTokens: 12,
	}
}

// choices are the fields of a request that take several values: one entry of each makes a variant.
// The last of them changes fastest.
type choices struct {
	sizes []int
	set   []func(a *ask, i int)
}

func one[T any](c *choices, values []T, set func(*ask, T)) {
	if len(values) == 0 {
		return
	}
	c.sizes = append(c.sizes, len(values))
	c.set = append(c.set, func(a *ask, i int) { set(a, values[i]) })
}

// choicesOf are those of what a file says about requests.
func choicesOf(spec scenario.Ask) *choices {
	c := &choices{}
	one(c, spec.Model, func(a *ask, v string) { a.model = v })
	one(c, spec.Stream, func(a *ask, v bool) { a.stream = v })
	one(c, spec.MaxTokens, func(a *ask, v int) { a.maxTokens = v })
	one(c, spec.InputTokens, func(a *ask, v int) { a.inputTokens, a.text = v, "" })
	one(c, spec.SystemTokens, func(a *ask, v int) { a.systemTokens, a.system = v, "" })
	one(c, spec.TemplateTokens, func(a *ask, v int) { a.templateTokens, a.text = v, "" })
	one(c, spec.System, func(a *ask, v string) { a.system, a.systemTokens = v, 0 })
	one(c, spec.Text, func(a *ask, v string) { a.text = v })
	one(c, spec.Messages, func(a *ask, v int) { a.messages = v })
	one(c, spec.Images, func(a *ask, v int) { a.images = v })
	one(c, spec.Documents, func(a *ask, v int) { a.documents = v })
	one(c, spec.Tools, func(a *ask, v int) { a.tools = v })
	one(c, spec.ToolChoice, func(a *ask, v string) { a.toolChoice = v })
	one(c, spec.ToolTurns, func(a *ask, v int) { a.toolTurns = v })
	one(c, spec.ResultTokens, func(a *ask, v int) { a.resultTokens = v })
	one(c, spec.Key, func(a *ask, v string) { a.key, a.keys = v, 0 })
	one(c, spec.Keys, func(a *ask, v int) { a.keys = v })
	one(c, spec.Protocol, func(a *ask, v string) { a.protocol = v })
	one(c, spec.Connection, func(a *ask, v string) { a.connection = v })
	one(c, spec.Path, func(a *ask, v string) { a.path = v })
	for _, f := range spec.Headers {
		one(c, f.Values, func(a *ask, v any) { a.header(f.Name, v) })
	}
	for _, f := range spec.Params {
		one(c, f.Values, func(a *ask, v any) { a.params = with(a.params, f.Name, v) })
	}
	for _, f := range spec.Facts {
		one(c, f.Values, func(a *ask, v any) { a.facts = with(a.facts, f.Name, v) })
	}
	return c
}

// with is the map and one more entry; others may hold the map as it was.
func with(m map[string]any, name string, v any) map[string]any {
	made := maps.Clone(m)
	if made == nil {
		made = map[string]any{}
	}
	made[name] = v
	return made
}

// header sets a header in place of one of the same name.
func (a *ask) header(name string, v any) {
	var kept []field
	for _, h := range a.headers {
		if !strings.EqualFold(h.name, name) {
			kept = append(kept, h)
		}
	}
	a.headers = append(kept, field{name, v})
}

// count is how many variants the choices make.
func (c *choices) count() int {
	n := 1
	for _, size := range c.sizes {
		n *= size
	}
	return n
}

// apply sets the values of a variant, counted from 0.
func (c *choices) apply(a *ask, variant int) {
	picks := make([]int, len(c.sizes))
	for i := len(c.sizes) - 1; i >= 0; i-- {
		picks[i] = variant % c.sizes[i]
		variant /= c.sizes[i]
	}
	for i, set := range c.set {
		set(a, picks[i])
	}
}

// spread are the requests that one is spread over, a value each; one alone when it isn't.
func spread(a ask, specs ...scenario.Ask) []ask {
	for i := len(specs) - 1; i >= 0; i-- {
		s := specs[i]
		if s.Spread == "" {
			continue
		}
		var all []ask
		for v := s.SpreadOver.Min; v <= s.SpreadOver.Max; v++ {
			b := a
			switch s.Spread {
			case "input_tokens":
				b.inputTokens, b.text = v, ""
			case "result_tokens":
				b.resultTokens = v
			default:
				b.systemTokens, b.system = v, ""
			}
			all = append(all, b)
		}
		return all
	}
	return []ask{a}
}
