// Package play puts a timeline onto a connection: it waits until arrival + offset, writes,
// flushes and marks the time. It knows bytes and offsets, and nothing of what they mean.
//
// A step leaves when it is due or, when that is past, at once; it is never dropped and never put
// together with one of a later instant. What comes after a late or slow write keeps its own
// deadline. No memory is held while waiting.
//
//	var player play.Player
//	result, err := player.Play(r.Context(), w, c, arrived, program, record)
package play

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
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
)

// Program is an answer, wholly decided: its steps in the order in which they leave.
// A program without a Head step gets net/http's own (status 200, no headers of the program's).
type Program interface {
	Status() int
	// Header fills in the response's headers; called once, when the Head step is played.
	Header(h http.Header)
	// Len is the number of steps.
	Len() int
	// Step describes the i-th step. due is its offset from arrival, never less than the one before.
	// It is called more than once per step.
	Step(i int) (due time.Duration, kind Kind)
	// Append appends the bytes of the i-th step, a Write, to dst. Called once per step, when it is due.
	Append(dst []byte, i int) []byte
}

// Recorder is told of each step once it has been written: at is the offset from arrival, bytes
// the length of its body bytes (0 for Head and End). Steps of one instant are told with one time.
type Recorder interface {
	Wrote(step int, at time.Duration, bytes int)
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

// scratch is what one write needs. It is taken after the wait and given back after the write, so
// a stalled stream holds none.
type scratch struct {
	bytes []byte
	sizes []int // bytes of each step of the write
}

// A scratch starts at startBytes, and one beyond keepBytes isn't kept: a reader that doesn't read
// may hold it for as long as it likes.
const (
	startBytes = 512
	keepBytes  = 3 << 10
	keepSizes  = 64
)

// Play plays the program's steps, each at arrived + its offset on c, and returns when the last
// has been played. The steps that share their instant with the end aren't flushed: net/http sends
// them when the handler returns, which it must do at once. So whatever is to be true before the
// client has seen the last byte can be made so in between.
//
// A whole answer (Head, at most one Write, and End at one instant) gets a content-length; anything
// else is chunked.
//
// The error is [ErrLeft] with its cause when ctx ends during a wait or a write fails, and
// [http.ErrNotSupported] when w or what it wraps can't flush a step that has to leave by itself.
func (p *Player) Play(ctx context.Context, w http.ResponseWriter, c clock.Clock, arrived time.Time, prog Program, rec Recorder) (Result, error) {
	var result Result
	wait := clock.Waiter{Clock: c}
	for n := prog.Len(); result.Steps < n; {
		first := result.Steps
		due, _ := prog.Step(first)
		if due >= Never { // no timer, so that a clock in a test doesn't run ahead to it
			<-ctx.Done()
			return result, left(ctx.Err())
		}
		if err := wait.WaitUntil(ctx, arrived.Add(due)); err != nil {
			return result, left(err)
		}
		s := p.take()
		m := s.gather(prog, first, due)
		if m.head {
			s.head(w, prog, m)
		}
		if err := send(w, s.bytes, !m.ends); err != nil {
			p.giveBack(s)
			return result, err
		}
		at := c.Now().Sub(arrived)
		for i, size := range s.sizes {
			rec.Wrote(first+i, at, size)
		}
		result.Steps += len(s.sizes)
		result.Bytes += int64(len(s.bytes))
		switch {
		case len(s.bytes) > 0:
			result.Phase = Streaming
		case m.head:
			result.Phase = Headers
		}
		p.giveBack(s)
		if m.ends {
			break
		}
	}
	result.Phase = Done
	return result, nil
}

// moment is what happens at one instant.
type moment struct {
	head, ends bool
	writes     int
}

// gather makes the bytes of the steps from first on that are due at this instant.
func (s *scratch) gather(prog Program, first int, instant time.Duration) (m moment) {
	n := prog.Len()
	for i := first; i < n && !m.ends; i++ {
		due, kind := prog.Step(i)
		if due != instant {
			return m
		}
		before := len(s.bytes)
		switch kind {
		case Head:
			m.head = true
		case Write:
			m.writes++
			s.bytes = prog.Append(s.bytes, i)
		case End:
			m.ends = true
		}
		s.sizes = append(s.sizes, len(s.bytes)-before)
	}
	m.ends = true // by End, or by there being no more
	return m
}

// head sends the headers on their way. An answer that is over at once looks alike to net/http
// whether it is whole or a stream, so it is told here: a whole one gets its length (which net/http
// only works out up to 2 KB), a stream of several writes is chunked however short it is. Other
// protocols than HTTP/1.1 drop Transfer-Encoding themselves.
func (s *scratch) head(w http.ResponseWriter, prog Program, m moment) {
	h := w.Header()
	prog.Header(h)
	switch {
	case !m.ends || h["Content-Length"] != nil:
	case m.writes > 1:
		h["Transfer-Encoding"] = []string{"chunked"}
	case len(s.bytes) > 0:
		h["Content-Length"] = []string{strconv.Itoa(len(s.bytes))}
	}
	w.WriteHeader(prog.Status())
}

// send writes what there is, and flushes it unless the handler's return will.
func send(w http.ResponseWriter, b []byte, flush bool) error {
	if len(b) > 0 {
		if _, err := w.Write(b); err != nil {
			return left(err)
		}
	}
	if !flush {
		return nil
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		if errors.Is(err, http.ErrNotSupported) {
			return fmt.Errorf("the response writer can't flush: %w", err)
		}
		return left(err)
	}
	return nil
}

func left(cause error) error { return fmt.Errorf("%w: %w", ErrLeft, cause) }

func (p *Player) take() *scratch {
	if s, ok := p.pool.Get().(*scratch); ok {
		return s
	}
	return &scratch{bytes: make([]byte, 0, startBytes), sizes: make([]int, 0, 4)}
}

func (p *Player) giveBack(s *scratch) {
	if cap(s.bytes) > keepBytes || cap(s.sizes) > keepSizes {
		return
	}
	s.bytes, s.sizes = s.bytes[:0], s.sizes[:0]
	p.pool.Put(s)
}
