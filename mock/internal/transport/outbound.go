package transport

import (
	"encoding/binary"
	"sync"
)

// outbound is what net/http has written of HTTP/2, so that frames can be put between its own and its own
// be changed.
type outbound struct {
	mu      sync.Mutex
	held    []byte      // of a frame that can't be judged yet
	current frameHeader // the frame under way
	rest    int         // its bytes to come
	block   bool        // a header block is under way, which no other frame may interrupt
	queued  []byte      // for when the frame under way has ended
	buffer  []byte
	killing bool // the connection is to be reset behind what is written
	ended   bool // a stream has ended within this write
}

// smallFrame is up to where a frame of the kinds that may be changed is held back as a whole.
const smallFrame = 16 << 10

func (s *socket) writeFrames(p []byte) (int, error) {
	o := &s.out
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(p)
	o.buffer, o.ended = o.buffer[:0], false
	for len(p) > 0 && !o.killing {
		if o.rest > 0 {
			k := min(o.rest, len(p))
			o.buffer, p = append(o.buffer, p[:k]...), p[k:]
			if o.rest -= k; o.rest == 0 {
				s.frameOver()
			}
			continue
		}
		k := min(o.wanted()-len(o.held), len(p))
		o.held, p = append(o.held, p[:k]...), p[k:]
		if len(o.held) == o.wanted() {
			s.judge()
		}
	}
	_, err := s.Conn.Write(o.buffer)
	if cap(o.buffer) > 2*smallFrame {
		o.buffer = nil
	}
	if o.killing {
		s.kill()
		return n, nil
	}
	if o.ended && err == nil {
		s.settle()
	}
	return n, err
}

// wanted is how many bytes must be held before the frame can be judged.
func (o *outbound) wanted() int {
	if len(o.held) < frameHeaderBytes {
		return frameHeaderBytes
	}
	if f := parseFrame(o.held); (f.kind == frameReset || f.kind == frameGoAway) && f.length <= smallFrame {
		return frameHeaderBytes + f.length
	}
	return frameHeaderBytes
}

// judge lets the frame that is held pass, changes it, or drops it.
func (s *socket) judge() {
	o := &s.out
	frame := o.held
	f := parseFrame(frame)
	o.held = o.held[:0]
	o.current = f
	switch {
	case f.kind == frameGoAway && len(frame) > frameHeaderBytes && s.streams.said():
		return // ours has been sent; one with a higher last stream may not follow
	case f.kind == frameReset && len(frame) == frameHeaderBytes+4:
		fate := s.ended(f.stream)
		if o.killing {
			return
		}
		if fate.code != nil {
			binary.BigEndian.PutUint32(frame[frameHeaderBytes:], *fate.code)
		}
	}
	o.buffer = append(o.buffer, frame...)
	if o.rest = frameHeaderBytes + f.length - len(frame); o.rest == 0 {
		s.frameOver()
	}
}

// frameOver is told when a frame has been let through.
func (s *socket) frameOver() {
	o := &s.out
	switch f := o.current; f.kind {
	case frameHeaders, frameContinuation:
		o.block = !f.has(flagEndHeaders)
		if f.kind == frameHeaders && f.has(flagEndStream) {
			s.ended(f.stream)
		}
	case frameData:
		if f.has(flagEndStream) {
			s.ended(f.stream)
		}
	}
	if o.queued != nil && !o.block {
		o.buffer, o.queued = append(o.buffer, o.queued...), nil
	}
}

func (s *socket) ended(stream uint32) fate {
	f := s.streams.ended(stream)
	s.out.ended = true
	s.out.killing = s.out.killing || f.reset
	return f
}

// settle closes the connection if its time has come. The lock of out is held.
func (s *socket) settle() {
	switch finish, idle := s.streams.over(); {
	case finish:
		s.farewell()
	case idle > 0:
		s.closeWhenIdle(idle)
	}
}

// gone is told when the client has given up a stream, which may have been the last.
func (s *socket) gone() {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.settle()
}

// farewell says goodbye, if that hasn't been done, and closes as far as a client that still sends can
// take it without losing what it was sent. The lock of out is held.
func (s *socket) farewell() {
	s.send(s.streams.leave(noError, s.streams.newest()))
	if s.out.queued != nil {
		return // the frame under way is stuck; net/http gives up on it
	}
	_ = s.CloseWrite()
	_ = s.SetReadDeadline(s.server.clock.Now().Add(linger))
}

// send writes a frame between two others. The lock of out is held.
func (s *socket) send(frame []byte) {
	if frame == nil {
		return
	}
	if o := &s.out; o.rest > 0 || len(o.held) > 0 || o.block {
		o.queued = frame
		return
	}
	_, _ = s.Conn.Write(frame)
}

func (s *socket) goAway(stream uint64, code uint32, lastBefore bool) bool {
	if !s.framed.Load() {
		return false
	}
	last := uint32(stream)
	if lastBefore {
		last = max(last, 2) - 2
		refused := uint32(refusedStream)
		s.streams.fateOf(stream, func(f *fate) { f.code = &refused })
	}
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.send(s.streams.leave(code, last))
	s.settle()
	return true
}
