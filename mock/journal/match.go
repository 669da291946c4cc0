package journal

import (
	"bytes"
	"slices"
	"strings"
)

// view is a record at one instant, as conditions look at it. It may look at many, one after the other.
type view struct {
	record   *Record
	arrival  *told
	decision Decision
	body     []byte
	outcome  Outcome
	phase    Phase
	closed   bool
	attempt  int
}

func (v *view) at(r *Record) {
	v.record, v.arrival = r, &r.arrival
	r.mu.Lock()
	v.decision = r.decision
	v.body, v.outcome, v.phase, v.closed = r.body, r.outcome, r.phase, r.closed
	v.attempt = int(r.attempt)
	r.mu.Unlock()
}

func (v *view) route() string {
	if v.decision == nil {
		return ""
	}
	return v.decision.Route()
}

func (v *view) status() int {
	if v.decision == nil {
		return 0
	}
	return v.decision.Status()
}

func (v *view) marks() map[string]bool {
	if v.decision == nil {
		return nil
	}
	return v.decision.Marks()
}

func (v *view) marked(name string) bool {
	if d, ok := v.decision.(interface{ Marked(string) bool }); ok {
		return d.Marked(name)
	}
	return v.marks()[name]
}

// matcher is a query made ready to be asked often. It may be used by many goroutines.
type matcher []term

func (m matcher) fits(v *view) bool {
	for i := range m {
		if !m[i].holds(v) {
			return false
		}
	}
	return true
}

// matches looks at one record.
func (m matcher) matches(r *Record) bool {
	if len(m) == 0 {
		return true
	}
	var v view
	v.at(r)
	return m.fits(&v)
}

// among are those of the records that match.
func (m matcher) among(records []*Record) []*Record {
	if len(m) == 0 {
		return records
	}
	var found []*Record
	var v view
	for _, r := range records {
		v.at(r)
		if m.fits(&v) {
			found = append(found, r)
		}
	}
	return found
}

// contents are the conditions on the request's body.
func (q Query) contents() []term {
	var all []term
	if q.Model != "" {
		all = append(all, term{"model", q.Model, func(v *view) bool { return mayHold(v.body, q.Model) && v.request().member("model").says(q.Model) }, (*view).model})
	}
	if q.Tool != "" {
		all = append(all, term{"tool", q.Tool, func(v *view) bool { return mayHold(v.body, q.Tool) && slices.Contains(v.tools(), q.Tool) },
			func(v *view) string { return listed(v.tools()) }})
	}
	if q.System != "" {
		all = append(all, term{"system", q.System, func(v *view) bool { return mayHold(v.body, q.System) && strings.Contains(v.system(), q.System) },
			func(v *view) string { return shortened(v.system()) }})
	}
	if q.Text != "" {
		all = append(all, term{"text", q.Text, func(v *view) bool { return mayHold(v.body, q.Text) && strings.Contains(v.lastText(), q.Text) },
			func(v *view) string { return shortened(v.lastText()) }})
	}
	return all
}

// mayHold reports whether a string of the JSON may hold this text. It looks for what an escape can't
// hide before anything is parsed.
func mayHold(body []byte, text string) bool {
	if bytes.Contains(body, []byte(text)) || strings.Contains(text, "\n") { // which joins blocks
		return true
	}
	if bytes.IndexByte(body, '\\') < 0 {
		return false
	}
	plain := !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == '/' })
	return !plain || bytes.Contains(body, []byte(`\u`))
}

func (v *view) request() cursor { return cursor{text: v.body} }

func (v *view) model() string { return v.request().member("model").text() }

func (v *view) tools() []string {
	var names []string
	tools := v.request().member("tools").cursor()
	for range tools.items() {
		var name scanned
		for key := range tools.members() {
			if key.says("name") {
				name = tools.value()
			}
		}
		names = append(names, name.text())
	}
	return names
}

func (v *view) system() string { return v.request().member("system").prose() }

// lastText is the text of the last user turn (R11).
func (v *view) lastText() string {
	var last scanned
	body := v.request()
	for key := range body.members() {
		if !key.says("messages") {
			continue
		}
		last = nil // the last of several counts
		for range body.items() {
			var role, content scanned
			for key := range body.members() {
				switch {
				case key.says("role"):
					role = body.value()
				case key.says("content"):
					content = body.value()
				}
			}
			if role.says("user") {
				last = content
			}
		}
	}
	return last.prose()
}

// shortened is enough of a text to know it by.
func shortened(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
