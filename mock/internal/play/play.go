// Package play puts a timeline onto a connection: it waits until arrival + offset, writes,
// flushes and marks the time. It knows bytes and offsets, and nothing of what they mean.
//
// A step leaves when it is due or, when that is past, at once; it is never dropped and never put
// together with one of a later instant. What comes after a late or slow write keeps its own
// deadline. No memory is held while waiting.
//
//	var player play.Player
//	result, err := player.Play(r.Context(), play.Session{Writer: w, Clock: c, Arrived: arrived, Program: p, Recorder: record})
package play

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

// Kind says what a step does.
type Kind uint8

const (
	// Head sends status and headers.
	Head Kind = iota
	// Write sends bytes of the body.
	Write
	// End ends the answer; steps after it aren't played.
	End
	// Break ends it too, but not as if it were whole: what came before is flushed, and whoever plays
	// has to break the connection or the stream off.
	Break
)

// Step is one thing that a program does.
type Step struct {
	Due  time.Duration // offset from arrival, never less than that of the step before
	Kind Kind
	// Times is how often the bytes of a Write are sent, one after another; 0 is once.
	Times int64
	// Alone keeps a Write from sharing a write with other steps of its instant.
	Alone bool
	// Gate holds this step and all behind it back until it is released; "" is none.
	Gate string
}

// Program is an answer, wholly decided: its steps in the order in which they leave.
// A program without a Head step gets net/http's own (status 200, no headers of the program's).
type Program interface {
	Status() int
	// Header fills in the response's headers; called once, when the Head step is played.
	Header(h http.Header)
	// Len is the number of steps.
	Len() int
	// Step describes the i-th step. It is called more than once per step.
	Step(i int) Step
	// Append appends the bytes of the i-th step, a Write, to dst. Called once per step, when it is due.
	Append(dst []byte, i int) []byte
}

// Recorder is told of each step once it has been written: at is the offset from arrival, bytes
// the length of its body bytes (0 for Head and End). Steps of one instant are told with one time.
type Recorder interface {
	Wrote(step int, at time.Duration, bytes int)
	// Held tells that a gate moved the planned instants of this step and all behind it.
	Held(step int, by time.Duration)
}

// Gates hold steps back until somebody releases them by name.
type Gates interface {
	// Wait returns nil when the gate is open, and ctx's error when ctx ends first.
	Wait(ctx context.Context, name string) error
}

// Session is one answer being played.
type Session struct {
	Writer   http.ResponseWriter
	Clock    clock.Clock
	Arrived  time.Time // on Clock
	Program  Program
	Recorder Recorder
	Gates    Gates // nil: steps with a gate wait until the client leaves
	// Framed says that the protocol delimits bodies itself, as HTTP/2 and HTTP/3 do, which know no chunks.
	Framed bool
}

// Never is the offset of a step that isn't due for ever: it is waited for until the client leaves,
// and not played.
const Never = time.Duration(1) << 62

// Phase is how far an answer came.
type Phase uint8

const (
	// Waiting: nothing has been sent.
	Waiting Phase = iota
	// Headers have been sent and nothing of the body.
	Headers
	// Streaming: some of the body has been sent.
	Streaming
	// Done: all of it has.
	Done
)

// String is the phase in the journal's words.
func (p Phase) String() string {
	switch p {
	case Waiting:
		return "waiting"
	case Headers:
		return "headers"
	case Streaming:
		return "streaming"
	default:
		return "done"
	}
}

// Result is what came of a play.
type Result struct {
	Phase Phase
	Steps int   // steps played
	Bytes int64 // bytes of the body, without framing
}

// ErrLeft is in the error of a play that the client didn't stay for: the request's context
// ended, or a write failed. The cause is wrapped beside it.
var ErrLeft = errors.New("the client left")

// Player plays any number of programs at once. The zero value is ready.
type Player struct {
	pool sync.Pool // of *scratch
}

// Play plays the program's steps, each at arrived + its offset on the clock, and returns when the
// last has been played. The steps that share their instant with an End aren't flushed: net/http sends
// them when the handler returns, which it must do at once. So whatever is to be true before the
// client has seen the last byte can be made so in between.
//
// A whole answer (Head, at most one Write, and End at one instant) gets a content-length; anything
// else is chunked.
//
// The error is [ErrLeft] with its cause when ctx ends during a wait or a write fails, and
// [http.ErrNotSupported] when the writer or what it wraps can't flush a step that has to leave by itself.
func (p *Player) Play(ctx context.Context, s Session) (Result, error) {
	var result Result
	wait := clock.Waiter{Clock: s.Clock}
	begin := s.Arrived // moved by gates
	for n := s.Program.Len(); result.Steps < n; {
		first := result.Steps
		step := s.Program.Step(first)
		if step.Gate != "" {
			held, err := s.hold(ctx, step.Gate, begin.Add(step.Due))
			if err != nil {
				return result, left(err)
			}
			begin = begin.Add(held)
			s.Recorder.Held(first, held)
		}
		if step.Due >= Never { // no timer, so that a clock in a test doesn't run ahead to it
			clock.Rest(s.Clock)
			<-ctx.Done()
			return result, left(ctx.Err())
		}
		if err := wait.WaitUntil(ctx, begin.Add(step.Due)); err != nil {
			return result, left(err)
		}
		c := p.take()
		m := c.gather(s.Program, first)
		if m.head {
			c.head(s.Writer, s.Program, m, s.Framed)
		}
		if m.breaks && len(c.sizes) == 1 && result.Phase == Waiting {
			m.ends = true // nothing at all is sent: a flush would send net/http's own head
		}
		if err := c.send(s.Writer, m); err != nil {
			p.giveBack(c)
			return result, err
		}
		at := s.Clock.Now().Sub(s.Arrived)
		for i, size := range c.sizes {
			s.Recorder.Wrote(first+i, at, size)
			result.Bytes += int64(size)
		}
		result.Steps += len(c.sizes)
		switch {
		case m.writes > 0:
			result.Phase = Streaming
		case m.head:
			result.Phase = Headers
		}
		p.giveBack(c)
		if m.ends || m.breaks {
			break
		}
	}
	result.Phase = max(result.Phase, Done)
	return result, nil
}

// hold waits for a gate and returns by how much later than planned it was opened.
func (s *Session) hold(ctx context.Context, gate string, planned time.Time) (time.Duration, error) {
	resume := clock.Rest(s.Clock)
	if s.Gates == nil {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	if err := s.Gates.Wait(ctx, gate); err != nil {
		return 0, err
	}
	resume()
	return max(s.Clock.Now().Sub(planned), 0), nil
}

func left(cause error) error { return fmt.Errorf("%w: %w", ErrLeft, cause) }
