package reply

import (
	"math"
	"slices"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

func (d demands) first(key string) *wire.Value {
	for _, schema := range d {
		if v := schema.Get(key); v != nil {
			return v
		}
	}
	return nil
}

// most is the highest of the numbers under a key, least the lowest; without one, otherwise.
func (d demands) most(key string, otherwise float64) float64 {
	return d.bound(key, otherwise, math.Max)
}

func (d demands) least(key string, otherwise float64) float64 {
	return d.bound(key, otherwise, math.Min)
}

func (d demands) bound(key string, otherwise float64, better func(a, b float64) float64) float64 {
	found := math.NaN()
	for _, schema := range d {
		if f, ok := schema.Get(key).Float(); ok {
			if math.IsNaN(found) {
				found = f
			}
			found = better(found, f)
		}
	}
	if math.IsNaN(found) {
		return otherwise
	}
	return found
}

// kinds are the types that every schema allows; none when no schema names one.
func (d demands) kinds() []string {
	var kinds []string
	for _, schema := range d {
		own := typesOf(schema)
		if len(own) == 0 {
			continue
		}
		if kinds == nil {
			kinds = own
			continue
		}
		var both []string
		for _, kind := range kinds {
			switch {
			case slices.Contains(own, kind):
				both = append(both, kind)
			case kind == "integer" && slices.Contains(own, "number"):
				both = append(both, kind)
			case kind == "number" && slices.Contains(own, "integer"):
				both = append(both, "integer")
			}
		}
		kinds = both
	}
	return kinds
}

func typesOf(schema *wire.Value) []string {
	var kinds []string
	switch t := schema.Get("type"); t.Kind() {
	case wire.String:
		kinds = []string{t.Text()}
	case wire.Array:
		for _, one := range elements(t) {
			kinds = append(kinds, one.Text())
		}
	}
	if len(kinds) > 0 && schema.Get("nullable").Bool() && !slices.Contains(kinds, "null") {
		kinds = append(kinds, "null")
	}
	return kinds
}

// implied is the kind of value that the schemas speak of without naming it.
func (d demands) implied() string {
	speaks := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return d.first(key) != nil })
	}
	switch {
	case speaks("properties", "required", "additionalProperties", "minProperties"):
		return "object"
	case speaks("items", "prefixItems", "minItems"):
		return "array"
	case speaks("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
		return "number"
	}
	return "string"
}

// choices are the values that every enum has, of the right kinds.
func (d demands) choices(kinds []string) []*wire.Value {
	var choices []*wire.Value
	for _, schema := range d {
		enum := elements(schema.Get("enum"))
		if enum == nil {
			continue
		}
		kept := enum[:0:0]
		for _, v := range enum {
			in := choices == nil || slices.ContainsFunc(choices, func(c *wire.Value) bool { return string(c.Append(nil)) == string(v.Append(nil)) })
			if in && (len(kinds) == 0 || isOf(v, kinds)) {
				kept = append(kept, v)
			}
		}
		choices = kept
	}
	return choices
}

// preset is the default, if nothing but its kind is demanded.
func (d demands) preset(kinds []string) *wire.Value {
	for _, key := range [...]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format", "properties", "items", "prefixItems", "required", "minItems", "maxItems", "minProperties", "additionalProperties"} {
		if d.first(key) != nil {
			return nil
		}
	}
	v := d.first("default")
	if v == nil || len(kinds) == 0 || !isOf(v, kinds) {
		return nil
	}
	return v
}

func isOf(v *wire.Value, kinds []string) bool {
	_, whole := v.Int()
	for _, kind := range kinds {
		switch kind {
		case "null":
			if v.Kind() == wire.Null {
				return true
			}
		case "boolean":
			if v.Kind() == wire.Bool {
				return true
			}
		case "integer":
			if whole {
				return true
			}
		case "number":
			if v.Kind() == wire.Number {
				return true
			}
		case "string":
			if v.Kind() == wire.String {
				return true
			}
		case "array":
			if v.Kind() == wire.Array {
				return true
			}
		case "object":
			if v.Kind() == wire.Object {
				return true
			}
		}
	}
	return false
}
