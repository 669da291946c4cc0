package scenario

import (
	"slices"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
)

// faults builds the faults of one outcome.
type faults struct {
	*builder
	answer answered
	given  []given
	// refused: the fault at hand needs events, and there are none.
	refused bool
}

// given is a fault as it stands in the file.
type given struct {
	*faultFile
	made fault.Fault
}

// faultsOf compiles the faults of an outcome, in the order of the file.
func (b *builder) faultsOf(files []faultFile, at *node, answer answered) []fault.Fault {
	f := &faults{builder: b, answer: answer}
	if at != nil && at.kind == list && (len(at.items) == 0 || len(at.items) > maxFaults) {
		b.at(at, "leave it out for no faults", "a list of faults has 1 to %d entries, this one has %d", maxFaults, len(at.items))
	}
	f.answer.events = append(f.answer.events, putIn(files)...)
	var made []fault.Fault
	for i := range files {
		file := &files[i]
		if file.form == nil || file.at.hurt {
			continue
		}
		before := len(b.problems)
		f.refused = false
		one := file.form.fault(f)
		if len(b.problems) > before || file.unread {
			continue
		}
		f.given = append(f.given, given{file, one})
		made = append(made, one)
	}
	f.together()
	return made
}

// maxFaults bounds what one answer suffers.
const maxFaults = 100

// putIn names the events that the faults put in.
func putIn(files []faultFile) []string {
	var names []string
	for i := range files {
		var c *content
		switch form := files[i].form.(type) {
		case *insertFault:
			c = form.Insert
		case *replaceFault:
			c = form.With
		}
		if c == nil {
			continue
		}
		if e, ok := c.form.(*eventContent); ok {
			names = append(names, e.Event.or("message"))
		}
	}
	return names
}

func (f *insertFault) fault(b *faults) fault.Fault {
	b.stream(f.at, "insert")
	made := fault.Insert{Content: b.content(f.Insert)}
	b.where(f.at, "insert", "before", "after", "every")
	made.Before, made.After = b.place(f.Before, between), b.place(f.After, between)
	switch {
	case f.Count != nil && f.Every != nil:
		b.at(f.Count.at, "leave one of the two out", "`count` can't stand beside `every`")
	case f.Count != nil:
		made.Count = f.Count.value
		b.bounded(f.Count.at, made)
	case f.Every != nil:
		if f.Every.value < time.Millisecond {
			b.at(f.Every.at, "", "`every` must be at least 1ms")
		}
		made.Every = f.Every.value
	}
	return made
}

// bounded sees to it that what is put in several times doesn't get too long.
func (b *faults) bounded(at *node, f fault.Insert) {
	var size int64
	switch c := f.Content.(type) {
	case fault.Event:
		if c.Data != nil {
			size = int64(len(*c.Data))
		}
	case fault.Raw:
		size = int64(len(c.Bytes))
	case fault.Delta:
		size = max(c.Size, int64(len(c.Text)))
	case fault.Comment:
		size = int64(len(c.Text))
	}
	const most = 10_000
	switch {
	case f.Count > most:
		b.at(at, "", "`count` is at most %d", most)
	case size*int64(f.Count) > maxBytes:
		b.at(at, "make it smaller", "all of it together has more than 64MB")
	}
}

func (f *errorEventFault) fault(b *faults) fault.Fault {
	b.stream(f.at, "error_event")
	if f.After == nil && f.at.child("after") == nil {
		b.at(f.at, "for example `after: 3`, or `after: start` for the very first event", "the error event has no place (`after`)")
	}
	e := f.ErrorEvent
	if e == nil {
		return nil
	}
	made := b.errorEvent(e.Type, e.Message, e.Data)
	if e.Type == nil && e.Data == nil && e.at.kind == mapping && !e.at.hurt {
		b.at(e.at, "for example {type: overloaded_error, message: Overloaded}", "the error event has neither a `type` nor `data`")
	}
	return fault.Insert{Content: made, After: b.place(f.After, oneEvent|edges), Ends: true}
}

func (b *faults) errorEvent(kind *errorName, message *label, data *payload) fault.ErrorEvent {
	made := fault.ErrorEvent{Data: data.given()}
	if kind != nil {
		made.Type = kind.text
	}
	switch {
	case data == nil:
		made.Message = message.or(messageOf(made.Type))
	case message.or("") != "":
		b.at(message.at, "keep one of the two", "`data` is sent as it stands, so `message` says nothing")
	}
	return made
}

// messageOf is what the API says with an error of that type.
func messageOf(kind string) string {
	switch kind {
	case "authentication_error":
		return "Authentication error"
	case "billing_error":
		return "Billing error"
	case "permission_error":
		return "Permission denied"
	case "not_found_error":
		return "Not found"
	case "timeout_error":
		return "Request timeout"
	case "rate_limit_error":
		return "Rate limited"
	case "overloaded_error":
		return "Overloaded"
	case "invalid_request_error":
		return "Invalid request"
	}
	return "Internal server error"
}

func (f *dropFault) fault(b *faults) fault.Fault {
	b.stream(f.at, "drop")
	return fault.Drop{At: b.place(f.Drop, theEvents)}
}

func (f *duplicateFault) fault(b *faults) fault.Fault {
	b.stream(f.at, "duplicate")
	return fault.Duplicate{At: b.place(f.Duplicate, theEvents)}
}

func (f *moveFault) fault(b *faults) fault.Fault {
	b.stream(f.at, "move")
	b.where(f.at, "move", "before", "after")
	return fault.Move{At: b.place(f.Move, theEvents), Before: b.place(f.Before, oneEvent|edges), After: b.place(f.After, oneEvent|edges)}
}

func (f *replaceFault) fault(b *faults) fault.Fault {
	b.stream(f.at, "replace")
	if f.With == nil && f.at.child("with") == nil {
		b.at(f.at, "for example `with: ping`", "the fault `replace` doesn't say what is sent instead (`with`)")
	}
	return fault.Replace{At: b.place(f.Replace, theEvents), With: b.content(f.With)}
}

func (f *editFault) fault(b *faults) fault.Fault {
	made := fault.Edit{}
	if f.Edit != nil {
		made.Body = f.Edit.body
		if !made.Body {
			b.stream(f.at, "edit")
			made.At = b.place(&f.Edit.place, theEvents)
		}
	}
	if f.at.child("set") == nil && f.at.child("unset") == nil {
		b.at(f.at, "for example `set: {usage.output_tokens: null}` or `unset: [usage.output_tokens]`", "the fault `edit` changes nothing: it has neither `set` nor `unset`")
	}
	if f.Set != nil {
		for _, p := range f.Set.at.pairs {
			b.path(p.key)
			if p.value.kind == nothing && !nullWritten(p.value) {
				b.at(p.value, "for example null, or `unset` to remove it", "%s has no value", quote(p.key.text))
			}
			made.Set = append(made.Set, fault.Setting{Path: p.key.text, JSON: asJSON(p.value, "")})
		}
	}
	if unset := f.at.child("unset"); unset != nil && unset.kind == list && len(unset.items) == 0 {
		b.at(unset, "leave it out", "the list `unset` is empty")
	}
	for i := range f.Unset {
		if l := &f.Unset[i]; l.at != nil && l.at.kind == words {
			b.path(l.at)
			made.Unset = append(made.Unset, l.text)
		}
	}
	return made
}

// nullWritten tells null from a value that isn't there.
func nullWritten(n *node) bool {
	rest := strings.ToLower(n.src.rest(n.line, n.col))
	return strings.HasPrefix(rest, "null") || strings.HasPrefix(rest, "~")
}

// path checks a path into JSON: its parts are joined by dots, and none asks for a list of a million.
func (b *faults) path(n *node) {
	const hint = "for example delta.stop_reason, usage.input_tokens or content.0.text"
	parts := strings.Split(n.text, ".")
	switch {
	case len(n.text) > 200 || slices.Contains(parts, ""):
		b.at(n, hint, "%s is no path into JSON", quote(n.text))
	case strings.ContainsAny(n.text, "*?|#@\\"):
		b.at(n, hint, "%s is no path into JSON: a path has no *, ?, |, #, @ or \\", quote(n.text))
	case slices.ContainsFunc(parts, func(p string) bool { return digits.MatchString(p) && len(p) > 4 }):
		b.at(n, hint, "%s is no path into JSON: an index is at most 9999", quote(n.text))
	}
}

func (b *faults) content(c *content) fault.Content {
	switch {
	case c == nil:
		return nil
	case c.kind == "ping":
		return fault.Ping{}
	case c.form == nil || c.at.hurt:
		return nil
	}
	return c.form.content(b)
}

func (e *eventContent) content(b *faults) fault.Content {
	made := fault.Event{Name: e.Event.or(""), Data: e.Data.given()}
	if e.Event != nil && e.Event.at.kind == words && (made.Name == "" || brokenLine(made.Name)) {
		b.at(e.Event.at, "leave `event` out for an event without a name", "an event's name is one line, this is %s", quote(made.Name))
	}
	made.ID, made.Retry = b.line(e.ID, "id"), b.line(e.Retry, "retry")
	return made
}

// line is the value of an event's line.
func (b *faults) line(w *word, name string) *string {
	if w == nil {
		return nil
	}
	if brokenLine(w.text) {
		b.at(w.at, "", "`%s` is one line", name)
	}
	return &w.text
}

func brokenLine(s string) bool { return strings.ContainsAny(s, "\r\n") }

func (c *commentContent) content(b *faults) fault.Content {
	made := fault.Comment{Text: c.Comment.or(""), Blank: c.Blank != nil && c.Blank.value}
	if brokenLine(made.Text) {
		b.at(c.Comment.at, "put in several, or use `raw`", "a comment is one line")
	}
	return made
}

func (r *rawContent) content(b *faults) fault.Content {
	if r.Raw != nil && r.Raw.at.kind == words && r.Raw.text == "" {
		b.at(r.Raw.at, "", "`raw` holds no bytes")
	}
	return fault.Raw{Bytes: []byte(r.Raw.or(""))}
}

func (r *base64Content) content(*faults) fault.Content {
	made := fault.Raw{}
	if r.Raw != nil {
		made.Bytes = r.Raw.bytes
	}
	return made
}

func (c *deltaContent) content(b *faults) fault.Content {
	made := fault.Delta{Text: c.Delta.or("")}
	if c.Size != nil {
		made.Size = c.Size.value
		if made.Text == "" && c.Delta != nil && c.Delta.at.kind == words {
			b.at(c.Delta.at, "for example {delta: x, size: 1MB}", "an empty text can't be repeated up to a size")
		}
	}
	if c.Index != nil {
		made.Index = c.Index.value
	}
	return made
}

func (e *errorContent) content(b *faults) fault.Content {
	return b.errorEvent(e.Error, e.Message, e.Data)
}
