package scenario

import (
	"reflect"
	"slices"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
)

// faultFile is one fault: a map with exactly one key that names its kind, and the keys that go with it.
type faultFile struct {
	spot
	kind string
	form faultForm
	// unread: something in it has a problem already, so it says nothing about others.
	unread bool
}

// faultForm is a fault of one kind as it is written.
type faultForm interface {
	fault(b *faults) fault.Fault
}

// oneKind names a kind and makes the form that reads it.
type oneKind[F any] struct {
	name string
	form func() F
}

// faultKinds are all kinds, in the order in which they apply.
func faultKinds() []oneKind[faultForm] {
	return []oneKind[faultForm]{
		{"insert", func() faultForm { return &insertFault{} }},
		{"error_event", func() faultForm { return &errorEventFault{} }},
		{"drop", func() faultForm { return &dropFault{} }},
		{"duplicate", func() faultForm { return &duplicateFault{} }},
		{"move", func() faultForm { return &moveFault{} }},
		{"replace", func() faultForm { return &replaceFault{} }},
		{"edit", func() faultForm { return &editFault{} }},
		{"line_ending", func() faultForm { return &lineEndingFault{} }},
		{"event_lines", func() faultForm { return &eventLinesFault{} }},
		{"data_lines", func() faultForm { return &dataLinesFault{} }},
		{"fields", func() faultForm { return &fieldsFault{} }},
		{"escape", func() faultForm { return &escapeFault{} }},
		{"gzip", func() faultForm { return &gzipFault{} }},
		{"hold", func() faultForm { return &holdFault{} }},
		{"write_size", func() faultForm { return &writeSizeFault{} }},
		{"cut", func() faultForm { return &cutFault{} }},
		{"coalesce", func() faultForm { return &coalesceFault{} }},
		{"stall", func() faultForm { return &stallFault{} }},
		{"pace", func() faultForm { return &paceFault{} }},
		{"end", func() faultForm { return &endFault{} }},
	}
}

func (f *faultFile) decode(d *decoder, n *node) {
	const example = "for example {drop: message_stop}"
	if n.kind != mapping {
		d.at(n, example, "a fault is a map with a key for its kind, this is %s", n.kind)
		return
	}
	f.kind, f.form = pickKind(d, n, "fault", example, faultKinds())
	if f.form != nil {
		before := len(d.problems)
		d.into(n, valueOf(f.form), "the fault `"+f.kind+"`")
		f.unread = len(d.problems) > before
	}
}

// pickKind finds the one key of a map that names a kind.
func pickKind[F any](d *decoder, n *node, what, example string, kinds []oneKind[F]) (name string, form F) {
	var found *node
	var names, keys []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	for _, p := range n.pairs {
		keys = append(keys, p.key.text)
		switch at := slices.Index(names, p.key.text); {
		case at < 0:
		case found != nil:
			d.at(p.key, "make two of it", "a %s has one kind: `%s` can't stand beside `%s`", what, p.key.text, found.text)
			return "", *new(F)
		default:
			found, name, form = p.key, p.key.text, kinds[at].form()
		}
	}
	if found != nil || n.hurt {
		return name, form
	}
	for i, p := range n.pairs {
		if close := near(keys[i], names); len(close) > 0 {
			d.at(p.key, "did you mean "+oneOf(close)+"?", "there is no %s %s", what, quote(keys[i]))
			return "", form
		}
	}
	d.at(n, example+"; the kinds are "+strings.Join(names, ", "), "this %s has no key for its kind", what)
	return "", form
}

// content is what an insert puts in, or a replace: the word ping, or a map.
type content struct {
	spot
	kind string
	form contentForm
}

// contentForm is a content of one kind as it is written.
type contentForm interface {
	content(b *faults) fault.Content
}

// contentKinds are the contents that are maps. One with data, id or retry alone is an event without a name.
func contentKinds() []oneKind[contentForm] {
	return []oneKind[contentForm]{
		{"event", func() contentForm { return &eventContent{} }},
		{"comment", func() contentForm { return &commentContent{} }},
		{"raw", func() contentForm { return &rawContent{} }},
		{"raw_base64", func() contentForm { return &base64Content{} }},
		{"delta", func() contentForm { return &deltaContent{} }},
		{"error", func() contentForm { return &errorContent{} }},
	}
}

func (c *content) decode(d *decoder, n *node) {
	const example = "for example ping, {event: NAME, data: {…}}, {comment: \" text\"}, {raw: \"…\"} or {error: overloaded_error}"
	switch {
	case n.kind == words && n.text == "ping":
		c.kind = "ping"
		return
	case n.kind != mapping:
		d.at(n, example, "%s takes ping or a map, this is %s", d.what, shown(n))
		return
	}
	named := slices.ContainsFunc(contentKinds(), func(k oneKind[contentForm]) bool { return n.child(k.name) != nil })
	if unnamed := n.child("data") != nil || n.child("id") != nil || n.child("retry") != nil; unnamed && !named {
		c.kind, c.form = "event", &eventContent{}
	} else {
		c.kind, c.form = pickKind(d, n, "content", example, contentKinds())
	}
	if c.form != nil {
		d.into(n, reflect.ValueOf(c.form).Elem(), "the content `"+c.kind+"`")
	}
}

// errorEventFile is an error event: its type, or a map.
type errorEventFile struct{ errorEventForm }

func (e *errorEventFile) decode(d *decoder, n *node) {
	if n.kind == mapping {
		d.into(n, valueOf(&e.errorEventForm), "`error_event`")
		return
	}
	e.Type = &errorName{spot: spot{n}}
	e.Type.decode(d, n)
}

// jsonEdits are JSON values by their paths.
type jsonEdits struct{ spot }

func (s *jsonEdits) decode(d *decoder, n *node) {
	if d.expect(n, mapping, d.what) && len(n.pairs) == 0 && !n.hurt {
		d.at(n, "for example {usage.input_tokens: 5}", "%s is empty", d.what)
	}
}
