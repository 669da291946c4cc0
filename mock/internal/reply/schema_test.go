package reply

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

// requestWith reads a request with further body fields.
func requestWith(t testing.TB, fields string) *wire.Request {
	t.Helper()
	body := `{"model":"claude-sonnet-5","max_tokens":4000,"messages":[{"role":"user","content":"What is the weather?"}]`
	if fields != "" {
		body += "," + fields
	}
	q, problem := wire.NewReader().Read([]byte(body+"}"), wire.ReadOptions{Version: wire.Version2026, Validation: wire.Off})
	require.Nil(t, problem)
	return q
}

func schemaOf(t testing.TB, text string) *wire.Value {
	t.Helper()
	q := requestWith(t, `"tools":[{"name":"f","input_schema":`+text+`}]`)
	return q.Body.Get("tools").Members()[0].Value.Get("input_schema")
}

// fitted makes values from one schema, a function of the seed.
func fitted(t testing.TB, l *Library, text string) func(seed uint64) string {
	t.Helper()
	schema, q := schemaOf(t, text), requestWith(t, "")
	return func(seed uint64) string {
		c := &composer{Library: l, Ask: Ask{Request: q, Chance: latency.NewPlace(seed, "test")}}
		return c.maker().fit(schema)
	}
}

// requireFits checks values with a validator that nobody here wrote.
func requireFits(t testing.TB, schema string, values ...string) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	require.NoError(t, err, schema)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("schema.json", doc))
	compiled, err := c.Compile("schema.json")
	require.NoError(t, err, schema)
	for _, value := range values {
		made, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
		require.NoError(t, err, value)
		require.NoError(t, compiled.Validate(made), "%s\nfor %s", value, schema)
	}
}

func TestAValueIsMadeToFitItsSchema(t *testing.T) {
	l := builtIn(t)
	for name, schema := range map[string]string{
		"anything":              `{}`,
		"an object":             `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":1,"maximum":7}},"required":["city","days"],"additionalProperties":false}`,
		"constants":             `{"type":"object","properties":{"a":{"const":{"x":[1,null]}},"b":{"enum":["u",2,null]}},"required":["a","b"]}`,
		"an enum of its type":   `{"type":"string","enum":["a",1,"b"]}`,
		"two enums":             `{"allOf":[{"enum":["a","b"]},{"enum":["b","c"]}]}`,
		"a default":             `{"type":"integer","default":42}`,
		"a default out of type": `{"type":"integer","default":"x"}`,
		"a nullable":            `{"type":["string","null"]}`,
		"multiples":             `{"type":"number","multipleOf":0.05,"minimum":0.1,"exclusiveMaximum":0.3}`,
		"whole multiples":       `{"type":"integer","multipleOf":7,"exclusiveMinimum":7}`,
		"a narrow number":       `{"type":"number","exclusiveMinimum":0.001,"exclusiveMaximum":0.002}`,
		"a negative one":        `{"type":"integer","maximum":-5}`,
		"lengths":               `{"type":"string","minLength":40,"maxLength":44}`,
		"a short text":          `{"type":"string","maxLength":1}`,
		"no text":               `{"type":"string","maxLength":0}`,
		"a pattern":             `{"type":"string","pattern":"^[A-Z]{2}-\\d{4}(x|y)+$"}`,
		"a loose pattern":       `{"type":"string","pattern":"foo","minLength":12,"maxLength":20}`,
		"a pattern of a length": `{"type":"string","pattern":"^[a-z]+$","minLength":8,"maxLength":9}`,
		"date":                  `{"type":"string","format":"date"}`,
		"date-time":             `{"type":"string","format":"date-time"}`,
		"time":                  `{"type":"string","format":"time"}`,
		"duration":              `{"type":"string","format":"duration"}`,
		"email":                 `{"type":"string","format":"email"}`,
		"hostname":              `{"type":"string","format":"hostname"}`,
		"uri":                   `{"type":"string","format":"uri"}`,
		"uuid":                  `{"type":"string","format":"uuid"}`,
		"ipv4":                  `{"type":"string","format":"ipv4"}`,
		"ipv6":                  `{"type":"string","format":"ipv6"}`,
		"a tuple":               `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`,
		"a tuple and more":      `{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"boolean"},"minItems":4}`,
		"bounded items":         `{"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":2}`,
		"no items":              `{"type":"array","items":{"type":"integer"},"maxItems":0}`,
		"unique items":          `{"type":"array","items":{"enum":["a","b","c"]},"uniqueItems":true,"minItems":3}`,
		"a map":                 `{"type":"object","additionalProperties":{"type":"integer"}}`,
		"a full map":            `{"type":"object","additionalProperties":{"type":"string"},"minProperties":3}`,
		"few properties":        `{"type":"object","properties":{"a":{},"b":{},"c":{"type":"null"}},"required":["c"],"maxProperties":2}`,
		"required alone":        `{"type":"object","required":["x"],"additionalProperties":{"type":"boolean"}}`,
		"a choice":              `{"anyOf":[{"type":"integer"},{"type":"object","properties":{"k":{"const":"v"}},"required":["k"]}]}`,
		"one of two":            `{"oneOf":[{"type":"string"},{"type":"null"}]}`,
		"all of two":            `{"allOf":[{"properties":{"a":{"type":"number","minimum":3}},"required":["a"]},{"properties":{"a":{"maximum":4},"b":{"type":"string"}},"required":["b"]}]}`,
		"a reference":           `{"$ref":"#/$defs/p","$defs":{"p":{"type":"object","properties":{"q":{"$ref":"#/$defs/q"}},"required":["q"]},"q":{"type":"boolean"}}}`,
		"a list of itself":      `{"type":"object","properties":{"name":{"type":"string"},"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},"required":["name","next"]}`,
		"a tree":                `{"$defs":{"node":{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["children"],"additionalProperties":false}},"$ref":"#/$defs/node"}`,
		"odd names":             `{"type":"object","properties":{"a\"b\\":{"type":"string"},"é ü":{"type":"integer"}},"required":["a\"b\\","é ü"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			made, values := fitted(t, l, schema), []string{}
			for seed := range uint64(200) {
				values = append(values, made(seed))
			}
			requireFits(t, schema, values...)
		})
	}
}

func TestTheSameDrawsMakeTheSameValue(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"number"}}},"required":["a","b"]}`
	made := fitted(t, builtIn(t), schema)
	require.Equal(t, made(1), made(1))
	require.NotEqual(t, made(1), made(2))
}

func TestAModelWritesSpacesAfterColonsAndCommas(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"const":1},"b":{"const":[1,{"c":"x:y,z"}]}},"required":["a","b"]}`
	require.Equal(t, `{"a": 1, "b": [1, {"c": "x:y,z"}]}`, fitted(t, builtIn(t), schema)(1))
}

func TestASchemaThatNothingSatisfiesComesToAnEnd(t *testing.T) {
	for _, schema := range []string{
		`{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}]}`, `{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`,
		`{"type":"array","items":{"$ref":"#"},"minItems":2}`, `{"type":"string","pattern":"(((a{1,9}){1,9}){1,9}){9}"}`, `{"minItems":9000000}`, `{"type":"array","items":{"type":"integer"},"uniqueItems":true,"minItems":9000000}`, `{"minProperties":9000000}`, `{"type":"string","minLength":900000000}`,
	} {
		require.True(t, json.Valid([]byte(fitted(t, builtIn(t), schema)(1))))
	}
}

func TestRandomSchemasAreSatisfied(t *testing.T) {
	l := builtIn(t)
	random := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		schema := randomSchema(random, 0)
		schema["$defs"] = map[string]any{
			"leaf": map[string]any{"type": "integer", "minimum": 0},
			"tree": map[string]any{
				"type": "object", "required": []string{"value"},
				"properties": map[string]any{"value": map[string]any{"type": "string"}, "more": map[string]any{"type": "array", "items": map[string]any{"$ref": "#/$defs/tree"}}},
			},
		}
		text, err := json.Marshal(schema)
		require.NoError(t, err)
		made := fitted(t, l, string(text))
		requireFits(t, string(text), made(1), made(2), made(3))
	}
}

// randomSchema is one that can be satisfied.
func randomSchema(r *rand.Rand, depth int) map[string]any {
	s := map[string]any{}
	n := 11
	if depth > 3 {
		n = 6
	}
	switch r.IntN(n) {
	case 0:
		s["type"] = "boolean"
	case 1:
		s["type"] = "integer"
		low := r.IntN(50) - 25
		if r.IntN(2) == 0 {
			s["minimum"] = low
		}
		if r.IntN(2) == 0 {
			s["maximum"] = low + 40 + r.IntN(50)
		}
		if r.IntN(3) == 0 {
			s["multipleOf"] = 1 + r.IntN(9)
		}
	case 2:
		s["type"] = "number"
		if r.IntN(2) == 0 {
			s["exclusiveMinimum"] = float64(r.IntN(100)) / 8
			s["exclusiveMaximum"] = 13 + float64(r.IntN(100))/8
		}
		if r.IntN(3) == 0 {
			s["multipleOf"] = []float64{0.01, 0.25, 0.5}[r.IntN(3)]
		}
	case 3:
		s["type"] = "string"
		switch r.IntN(4) {
		case 0:
			s["format"] = []string{"date", "date-time", "email", "uri", "uuid", "time", "ipv4"}[r.IntN(7)]
		case 1:
			s["pattern"] = []string{`^[a-f0-9]{8}$`, `^(red|green|blue)$`, `^\+?[0-9]{3,12}$`, `[A-Z][a-z]*`, `^\S+$`}[r.IntN(5)]
		case 2:
			s["minLength"] = r.IntN(30)
			s["maxLength"] = 30 + r.IntN(30)
		}
	case 4:
		s["enum"] = []any{"a", 7, nil, true, map[string]any{"k": []int{1}}}[:1+r.IntN(5)]
	case 5:
		s["$ref"] = []string{"#/$defs/leaf", "#/$defs/tree"}[r.IntN(2)]
	case 6, 7:
		s["type"] = "object"
		properties, required := map[string]any{}, []string{}
		for i := range r.IntN(5) {
			name := fmt.Sprintf("%s%d", []string{"city", "id", "note", "url"}[r.IntN(4)], i)
			properties[name] = randomSchema(r, depth+1)
			if r.IntN(2) == 0 {
				required = append(required, name)
			}
		}
		s["properties"], s["required"] = properties, required
		switch r.IntN(3) {
		case 0:
			s["additionalProperties"] = false
		case 1:
			s["additionalProperties"] = randomSchema(r, depth+1)
			s["minProperties"] = r.IntN(4)
		}
	case 8:
		s["type"] = "array"
		s["items"] = randomSchema(r, depth+1)
		if r.IntN(2) == 0 {
			s["minItems"] = r.IntN(4)
			s["maxItems"] = 4 + r.IntN(4)
		}
		if r.IntN(3) == 0 {
			s["prefixItems"] = []any{randomSchema(r, depth+1)}
		}
	case 9:
		branches := []any{}
		for range 1 + r.IntN(3) {
			branches = append(branches, randomSchema(r, depth+1))
		}
		s["anyOf"] = branches
	case 10:
		s["oneOf"] = []any{map[string]any{"type": "null"}, map[string]any{"type": []string{"string", "integer"}}, map[string]any{"type": "array", "items": randomSchema(r, depth+1)}}
	}
	return s
}
