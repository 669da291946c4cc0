package scenario

import (
	"reflect"
	"slices"
)

// choice is one of a few words; every kind of choice is a type of its own, so that the schema
// can name its words.
type choice struct {
	spot
	text string
}

func (c *choice) pick(d *decoder, n *node, words []string) {
	if !slices.Contains(words, n.text) {
		d.at(n, didYouMean(n.text, words), "%s can't be %s", d.what, quote(n.text))
		return
	}
	c.text = n.text
}

type sampling struct{ choice }

func (*sampling) words() []string              { return []string{"exact", "random"} }
func (c *sampling) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type drawBy struct{ choice }

func (*drawBy) words() []string              { return []string{"ordinal", "body"} }
func (c *drawBy) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type per struct{ choice }

func (*per) words() []string              { return []string{"run", "key", "body"} }
func (c *per) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type validation struct{ choice }

func (*validation) words() []string { return []string{"strict", "warn", "off"} }
func (c *validation) decode(d *decoder, n *node) {
	if n.kind == boolean && n.plain && n.text == "off" {
		c.text = n.text
		return
	}
	c.pick(d, n, c.words())
}

type models struct{ choice }

func (*models) words() []string              { return []string{"any", "listed"} }
func (c *models) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

// endpoint is one of the API's endpoints that a scenario may give another path.
type endpoint struct{ choice }

func (*endpoint) words() []string              { return []string{"complete"} }
func (c *endpoint) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

// protocol is what requests come over.
type protocol struct{ choice }

func (*protocol) words() []string              { return []string{"http/1.1", "h2", "h3"} }
func (c *protocol) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

// http is the protocol as a request has it; "" for any.
func (c *protocol) http() string {
	return map[string]string{"http/1.1": "HTTP/1.1", "h2": "HTTP/2.0", "h3": "HTTP/3.0"}[c.text]
}

// routeEndpoint is the endpoint whose requests a route takes.
type routeEndpoint struct{ choice }

func (*routeEndpoint) words() []string {
	return []string{"messages", "count_tokens", "models", "batches", "results", "complete", "files", "skills"}
}
func (c *routeEndpoint) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

// other is the endpoint when it isn't messages, else "".
func (c *routeEndpoint) other() string {
	if c.text == "messages" {
		return ""
	}
	return c.text
}

type framing struct{ choice }

func (*framing) words() []string              { return []string{"sse", "raw-text"} }
func (c *framing) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

// lifecycle is where a model stands.
type lifecycle struct{ choice }

func (*lifecycle) words() []string              { return []string{"active", "deprecated", "retired"} }
func (c *lifecycle) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type parameterType struct{ choice }

func (*parameterType) words() []string              { return []string{"string", "boolean", "number", "integer"} }
func (c *parameterType) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

// errorType is a type of the API's error envelope.
type errorType struct{ choice }

func (*errorType) words() []string {
	return []string{
		"invalid_request_error", "authentication_error", "billing_error", "permission_error", "not_found_error",
		"request_too_large", "rate_limit_error", "timeout_error", "api_error", "overloaded_error", "conflict_error",
	}
}
func (c *errorType) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

// or is the chosen word, or another when none was given.
func (c *choice) or(other string) string {
	if c == nil || c.text == "" {
		return other
	}
	return c.text
}

func valueOf(p any) reflect.Value { return reflect.ValueOf(p).Elem() }
