package wire

import "testing"

const notSchema = "JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). " +
	"Learn more about tool use at https://docs.claude.com/en/docs/tool-use."

func TestAToolsSchemaIsASchema(t *testing.T) {
	tool := func(schema, more string) string { return `"tools":[{"name":"f","input_schema":` + schema + more + `}]` }
	requireFaults(t, ReadOptions{Version: Version2026}, []faultCase{
		{tool(`{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!x)"},"b":true,"c":{"$ref":"#/nowhere"}},"required":["a"]}`, ``), ""},
		{tool(`{"type":"object","properties":null,"required":null}`, ``), ""},
		{tool(`{"type":"object","properties":{"a":{"type":"text"}}}`, ``), "tools.0.custom.input_schema: " + notSchema},
		{tool(`{"type":"object","properties":{"a":"string"}}`, ``), "tools.0.custom.input_schema: " + notSchema},
		{tool(`{"type":"object","properties":{"a":{"minimum":"1"}}}`, ``), "tools.0.custom.input_schema: " + notSchema},
		{tool(`{"type":"object"}`, `,"strict":true`), "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false"},
		{tool(`{"type":"object","additionalProperties":false,"properties":{"a":{"type":"object"}}}`, `,"strict":true`),
			"tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false"},
		{`"output_config":{"format":{"type":"json_schema","schema":{"type":"text"}}}`, "output_config.format.schema: " + notSchema},
	})
}

func TestASchemaForAnswersSaysNotTooMuch(t *testing.T) {
	format := func(schema string) string {
		return `"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}`
	}
	const at = "output_config.format.schema: "
	requireFaults(t, ReadOptions{Version: Version2026}, []faultCase{
		{format(`{"type":"object","additionalProperties":false,"properties":{"a":{"type":"array","minItems":1,"items":{"type":"string","enum":["x"]}}}}`), ""},
		{format(`{"type":"object"}`), at + "For 'object' type, 'additionalProperties' must be explicitly set to false"},
		{format(`{"anyOf":[{"type":"object","additionalProperties":true}]}`), at + "For 'object' type, 'additionalProperties' must be explicitly set to false"},
		{format(`{"$defs":{"a":{"type":"object"}},"$ref":"#/$defs/a"}`), at + "For 'object' type, 'additionalProperties' must be explicitly set to false"},
		{format(`{"type":"number","minimum":1,"maximum":2}`), at + "For 'number' type, properties maximum, minimum are not supported"},
		{format(`{"type":"integer","multipleOf":2}`), at + "For 'integer' type, property 'multipleOf' is not supported"},
		{format(`{"type":"array","items":{"type":"string"},"maxItems":3}`), at + "For 'array' type, property 'maxItems' is not supported"},
		{format(`{"type":"array","items":{"type":"string"},"minItems":2}`), at + "For 'array' type, 'minItems' values other than 0 or 1 are not supported"},
		{format(`{"type":"array","items":{"type":"string","minLength":2,"maxLength":3}}`), at + "For 'string' type, properties maxLength, minLength are not supported"},
	})
}
