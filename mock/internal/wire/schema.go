package wire

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// rememberedSchemas bounds what schemas knows: clients send the same tools again and again.
const rememberedSchemas = 1000

// schemas says of schemas whether they are valid JSON Schema, draft 2020-12. It looks at their
// form only: references aren't followed and patterns aren't compiled.
type schemas struct {
	mu    sync.Mutex // guards what follows, which the first schema makes
	draft *jsonschema.Schema
	known *lru.Cache[uint64, bool] // by identity
}

func (s *schemas) valid(v *Value) bool {
	key := identity(v)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draft == nil {
		s.make()
	}
	valid, ok := s.known.Get(key)
	if !ok {
		valid = s.draft.Validate(plain(v)) == nil
		s.known.Add(key, valid)
	}
	return valid
}

func (s *schemas) make() {
	draft, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		panic(err) // it comes with the library
	}
	known, err := lru.New[uint64, bool](rememberedSchemas)
	if err != nil {
		panic(err) // the size is good
	}
	s.draft, s.known = draft, known
}

// plain is a value as encoding/json would have it. The members of an object that are null and may
// be so in the API are left out.
func plain(v *Value) any {
	switch v.Kind() {
	case Bool:
		return v.Bool()
	case Number:
		f, _ := v.Float()
		return f
	case String:
		return v.text
	case Array:
		all := make([]any, len(v.items))
		for i := range v.items {
			all[i] = plain(&v.items[i].Value)
		}
		return all
	case Object:
		all := make(map[string]any, len(v.items))
		for i := range v.items {
			m := &v.items[i]
			if m.Value.kind == Null && (m.Name == "properties" || m.Name == "required") {
				continue
			}
			all[m.Name] = plain(&m.Value)
		}
		return all
	}
	return nil
}

// validSchema refuses a schema that isn't one.
func validSchema(v *Value, s *scope) *fault {
	if s.schemas == nil || s.schemas.valid(v) {
		return nil
	}
	return wrong("JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). " +
		"Learn more about tool use at https://docs.claude.com/en/docs/tool-use.")
}

// answerSchema checks the schema that an answer is made to follow.
func answerSchema(v *Value, s *scope) *fault {
	if f := closedSchema(v, s); f != nil {
		return f
	}
	return validSchema(v, s)
}
