package scenario

import (
	"slices"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
)

// answered is what is known of the answer that faults happen to.
type answered struct {
	// protocol is the route's, as the file spells it; "" for any.
	protocol string
	// endpoint is the route's, "" for messages.
	endpoint string
	// free says that the outcome belongs to no route, so that nobody knows its protocol.
	free bool
	// noEvents says why the answer can't be a stream of events; "" when it can.
	noEvents string
	// events are the names of those that it may have.
	events []string
}

// eventNames are the events of a stream, and the one of its errors.
func eventNames() []string {
	return []string{
		"message_start", "content_block_start", "ping", "content_block_delta", "content_block_stop", "message_delta", "message_stop", "error",
	}
}

// places are kinds of places, of which a key takes some.
type places uint

const (
	oneEvent places = 1 << iota
	severalEvents
	edges // start and end
	beforeHeaders
	lines
	bytes
	instants

	theEvents = oneEvent | severalEvents
	between   = theEvents | edges
)

// kindOfPlace is what kind of place it is.
func kindOfPlace(p fault.Place) places {
	switch {
	case p.Headers:
		return beforeHeaders
	case p.Start, p.End:
		return edges
	case p.Line > 0:
		return lines
	case p.AtByte:
		return bytes
	case p.After > 0:
		return instants
	case p.Every:
		return severalEvents
	}
	return oneEvent
}

// examples shows the places that may stand at a key.
func (p places) examples() string {
	var all []string
	for _, e := range []struct {
		kind places
		like string
	}{
		{oneEvent, "3"}, {oneEvent, "message_stop"}, {oneEvent, "last content_block_delta"}, {severalEvents, "every 3"}, {severalEvents, "all"},
		{edges, "start"}, {edges, "end"}, {beforeHeaders, "headers"}, {lines, "line 2"}, {bytes, "byte 100"}, {instants, "2s"},
	} {
		if p&e.kind != 0 {
			all = append(all, e.like)
		}
	}
	return "for example " + strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

// place checks that a place is one of the kinds, and that the answer may have it.
func (b *faults) place(p *place, may places) fault.Place {
	if p == nil || p.value.IsZero() {
		return fault.Place{}
	}
	kind := kindOfPlace(p.value)
	switch {
	case kind&may == 0:
		b.at(p.at, may.examples(), "the place %s can't stand here", quote(p.at.text))
	case kind&theEvents != 0 && b.answer.noEvents != "" && b.refused:
	case kind&theEvents != 0 && b.answer.noEvents != "":
		b.at(p.at, (may &^ theEvents).exampleIfAny(), "%s: there is no event %s", b.answer.noEvents, quote(p.at.text))
	case p.value.Event != "" && !slices.Contains(b.answer.events, p.value.Event):
		b.at(p.at, didYouMean(p.value.Event, b.answer.events), "a stream has no event %s", quote(p.value.Event))
	}
	return p.value
}

func (p places) exampleIfAny() string {
	if p == 0 {
		return ""
	}
	return p.examples()
}

// where sees to it that exactly one of the keys says where.
func (b *faults) where(n *node, kind string, keys ...string) {
	var found []*node
	for _, key := range keys {
		if k := n.keyOf(key); k != nil {
			found = append(found, k)
		}
	}
	switch {
	case len(found) > 1:
		b.at(found[1], "keep one of the two", "`%s` can't stand beside `%s`", found[1].text, found[0].text)
	case len(found) == 0:
		b.at(n, "for example `"+keys[1]+": message_start`", "the fault `%s` has no place (%s)", kind, oneOf(keys))
	}
}

// stream refuses what only a stream of events can suffer.
func (b *faults) stream(n *node, kind string) {
	if b.answer.noEvents != "" {
		b.refused = true
		b.at(n, "leave it out; `edit: body`, stalls, ends and what cuts or holds bytes work on any answer", "%s: it has no events for `%s`", b.answer.noEvents, kind)
	}
}

// transport refuses what the route's transport can't carry.
func (b *faults) transport(n *node, what string, carriers ...string) {
	b.builder.transport(n, what, b.answer, carriers)
}

func (b *builder) transport(n *node, what string, a answered, carriers []string) {
	if a.free || len(carriers) == 0 || slices.Contains(carriers, a.protocol) {
		return
	}
	var hints []string
	for _, c := range carriers {
		hints = append(hints, "protocol: "+c)
	}
	if a.protocol == "" {
		b.at(n, "give the route "+oneOf(hints), "only %s can carry `%s`, and this route takes requests over any protocol", strings.Join(carriers, " and "), what)
		return
	}
	b.at(n, "give the route "+oneOf(hints), "%s can't carry `%s`: only %s can", a.protocol, what, strings.Join(carriers, " and "))
}

// together looks for faults that leave each other no room.
func (f *faults) together() {
	first := map[string]given{}
	for _, g := range f.given {
		group := exclusive(g.made)
		if group == "" {
			continue
		}
		other, taken := first[group]
		if !taken {
			first[group] = g
			continue
		}
		const hint = "keep one of the two"
		if one, ends := other.form.(*endFault); ends {
			f.at(g.faultFile.at, hint, "an answer ends once: `end: %s` stands beside the `end: %s` in line %d, and neither wins",
				g.form.(*endFault).End.text, one.End.text, other.faultFile.at.line)
			continue
		}
		f.at(g.faultFile.at, hint, "an answer has one %s; there is a `%s` in line %d", group, other.kind, other.faultFile.at.line)
	}
}

// exclusive names what an answer has at most one of; "" when a fault may stand beside its like.
func exclusive(f fault.Fault) string {
	switch f := f.(type) {
	case fault.Ending:
		return "end"
	case fault.Gzip:
		return "compression"
	case fault.Hold:
		return "way to hold bytes back"
	case fault.WriteSize, fault.Coalesce:
		return "rule for the size of writes"
	case fault.LineEnding:
		return "kind of line endings"
	case fault.Escape:
		return "way to escape characters"
	case fault.Pace:
		return "pace"
	case fault.EventLines:
		if f.Of.IsZero() {
			return "rule for all event lines"
		}
	}
	return ""
}
