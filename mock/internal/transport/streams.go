package transport

import (
	"encoding/binary"
	"sync"
	"time"
)

// streams is what is known of an HTTP/2 connection's streams, and what is to become of them.
type streams struct {
	mu      sync.Mutex
	latest  uint32 // the highest that the client has opened
	current map[uint32]*fate

	farewell bool   // GOAWAY has been sent, or waits for the frame under way to end
	last     uint32 // the last stream that it calls processed
	finish   bool   // close when no stream is open
	idle     time.Duration
}

// fate is how a stream is to end; the zero value: as net/http ends it.
type fate struct {
	code  *uint32 // of the RST_STREAM frame
	reset bool    // with a reset of the connection
	close bool    // with a goodbye to the connection
	idle  time.Duration
}

// open notes a stream that the client opens, and reports whether it is one.
func (s *streams) open(stream uint32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stream <= s.latest {
		return false
	}
	s.latest = stream
	if s.current == nil {
		s.current = map[uint32]*fate{}
	}
	// net/http refuses what is above the bound; such a stream ends at once.
	s.current[stream] = &fate{}
	return true
}

// ended forgets a stream, and tells how it was to end.
func (s *streams) ended(stream uint32) fate {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, known := s.current[stream]
	if !known {
		return fate{}
	}
	delete(s.current, stream)
	if f.close {
		s.finish = true
	}
	if f.idle > 0 {
		s.idle = f.idle
	}
	return *f
}

// fateOf changes how an open stream is to end.
func (s *streams) fateOf(stream uint64, change func(*fate)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, known := s.current[uint32(stream)]; known {
		change(f)
	}
}

// over reports whether the connection is to be closed by now, or else how long it may be idle by now;
// 0: as long as any.
func (s *streams) over() (bool, time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.current) > 0 {
		return false, 0
	}
	return s.finish, s.idle
}

// leave is the GOAWAY frame to send, once; nil: it has been sent.
func (s *streams) leave(code, last uint32) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finish = true
	if s.farewell {
		return nil
	}
	s.farewell, s.last = true, last
	frame := frameHeader{length: 8, kind: frameGoAway}.append(nil)
	frame = binary.BigEndian.AppendUint32(frame, last)
	return binary.BigEndian.AppendUint32(frame, code)
}

// newest is the highest stream that the client has opened.
func (s *streams) newest() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest
}

// refuses reports whether a stream came too late.
func (s *streams) refuses(stream uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.farewell && stream > uint64(s.last) && stream > 0
}

// said reports whether a GOAWAY of ours has been sent: net/http's own may follow no more.
func (s *streams) said() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.farewell
}
