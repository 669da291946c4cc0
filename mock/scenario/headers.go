package scenario

import (
	"net/textproto"
	"regexp"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// headerFile is what a header says: a text, or a list of texts when it is sent several times.
type headerFile struct {
	spot
	values []template
}

func (h *headerFile) decode(d *decoder, n *node) {
	items, what := []*node{n}, d.what
	if n.kind == list {
		items = n.items
		if len(items) == 0 {
			d.at(n, `write "" to remove the header`, "%s is an empty list", what)
		}
	}
	for _, item := range items {
		t := template{label{spot: spot{item}}}
		switch {
		case item.poisoned():
			continue
		case item.kind == nothing:
			d.empty(item, what)
			continue
		}
		d.what = what
		t.decode(d, item)
		h.values = append(h.values, t)
	}
}

var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// connectionHeaders belong to the connection.
func connectionHeaders() []string {
	return []string{"Content-Length", "Transfer-Encoding", "Connection", "Trailer", "Upgrade", "Keep-Alive", "Te", "Content-Encoding"}
}

// headers compiles response headers. As a list a header is sent once for each value, also for an empty
// one; alone, an empty value removes it. Only verbatim ones may come in two spellings.
func (b *builder) headers(m map[string]headerFile, at *node, verbatim bool) []Header {
	var made []Header
	seen := map[string]bool{}
	for key, file := range ordered(m, at) {
		name := textproto.CanonicalMIMEHeaderKey(key.text)
		switch {
		case !headerName.MatchString(key.text):
			b.at(key, "letters, digits and -", "%s can't be the name of a header", quote(key.text))
			continue
		case slices.Contains(connectionHeaders(), name):
			b.at(key, "remove it", "the header %s belongs to the connection and is set by the server: another value would break the response's framing", quote(key.text))
			continue
		case seen[name] && !verbatim:
			b.at(key, "keep one of the two, or send one several times as a list", "the header %s is given twice (case does not count)", quote(key.text))
			continue
		}
		seen[name] = true
		for i := range file.values {
			value := &file.values[i]
			if strings.ContainsFunc(value.text, func(r rune) bool { return isControl(r) || r == '\n' }) {
				b.at(value.at, "", "a header's value is one line")
				continue
			}
			h := Header{Name: key.text, Value: b.language.template(value)}
			if value.text == "" && value.at != nil {
				h.Remove, h.Empty = file.at.kind != list, file.at.kind == list
			}
			made = append(made, h)
		}
	}
	return made
}

func (headerFile) JSONSchema() *jsonschema.Schema {
	line := &jsonschema.Schema{Type: "string", Description: "Text that may hold ${EXPR}."}
	return either(line, &jsonschema.Schema{Type: "array", Items: line, MinItems: ptr(1)})
}
