// Package timeline decides when each part of an answer leaves: message and delays in, steps out.
//
// It is pure: no clock, no socket, no shared state. A step holds an offset and says which bytes
// it stands for; the bytes themselves are made when they are played.
//
//	t := timeline.Stream(message, delays, look)
//	for i := range t.Len() { step := t.Step(i) … }
package timeline

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

// Kind says what a step does.
type Kind uint8

// The kinds of steps, in the order in which a stream has them.
const (
	Head         Kind = iota // status and headers
	MessageStart             // event message_start
	BlockStart               // event content_block_start
	Ping                     // event ping
	Delta                    // event content_block_delta
	BlockStop                // event content_block_stop
	MessageDelta             // event message_delta
	MessageStop              // event message_stop
	Body                     // the whole body of an answer that isn't streamed
	Bytes                    // of an answer with faults: what isn't one whole event of the API's
	End                      // the response is over
)

// String is the step's name in the journal: head, body, end, or the event's name.
func (k Kind) String() string {
	switch k {
	case Head:
		return "head"
	case MessageStart:
		return "message_start"
	case BlockStart:
		return "content_block_start"
	case Ping:
		return "ping"
	case Delta:
		return "content_block_delta"
	case BlockStop:
		return "content_block_stop"
	case MessageDelta:
		return "message_delta"
	case MessageStop:
		return "message_stop"
	case Body:
		return "body"
	case Bytes:
		return "bytes"
	default:
		return "end"
	}
}

// IsEvent reports whether the step is a server-sent event.
func (k Kind) IsEvent() bool { return k > Head && k < Body }

// Step is one thing that leaves the server, at Due after the request's arrival.
type Step struct {
	Due      time.Duration
	From, To uint32 // a delta's tokens within its block
	Block    uint16
	Kind     Kind
	Part     Part // of a delta: what it carries
}

// Part is what a delta carries of its block.
type Part uint8

// The parts. A delta has tokens, or it has none and is an empty piece, a signature, or the
// citation at From. Of a given piece, To-From is the tokens that end in it.
const (
	Piece Part = iota
	Signature
	Citation
	Given // delta From of the block's pieces
)

// Tokens is how many tokens of the answer the step carries.
func (s Step) Tokens() int { return int(s.To - s.From) }

// Timeline is one response, wholly decided.
type Timeline struct {
	Status  int
	Message *wire.Message // nil for an error
	Error   *wire.Error   // nil for a message
	// Raw, when not nil, is the body as it stands.
	Raw []byte

	steps  []Step
	look   Look
	ttft   time.Duration
	stream bool
	broken *fault.Answer // with faults: what the steps between Head and End are, else nil
}

// Look is what the bytes of an answer need beside the message itself.
type Look struct {
	RequestID string
	// Padded says whether data lines have 0 to 15 spaces before their last brace, as the API's
	// have; Padding is where their numbers are drawn.
	Padded  bool
	Padding latency.Place
	// Completion says that the message is shown as a completion, the older endpoint's.
	Completion bool
	// RawText says that a stream is the text alone, without events.
	RawText bool
	// Room is where the timeline is made, in place of one that nobody needs any more; nil: elsewhere.
	Room *Timeline
}

// blank is a timeline without steps.
func (l Look) blank() *Timeline {
	t := l.Room
	if t == nil {
		t = &Timeline{}
	}
	*t = Timeline{look: l, ttft: None, steps: t.steps[:0]}
	return t
}

func (l *Look) pad(step int) int {
	if !l.Padded {
		return 0
	}
	return int(l.Padding.Hash(uint64(step)) % 16)
}

// Len is the number of steps.
func (t *Timeline) Len() int { return len(t.steps) }

// Step returns step i.
func (t *Timeline) Step(i int) Step { return t.steps[i] }

func (t *Timeline) add(s Step) { t.steps = append(t.steps, s) }

// Streams reports whether the answer is a stream of events.
func (t *Timeline) Streams() bool { return t.stream }

// Duration is the offset of the last step; [Never] when there is no end.
func (t *Timeline) Duration() time.Duration { return t.steps[len(t.steps)-1].Due }

// TTFT is the offset of the first content; of an answer that isn't streamed, its whole duration.
func (t *Timeline) TTFT() time.Duration { return t.ttft }

// Append adds the bytes of step i to dst, once for a step that repeats them. Head and End have none.
func (t *Timeline) Append(dst []byte, i int) []byte {
	s, pad := t.steps[i], t.look.pad(i)
	if p := t.piece(i); p != nil {
		return append(dst, p.Bytes...)
	}
	if t.look.Completion && t.Message != nil {
		return t.appendCompletion(dst, i)
	}
	switch s.Kind {
	case MessageStart:
		return wire.AppendMessageStart(dst, t.Message, pad)
	case BlockStart:
		return wire.AppendBlockStart(dst, t.Message, int(s.Block), pad)
	case Ping:
		return wire.AppendPing(dst)
	case Delta:
		return t.appendDelta(dst, s, pad)
	case BlockStop:
		return wire.AppendBlockStop(dst, int(s.Block), pad)
	case MessageDelta:
		return wire.AppendMessageDelta(dst, t.Message, pad)
	case MessageStop:
		return wire.AppendMessageStop(dst, pad)
	case Body:
		return t.appendBody(dst)
	default:
		return dst
	}
}

func (t *Timeline) appendDelta(dst []byte, s Step, pad int) []byte {
	switch block := int(s.Block); s.Part {
	case Signature:
		return wire.AppendSignatureDelta(dst, t.Message, block, pad)
	case Citation:
		return wire.AppendCitationDelta(dst, t.Message, block, int(s.From), pad)
	case Given:
		text, _ := t.Message.Blocks[block].Piece(int(s.From))
		return wire.AppendPiece(dst, t.Message, block, text, pad)
	default:
		return wire.AppendPiece(dst, t.Message, block, t.Message.Blocks[block].Span(int(s.From), int(s.To)), pad)
	}
}

func (t *Timeline) appendBody(dst []byte) []byte {
	switch {
	case t.Raw != nil:
		return append(dst, t.Raw...)
	case t.Error != nil:
		return t.Error.Append(dst, t.look.RequestID)
	default:
		return wire.AppendMessage(dst, t.Message)
	}
}

// Failure is an error that leaves at the offset.
func Failure(e *wire.Error, at time.Duration, look Look) *Timeline {
	t := look.blank()
	t.Status, t.Error = e.Status, e
	t.whole(at)
	return t
}

// Never is the offset of what doesn't come: 146 years, longer than any plan. As a planned duration
// it stands for one without an end (R27).
const Never = time.Duration(1) << 62

// Silence is no answer at all: nothing is sent until the client leaves. Its status is 0.
func Silence(look Look) *Timeline {
	return &Timeline{look: look, ttft: Never, steps: []Step{{Due: Never, Kind: End}}}
}

// Raw is a body as it stands, which leaves at the offset.
func Raw(status int, body []byte, at time.Duration, look Look) *Timeline {
	if body == nil {
		body = []byte{} // an empty body is one, too
	}
	t := &Timeline{Status: status, Raw: body, look: look}
	t.whole(at)
	return t
}

// Whole is a message in one piece.
func Whole(m *wire.Message, d Delays, look Look) *Timeline {
	t := look.blank()
	t.Status, t.Message = 200, m
	if d.Respond >= 0 {
		t.whole(d.Wait + d.Respond)
	} else {
		t.whole(d.streamed(m))
	}
	return t
}

func (t *Timeline) whole(at time.Duration) {
	t.ttft = at
	t.steps = append(t.steps, Step{Due: at, Kind: Head}, Step{Due: at, Kind: Body}, Step{Due: at, Kind: End})
}
