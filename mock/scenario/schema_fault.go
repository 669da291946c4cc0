package scenario

import (
	"reflect"

	"github.com/invopop/jsonschema"
)

// The schemas of faults: of each kind and each content one, under a name of its own.

func faultName(f any) string { return reflect.TypeOf(f).Elem().Name() }

func (faultFile) JSONSchema() *jsonschema.Schema {
	var forms []*jsonschema.Schema
	for _, k := range faultKinds() {
		forms = append(forms, ref(faultName(k.form())))
	}
	return either(forms...)
}

func (content) JSONSchema() *jsonschema.Schema {
	forms := []*jsonschema.Schema{{Const: "ping"}}
	for _, k := range contentKinds() {
		forms = append(forms, ref(faultName(k.form())))
	}
	return either(forms...)
}

// addFaults adds the kinds and the contents, which the reflector doesn't find behind what is written by hand.
func addFaults(r *jsonschema.Reflector, s *jsonschema.Schema) {
	add := func(form any) {
		one := r.ReflectFromType(reflect.TypeOf(form).Elem())
		for name, definition := range one.Definitions {
			if s.Definitions[name] == nil {
				s.Definitions[name] = definition
			}
		}
		one.Version, one.ID, one.Definitions = "", "", nil
		s.Definitions[faultName(form)] = one
	}
	for _, k := range faultKinds() {
		add(k.form())
	}
	for _, k := range contentKinds() {
		add(k.form())
	}
}

func (errorEventFile) JSONSchema() *jsonschema.Schema {
	data := payload{}.JSONSchema()
	return either(ref("errorName"), object([]string{"type"}, fields{"type": ref("errorName"), "message": text()}),
		object([]string{"data"}, fields{"type": ref("errorName"), "data": data}))
}

const (
	eventPlace   = `([A-Za-z_][A-Za-z0-9_.-]*|[1-9][0-9]{0,8}|[A-Za-z_][A-Za-z0-9_.-]* [1-9][0-9]{0,8})`
	placeGrammar = `^(((every )?` + eventPlace + `)|last( [A-Za-z_][A-Za-z0-9_.-]*)?|line [1-9][0-9]{0,8}|byte (0|[1-9][0-9]{0,17})|([0-9]+(\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h))+)$`
)

func (place) JSONSchema() *jsonschema.Schema {
	s := either(whole("1"), pattern(placeGrammar))
	s.Description = "A place in the answer, " + placeHint + "."
	return s
}

func (editPlace) JSONSchema() *jsonschema.Schema { return ref("place") }

func (size) JSONSchema() *jsonschema.Schema {
	s := either(&jsonschema.Schema{Type: "integer", Minimum: "1", Maximum: "67108864"}, pattern(sizeForm.String()))
	s.Description = "Bytes: 700, 4KB (4096) or 40MB; at most 64MB."
	return s
}

func (payload) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Description: "Text as it stands, or a value that is written as JSON."}
}

func (base64Text) JSONSchema() *jsonschema.Schema { return pattern(`^[A-Za-z0-9+/]+={0,2}$`) }

func (wholeNumber) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: "1000000"}
}

func (errorName) JSONSchema() *jsonschema.Schema {
	s := either(enum((*errorType)(nil).words()), pattern(openForm.String()))
	s.Description = "A type of the API's errors, or a word of your own."
	return s
}

func (silence) JSONSchema() *jsonschema.Schema {
	return either(pattern(durationPattern), &jsonschema.Schema{Const: "forever"}, object([]string{"gate"}, fields{"gate": pattern(plainName.String())}))
}

func (jsonEdits) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", MinProperties: ptr(1)}
}

func (newlines) JSONSchema() *jsonschema.Schema {
	items := &jsonschema.Schema{Type: "array", Items: enum(newlineWords()), MinItems: ptr(1), MaxItems: ptr(100)}
	return either(enum(append(newlineWords(), "mixed")), items)
}

func (cutSpot) JSONSchema() *jsonschema.Schema {
	return either(enum(cutWords()), pattern(`^byte [1-9][0-9]{0,17}$`))
}

func (eventsPerWrite) JSONSchema() *jsonschema.Schema {
	return either(&jsonschema.Schema{Const: "all"}, whole("1"))
}

func (holding) JSONSchema() *jsonschema.Schema {
	return either(ref("size"), &jsonschema.Schema{Const: "end"}, pattern(`^[1-9][0-9]{0,6} events$`), pattern(durationPattern))
}

func (errorCode) JSONSchema() *jsonschema.Schema {
	return either(&jsonschema.Schema{Type: "integer", Minimum: "0", Maximum: "4294967295"}, enum(append(h2Codes(), h3Codes()...)))
}

func (dataForm) JSONSchema() *jsonschema.Schema      { return enum((*dataForm)(nil).words()) }
func (escaping) JSONSchema() *jsonschema.Schema      { return enum((*escaping)(nil).words()) }
func (gzipMode) JSONSchema() *jsonschema.Schema      { return enum((*gzipMode)(nil).words()) }
func (gzipWhen) JSONSchema() *jsonschema.Schema      { return enum((*gzipWhen)(nil).words()) }
func (within) JSONSchema() *jsonschema.Schema        { return enum((*within)(nil).words()) }
func (lastStream) JSONSchema() *jsonschema.Schema    { return enum((*lastStream)(nil).words()) }
func (ending) JSONSchema() *jsonschema.Schema        { return enum((*ending)(nil).words()) }
func (protocol) JSONSchema() *jsonschema.Schema      { return enum((*protocol)(nil).words()) }
func (routeEndpoint) JSONSchema() *jsonschema.Schema { return enum((*routeEndpoint)(nil).words()) }
func (framing) JSONSchema() *jsonschema.Schema       { return enum((*framing)(nil).words()) }

// JSONSchemaExtend says what a path into JSON can't be.
func (editFault) JSONSchemaExtend(s *jsonschema.Schema) {
	s.AnyOf = []*jsonschema.Schema{{Required: []string{"set"}}, {Required: []string{"unset"}}}
}

// JSONSchemaExtend says that exactly one key tells where.
func (insertFault) JSONSchemaExtend(s *jsonschema.Schema) {
	s.OneOf = []*jsonschema.Schema{{Required: []string{"before"}}, {Required: []string{"after"}}, {Required: []string{"every"}}}
}

// JSONSchemaExtend says that exactly one key tells where.
func (moveFault) JSONSchemaExtend(s *jsonschema.Schema) {
	s.OneOf = []*jsonschema.Schema{{Required: []string{"before"}}, {Required: []string{"after"}}}
}

// JSONSchemaExtend says that exactly one key tells where.
func (stallFault) JSONSchemaExtend(s *jsonschema.Schema) {
	s.OneOf = []*jsonschema.Schema{{Required: []string{"before"}}, {Required: []string{"after"}}, {Required: []string{"inside"}}}
}

// JSONSchemaExtend bounds the factor.
func (paceFault) JSONSchemaExtend(s *jsonschema.Schema) {
	s.Properties.Set("pace", &jsonschema.Schema{Type: "number", Minimum: "0.01", Maximum: "1000", Description: "From 0.01 to 1000; 2 takes twice as long."})
}

// JSONSchemaExtend says that events have event lines anyway.
func (eventLinesFault) JSONSchemaExtend(s *jsonschema.Schema) {
	s.Properties.Set("event_lines", &jsonschema.Schema{Const: false, Description: "Always false."})
}
