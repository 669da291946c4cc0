package wire

import "strconv"

// Kind is what a JSON value is.
type Kind uint8

// The kinds of a JSON value.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Value is a JSON value that has been read. It is never changed, so it may be shared; the zero
// value is null. Its texts share memory with one copy of the body they came from.
type Value struct {
	kind  Kind
	text  string   // of a string: decoded; of a number or bool: as it was spelled
	items []Member // of an array or object
}

// Member is a member of an object, or an element of an array, which has no name.
type Member struct {
	Name  string
	Value Value
}

// Kind says what the value is; nil is null.
func (v *Value) Kind() Kind {
	if v == nil {
		return Null
	}
	return v.kind
}

// Text returns a string's decoded text, a number or bool as it was spelled, "" for the rest.
func (v *Value) Text() string {
	if v == nil {
		return ""
	}
	return v.text
}

// Bool is true for the JSON value true alone.
func (v *Value) Bool() bool { return v.Kind() == Bool && v.text == "true" }

// Float returns a number's value, the largest of its sign when it is out of range; ok is false
// when it is no number.
func (v *Value) Float() (f float64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, _ = strconv.ParseFloat(v.text, 64) // The parser has checked it, so only the range can fail.
	return f, true
}

// Int returns a number's value; ok is false when it is no number, has a fraction, or doesn't fit.
// 3.0 and 3e2 are whole.
func (v *Value) Int() (n int, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	if n, err := strconv.Atoi(v.text); err == nil {
		return n, true
	}
	const exact = 1 << 53
	f, _ := v.Float()
	if f < -exact || f > exact || f != float64(int64(f)) {
		return 0, false
	}
	return int(f), true
}

// Members returns an object's members in the order they were sent, or an array's elements. They
// are the value's own: read them only.
func (v *Value) Members() []Member {
	if v == nil {
		return nil
	}
	return v.items
}

// Get returns the member of that name, nil when there is none or v is no object.
func (v *Value) Get(name string) *Value {
	if v.Kind() != Object {
		return nil
	}
	for i := range v.items {
		if v.items[i].Name == name {
			return &v.items[i].Value
		}
	}
	return nil
}

// Append appends the value as compact JSON: no white space, no needless escapes, members in the
// order they were sent, numbers as they were spelled.
func (v *Value) Append(dst []byte) []byte {
	switch v.Kind() {
	case Null:
		return append(dst, "null"...)
	case String:
		return appendString(dst, v.text)
	case Array:
		dst = append(dst, '[')
		for i := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.items[i].Value.Append(dst)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, v.items[i].Name), ':')
			dst = v.items[i].Value.Append(dst)
		}
		return append(dst, '}')
	default:
		return append(dst, v.text...)
	}
}

// ObjectOf makes an object, which keeps the members.
func ObjectOf(members ...Member) Value { return Value{kind: Object, items: members} }

// ArrayOf makes an array; its elements have no names.
func ArrayOf(elements []Member) Value { return Value{kind: Array, items: elements} }

// AppendString appends s as a JSON string, as the API writes it.
func AppendString(dst []byte, s string) []byte { return appendString(dst, s) }
