package reply

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// How far a value made from a schema goes.
const (
	smallDepth = 4       // below it, no more than the schema demands
	deepest    = 24      // a schema that demands more can't be met
	mostRefs   = 64      // references followed for one value
	mostMade   = 1 << 16 // bytes after which nothing optional is added
	enough     = 1 << 18 // bytes after which it comes to an end, satisfied or not
)

// maker makes a value that satisfies a JSON Schema, and writes it as a model does, with a space
// after : and ,. It knows type, enum, const, default, properties, required, additionalProperties,
// min- and maxProperties, items, prefixItems, min- and maxItems, uniqueItems, the bounds of numbers
// and of lengths, multipleOf, pattern, the usual formats, anyOf, oneOf, allOf, $ref within the
// schema, and nullable. Whatever else a schema demands (not, if, contains, dependent…) it
// doesn't see.
type maker struct {
	root   *wire.Value
	chance func() uint64
	words  func(n int) string // some words, for texts
	prompt string             // the user's, for texts that are questions
	out    []byte
	refs   int
	steps  int // of patterns
}

// fit is a value for the schema as JSON text.
func (m *maker) fit(schema *wire.Value) string {
	m.root, m.out = schema, m.out[:0]
	m.value(schema, "", 0)
	return string(m.out)
}

func (m *maker) below(n int) int { return int(m.chance() % uint64(max(n, 1))) }

// demands is every schema that one value has to satisfy at once.
type demands []*wire.Value

// gather adds a schema with what it refers to and contains, and picks branches of its choices.
func (m *maker) gather(d demands, schema *wire.Value, depth int) demands {
	if schema.Kind() != wire.Object || m.refs > mostRefs {
		return d
	}
	d = append(d, schema)
	if to := m.resolve(schema.Get("$ref").Text()); to != nil {
		m.refs++
		d = m.gather(d, to, depth)
	}
	for _, one := range elements(schema.Get("allOf")) {
		d = m.gather(d, one, depth)
	}
	for _, name := range [...]string{"anyOf", "oneOf"} {
		if branches := elements(schema.Get(name)); len(branches) > 0 {
			d = m.gather(d, m.branch(branches, depth), depth)
		}
	}
	return d
}

// branch is one of several schemas; deep down, the simplest.
func (m *maker) branch(branches []*wire.Value, depth int) *wire.Value {
	if depth < smallDepth {
		return branches[m.below(len(branches))]
	}
	return slices.MinFunc(branches, func(a, b *wire.Value) int { return weight(a) - weight(b) })
}

func weight(schema *wire.Value) int {
	switch schema.Get("type").Text() {
	case "null":
		return 0
	case "string", "boolean", "integer", "number":
		return 1
	case "object":
		return 3 + len(schema.Get("required").Members())
	}
	if schema.Get("const") != nil || schema.Get("enum") != nil {
		return 1
	}
	return 2 + 8*len(schema.Get("$ref").Text())
}

// resolve finds what a reference within the schema points to; nil for any other.
func (m *maker) resolve(ref string) *wire.Value {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	at := m.root
	for i, name := range strings.Split(path, "/") {
		if i == 0 {
			continue
		}
		name = strings.NewReplacer("~1", "/", "~0", "~", "%25", "%", "%20", " ").Replace(name)
		if n, err := strconv.Atoi(name); err == nil && at.Kind() == wire.Array && n >= 0 && n < len(at.Members()) {
			at = &at.Members()[n].Value
		} else if at = at.Get(name); at == nil {
			return nil
		}
	}
	return at
}

// value writes a value for the schema; name is the property that it is for.
func (m *maker) value(schema *wire.Value, name string, depth int) {
	if depth > deepest || len(m.out) > enough {
		m.out = append(m.out, "null"...)
		return
	}
	m.refs = 0
	d := m.gather(nil, schema, depth)
	if v := d.first("const"); v != nil {
		m.write(v)
		return
	}
	kinds := d.kinds()
	if choices := d.choices(kinds); len(choices) > 0 {
		m.write(choices[m.below(len(choices))])
		return
	}
	if v := d.preset(kinds); v != nil && m.below(2) == 0 {
		m.write(v)
		return
	}
	switch m.kind(d, kinds, depth) {
	case "null":
		m.out = append(m.out, "null"...)
	case "boolean":
		m.out = strconv.AppendBool(m.out, m.below(2) == 0)
	case "integer":
		m.number(d, true)
	case "number":
		m.number(d, false)
	case "array":
		m.array(d, name, depth)
	case "object":
		m.object(d, depth)
	default:
		m.text(d, name)
	}
}

// kind picks one of the kinds that the value may have; one that is nullable is null now and then.
func (m *maker) kind(d demands, kinds []string, depth int) string {
	if len(kinds) == 0 {
		return d.implied()
	}
	if i := slices.Index(kinds, "null"); i >= 0 && len(kinds) > 1 {
		if depth >= smallDepth || m.below(4) == 0 {
			return "null"
		}
		kinds = slices.Delete(slices.Clone(kinds), i, i+1)
	}
	return kinds[m.below(len(kinds))]
}

// write writes a value as it stands in the schema.
func (m *maker) write(v *wire.Value) {
	switch v.Kind() {
	case wire.Object:
		m.out = append(m.out, '{')
		for i, member := range v.Members() {
			m.comma(i)
			m.key(member.Name)
			m.write(&member.Value)
		}
		m.out = append(m.out, '}')
	case wire.Array:
		m.out = append(m.out, '[')
		for i := range v.Members() {
			m.comma(i)
			m.write(&v.Members()[i].Value)
		}
		m.out = append(m.out, ']')
	default:
		m.out = v.Append(m.out)
	}
}

func (m *maker) comma(before int) {
	if before > 0 {
		m.out = append(m.out, ',', ' ')
	}
}

func (m *maker) key(name string) {
	m.out = append(wire.AppendString(m.out, name), ':', ' ')
}

func elements(v *wire.Value) []*wire.Value {
	if v.Kind() != wire.Array {
		return nil
	}
	list := make([]*wire.Value, len(v.Members()))
	for i := range list {
		list[i] = &v.Members()[i].Value
	}
	return list
}
