package claim

import (
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/probe"
)

// seen is what a client sees of an answer, whether it was decided here or came over a network.
type seen interface {
	ttft() time.Duration
	usage() (u wire.Usage, ok bool)
	bytes(until time.Duration) int
	text() string
	model() string
	stopReason() string
	calls() int
	header(name string) string
	errorType() string
	ordinal() uint64
	// gaps tells of each gap between two deltas of a message, and of the tokens of the one behind it.
	gaps(until time.Duration, each func(gap time.Duration, tokens int))
	// delivered is the body as it left, as far as that is known.
	delivered(until time.Duration) delivery
}

// decided is an answer that has been decided here.
type decided struct{ *run.Decision }

func (d decided) ttft() time.Duration { return d.Timeline.TTFT() }
func (d decided) ordinal() uint64     { return d.Ordinal }

func (d decided) usage() (wire.Usage, bool) {
	if m := d.Timeline.Message; m != nil {
		return m.Usage, true
	}
	return wire.Usage{}, false
}

func (d decided) bytes(until time.Duration) int {
	var b []byte
	n := 0
	for i := range d.Timeline.Len() {
		if d.Timeline.Step(i).Due > until {
			break
		}
		if d.Timeline.Broken() != nil {
			n += int(d.Timeline.Size(i))
			continue
		}
		b = d.Timeline.Append(b[:0], i)
		n += len(b)
	}
	return n
}

func (d decided) text() string {
	m := d.Timeline.Message
	if m == nil {
		return ""
	}
	if len(m.Blocks) == 1 {
		return m.Blocks[0].Text
	}
	var all strings.Builder
	for i := range m.Blocks {
		all.WriteString(m.Blocks[i].Text)
	}
	return all.String()
}

func (d decided) model() string {
	if m := d.Timeline.Message; m != nil {
		return m.Model
	}
	return ""
}

func (d decided) stopReason() string {
	if m := d.Timeline.Message; m != nil {
		return m.StopReason
	}
	return ""
}

func (d decided) calls() int {
	n := 0
	if m := d.Timeline.Message; m != nil {
		for i := range m.Blocks {
			if m.Blocks[i].Type == "tool_use" {
				n++
			}
		}
	}
	return n
}

// header is a header of the scenario's own; of the API's own, the request-id and the content-encoding.
func (d decided) header(name string) string {
	value := ""
	for _, h := range d.Headers {
		if strings.EqualFold(h.Name, name) {
			value = h.Value
		}
	}
	if value == "" && strings.EqualFold(name, "request-id") {
		return d.RequestID()
	}
	if b := d.Timeline.Broken(); value == "" && b != nil && strings.EqualFold(name, "content-encoding") {
		return b.Encoding
	}
	return value
}

func (d decided) errorType() string {
	if e := d.Timeline.Error; e != nil {
		return e.Type
	}
	return ""
}

func (d decided) gaps(until time.Duration, each func(gap time.Duration, tokens int)) {
	t := d.Timeline
	if !t.Streams() {
		return
	}
	var before time.Duration
	first := true
	for i := range t.Len() {
		s := t.Step(i)
		isDelta := s.Kind == timeline.Delta || s.Kind == timeline.Bytes && t.Event(i) == timeline.Delta.String()
		if !isDelta || s.Due > until {
			continue
		}
		if !first {
			each(s.Due-before, s.Tokens())
		}
		before, first = s.Due, false
	}
}

// received is an answer that came over a network.
type received struct{ *probe.Result }

func (d received) ordinal() uint64           { return uint64(d.Ordinal) }
func (d received) bytes(time.Duration) int   { return int(d.Bytes) }
func (d received) text() string              { return d.Text }
func (d received) header(name string) string { return strings.Join(d.Header.Values(name), ", ") }
func (d received) errorType() string         { return d.ErrorType }
func (d received) model() string             { return "" }
func (d received) stopReason() string        { return d.StopReason }
func (d received) calls() int                { return d.Calls }

// delivered is nothing: where a server's writes end can't be seen behind a network.
func (d received) delivered(time.Duration) delivery { return delivery{} }

func (d received) ttft() time.Duration {
	if d.FirstToken == probe.Never {
		return d.Duration
	}
	return d.FirstToken
}

func (d received) usage() (wire.Usage, bool) {
	u := d.Usage
	return wire.Usage{Input: u.Input, Output: u.Output, CacheCreation: u.CacheCreation, CacheRead: u.CacheRead}, d.Status/100 == 2
}

func (d received) gaps(_ time.Duration, each func(gap time.Duration, tokens int)) {
	for i := 1; i < len(d.Deltas); i++ {
		each(d.Deltas[i].At-d.Deltas[i-1].At, wire.CountTokens(d.Deltas[i].Text))
	}
}

// visible tells whether a client can see a column, or only who has the journal.
func visible(column string) bool {
	switch column {
	case "route", "phase", "warned", "warning", "released_ms", "model", "concurrency", "qps", "connection", "connection_requests", "body", "valid_utf8", "split_characters":
		return false
	}
	group, _, _ := strings.Cut(column, ".")
	return group != "marks" && group != "figures" && group != "part"
}
