package scenario

import (
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
)

// HTTP is an answer as it stands, in nobody's shape.
type HTTP struct {
	Status int // 200 to 599
	// ContentType is "" when none is sent.
	ContentType string
	// Body is repeated, and cut off, to Size bytes.
	Body string
	Size int64
}

// Bytes are the whole body.
func (h *HTTP) Bytes() []byte {
	if h.Size == 0 {
		return nil
	}
	return []byte(strings.Repeat(h.Body, int(h.Size/int64(len(h.Body)))) + h.Body[:h.Size%int64(len(h.Body))])
}

// httpStatus is a final HTTP status.
type httpStatus struct {
	spot
	value int
}

func (s *httpStatus) decode(d *decoder, n *node) {
	v, err := strconv.Atoi(n.text)
	switch {
	case err != nil || n.kind != number || v < 100 || v > 599:
		d.at(n, "for example 200, 302 or 520", "an answer's status is 200 to 599")
	case v < 200:
		d.at(n, "for example 200, 302 or 520; `upload: {continue: …}` is about 100", "%d is no answer: another one follows it", v)
	}
	s.value = v
}

func (b *builder) http(h *httpFile) *HTTP {
	if h == nil || h.at == nil || h.at.kind != mapping {
		return nil
	}
	made := &HTTP{}
	switch {
	case h.Status != nil:
		made.Status = h.Status.value
	case h.at.child("status") == nil && !h.at.hurt:
		b.at(h.at, "for example {status: 520, body: \"<html>…\"}", "`http` has no status")
	}
	if h.Body != nil {
		made.Body = h.Body.text
	}
	made.Size = int64(len(made.Body))
	if (made.Status == 204 || made.Status == 304) && h.at.child("body") != nil {
		b.at(h.at.keyOf("body"), "remove it", "an answer with status %d has no body", made.Status)
	}
	if h.Size != nil {
		made.Size = h.Size.value
		if made.Body == "" {
			b.at(h.at.keyOf("size"), "for example {status: 520, body: x, size: 5KB}", "there is no body to repeat up to a size")
		}
	}
	made.ContentType = h.ContentType.or(contentType(made.Body))
	if strings.ContainsFunc(made.ContentType, func(r rune) bool { return isControl(r) || r == '\n' }) {
		b.at(h.ContentType.at, "", "a header's value is one line")
	}
	return made
}

// contentType is the content-type that a body looks like.
func contentType(body string) string {
	switch start := strings.TrimSpace(body); {
	case start == "":
		return ""
	case start[0] == '<':
		return "text/html; charset=utf-8"
	case start[0] == '{' || start[0] == '[':
		return "application/json"
	}
	return "text/plain; charset=utf-8"
}

func (httpStatus) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: "200", Maximum: "599"}
}
