// Package transport is how requests come in: TCP connections with or without TLS that speak HTTP/1.1
// or HTTP/2, and QUIC ones that speak HTTP/3; and what can be done to a connection beneath a request.
//
// The protocols themselves are net/http's and quic-go's. What stands between them and the sockets is
// ours: it sees the bytes of an HTTP/1.1 head and the frames of HTTP/2 in the clear, so it can keep the
// one and change the other. Everything that a client can hold is bounded; see bounds.go.
//
//	s := transport.Serve(listener, transport.Config{Handler: h, Clock: clock.Real()})
//	defer s.Close()
//	…
//	transport.From(request.Context()).Reset() // in a handler
package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

// Config is what a server is made of. Handler and Clock must be given.
type Config struct {
	Handler http.Handler
	Clock   clock.Clock
	// TLS has the certificate; nil: in the clear.
	TLS *tls.Config
	// Packets is where HTTP/3 is spoken, if anywhere. It wants TLS, and is closed with the server.
	Packets net.PacketConn
	// Connections is how many may be open at once; further ones wait. 0: any number.
	Connections int
	// Streams is how many requests may be under way at once over HTTP/2 and HTTP/3, on all connections
	// together; further ones are refused. 0: [MostStreams].
	Streams int
}

// Server serves one listener. Make it with [Serve].
type Server struct {
	handler http.Handler
	clock   clock.Clock
	tls     *tls.Config
	http    *http.Server
	quic    *quicServer // nil: no HTTP/3
	altSvc  string      // announces HTTP/3; "": it isn't there
	door    *door
	numbers atomic.Uint64
	working atomic.Int64 // requests in the handler
	ended   atomic.Bool  // no request is taken any more
	drained chan bool    // holds one: none is in the handler, perhaps

	most           int          // streams of HTTP/2 and HTTP/3 at once
	held           atomic.Int64 // of them
	streamsRefused atomic.Uint64
	stoodStill     atomic.Uint64 // requests whose bodies did

	open       context.Context // ends with Close
	end        context.CancelFunc
	background sync.WaitGroup

	mu      sync.Mutex // guards what follows
	closed  bool       // Close has been called
	leaving bool       // Shutdown has been called
	sockets map[*socket]bool
	shaking map[net.Conn]bool // in a TLS handshake
}

// Serve takes connections from l until Close or Shutdown, which close it.
func Serve(l net.Listener, c Config) (*Server, error) {
	s := &Server{
		handler: c.Handler, clock: c.Clock, tls: c.TLS, door: newDoor(l, c.Connections),
		sockets: map[*socket]bool{}, shaking: map[net.Conn]bool{}, drained: make(chan bool, 1),
		most: cmp.Or(c.Streams, MostStreams),
	}
	s.open, s.end = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serveHTTP),
		BaseContext:       func(net.Listener) context.Context { return s.open },
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return with(ctx, &socketOf(c).view) },
		ConnState:         s.changed,
		ReadHeaderTimeout: HeaderTimeout,
		IdleTimeout:       IdleTimeout,
		MaxHeaderBytes:    HeaderBytes,
		ErrorLog:          log.New(quiet{}, "", 0),
		Protocols:         new(http.Protocols),
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: Streams, MaxReadFrameSize: FrameBytes,
			SendPingTimeout: PingAfter, PingTimeout: PingTimeout, WriteByteTimeout: StuckTimeout,
		},
	}
	s.http.Protocols.SetHTTP1(true)
	s.http.Protocols.SetUnencryptedHTTP2(true) // as net/http sees it, also under TLS
	if c.Packets != nil {
		if err := s.serveQUIC(c.Packets); err != nil {
			s.end()
			return nil, err
		}
		s.altSvc = `h3=":` + strconv.Itoa(c.Packets.LocalAddr().(*net.UDPAddr).Port) + `"; ma=3600`
	}
	s.background.Go(s.accept)
	s.background.Go(func() { _ = s.http.Serve(s.door) }) // it ends with ErrServerClosed
	return s, nil
}

// accept lets connections in, one after another; what takes long of that happens beside it.
func (s *Server) accept() {
	for {
		c, err := s.door.next()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // too many files are open, say
			if s.clock.WaitUntil(s.open, s.clock.Now().Add(acceptPause)) != nil {
				return
			}
		case s.tls == nil:
			s.admit(newSocket(s, c, c, s.numbers.Add(1)))
		default:
			s.background.Go(func() { s.secure(c) })
		}
	}
}

// secure shakes hands, and admits whom that succeeds with.
func (s *Server) secure(c net.Conn) {
	s.mu.Lock()
	if s.closed || s.leaving {
		s.mu.Unlock()
		_ = c.Close()
		s.door.leave()
		return
	}
	s.shaking[c] = true
	s.mu.Unlock()

	conn := tls.Server(c, s.tls)
	ctx, cancel := context.WithTimeout(s.open, HandshakeTimeout)
	err := conn.HandshakeContext(ctx)
	cancel()
	s.mu.Lock()
	delete(s.shaking, c)
	s.mu.Unlock()
	if err != nil {
		_ = c.Close()
		s.door.leave()
		return
	}
	state := conn.ConnectionState()
	socket := newSocket(s, conn, c, s.numbers.Add(1))
	socket.state = &state
	s.admit(socket)
}

// admit hands a connection to net/http.
func (s *Server) admit(c *socket) {
	s.mu.Lock()
	if s.closed || s.leaving {
		s.mu.Unlock()
		c.drop()
		return
	}
	s.sockets[c] = true
	s.mu.Unlock()
	var given net.Conn = c
	if c.state != nil && c.state.NegotiatedProtocol != "h2" {
		given = secure{c}
	}
	if !s.door.give(given) {
		c.drop()
	}
}

// replace hands a connection to net/http that it has had before.
func (s *Server) replace(old, c *socket) {
	old.released.Do(func() {
		s.mu.Lock()
		delete(s.sockets, old)
		s.mu.Unlock()
	})
	s.admit(c)
}

// forget is told when a connection has been closed.
func (s *Server) forget(c *socket) {
	s.mu.Lock()
	delete(s.sockets, c)
	s.mu.Unlock()
	s.door.leave()
}

// changed is told by net/http what an HTTP/1.1 connection is at. HTTP/2's streams are counted by
// their frames.
func (s *Server) changed(c net.Conn, state http.ConnState) {
	socket := socketOf(c)
	if socket == nil || socket.framed.Load() {
		return
	}
	switch state {
	case http.StateIdle:
		socket.idle()
	case http.StateActive:
		socket.busy()
	}
}

// serveHTTP is told of every request of net/http's.
func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request) {
	socket := From(r.Context()).line.(*socket)
	switch {
	case socket.framed.Load():
		stream := streamOf(r.Header)
		socket.busy()
		if socket.streams.refuses(stream) || !s.hold() {
			socket.resetStream(stream, refusedStream)
			panic(http.ErrAbortHandler)
		}
		defer s.letGo()
		r = r.WithContext(with(r.Context(), &Conn{line: socket, stream: stream}))
	case socket.asksForHTTP2(r):
		socket.upgrade(w, r)
		return
	default:
		socket.begin(r)
	}
	if s.altSvc != "" {
		w.Header().Set("Alt-Svc", s.altSvc)
	}
	s.handle(w, r)
}

// Shutdown takes no more connections and waits for requests under way; when ctx ends first, its
// error is returned and they go on until Close.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.leaving = true
	for c := range s.shaking {
		_ = c.Close()
	}
	s.mu.Unlock()
	var drained errgroup.Group
	drained.Go(func() error { return s.http.Shutdown(ctx) })
	if s.quic != nil {
		drained.Go(func() error { return s.quic.drain(ctx) })
	}
	return drained.Wait()
}

// Close ends every connection at once, and returns when no handler is under way any more: they learn it
// from their contexts. A handler may not call it. Closing again does nothing.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	sockets := make([]*socket, 0, len(s.sockets))
	for c := range s.sockets {
		sockets = append(sockets, c)
	}
	for c := range s.shaking {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.ended.Store(true)
	s.end()
	for _, c := range sockets {
		c.drop()
	}
	err := s.http.Close()
	if s.quic != nil {
		err = errors.Join(err, s.quic.close())
	}
	s.background.Wait()
	for s.Working() > 0 {
		<-s.drained
	}
	s.tellDrained() // somebody else may wait in Close
	return err
}

const acceptPause = 50 * time.Millisecond

// handle counts a request while the handler has it.
func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	s.working.Add(1)
	defer s.handled()
	if s.ended.Load() {
		panic(http.ErrAbortHandler)
	}
	s.handler.ServeHTTP(w, s.await(w, r))
}

func (s *Server) handled() {
	if s.working.Add(-1) == 0 && s.ended.Load() {
		s.tellDrained()
	}
}

func (s *Server) tellDrained() {
	select {
	case s.drained <- true:
	default:
	}
}

// Working is how many requests are being answered.
func (s *Server) Working() int { return int(s.working.Load()) }
