package scenario

import (
	"encoding/json"

	"github.com/invopop/jsonschema"
)

// The schemas of single values. What a value's decode method takes, its schema must take, too.

const durationPattern = `^([0-9]+(\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h))+$`

func text() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

func pattern(p string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Pattern: p} }

func ref(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

func either(of ...*jsonschema.Schema) *jsonschema.Schema { return &jsonschema.Schema{AnyOf: of} }

func whole(from string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: json.Number(from)}
}

func enum(words []string) *jsonschema.Schema {
	s := text()
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

func (label) JSONSchema() *jsonschema.Schema { return text() }

func (template) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: "Text that may hold ${EXPR}."}
}

func (expression) JSONSchema() *jsonschema.Schema {
	s := either(&jsonschema.Schema{Type: "string", MinLength: ptr(1)}, &jsonschema.Schema{Type: "boolean"}, &jsonschema.Schema{Type: "number"})
	s.Description = "An expression over the request's facts."
	return s
}

func (version) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Const: 1} }

func (seed) JSONSchema() *jsonschema.Schema { return whole("0") }

func (flag) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "boolean"} }

func (figure) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "number"} }

func (anything) JSONSchema() *jsonschema.Schema {
	return either(text(), &jsonschema.Schema{Type: "boolean"}, &jsonschema.Schema{Type: "number"})
}

func (duration) JSONSchema() *jsonschema.Schema {
	s := either(pattern(durationPattern), &jsonschema.Schema{Const: 0})
	s.Description = "A duration with its unit: 150ms, 1.5s, 200us, 1m30s, or 0."
	return s
}

func (share) JSONSchema() *jsonschema.Schema {
	s := pattern(`^[0-9]{1,3}(\.[0-9]{1,7})?%$`)
	s.Description = "A share such as 30% or 0.5%, exact to a billionth."
	return s
}

func (span) JSONSchema() *jsonschema.Schema {
	s := either(whole("1"), pattern(`^[0-9]{1,7}(\.\.[0-9]{1,7})?$`))
	s.Description = "A whole number or a range of them: 3 or 2..4."
	return s
}

func (times) JSONSchema() *jsonschema.Schema {
	return either(whole("1"), pattern(`^([0-9]{1,7}(\.\.[0-9]{1,7})?|every +[0-9]+)$`))
}

func (status) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: "300", Maximum: "599"}
}

func (markFile) JSONSchema() *jsonschema.Schema {
	return either(&jsonschema.Schema{Type: "boolean"}, &jsonschema.Schema{Type: "string", MinLength: ptr(1)})
}

func (sampling) JSONSchema() *jsonschema.Schema      { return enum((*sampling)(nil).words()) }
func (drawBy) JSONSchema() *jsonschema.Schema        { return enum((*drawBy)(nil).words()) }
func (per) JSONSchema() *jsonschema.Schema           { return enum((*per)(nil).words()) }
func (validation) JSONSchema() *jsonschema.Schema    { return enum((*validation)(nil).words()) }
func (models) JSONSchema() *jsonschema.Schema        { return enum((*models)(nil).words()) }
func (endpoint) JSONSchema() *jsonschema.Schema      { return enum((*endpoint)(nil).words()) }
func (lifecycle) JSONSchema() *jsonschema.Schema     { return enum((*lifecycle)(nil).words()) }
func (parameterType) JSONSchema() *jsonschema.Schema { return enum((*parameterType)(nil).words()) }
func (errorType) JSONSchema() *jsonschema.Schema     { return enum((*errorType)(nil).words()) }

func ptr(n uint64) *uint64 { return &n }
