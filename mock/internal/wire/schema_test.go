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
