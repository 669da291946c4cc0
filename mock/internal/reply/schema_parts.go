package reply

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// usual is the highest value of what has no bounds of its own.
const usual = 100

// object writes the properties that are required and, up to a depth, most of the others.
func (m *maker) object(d demands, depth int) {
	owed := map[string]bool{} // required, and not yet among the names
	var required, names []string
	for _, schema := range d {
		for _, name := range elements(schema.Get("required")) {
			if !owed[name.Text()] {
				owed[name.Text()] = true
				required = append(required, name.Text())
			}
		}
	}
	least, most := int(d.most("minProperties", 0)), int(d.least("maxProperties", math.MaxInt32))
	spoken := map[string][]*wire.Value{} // the schemas of each property
	for _, schema := range d {
		for i := range schema.Get("properties").Members() {
			property := &schema.Get("properties").Members()[i]
			spoken[property.Name] = append(spoken[property.Name], &property.Value)
			if len(spoken[property.Name]) > 1 || property.Value.Kind() == wire.Bool && !property.Value.Bool() {
				continue
			}
			wanted := depth < smallDepth && len(m.out) < mostMade && len(names) < 1000 && m.below(4) > 0
			if owed[property.Name] || len(names)+len(owed) < most && (wanted || len(names) < least) {
				names = append(names, property.Name)
				delete(owed, property.Name)
			}
		}
	}
	for _, name := range required {
		if owed[name] {
			names = append(names, name)
		}
	}
	for i := 1; len(names) < min(most, 1000) && m.open(d, len(names), least, depth); i++ {
		if name := "key_" + strconv.Itoa(i); spoken[name] == nil && !slices.Contains(required, name) {
			names = append(names, name)
		}
	}
	m.out = append(m.out, '{')
	for i, name := range names {
		m.comma(i)
		m.key(name)
		m.all(d.speaking(name, spoken), name, depth+1)
	}
	m.out = append(m.out, '}')
}

// open reports whether an object needs or wants a further property of no given name.
func (m *maker) open(d demands, n, least, depth int) bool {
	rest := d.first("additionalProperties")
	if rest.Kind() == wire.Bool && !rest.Bool() {
		return false
	}
	wants := rest.Kind() == wire.Object && d.first("properties") == nil && depth < smallDepth && n < 2
	return n < least || wants
}

// speaking are the schemas that a property's value has to satisfy: its own, and those that
// schemas have for properties that they don't name.
func (d demands) speaking(name string, spoken map[string][]*wire.Value) []*wire.Value {
	all := slices.Clone(spoken[name])
	for _, schema := range d {
		if rest := schema.Get("additionalProperties"); rest.Kind() == wire.Object && schema.Get("properties").Get(name) == nil {
			all = append(all, rest)
		}
	}
	return all
}

// all writes a value that satisfies several schemas.
func (m *maker) all(schemas []*wire.Value, name string, depth int) {
	if len(schemas) == 1 {
		m.value(schemas[0], name, depth)
		return
	}
	members := make([]wire.Member, len(schemas))
	for i, schema := range schemas {
		members[i].Value = *schema
	}
	joined := wire.ObjectOf(wire.Member{Name: "allOf", Value: wire.ArrayOf(members)})
	m.value(&joined, name, depth)
}

func (m *maker) array(d demands, name string, depth int) {
	least, most := int(d.most("minItems", 0)), int(d.least("maxItems", math.MaxInt32))
	var prefix []*wire.Value
	for _, schema := range d {
		if own := elements(schema.Get("prefixItems")); len(own) > len(prefix) {
			prefix = own
		}
	}
	var items []*wire.Value
	for _, schema := range d {
		switch v := schema.Get("items"); {
		case v.Kind() == wire.Object:
			items = append(items, v)
		case v.Kind() == wire.Bool && !v.Bool():
			most = min(most, len(prefix))
		}
	}
	n := max(least, len(prefix))
	if depth < smallDepth && len(m.out) < mostMade {
		n = max(n, 1+m.below(3))
	}
	n = min(n, most)
	unique, made, written := d.first("uniqueItems").Bool(), map[string]bool{}, 0
	m.out = append(m.out, '[')
	for i := 0; i < n && len(m.out) <= enough; i++ {
		start := len(m.out)
		for range 20 {
			m.out = m.out[:start]
			m.comma(written)
			at := len(m.out)
			if i < len(prefix) {
				m.value(prefix[i], "", depth+1)
			} else {
				m.all(items, strings.TrimSuffix(name, "s"), depth+1)
			}
			if unique && made[string(m.out[at:])] {
				continue
			}
			if unique {
				made[string(m.out[at:])] = true
			}
			written++
			start = -1
			break
		}
		if start >= 0 { // there are no more different ones
			m.out = m.out[:start]
			break
		}
	}
	m.out = append(m.out, ']')
}

func (m *maker) number(d demands, whole bool) {
	low, high := d.most("minimum", math.Inf(-1)), d.least("maximum", math.Inf(1))
	over, under := d.most("exclusiveMinimum", math.Inf(-1)), d.least("exclusiveMaximum", math.Inf(1))
	step, decimals := 0.0, 2
	if v := d.first("multipleOf"); v != nil {
		step, _ = v.Float()
		_, fraction, _ := strings.Cut(v.Text(), ".")
		decimals = len(fraction)
	}
	if step <= 0 {
		step = 1
		if !whole {
			step = 0.01
		}
	} else if whole && step != math.Trunc(step) {
		step, decimals = step*math.Pow10(decimals), 0 // a multiple of both
	}
	if whole {
		decimals = 0
	}
	// The value is a multiple of step between these two.
	first, last := math.Ceil(max(low, over)/step), math.Floor(min(high, under)/step)
	if first*step <= over {
		first++
	}
	if last*step >= under {
		last--
	}
	switch wide := float64(usual) / min(step, 1); {
	case math.IsInf(first, -1) && math.IsInf(last, 1):
		first, last = 1, max(wide, 1)
	case math.IsInf(first, -1):
		first = last - wide
	case math.IsInf(last, 1):
		last = first + wide
	}
	if last < first { // no step between: somewhere within
		m.out = strconv.AppendFloat(m.out, max(low, over)/2+min(high, under)/2, 'g', -1, 64)
		return
	}
	n := first + math.Floor(float64(m.chance()%(1<<40))/(1<<40)*(last-first+1))
	m.out = strconv.AppendFloat(m.out, min(n, last)*step, 'f', decimals, 64)
}
