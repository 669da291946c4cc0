package api

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// mostControl is the most that a control request's body may hold.
const mostControl = 1 << 20

// problem is an error of the control API (RFC 9457).
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Field  string `json:"field,omitzero"` // the member or parameter at fault
}

// refuse answers with a problem. field may be "".
func refuse(w http.ResponseWriter, status int, field, detail string) {
	say(w, status, problemOf(status, field, detail))
}

func problemOf(status int, field, detail string) problem {
	return problem{"about:blank", http.StatusText(status), status, detail, field}
}

// say answers with a problem and what goes with it.
func say(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, v, jsontext.AllowInvalidUTF8(true)) // of what was sent, say
}

// refuseAs answers with the mock's own error.
func refuseAs(w http.ResponseWriter, field string, e *wire.Error) {
	refuse(w, e.Status, field, strings.TrimPrefix(e.Message, "orrery: "))
}

// refuseScenario answers that a scenario can't be had. One with a mistake is the file's fault, not the server's.
func refuseScenario(w http.ResponseWriter, field string, e *wire.Error) {
	if e.Status == http.StatusInternalServerError {
		refuse(w, http.StatusUnprocessableEntity, field, strings.TrimPrefix(e.Message, "orrery: "))
		return
	}
	refuseAs(w, field, e)
}

func tell(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, v, jsontext.AllowInvalidUTF8(true))
}

// take reads a control request's body; an absent one leaves v as it is. It reports false once it has
// answered that the body is wrong, and where.
func take(w http.ResponseWriter, r *http.Request, v any) bool {
	body, ok := bodyOf(w, r)
	if !ok || len(bytes.TrimSpace(body)) == 0 {
		return ok
	}
	err := json.Unmarshal(body, v, json.RejectUnknownMembers(true))
	wrong, broken := new(json.SemanticError), new(jsontext.SyntacticError)
	switch {
	case err == nil:
		return true
	case errors.As(err, &wrong):
		refuse(w, http.StatusBadRequest, fieldOf(wrong.JSONPointer), misfit(wrong, v))
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &broken):
		refuse(w, http.StatusBadRequest, fieldOf(broken.JSONPointer), "the member is given twice; keep one of the two")
	default:
		refuse(w, http.StatusBadRequest, "", "the body is no JSON: "+strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	return false
}

// bodyOf reads a control request's body. It reports false once it has answered that it can't.
func bodyOf(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostControl))
	switch {
	case err == nil:
		return body, true
	case errors.As(err, new(*http.MaxBytesError)):
		refuse(w, http.StatusRequestEntityTooLarge, "", "the body has more than 1 MB, which is the most that the control API takes")
	default:
		refuse(w, http.StatusBadRequest, "", "the body can't be read: "+err.Error())
	}
	return nil, false
}

func fieldOf(p jsontext.Pointer) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(p), "/"), "/", ".")
}

// misfit says why a body that is JSON can't be read into v.
func misfit(wrong *json.SemanticError, v any) string {
	if !errors.Is(wrong, json.ErrUnknownName) {
		return "it has a value of the wrong kind, " + kindOf(wrong.JSONKind) + ": give " + wanted(wrong.GoType)
	}
	known := members(reflect.TypeOf(v).Elem())
	if len(known) == 0 {
		return "there is no such member here"
	}
	return "there is no such member here; there are " + strings.Join(known, ", ")
}

// members are the names that a body has in its JSON.
func members(of reflect.Type) []string {
	var names []string
	if of.Kind() != reflect.Struct {
		return nil
	}
	for f := range of.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

func kindOf(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case '[':
		return "a list"
	default:
		return "an object"
	}
}

// wanted says what can be read into a Go type.
func wanted(t reflect.Type) string {
	if t == nil {
		return "another"
	}
	switch t.Kind() {
	case reflect.String:
		return "a text in quotes"
	case reflect.Bool:
		return "true or false, without quotes"
	case reflect.Int:
		return "a whole number"
	case reflect.Uint64:
		return "a whole number from 0 to 18446744073709551615"
	case reflect.Slice:
		return "a list in brackets"
	case reflect.Pointer:
		return wanted(t.Elem())
	default:
		return "an object in braces"
	}
}
