package transport

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// socket is a TCP connection, or a pipe in memory, that speaks HTTP/1.1 or HTTP/2. It stands above TLS:
// net/http reads and writes plain bytes through it.
type socket struct {
	net.Conn
	beneath net.Conn // what Conn encrypts for, else Conn itself
	state   *tls.ConnectionState
	server  *Server
	number  uint64
	took    atomic.Int64
	view    Conn

	matched  int      // bytes of the preface that have come; -1: it is HTTP/1.1. For Read only
	in       *inbound // for Read only
	upgraded []byte   // frames of the request that asked for HTTP/2
	framed   atomic.Bool
	streams  streams
	out      outbound
	opened   time.Time
	until    atomic.Int64 // ns after opened: the deadline that is set for writes of HTTP/1.1

	mu    sync.Mutex // guards what follows
	tee   tee
	after after
	armed bool // the next byte is met by a reset
	watch context.CancelFunc

	released sync.Once
}

// after is what becomes of an HTTP/1.1 connection when the answer under way is over.
type after struct {
	close bool
	reset bool
	idle  time.Duration
}

// secure is a socket under TLS that speaks HTTP/1.1: net/http asks it for Request.TLS. It would take
// no HTTP/2 over such a one.
type secure struct{ *socket }

func (s secure) ConnectionState() tls.ConnectionState { return *s.state }

func newSocket(server *Server, conn, beneath net.Conn, number uint64) *socket {
	s := &socket{Conn: conn, beneath: beneath, server: server, number: number, opened: server.clock.Now()}
	s.view.line = s
	return s
}

// socketOf is the socket that net/http was given.
func socketOf(c net.Conn) *socket {
	if s, is := c.(secure); is {
		return s.socket
	}
	s, _ := c.(*socket)
	return s
}

func (s *socket) Read(p []byte) (int, error) {
	switch {
	case s.in != nil:
		return s.in.Read(p)
	case s.matched < 0:
		n, err := s.Conn.Read(p)
		return s.saw(p, n, err)
	}
	// The preface is read alone, so that frames begin with a read of their own.
	n, err := s.Conn.Read(p[:min(len(p), len(preface)-s.matched)])
	if s.matched += n; string(p[:n]) != preface[s.matched-n:s.matched] {
		s.matched = -1
	}
	if s.matched == len(preface) {
		s.in = newInbound(s.Conn, &s.streams, s.gone)
		s.in.upgraded, s.upgraded = s.upgraded, nil
		s.mu.Lock()
		s.tee = tee{state: lost}
		s.mu.Unlock()
		s.framed.Store(true)
		return n, err
	}
	return s.saw(p, n, err)
}

// saw shows what has been read of HTTP/1.1 to the tee, and springs the trap if one is laid.
func (s *socket) saw(p []byte, n int, err error) (int, error) {
	if n == 0 {
		return n, err
	}
	s.mu.Lock()
	s.tee.see(p[:n])
	trapped := s.armed
	s.mu.Unlock()
	if trapped {
		s.kill()
		return 0, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	return n, err
}

func (s *socket) Write(p []byte) (int, error) {
	if s.framed.Load() {
		return s.writeFrames(p)
	}
	return s.writeAll(p)
}

// CloseWrite is what net/http does before it closes on a client that is still sending.
func (s *socket) CloseWrite() error {
	if c, can := s.Conn.(interface{ CloseWrite() error }); can {
		return c.CloseWrite()
	}
	return nil
}

// Close says goodbye on TLS, and closes.
func (s *socket) Close() error {
	err := net.ErrClosed
	s.released.Do(func() {
		err = s.Conn.Close()
		s.release()
	})
	return err
}

// kill closes with a reset where there is TCP.
func (s *socket) kill() {
	s.released.Do(func() {
		if tcp, is := s.beneath.(*net.TCPConn); is {
			_ = tcp.SetLinger(0)
		}
		_ = s.beneath.Close()
		s.release()
	})
}

// drop closes at once, without the goodbye of TLS, for which a stuck client would have to be waited.
func (s *socket) drop() {
	s.released.Do(func() {
		_ = s.beneath.Close()
		s.release()
	})
}

func (s *socket) release() {
	s.busy()
	s.server.forget(s)
}

// begin is told of each request on HTTP/1.1 when its handler starts.
func (s *socket) begin(r *http.Request) {
	s.mu.Lock()
	armed := s.armed
	s.after = after{}
	s.tee.begin(r)
	s.mu.Unlock()
	if armed { // it came so early that it had been read before the trap was laid
		s.kill()
		panic(http.ErrAbortHandler)
	}
	if r.ContentLength == unknown {
		r.Body = &chunked{r.Body, s}
	}
}

// chunked tells where a chunked body ends.
type chunked struct {
	io.ReadCloser
	socket *socket
}

func (c *chunked) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if err == io.EOF {
		c.socket.mu.Lock()
		c.socket.tee.ended()
		c.socket.mu.Unlock()
	}
	return n, err
}

// idle is told when an answer on HTTP/1.1 is over.
func (s *socket) idle() {
	s.mu.Lock()
	after := s.after
	s.armed = after.reset
	s.mu.Unlock()
	switch {
	case after.close:
		_ = s.Close()
	case after.idle > 0:
		s.closeWhenIdle(after.idle)
	}
}

// closeWhenIdle closes in d unless busy is called before.
func (s *socket) closeWhenIdle(d time.Duration) {
	until := s.server.clock.Now().Add(d)
	s.busy()
	ctx, cancel := context.WithCancel(s.server.open)
	s.mu.Lock()
	s.watch = cancel
	s.mu.Unlock()
	s.server.background.Go(func() {
		if s.server.clock.WaitUntil(ctx, until) == nil {
			s.leave()
		}
	})
}

// busy is told when a request is under way.
func (s *socket) busy() {
	s.mu.Lock()
	cancel := s.watch
	s.watch = nil
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// leave closes as the protocol would have it.
func (s *socket) leave() {
	if !s.framed.Load() {
		_ = s.Close()
		return
	}
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.farewell()
}

func (s *socket) owner() *Server                { return s.server }
func (s *socket) serial() uint64                { return s.number }
func (s *socket) take() int                     { return int(s.took.Add(1)) }
func (s *socket) secured() *tls.ConnectionState { return s.state }

func (s *socket) takeHead() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tee.take()
}

func (s *socket) reset(stream uint64) {
	if s.framed.Load() {
		s.streams.fateOf(stream, func(f *fate) { f.reset = true })
		return
	}
	s.kill()
}

func (s *socket) resetStream(stream, code uint64) bool {
	if !s.framed.Load() {
		return false
	}
	short := uint32(code)
	s.streams.fateOf(stream, func(f *fate) { f.code = &short })
	return true
}

func (s *socket) closeAfter(stream uint64) {
	if s.framed.Load() {
		s.streams.fateOf(stream, func(f *fate) { f.close = true })
		return
	}
	s.mu.Lock()
	s.after.close = true
	s.mu.Unlock()
}

func (s *socket) idleClose(stream uint64, d time.Duration) {
	if s.framed.Load() {
		s.streams.fateOf(stream, func(f *fate) { f.idle = d })
		return
	}
	s.mu.Lock()
	s.after.idle = d
	s.mu.Unlock()
}

func (s *socket) resetNext() bool {
	if s.framed.Load() {
		return false
	}
	s.mu.Lock()
	s.after.reset = true
	s.mu.Unlock()
	return true
}

// quiet drops net/http's own log: it tells of clients that broke off, which the journal knows.
type quiet struct{}

func (quiet) Write(p []byte) (int, error) { return len(p), nil }

// hasToken reports whether one of the header's comma-separated words is token.
func hasToken(h http.Header, name, token string) bool {
	for _, value := range h.Values(name) {
		for word := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(word), token) {
				return true
			}
		}
	}
	return false
}
