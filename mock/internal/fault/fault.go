// Package fault is what goes wrong with an answer: edits of a list of timed pieces of bytes.
//
// It is pure: no clock, no socket, no chance. Whatever order a file lists its faults in, they apply in
// the order of a real path from model to client: the script of events, their bytes, buffering and
// encoding, the boundaries of writes; silences and the end stand wherever they are put.
//
//	broken := fault.Apply(answer, []fault.Fault{fault.Drop{At: fault.Place{Event: "message_stop"}}})
package fault

import "time"

// Never is the offset of what doesn't come: longer than any plan.
const Never = time.Duration(1) << 62

// Answer is one response as its bytes leave.
type Answer struct {
	// Stream says that the pieces are server-sent events; otherwise they are one body.
	Stream bool
	// RequestID is named by error events that are put in.
	RequestID string
	// Head is when status and headers leave.
	Head time.Duration
	// Pieces are in the order in which they leave; none is due before the one before it.
	Pieces []Piece
	// Ending is how the answer is over, and EndDue when: [Never] for one that is held open. The place
	// of the ending has been dealt with.
	Ending Ending
	EndDue time.Duration

	// Encoding is the content-encoding; "" for none.
	Encoding string
	// HeadGate holds status and headers, and so everything, back until it is released; Gate holds the
	// end back. "" for none.
	HeadGate, Gate string
	// Headless: not even status and headers are sent.
	Headless bool
	// Length is the content-length to declare when it isn't what is sent ([Short]); 0: none.
	Length int64
	// Missed names the faults that weren't produced, each with its reason: its place isn't in this
	// answer, say, or it would have made too much.
	Missed []string
}

// Piece is bytes that leave in one write, at Due after the request's arrival.
type Piece struct {
	Due   time.Duration
	Bytes []byte
	// Times is how often Bytes are sent, one after another; 0 is once. It spares a large filler its copies.
	Times int64

	// Event names the event whose last byte is in this piece, "" when there is none; of several, the
	// last one that carries content, else the last.
	Event string
	// Index is that event's content block, Tokens what all events that end in this piece carry.
	Index  int
	Tokens int
	// Cut says that the piece isn't a whole event: it has been cut or joined, or never was one.
	Cut bool

	// Gate holds this piece and all behind it back until it is released; "" for none.
	Gate string
	// Alone keeps the piece from sharing a write with another of its instant.
	Alone bool
}

// Len is how many bytes leave.
func (p *Piece) Len() int64 { return int64(len(p.Bytes)) * max(p.Times, 1) }

// Fault is one edit. The types of this package that have a stage method are all there are.
type Fault interface {
	// String is the fault as a file spells it, for messages.
	String() string
	stage() stage
	// apply changes the answer under way, or returns why it doesn't; then what it changed is forgotten.
	apply(*work) error
}

// stage orders the faults.
type stage uint8

const (
	script    stage = iota // which events there are
	timing                 // silences and ends that stand between or inside events
	timers                 // what is sent beside the events
	verbatim               // the events' bytes
	buffering              // encoding and holding back
	framing                // the boundaries of writes
	late                   // silences and ends that stand at a byte or at an instant
)

func (f Insert) stage() stage {
	if f.Every > 0 {
		return timers
	}
	return script
}

func (Drop) stage() stage       { return script }
func (Duplicate) stage() stage  { return script }
func (Move) stage() stage       { return script }
func (Replace) stage() stage    { return script }
func (Edit) stage() stage       { return script }
func (Pace) stage() stage       { return timing }
func (LineEnding) stage() stage { return verbatim }
func (EventLines) stage() stage { return verbatim }
func (DataLines) stage() stage  { return verbatim }
func (Fields) stage() stage     { return verbatim }
func (Escape) stage() stage     { return verbatim }
func (Gzip) stage() stage       { return buffering }
func (Hold) stage() stage       { return buffering }
func (WriteSize) stage() stage  { return framing }
func (Cuts) stage() stage       { return framing }
func (Coalesce) stage() stage   { return framing }

func (f Stall) stage() stage {
	if f.After.isLate() || f.Before.isLate() || f.Inside.isLate() {
		return late
	}
	return timing
}

func (f Ending) stage() stage {
	if f.After.isLate() {
		return late
	}
	return timing
}
