package fault

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// Content is what can be put into a stream: [Ping], [Event], [Comment], [Raw], [Delta] or [ErrorEvent].
type Content interface {
	// String is the content as a file spells it.
	String() string
	unit(requestID string) (unit, error)
}

// Ping is the API's ping.
type Ping struct{}

// Event is any event. Lines stand in the order event, id, retry, data.
type Event struct {
	Name      string  // "" for no event line
	Data      *string // as it stands, one data line for each of its lines; nil for no data line
	ID, Retry *string // nil for no such line
}

// Comment is a line that starts with a colon, with Text right behind it and, with Blank, a blank line below.
type Comment struct {
	Text  string
	Blank bool
}

// Raw is any bytes as they stand. They count as no event.
type Raw struct{ Bytes []byte }

// Delta is a text_delta for the block at Index: Text over and over up to Size bytes, up to the last whole
// character that fits. It takes no more memory than a small one. Size is at most 1 GiB; 0 is Text once.
type Delta struct {
	Text  string
	Size  int64
	Index int
}

// ErrorEvent is the API's event of an error.
type ErrorEvent struct {
	Type, Message string
	Data          *string // the data line's text in place of the API's object; nil for the object
}

// unnamed is what server-sent events call an event without a name.
const unnamed = "message"

const deltaName = "content_block_delta"

func (Ping) unit(string) (unit, error) {
	return unit{Piece: Piece{Event: "ping", Bytes: wire.AppendPing(nil)}}, nil
}

func (e Event) unit(string) (unit, error) {
	var b []byte
	if e.Name != "" {
		b = appendLine(b, "event", e.Name)
	}
	if e.ID != nil {
		b = appendLine(b, "id", *e.ID)
	}
	if e.Retry != nil {
		b = appendLine(b, "retry", *e.Retry)
	}
	if e.Data != nil {
		b = appendData(b, *e.Data)
	}
	name := e.Name
	if name == "" {
		name = unnamed
	}
	return unit{Piece: Piece{Event: name, Bytes: append(b, '\n')}}, nil
}

func (c Comment) unit(string) (unit, error) {
	b := append([]byte{':'}, c.Text...)
	b = append(b, '\n')
	if c.Blank {
		b = append(b, '\n')
	}
	return unit{form: comment, Piece: Piece{Bytes: b, Cut: true}}, nil
}

func (r Raw) unit(string) (unit, error) {
	return unit{form: opaque, Piece: Piece{Bytes: r.Bytes, Cut: true}}, nil
}

func (e ErrorEvent) unit(requestID string) (unit, error) {
	var b []byte
	if e.Data == nil {
		b = wire.AppendErrorEvent(nil, e.Type, e.Message, requestID, 0)
	} else {
		b = append(appendData(appendLine(nil, "event", "error"), *e.Data), '\n')
	}
	return unit{Piece: Piece{Event: "error", Bytes: b}}, nil
}

const (
	largestDelta = 1 << 30
	// fillerBytes is how much of a delta's text is kept: enough for few and large writes.
	fillerBytes = 32 << 10
)

var (
	errNoText    = errors.New("its text is empty, so it can't be repeated: give it one")
	errDeltaSize = errors.New("its size is below 0 or above 1 GiB: lower it")
)

func (d Delta) unit(string) (unit, error) {
	switch {
	case d.Size < 0 || d.Size > largestDelta:
		return unit{}, errDeltaSize
	case d.Size > 0 && d.Text == "":
		return unit{}, errNoText
	}
	u := unit{Piece: Piece{Event: deltaName, Index: d.Index}}
	size := d.Size
	if size == 0 {
		size = int64(len(d.Text))
	}
	if size <= max(fillerBytes, int64(len(d.Text))) {
		u.Bytes = wire.AppendTextDelta(nil, d.Index, repeated(d.Text, int(size)), 0)
		return u, nil
	}
	chunk := d.Text
	if reps := fillerBytes / len(d.Text); reps > 1 {
		chunk = strings.Repeat(d.Text, reps)
	}
	rest := repeated(d.Text, int(size%int64(len(chunk))))
	head, tail := aroundText(wire.AppendTextDelta(nil, d.Index, "", 0))
	u.Bytes = head
	u.fill = &filler{
		bytes: quotedInside(chunk),
		times: size / int64(len(chunk)),
		rest:  append(quotedInside(rest), tail...),
	}
	return u, nil
}

// repeated is text over and over, up to the last whole character that fits into size bytes.
func repeated(text string, size int) string {
	if text == "" {
		return ""
	}
	end := size % len(text)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.Repeat(text, size/len(text)) + text[:end]
}

// quotedInside is the text as it stands inside a JSON string.
func quotedInside(text string) []byte {
	b := wire.AppendString(nil, text)
	return b[1 : len(b)-1 : len(b)-1]
}

// aroundText splits the delta of an empty text where its text would stand.
func aroundText(b []byte) (head, tail []byte) {
	mark := []byte(`"text":"`)
	at := bytes.Index(b, mark) + len(mark)
	return b[:at:at], b[at:]
}

func appendLine(b []byte, name, value string) []byte {
	b = append(append(b, name...), ": "...)
	return append(append(b, value...), '\n')
}

// appendData appends one data line for each line of text.
func appendData(b []byte, text string) []byte {
	for line := range strings.SplitSeq(text, "\n") {
		b = appendLine(b, "data", line)
	}
	return b
}
