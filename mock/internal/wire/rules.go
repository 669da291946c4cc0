package wire

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// rule says what one JSON value must be. The rules of a whole request body are one tree, made by
// the functions below; the table itself is in rules_request.go and the files beside it.
type rule struct {
	shape    shape
	nullable bool
	wrong    string // said of a value of another JSON type

	least, most int            // length of a text in characters or of an array in items; value of a number
	below       string         // said of what is under least; "" is the usual sentence
	span        string         // said of a number outside of least and most
	pattern     *regexp.Regexp // of a text
	choices     []string       // of a choice

	fields []field // of an object, in the order in which their faults are reported
	open   bool    // an object that may hold other members too

	of       *rule                       // of an array's elements, or of what a textOr may be beside a text
	variants []variant                   // of a union, sorted by tag
	untagged string                      // the variant of a union's member without a tag; "" when it needs one
	then     func(*Value, *scope) *fault // what more must hold, once the rest does
}

type shape uint8

const (
	anything shape = iota
	aText
	aWhole
	aNumber
	aBoolean
	aChoice
	anObject
	anArray
	aTextOr // a text, or an array
	aUnion  // an object whose member "type" says which
)

// field is a member of an object.
type field struct {
	name     string
	rule     *rule
	required bool
	betas    []string // starts of the anthropic-beta values that turn it on; none: always on
}

// variant is a member of a union.
type variant struct {
	tag   string
	rule  *rule
	betas []string // as a field's
}

func anyValue() *rule { return &rule{} }
func boolean() *rule  { return &rule{shape: aBoolean, wrong: "Input should be a valid boolean"} }
func text() *rule {
	return &rule{shape: aText, wrong: "Input should be a valid string", most: math.MaxInt}
}
func whole() *rule {
	return &rule{shape: aWhole, wrong: "Input should be a valid integer", least: math.MinInt, most: math.MaxInt}
}

// number takes a number from least to most.
func number(least, most int) *rule {
	return &rule{shape: aNumber, wrong: "Input should be a valid number", least: least, most: most,
		span: fmt.Sprintf("range: %d..%d", least, most)}
}

func oneOf(choices ...string) *rule {
	return &rule{shape: aChoice, choices: choices, wrong: "Input should be " + listed(choices)}
}

func object(fields ...field) *rule {
	return &rule{shape: anObject, fields: fields, wrong: "Input should be an object"}
}

// anyObject takes an object with whatever in it; the fields given are checked.
func anyObject(fields ...field) *rule {
	r := object(fields...)
	r.open = true
	return r
}

func array(of *rule) *rule {
	return &rule{shape: anArray, of: of, wrong: "Input should be a valid array", most: math.MaxInt}
}

// textOr takes a text, or what the other rule takes, whose words are used for the rest.
func textOr(other *rule) *rule { return &rule{shape: aTextOr, of: other, wrong: other.wrong} }

func union(variants ...variant) *rule {
	slices.SortFunc(variants, func(a, b variant) int { return strings.Compare(a.tag, b.tag) })
	return &rule{shape: aUnion, variants: variants, wrong: "Input should be an object"}
}

// as is a member of a union; its fields come after "type".
func as(tag string, fields ...field) variant {
	return variant{tag: tag, rule: object(append([]field{optional("type", anyValue())}, fields...)...)}
}

func required(name string, r *rule) field { return field{name: name, rule: r, required: true} }
func optional(name string, r *rule) field { return field{name: name, rule: r} }

// beta is an optional field that only exists for those who send an anthropic-beta value that
// starts with one of betas.
func beta(name string, r *rule, betas ...string) field {
	return field{name: name, rule: r, betas: betas}
}

func (r *rule) atLeast(n int) *rule             { r.least = n; return r }
func (r *rule) atMost(n int) *rule              { r.most = n; return r }
func (r *rule) matching(p *regexp.Regexp) *rule { r.pattern = p; return r }
func (r *rule) orNull() *rule                   { r.nullable = true; return r }
func (r *rule) saying(wrong string) *rule       { r.wrong = wrong; return r }
func (r *rule) sayingBelow(text string) *rule   { r.below = text; return r }
func (r *rule) orUntagged(tag string) *rule     { r.untagged = tag; return r }
func (r *rule) and(then func(*Value, *scope) *fault) *rule {
	r.then = then
	return r
}

const shapeless = "Input does not match the expected shape."

// listed writes 'a', 'b' or 'c'.
func listed(choices []string) string {
	if len(choices) == 1 {
		return "'" + choices[0] + "'"
	}
	last := len(choices) - 1
	return "'" + strings.Join(choices[:last], "', '") + "' or '" + choices[last] + "'"
}

// check returns the first fault of v, nil when there is none.
func (r *rule) check(v *Value, s *scope) *fault {
	if v.kind == Null && r.nullable {
		return nil
	}
	f := r.checkShape(v, s)
	if f == nil && r.then != nil {
		f = r.then(v, s)
	}
	return f
}

func (r *rule) checkShape(v *Value, s *scope) *fault {
	switch r.shape {
	case aText:
		return r.checkText(v)
	case aWhole, aNumber:
		return r.checkNumber(v)
	case aBoolean:
		if v.kind != Bool {
			return wrong(r.wrong)
		}
	case aChoice:
		if v.kind != String || !slices.Contains(r.choices, v.text) {
			return wrong(r.wrong)
		}
	case anObject:
		return r.checkObject(v, s)
	case anArray:
		return r.checkArray(v, s)
	case aTextOr:
		if v.kind != String {
			return r.of.check(v, s)
		}
	case aUnion:
		return r.checkUnion(v, s)
	}
	return nil
}

func (r *rule) checkText(v *Value) *fault {
	if v.kind != String {
		return wrong(r.wrong)
	}
	n := len(v.text)
	if n < 4*r.least && utf8.RuneCountInString(v.text) < r.least {
		if r.below != "" {
			return &fault{text: r.below, shallow: true}
		}
		return wrong(fmt.Sprintf("String should have at least %d character%s", r.least, plural(r.least)))
	}
	if n > r.most && utf8.RuneCountInString(v.text) > r.most {
		return wrong(fmt.Sprintf("String should have at most %d character%s", r.most, plural(r.most)))
	}
	if r.pattern != nil && !r.pattern.MatchString(v.text) {
		return wrong("String should match pattern '" + r.pattern.String() + "'")
	}
	return nil
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func (r *rule) checkNumber(v *Value) *fault {
	if r.shape == aNumber {
		f, ok := v.Float()
		switch {
		case !ok:
			return wrong(r.wrong)
		case f < float64(r.least) || f > float64(r.most):
			return wrong(r.span)
		}
		return nil
	}
	n, ok := v.Int()
	switch {
	case !ok:
		return wrong(r.wrong)
	case n < r.least && r.below != "":
		return wrong(r.below)
	case n < r.least:
		return wrong(fmt.Sprintf("Input should be greater than or equal to %d", r.least))
	}
	return nil
}

func (r *rule) checkArray(v *Value, s *scope) *fault {
	if v.kind != Array {
		return wrong(r.wrong)
	}
	switch n := len(v.items); {
	case n > r.most:
		return wrong(fmt.Sprintf("List should have at most %d items", r.most))
	case n < r.least && r.below != "":
		return wrong(r.below)
	case n < r.least:
		return wrong(fmt.Sprintf("List should have at least %d item%s", r.least, plural(r.least)))
	}
	for i := range v.items {
		if f := r.of.check(&v.items[i].Value, s); f != nil {
			return f.at(i)
		}
	}
	return nil
}

func (r *rule) checkUnion(v *Value, s *scope) *fault {
	if v.kind != Object {
		return wrong(r.wrong)
	}
	tag := v.Get("type")
	name := tag.Text()
	switch {
	case tag.Kind() == Null && r.untagged != "":
		name = r.untagged
	case tag == nil:
		return wrong("Field required").in("type")
	}
	for i := range r.variants {
		if r.variants[i].tag == name && s.isOn(r.variants[i].betas) {
			if f := r.variants[i].rule.check(v, s); f != nil {
				return f.in(name)
			}
			return nil
		}
	}
	var tags []string
	for i := range r.variants {
		if s.isOn(r.variants[i].betas) {
			tags = append(tags, r.variants[i].tag)
		}
	}
	if tag.Kind() != String {
		name = string(tag.Append(nil))
	}
	return wrong("Input tag '" + name + "' found using 'type' does not match any of the expected tags: '" +
		strings.Join(tags, "', '") + "'")
}

// maxFields is the most fields that an object of the table has.
const maxFields = 40

// checkObject reports its fields' faults in the table's order, whatever the order in the body,
// then the first member that it doesn't know.
func (r *rule) checkObject(v *Value, s *scope) *fault {
	if v.kind != Object {
		return wrong(r.wrong)
	}
	var at [maxFields]*Value
	unknown := -1
	for i := range v.items {
		m := &v.items[i]
		switch n := r.find(m.Name, s); {
		case n >= 0:
			at[n] = &m.Value
		case unknown < 0 && !r.open && (v != s.body || s.extraField(m.Name) == nil):
			unknown = i
		}
	}
	for i := range r.fields {
		f := &r.fields[i]
		if at[i] == nil {
			if f.required {
				return wrong("Field required").in(f.name)
			}
			continue
		}
		if fault := f.rule.check(at[i], s); fault != nil {
			return fault.in(f.name)
		}
	}
	if v == s.body {
		if f := s.checkExtra(); f != nil {
			return f
		}
	}
	if unknown >= 0 {
		return wrong("Extra inputs are not permitted").in(v.items[unknown].Name)
	}
	return nil
}

// find returns the index of a field that the request may send, -1 for any other.
func (r *rule) find(name string, s *scope) int {
	for i := range r.fields {
		f := &r.fields[i]
		if f.name != name {
			continue
		}
		if !s.isOn(f.betas) {
			return -1
		}
		return i
	}
	return -1
}
