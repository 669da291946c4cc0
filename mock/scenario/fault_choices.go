package scenario

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
)

// newlines is how lines end: one way, or several in turn.
type newlines struct {
	spot
	cycle []fault.Newline
}

func newlineWords() []string { return []string{"lf", "crlf", "cr"} }

func (l *newlines) decode(d *decoder, n *node) {
	const hint = "use lf, crlf, cr, mixed or a list such as [lf, crlf, cr]"
	switch n.kind {
	case words:
		if n.text == "mixed" {
			l.cycle = []fault.Newline{fault.LF, fault.CRLF}
			return
		}
		if i := slices.Index(newlineWords(), n.text); i >= 0 {
			l.cycle = []fault.Newline{fault.Newline(i)}
			return
		}
		d.at(n, didYouMean(n.text, append(newlineWords(), "mixed")), "no line ends with %s", quote(n.text))
	case list:
		for _, item := range n.items {
			i := slices.Index(newlineWords(), item.text)
			if i < 0 && !item.poisoned() {
				d.at(item, didYouMean(item.text, newlineWords()), "no line ends with %s", quote(item.text))
			}
			l.cycle = append(l.cycle, fault.Newline(max(i, 0)))
		}
		if len(n.items) == 0 || len(n.items) > 100 {
			d.at(n, hint, "the list of line endings has 1 to 100 entries, this one has %d", len(n.items))
		}
	default:
		d.at(n, hint, "%s must be text or a list, it is %s", d.what, n.kind)
	}
}

type dataForm struct{ choice }

func (*dataForm) words() []string              { return []string{"split", "no-space", "data-first"} }
func (c *dataForm) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type escaping struct{ choice }

func (*escaping) words() []string              { return []string{"ascii"} }
func (c *escaping) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type gzipMode struct{ choice }

func (*gzipMode) words() []string              { return []string{"flushed", "unflushed", "truncated"} }
func (c *gzipMode) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type gzipWhen struct{ choice }

func (*gzipWhen) words() []string              { return []string{"asked", "always"} }
func (c *gzipWhen) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type within struct{ choice }

func (*within) words() []string              { return []string{"events"} }
func (c *within) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type lastStream struct{ choice }

func (*lastStream) words() []string              { return []string{"before", "current"} }
func (c *lastStream) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type ending struct{ choice }

// words are in the order of [fault.End].
func (*ending) words() []string {
	return []string{
		"finish", "close", "cut", "reset", "short", "delimited", "keep-open", "goaway", "stream-reset", "reset-next", "idle-close",
	}
}
func (c *ending) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

func (c *ending) end() fault.End { return fault.End(max(slices.Index(c.words(), c.text), 0)) }

// cutSpot is where a write is cut.
type cutSpot struct {
	spot
	at   fault.CutAt
	byte int64
}

// cutWords are in the order of [fault.CutAt].
func cutWords() []string {
	return []string{"inside-character", "inside-event", "inside-crlf", "before-blank-line"}
}

func (c *cutSpot) decode(d *decoder, n *node) {
	if i := slices.Index(cutWords(), n.text); i >= 0 && n.kind == words {
		c.at = fault.CutAt(i)
		return
	}
	if p, err := fault.ParsePlace(n.text); err == nil && p.AtByte && n.kind == words {
		if p.Byte == 0 {
			d.at(n, "", "nothing stands before byte 0 that could be cut off")
		}
		c.at, c.byte = fault.AtByte, p.Byte
		return
	}
	d.at(n, didYouMean(n.text, append(cutWords(), "byte 100")), "a write can't be cut at %s", shown(n))
}

// maxNth bounds the numbers of events.
const maxNth = 1_000_000

// eventsPerWrite is how many events leave in one write.
type eventsPerWrite struct {
	spot
	events int
	all    bool
}

func (j *eventsPerWrite) decode(d *decoder, n *node) {
	v, err := strconv.Atoi(n.text)
	switch {
	case n.kind == words && n.text == "all":
		j.all = true
	case err != nil || n.kind != number || v < 1 || v > maxNth:
		d.at(n, "for example 3 or all", "%s must be a whole number from 1 to %d, or all", d.what, maxNth)
	default:
		j.events = v
	}
}

// holding is what bytes are held back for.
type holding struct {
	spot
	value fault.Hold
}

func (h *holding) decode(d *decoder, n *node) {
	const hint = "for example 4KB, 5 events, 3s or end"
	count, events := strings.CutSuffix(n.text, " events")
	span, err := time.ParseDuration(n.text)
	switch {
	case n.kind != words && n.kind != number:
		d.at(n, hint, "%s can't be %s", d.what, n.kind)
	case n.text == "end":
		h.value.End = true
	case events:
		v, err := strconv.Atoi(count)
		if err != nil || v < 1 || v > maxNth {
			d.at(n, "for example 5 events", "%s is no number of events", quote(count))
		}
		h.value.Events = v
	case err == nil && n.kind == words:
		if span < time.Millisecond || span > maxDuration {
			d.at(n, "", "bytes are held for 1ms to 24h, not for %s", n.text)
		}
		h.value.Every = span
	default:
		v, how, message := parseSize(n, n.text)
		if message != "" {
			if !sizeForm.MatchString(n.text) && !strings.HasPrefix(how, "write "+strings.TrimRight(n.text, "bBkKmMi ")) {
				how = hint
			}
			d.at(n, how, "%s %s", d.what, strings.Replace(message, "must be a size", "must be a size, a number of events, a duration or end", 1))
		}
		h.value.Bytes = v
	}
}

// errorCode is the code of a reset or a GOAWAY, as a number or by its name in RFC 9113 or RFC 9114.
type errorCode struct {
	spot
	value uint32
	name  string
}

// h2Codes are in the order of their numbers.
func h2Codes() []string {
	return []string{
		"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
		"REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
	}
}

// h3Codes are in the order of their numbers, which begin at firstH3Code.
func h3Codes() []string {
	return []string{
		"H3_NO_ERROR", "H3_GENERAL_PROTOCOL_ERROR", "H3_INTERNAL_ERROR", "H3_STREAM_CREATION_ERROR", "H3_CLOSED_CRITICAL_STREAM",
		"H3_FRAME_UNEXPECTED", "H3_FRAME_ERROR", "H3_EXCESSIVE_LOAD", "H3_ID_ERROR", "H3_SETTINGS_ERROR", "H3_MISSING_SETTINGS",
		"H3_REQUEST_REJECTED", "H3_REQUEST_CANCELLED", "H3_REQUEST_INCOMPLETE", "H3_MESSAGE_ERROR", "H3_CONNECT_ERROR", "H3_VERSION_FALLBACK",
	}
}

const firstH3Code = 0x100

func (c *errorCode) decode(d *decoder, n *node) {
	c.name = n.text
	switch v, err := strconv.ParseUint(n.text, 10, 32); {
	case n.kind == number && err == nil:
		c.value, c.name = uint32(v), ""
	case n.kind == words && slices.Contains(h2Codes(), n.text):
		c.value = uint32(slices.Index(h2Codes(), n.text))
	case n.kind == words && slices.Contains(h3Codes(), n.text):
		c.value = uint32(firstH3Code + slices.Index(h3Codes(), n.text))
	case n.kind == words:
		hint := didYouMean(n.text, append(h2Codes(), h3Codes()...))
		if hint == "" {
			hint = "for example INTERNAL_ERROR, REFUSED_STREAM, CANCEL or 2"
		}
		d.at(n, hint, "there is no error code %s", quote(n.text))
	default:
		d.at(n, "for example INTERNAL_ERROR or 2", "an error code is a number from 0 to 4294967295 or a name")
	}
}

// shown is a scalar in quotes, or what else stands there.
func shown(n *node) string {
	if n.kind == mapping || n.kind == list {
		return n.kind.String()
	}
	return quote(n.text)
}
