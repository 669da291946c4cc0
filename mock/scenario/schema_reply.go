package scenario

import (
	"maps"
	"slices"

	"github.com/invopop/jsonschema"
)

// JSONSchema names what may stand beside each source of a reply's text. It holds everything below
// a reply, since the reflector doesn't look below what is written by hand.
func (replyFile) JSONSchema() *jsonschema.Schema {
	yes, span := &jsonschema.Schema{Const: true}, span{}.JSONSchema()
	stop := either(enum((*stopReason)(nil).words()), pattern(openForm.String()))
	dialogue := filled(object([]string{"reply"}, fields{"reply": ref("reply"), "when": object(nil, fields{
		"contains": text(), "matches": text(), "tool_result": text(), "turn": span,
	})}))
	refusal := object(nil, fields{"category": enum((*refusalCategory)(nil).words()), "explanation": text()})
	beside := fields{
		"thinking": thoughtSchema(), "tool": toolSchema(), "tools": enum((*toolUse)(nil).words()), "stop_reason": stop, "dialogue": dialogue, "refusal": refusal,
	}
	with := func(required []string, more fields) *jsonschema.Schema {
		all := maps.Clone(beside)
		maps.Copy(all, more)
		return object(required, all)
	}
	fixtures := with(nil, fields{"tokens": span, "language": enum((*tongue)(nil).words())})
	fixtures.MinProperties = ptr(1)
	return either(text(), fixtures,
		with([]string{"text"}, fields{"text": text()}),
		with([]string{"fixture"}, fields{"fixture": text(), "tokens": span}),
		with([]string{"fixtures"}, fields{"fixtures": filled(text()), "tokens": span}),
		with([]string{"echo"}, fields{"echo": yes}),
		with([]string{"template"}, fields{"template": text()}),
		object([]string{"blocks"}, fields{"blocks": {Type: "array", Items: blockSchema()}, "stop_reason": stop, "dialogue": dialogue, "refusal": refusal}),
	)
}

// blockSchema has one form for each key, of which a block has one.
func blockSchema() *jsonschema.Schema {
	pieces := &jsonschema.Schema{Type: "array", Items: text(), MaxItems: ptr(maxPieces)}
	kinds := fields{
		"text": either(text(), object([]string{"pieces"}, fields{"pieces": pieces})), "thinking": text(), "redacted_thinking": {Const: true},
		"tool_use": either(toolSchema(), object([]string{"name", "pieces"}, fields{"name": text(), "pieces": pieces})), "server_tool_use": toolSchema(), "raw": {Type: "object"},
	}
	var forms []*jsonschema.Schema
	for _, key := range slices.Sorted(maps.Keys(kinds)) {
		forms = append(forms, object([]string{key}, fields{key: kinds[key]}))
	}
	return either(forms...)
}

func toolSchema() *jsonschema.Schema {
	return either(text(), object([]string{"name"}, fields{"name": text(), "input": {Type: "object"}}))
}

func thoughtSchema() *jsonschema.Schema {
	redacted, span := &jsonschema.Schema{Const: true}, span{}.JSONSchema()
	return either(text(),
		object([]string{"text"}, fields{"text": text(), "redacted": redacted}),
		object([]string{"tokens"}, fields{"tokens": span, "redacted": redacted}),
		object([]string{"redacted"}, fields{"redacted": redacted}),
	)
}

// filled is a list of at least one.
func filled(of *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: of, MinItems: ptr(1)}
}
