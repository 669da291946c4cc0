package api

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

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
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, problem{"about:blank", http.StatusText(status), status, detail, field})
}

// refuseAs answers with the mock's own error.
func refuseAs(w http.ResponseWriter, field string, e *wire.Error) {
	refuse(w, e.Status, field, strings.TrimPrefix(e.Message, "orrery: "))
}

func tell(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, v)
}

// take reads a control request's body; an absent one leaves v as it is. It reports false once it has
// answered that the body is wrong, and where.
func take(w http.ResponseWriter, r *http.Request, v any) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostControl))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "", "the body can't be read, or has more than 1 MB")
		return false
	}
	if len(strings.TrimSpace(string(body))) == 0 {
		return true
	}
	err = json.Unmarshal(body, v, json.RejectUnknownMembers(true))
	wrong := new(json.SemanticError)
	switch {
	case err == nil:
		return true
	case errors.As(err, &wrong):
		field := strings.ReplaceAll(strings.TrimPrefix(string(wrong.JSONPointer), "/"), "/", ".")
		detail := "it has a value of the wrong kind"
		if errors.Is(err, json.ErrUnknownName) {
			detail = "there is no such member here; GET /_orrery/openapi.json lists what there is"
		}
		refuse(w, http.StatusBadRequest, field, detail)
	default:
		refuse(w, http.StatusBadRequest, "", "the body is no JSON: "+err.Error())
	}
	return false
}
