package scenario

import (
	"reflect"
	"slices"
	"strings"
)

// decoder fills the file's types from nodes, strictly: whatever has no place is a problem.
type decoder struct {
	*report
	what string // the value that decodes itself, for its messages
	// without are keys that the outermost map doesn't have here.
	without []string
}

// decodable is a value of the file that reads itself.
type decodable interface{ decode(d *decoder, n *node) }

// spot is embedded into every type of the file and remembers where the value stands.
type spot struct{ at *node }

func (s *spot) setSpot(n *node) { s.at = n }

func (d *decoder) into(n *node, v reflect.Value, what string) {
	if n.poisoned() {
		return
	}
	if v.Kind() == reflect.Pointer {
		fresh := reflect.New(v.Type().Elem())
		d.into(n, fresh.Elem(), what)
		v.Set(fresh)
		return
	}
	if s, ok := v.Addr().Interface().(interface{ setSpot(*node) }); ok {
		s.setSpot(n)
	}
	if one, ok := v.Addr().Interface().(decodable); ok {
		if n.kind == nothing {
			d.empty(n, what)
			return
		}
		d.what = what
		one.decode(d, n)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if d.expect(n, mapping, what) {
			d.fields(n, v, what)
		}
	case reflect.Map:
		if !d.expect(n, mapping, what) {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for _, p := range n.pairs {
			value := reflect.New(v.Type().Elem()).Elem()
			d.into(p.value, value, noun(v.Type().Elem())+quote(p.key.text))
			v.SetMapIndex(reflect.ValueOf(p.key.text), value)
		}
	case reflect.Slice:
		if !d.expect(n, list, what) {
			return
		}
		for _, item := range n.items {
			value := reflect.New(v.Type().Elem()).Elem()
			name := noun(v.Type().Elem())
			if name == "" {
				d.into(item, value, "an entry of "+what)
			} else {
				d.into(item, value, "a "+strings.TrimSpace(name))
			}
			v.Set(reflect.Append(v, value))
		}
	}
}

// noun is what an entry of that type is called, with a space behind it; "" for plain values.
func noun(t reflect.Type) string {
	if t.Kind() != reflect.Struct || !strings.HasSuffix(t.Name(), "File") {
		return ""
	}
	return strings.TrimSuffix(t.Name(), "File") + " "
}

func (d *decoder) empty(n *node, what string) {
	d.at(n, "give it a value or remove the key", "%s has no value", what)
}

func (d *decoder) expect(n *node, want kind, what string) bool {
	switch {
	case n.kind == want:
		return true
	case n.kind == nothing:
		d.empty(n, what)
	case want == list && n.kind == mapping:
		d.at(n, "start each entry with `- `", "%s is a list, this is a map", what)
	default:
		d.at(n, "", "%s must be %s, this is %s", what, want, n.kind)
	}
	return false
}

// fields fills a struct by the yaml tags of its fields.
func (d *decoder) fields(n *node, v reflect.Value, what string) {
	t := v.Type()
	without := d.without
	d.without = nil
	index := map[string]int{}
	var names []string
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("yaml"); name != "" && name != "-" && !slices.Contains(without, name) {
			index[name] = i
			names = append(names, name)
		}
	}
	for _, p := range n.pairs {
		i, ok := index[p.key.text]
		if !ok {
			d.at(p.key, keyHint(p.key.text, names), "unknown key %s in %s", quote(p.key.text), what)
			n.hurt = true
			continue
		}
		d.into(p.value, v.Field(i), "`"+p.key.text+"`")
	}
}

// keyHint also finds keys written with _ for - and the other way round.
func keyHint(key string, names []string) string {
	if strings.ContainsAny(key, "()") {
		return commaHint
	}
	swap := strings.NewReplacer("-", "_", "_", "-")
	for _, name := range names {
		if swap.Replace(key) == name {
			return "did you mean `" + name + "`?"
		}
	}
	if close := near(key, names); len(close) > 0 {
		return "did you mean " + oneOf(close) + "?"
	}
	return "the keys here are " + strings.Join(names, ", ")
}
