package scenario

import (
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr/types"
)

// apiFields are the body fields of the API's own, which a parameter can't be.
func apiFields() []string {
	return []string{
		"model", "messages", "max_tokens", "metadata", "stop_sequences", "stream", "system", "temperature", "thinking", "tool_choice",
		"tools", "top_k", "top_p", "service_tier", "container", "mcp_servers", "context_management", "output_config", "cache_control",
	}
}

// Absent is the parameter's value in requests that don't have it: its default, else its type's zero.
func (p Parameter) Absent() any {
	if p.Default != nil {
		return p.Default
	}
	switch p.Type {
	case "boolean":
		return false
	case "number":
		return 0.0
	case "integer":
		return 0
	}
	return ""
}

func (b *builder) parameters() {
	for key, p := range ordered(b.doc.Parameters, b.doc.at.child("parameters")) {
		if p.at == nil || p.at.kind != mapping {
			b.broken["params."+key.text] = true
			continue
		}
		switch {
		case slices.Contains(apiFields(), key.text):
			b.at(key, "choose another name", "%s is a field of the API itself", quote(key.text))
		case !identifier.MatchString(key.text):
			b.at(key, "use letters, digits and _", "a parameter can't be called %s", quote(key.text))
		}
		made := Parameter{Name: key.text, Type: p.Type.or("string")}
		b.kindOf(key, &p, &made)
		b.bounds(&p, &made)
		if p.Default != nil && p.Default.at.kind > nothing {
			b.preset(p.Default.at, &made)
		}
		b.params = append(b.params, "params."+key.text)
		b.names["params."+key.text] = types.TypeOf(Parameter{Type: made.Type}.Absent())
		b.made.Parameters = append(b.made.Parameters, made)
	}
	slices.SortFunc(b.made.Parameters, func(x, y Parameter) int { return strings.Compare(x.Name, y.Name) })
}

// kindOf reads a parameter's type or enum.
func (b *builder) kindOf(key *node, p *parameterFile, made *Parameter) {
	enum := p.at.child("enum")
	switch {
	case p.Type.text == "" && enum == nil && p.at.child("type") == nil:
		b.at(key, "for example {type: boolean} or {enum: [low, high]}", "the parameter %s has neither a type nor an enum", quote(key.text))
	case p.Type.text != "" && enum != nil:
		b.at(enum, "keep one of the two", "a parameter has a type or an enum, not both")
	case enum != nil && enum.kind == list && len(enum.items) == 0:
		b.at(enum, "", "the enum is empty")
	}
	for _, e := range p.Enum {
		if e.at != nil && slices.Contains(made.Enum, e.text) {
			b.at(e.at, "", "%s is in the enum already", quote(e.text))
		}
		made.Enum = append(made.Enum, e.text)
	}
}

func (b *builder) bounds(p *parameterFile, made *Parameter) {
	for _, f := range []*figure{p.Minimum, p.Maximum} {
		if f != nil && f.at != nil && made.Type != "number" && made.Type != "integer" {
			b.at(f.at, "", "only a number or an integer has a minimum and a maximum")
			return
		}
	}
	if p.Minimum != nil {
		made.Minimum = &p.Minimum.value
	}
	if p.Maximum != nil {
		made.Maximum = &p.Maximum.value
	}
	if made.Minimum != nil && made.Maximum != nil && *made.Minimum > *made.Maximum {
		b.at(p.Maximum.at, "", "the maximum lies below the minimum")
		made.Minimum, made.Maximum = nil, nil
	}
}

// preset reads a parameter's default.
func (b *builder) preset(n *node, p *Parameter) {
	v, isNumber := decimal(n.text)
	isNumber = isNumber && n.kind == number
	switch {
	case p.Enum != nil && !slices.Contains(p.Enum, n.text):
		b.at(n, didYouMean(n.text, p.Enum), "the default %s is not in the enum", quote(n.text))
	case p.Type == "string" && n.kind != words:
		b.at(n, "quote it", "the default must be text, it is %s", n.kind)
	case p.Type == "boolean" && n.kind != boolean:
		b.at(n, "", "the default must be true or false")
	case p.Type == "number" && !isNumber:
		b.at(n, "", "the default must be a number")
	case p.Type == "integer" && (!isNumber || v != math.Trunc(v)):
		b.at(n, "", "the default must be a whole number")
	case p.Minimum != nil && v < *p.Minimum, p.Maximum != nil && v > *p.Maximum:
		b.at(n, "", "the default lies outside minimum and maximum")
	case p.Type == "boolean":
		p.Default = strings.EqualFold(n.text, "true")
	case p.Type == "number":
		p.Default = v
	case p.Type == "integer":
		p.Default = int(v)
	default:
		p.Default = n.text
	}
}
