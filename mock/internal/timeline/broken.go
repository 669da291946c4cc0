package timeline

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
)

// Break makes faults happen to the answer and returns those that it has no place for. They see the
// bytes that would have left, so that all that follows (guards, slots, journal) sees what does. The
// requestID is what error events name.
func (t *Timeline) Break(faults []fault.Fault, requestID string) (missed []string) {
	if len(faults) == 0 && !(t.look.RawText && t.stream) {
		return nil
	}
	answer := fault.Apply(t.whatLeaves(requestID), faults)
	t.broken = &answer
	t.steps = make([]Step, 0, len(answer.Pieces)+2)
	t.ttft = answer.EndDue
	if !answer.Headless {
		t.add(Step{Due: answer.Head, Kind: Head})
	}
	first := true
	for i := range answer.Pieces {
		p := &answer.Pieces[i]
		t.add(Step{Due: p.Due, Kind: kindOf(p, t.stream), Block: uint16(p.Index), To: uint32(p.Tokens)})
		if first && p.Event == Delta.String() {
			t.ttft, first = p.Due, false
		}
	}
	t.add(Step{Due: answer.EndDue, Kind: End})
	return answer.Missed
}

// whatLeaves is the answer as its bytes would leave.
func (t *Timeline) whatLeaves(requestID string) fault.Answer {
	last := len(t.steps) - 1
	a := fault.Answer{
		Stream: t.stream, RequestID: requestID,
		Head: t.steps[0].Due, EndDue: t.steps[last].Due, Pieces: make([]fault.Piece, 0, last),
	}
	for i, s := range t.steps[:last] {
		if s.Kind == Head {
			continue
		}
		p := fault.Piece{Due: s.Due, Index: int(s.Block), Tokens: s.Tokens()}
		switch {
		case !t.look.RawText || !t.stream:
			p.Bytes = t.Append(nil, i)
		case s.Kind == Delta && s.Part == Piece && t.Message.Blocks[s.Block].Type == "text":
			p.Bytes = []byte(t.Message.Blocks[s.Block].Span(int(s.From), int(s.To)))
		default:
			continue
		}
		if len(p.Bytes) == 0 { // a completion has nothing there
			continue
		}
		if s.Kind.IsEvent() {
			p.Event = s.Kind.String()
		}
		a.Pieces = append(a.Pieces, p)
	}
	return a
}

// piece is what step i of an answer with faults is; nil for Head, End and all others.
func (t *Timeline) piece(i int) *fault.Piece {
	if t.broken == nil || t.steps[i].Kind == Head || t.steps[i].Kind == End {
		return nil
	}
	return &t.broken.Pieces[i-1] // behind the head, without which there are none
}

func kindOf(p *fault.Piece, stream bool) Kind {
	if p.Cut {
		return Bytes
	}
	if !stream {
		return Body
	}
	for k := MessageStart; k < Body; k++ {
		if k.String() == p.Event {
			return k
		}
	}
	return Bytes
}

// Event is the name of the event whose last byte leaves in step i, also of one that isn't the
// API's; "" when none does.
func (t *Timeline) Event(i int) string {
	if p := t.piece(i); p != nil {
		return p.Event
	}
	if k := t.steps[i].Kind; k.IsEvent() {
		return k.String()
	}
	return ""
}

// Size is how many bytes step i is.
func (t *Timeline) Size(i int) int64 {
	if p := t.piece(i); p != nil {
		return p.Len()
	}
	return int64(len(t.Append(nil, i)))
}

// Held is how many bytes the timeline holds for its faults' sake.
func (t *Timeline) Held() int {
	if t.broken == nil {
		return 0
	}
	n := 0
	for i := range t.broken.Pieces {
		n += len(t.broken.Pieces[i].Bytes)
	}
	return n
}

// Write says how step i is written: how often its bytes are sent, whether they share a write
// with others of their instant, and which gate holds them back, "" for none.
func (t *Timeline) Write(i int) (times int64, alone bool, gate string) {
	if t.broken == nil {
		return 1, false, ""
	}
	switch {
	case i == len(t.steps)-1:
		return 1, false, t.broken.Gate
	case t.steps[i].Kind == Head:
		return 1, false, t.broken.HeadGate
	}
	if p := t.piece(i); p != nil {
		return p.Times, p.Alone, p.Gate
	}
	return 1, false, ""
}

// RawText reports whether the answer is a stream of the text alone, without events.
func (t *Timeline) RawText() bool { return t.look.RawText && t.stream }

// Broken is the answer with its faults; nil when it has none.
func (t *Timeline) Broken() *fault.Answer { return t.broken }

// Freeze holds back what would leave between two offsets from arrival until the later one.
func (t *Timeline) Freeze(from, to time.Duration) {
	held := func(due *time.Duration) {
		if *due >= from && *due < to {
			*due = to
		}
	}
	for i := range t.steps {
		held(&t.steps[i].Due)
	}
	held(&t.ttft)
}
