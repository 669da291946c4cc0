package scenario

import "github.com/invopop/jsonschema"

func (instant) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Format: "date-time", Description: "A date with its time and zone: 2024-10-18T00:00:00Z."}
}

func (word) JSONSchema() *jsonschema.Schema {
	return either(text(), &jsonschema.Schema{Type: "number"})
}

func (phaseLength) JSONSchema() *jsonschema.Schema {
	return either(whole("1"), pattern(durationPattern))
}

func (phasesBy) JSONSchema() *jsonschema.Schema { return enum((*phasesBy)(nil).words()) }

func (warnFile) JSONSchema() *jsonschema.Schema {
	line := &jsonschema.Schema{Type: "string", MinLength: ptr(1)}
	one := object([]string{"text"}, fields{"when": ref("expression"), "text": line})
	return either(line, &jsonschema.Schema{Type: "array", Items: one, MinItems: ptr(1)})
}

func (quantityFile) JSONSchema() *jsonschema.Schema {
	decimals := &jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: "9"}
	cases := []*jsonschema.Schema{
		ref("expression"),
		object([]string{"value"}, fields{"when": ref("expression"), "value": ref("expression"), "decimals": decimals}),
		object([]string{"of", "factor"}, fields{
			"when": ref("expression"), "of": ref("expression"), "factor": ref("factorDistribution"), "decimals": decimals,
		}),
	}
	s := either(append(cases, &jsonschema.Schema{Type: "array", Items: either(cases...), MinItems: ptr(1)})...)
	s.Description = "An expression; {of: EXPR, factor: plain factors, decimals: 4}; or a list of such, the first of which holds by its `when`."
	return s
}
