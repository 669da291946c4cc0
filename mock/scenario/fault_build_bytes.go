package scenario

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
)

func (f *lineEndingFault) fault(b *faults) fault.Fault {
	b.stream(f.at, "line_ending")
	if f.LineEnding == nil {
		return nil
	}
	return fault.LineEnding{Cycle: f.LineEnding.cycle}
}

func (f *eventLinesFault) fault(b *faults) fault.Fault {
	b.stream(f.at, "event_lines")
	if f.EventLines != nil && f.EventLines.at.kind == boolean && f.EventLines.value {
		b.at(f.EventLines.at, "write `event_lines: false`, or leave the fault out", "events have their event lines anyway")
	}
	return fault.EventLines{Of: b.place(f.Of, theEvents)}
}

func (f *dataLinesFault) fault(b *faults) fault.Fault {
	b.stream(f.at, "data_lines")
	made := fault.DataLines{Of: b.place(f.Of, theEvents)}
	if f.DataLines != nil {
		made.Form = fault.DataForm(max(slices.Index(f.DataLines.words(), f.DataLines.text), 0))
	}
	return made
}

var fieldName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

func (f *fieldsFault) fault(b *faults) fault.Fault {
	b.stream(f.at, "fields")
	made := fault.Fields{Of: b.place(f.Of, theEvents)}
	at := f.at.child("fields")
	if at.kind == mapping && len(at.pairs) == 0 {
		b.at(at, "for example {id: \"1\", retry: 3000}", "`fields` adds no lines")
	}
	for key, value := range ordered(f.Fields, at) {
		switch {
		case slices.Contains([]string{"event", "data"}, key.text):
			b.at(key, "use `insert` or `replace` for an event of your own", "an event has its %s line already", key.text)
		case !fieldName.MatchString(key.text):
			b.at(key, "for example id or retry", "a line of an event can't be called %s", quote(key.text))
		case brokenLine(value.text):
			b.at(value.at, "", "a field of an event is one line")
		}
		made.Lines = append(made.Lines, fault.Field{Name: key.text, Value: value.text})
	}
	return made
}

func (f *escapeFault) fault(*faults) fault.Fault { return fault.Escape{} }

func (f *gzipFault) fault(*faults) fault.Fault {
	made := fault.Gzip{Always: f.When != nil && f.When.text == "always"}
	if f.Gzip != nil {
		made.Mode = fault.GzipMode(max(slices.Index(f.Gzip.words(), f.Gzip.text), 0))
	}
	return made
}

func (f *holdFault) fault(b *faults) fault.Fault {
	if f.Hold == nil {
		return nil
	}
	if f.Hold.value.Events > 0 {
		b.stream(f.Hold.at, "hold")
	}
	return f.Hold.value
}

func (f *writeSizeFault) fault(b *faults) fault.Fault {
	made := fault.WriteSize{Within: f.Within != nil}
	if made.Within {
		b.stream(f.Within.at, "write_size")
	}
	if f.WriteSize != nil {
		made.Size = int(f.WriteSize.value)
	}
	if f.Gap != nil {
		made.Gap = f.Gap.value
	}
	return made
}

func (f *cutFault) fault(b *faults) fault.Fault {
	made := fault.Cuts{Of: b.place(f.At, theEvents)}
	if c := f.Cut; c != nil {
		made.At, made.Byte = c.at, c.byte
		switch {
		case c.at != fault.InsideCharacter && c.at != fault.AtByte:
			b.stream(c.at0(), "cut")
		case c.at == fault.AtByte && f.At != nil:
			b.at(f.At.at, "leave it out", "a cut at a byte of the body has no `at`")
		}
	}
	if f.At != nil {
		b.stream(f.At.at, "cut")
	}
	if f.Gap != nil {
		made.Gap = f.Gap.value
	}
	return made
}

// at0 is where the value stands; its own at is the spot of the cut.
func (c *cutSpot) at0() *node { return c.spot.at }

func (f *coalesceFault) fault(b *faults) fault.Fault {
	if f.Coalesce == nil {
		return nil
	}
	if !f.Coalesce.all {
		b.stream(f.Coalesce.at, "coalesce")
	}
	return fault.Coalesce{Events: f.Coalesce.events, All: f.Coalesce.all}
}

func (f *stallFault) fault(b *faults) fault.Fault {
	made := fault.Stall{
		After: b.place(f.After, theEvents|edges|beforeHeaders|lines|bytes|instants), Before: b.place(f.Before, theEvents|edges|beforeHeaders|lines|bytes),
		Inside: b.place(f.Inside, theEvents|lines),
	}
	b.where(f.at, "stall", "after", "before", "inside")
	if f.Stall != nil {
		made.For, made.Gate = f.Stall.value, f.Stall.gate
	}
	return made
}

func (f *paceFault) fault(b *faults) fault.Fault {
	if f.Pace == nil {
		return nil
	}
	if f.Pace.at.kind == number && (f.Pace.value < leastFactor || f.Pace.value > mostFactor) {
		b.at(f.Pace.at, "", "a pace is a factor from %v to %v", leastFactor, mostFactor)
	}
	return fault.Pace{Factor: f.Pace.value}
}

func (f *endFault) fault(b *faults) fault.Fault {
	if f.End == nil || f.End.text == "" {
		return nil
	}
	made := fault.Ending{End: f.End.end(), After: b.place(f.After, oneEvent|edges|lines|bytes|instants)}
	if f.Before != nil {
		if !f.Before.value.Headers {
			b.at(f.Before.at, "for example `before: headers` or `after: message_start`", "an end stands before the headers or after a place")
		}
		if f.After != nil {
			b.at(f.at.keyOf("before"), "keep one of the two", "`before` can't stand beside `after`")
		}
		if sendsItself(made.End) && !(made.End == fault.GoAway && f.Last != nil && f.Last.text == "before") {
			b.at(f.End.at, "for example `end: cut` or `end: keep-open`; `after: start` is behind the headers",
				"`end: %s` sends something, and before the headers nothing is sent", f.End.text)
		}
		made.After = f.Before.value
	}
	if f.After != nil && made.After.End {
		made.After = fault.Place{} // the answer's own end
	}
	reset, goaway, idle := made.End == fault.StreamReset, made.End == fault.GoAway, made.End == fault.IdleClose
	for key, fits := range map[string]bool{"idle": idle, "code": reset || goaway, "last": goaway} {
		if at := f.at.keyOf(key); at != nil && !fits {
			b.at(at, "remove it", "`%s` goes with %s, not with `end: %s`", key, map[string]string{
				"idle": "idle-close", "code": "stream-reset and goaway", "last": "goaway",
			}[key], f.End.text)
		}
	}
	if idle && f.at.child("idle") == nil {
		b.at(f.at, "for example `idle: 2s`", "the end idle-close doesn't say how long the connection is kept (`idle`)")
	}
	if f.Idle != nil {
		if f.Idle.value == 0 && idle {
			b.at(f.Idle.at, "use `end: close`", "a connection that is kept for 0 is closed at once")
		}
		made.Idle = f.Idle.value
	}
	b.transport(f.End.at, "end: "+f.End.text, carriers(made.End)...)
	made.Code = b.code(f.Code, reset)
	made.LastBefore = f.Last != nil && f.Last.text == "before"
	return made
}

// sendsItself reports whether an end is one of an answer, and not of the connection alone.
func sendsItself(end fault.End) bool {
	switch end {
	case fault.Cut, fault.Reset, fault.KeepOpen, fault.StreamReset:
		return false
	}
	return true
}

// carriers are the transports that can carry an end; none: all.
func carriers(end fault.End) []string {
	switch end {
	case fault.GoAway:
		return []string{"h2"}
	case fault.StreamReset:
		return []string{"h2", "h3"}
	case fault.Delimited, fault.ResetNext:
		return []string{"http/1.1"}
	}
	return nil
}

// code is the error code of an end, by its name in the route's transport.
func (b *faults) code(c *errorCode, reset bool) uint32 {
	h3 := b.answer.protocol == "h3"
	switch {
	case c == nil && reset && h3:
		return firstH3Code + 2
	case c == nil && reset:
		return 2
	case c == nil:
		return 0
	}
	other := strings.TrimPrefix(c.name, "H3_")
	if h3 {
		other = "H3_" + other
	}
	if strings.HasPrefix(c.name, "H3_") != h3 && c.name != "" && b.answer.protocol != "" {
		hint := ""
		if slices.Contains(append(h2Codes(), h3Codes()...), other) {
			hint = "write " + other
		}
		b.at(c.at, hint, "%s is no error code of %s", c.name, b.answer.protocol)
	}
	return c.value
}
