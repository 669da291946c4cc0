package scenario

import (
	"maps"
	"slices"

	"github.com/invopop/jsonschema"
)

type fields map[string]*jsonschema.Schema

// object is a map of exactly these keys, some of them required.
func object(required []string, f fields) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), Required: required, AdditionalProperties: jsonschema.FalseSchema}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		s.Properties.Set(name, f[name])
	}
	return s
}

// quantiles is a map of p0 to p100 and further keys.
func quantiles(value *jsonschema.Schema, required []string, f fields) *jsonschema.Schema {
	s := object(required, f)
	s.PatternProperties = map[string]*jsonschema.Schema{`^p([0-9]{1,2}(\.[0-9]{1,7})?|100(\.0{1,7})?)$`: value}
	return s
}

func (distribution) JSONSchema() *jsonschema.Schema {
	s := distributionOf(ref("duration"), nil, true)
	s.Description = "A constant, quantiles such as {p50: 20ms, p99: 90ms}, or {uniform|normal|lognormal|exponential|mix|sum|blend|trace|like: …}."
	return s
}

func (gapDistribution) JSONSchema() *jsonschema.Schema {
	s := distributionOf(ref("duration"), fields{"tokens": ref("span")}, false)
	s.Description = "As any distribution; the parts of a mix may say how many tokens their events carry."
	return s
}

func (factorDistribution) JSONSchema() *jsonschema.Schema {
	s := distributionOf(&jsonschema.Schema{Type: "number", Minimum: "0"}, nil, true)
	s.Description = "As any distribution, with plain factors in place of durations."
	return s
}

// distributionOf is everything that may stand at a timing point; extra is what a mix part may have beside its share,
// and sums says whether a sum may stand there.
func distributionOf(value *jsonschema.Schema, extra fields, sums bool) *jsonschema.Schema {
	inMix := fields{"share": ref("share")}
	maps.Copy(inMix, extra)
	mix := object([]string{"mix"}, fields{"mix": {
		Type: "array", MinItems: ptr(1), Items: either(plainForms(value, []string{"share"}, inMix)...),
	}})
	plainMix := mix
	if extra != nil {
		plainMix = object([]string{"mix"}, fields{"mix": {
			Type: "array", MinItems: ptr(1), Items: either(plainForms(value, []string{"share"}, fields{"share": ref("share")})...),
		}})
	}
	parts := append(plainForms(value, nil, nil), value, mix, blendOf(value, plainMix), traceOf(value))
	sum := object([]string{"sum"}, fields{"sum": {Type: "object", AdditionalProperties: either(parts...), MinProperties: ptr(1)}})
	like := object([]string{"like"}, fields{"like": text()})
	if sums {
		parts = append(parts, sum)
	}
	return either(append(parts, like)...)
}

func blendOf(value, mix *jsonschema.Schema) *jsonschema.Schema {
	at := &jsonschema.Schema{
		Type: "object", MinProperties: ptr(1), PropertyNames: pattern(plainNumber.String()),
		AdditionalProperties: either(append(plainForms(value, nil, nil), value, mix)...),
	}
	return object([]string{"blend"}, fields{"blend": object([]string{"by", "at"}, fields{"by": ref("expression"), "at": at})})
}

func traceOf(value *jsonschema.Schema) *jsonschema.Schema {
	values := &jsonschema.Schema{Type: "array", Items: value, MinItems: ptr(1)}
	return object([]string{"trace"}, fields{"trace": either(values, &jsonschema.Schema{Type: "string", MinLength: ptr(1)})})
}

// plainForms are the distributions that are written as a map and hold no other distribution.
func plainForms(value *jsonschema.Schema, required []string, beside fields) []*jsonschema.Schema {
	form := func(name string, s *jsonschema.Schema) *jsonschema.Schema {
		f := fields{name: s}
		maps.Copy(f, beside)
		return object(append([]string{name}, required...), f)
	}
	limits := fields{"min": value, "max": value}
	spread := fields{"mean": value, "sd": value, "min": value, "max": value}
	own := quantiles(value, required, beside)
	own.MinProperties = ptr(uint64(len(beside) + 1))
	if beside != nil {
		own.MinProperties = ptr(2) // the share and one quantile
	}
	return []*jsonschema.Schema{
		own,
		form("constant", value),
		form("uniform", &jsonschema.Schema{Type: "array", Items: value, MinItems: ptr(2), MaxItems: ptr(2)}),
		form("normal", object([]string{"mean", "sd"}, spread)),
		form("lognormal", either(object([]string{"mean", "sd"}, spread), quantiles(value, nil, limits))),
		form("exponential", either(value, object([]string{"mean"}, fields{"mean": value, "min": value, "max": value}))),
	}
}

// JSONSchemaExtend says what the points of a load curve are called.
func (loadFile) JSONSchemaExtend(s *jsonschema.Schema) {
	at, _ := s.Properties.Get("at")
	at.PropertyNames = pattern(plainNumber.String())
	at.AdditionalProperties = &jsonschema.Schema{Type: "number", Minimum: "0"}
}

// JSONSchemaExtend says what facts and profiles can be called.
func (scenarioFile) JSONSchemaExtend(s *jsonschema.Schema) {
	for name, p := range map[string]string{"facts": identifier.String(), "parameters": identifier.String(), "profiles": plainName.String()} {
		of, _ := s.Properties.Get(name)
		of.PropertyNames = pattern(p)
	}
	name, _ := s.Properties.Get("name")
	s.Properties.Set("name", &jsonschema.Schema{Type: "string", Pattern: plainName.String(), Description: name.Description})
}

// JSONSchemaExtend names the numbers of a usage.
func (routeFile) JSONSchemaExtend(s *jsonschema.Schema) {
	usage, _ := s.Properties.Get("usage")
	usage.PropertyNames = enum(usageFields())
	headers, _ := s.Properties.Get("headers")
	headers.PropertyNames = pattern(headerName.String())
}
