package transport

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// quicServer speaks HTTP/3.
type quicServer struct {
	server   *Server
	packets  net.PacketConn
	carrier  *quic.Transport
	listener *quic.EarlyListener
	handling sync.WaitGroup // requests under way

	mu    sync.Mutex // guards what follows
	lines map[*quicLine]bool
	// leaving: requests that come are refused. It is set before handling is waited for.
	leaving bool
}

// serveQUIC begins to accept HTTP/3.
func (s *Server) serveQUIC(packets net.PacketConn) error {
	q := &quicServer{server: s, packets: packets, carrier: &quic.Transport{Conn: datagrams{packets}}, lines: map[*quicLine]bool{}}
	var err error
	q.listener, err = q.carrier.ListenEarly(http3.ConfigureTLSConfig(s.tls), &quic.Config{
		HandshakeIdleTimeout: HandshakeTimeout / 2, // quic-go allows twice as long
		MaxIdleTimeout:       QUICTimeout,
		KeepAlivePeriod:      QUICTimeout / 3,
		MaxIncomingStreams:   Streams,
	})
	if err != nil {
		_ = q.carrier.Close()
		return err
	}
	s.quic = q
	s.background.Go(q.accept)
	return nil
}

// datagrams hides from quic-go that it could ask for larger buffers in ways that most machines refuse;
// of a refusal it would write to the program's log. It goes without batches of packets for that.
type datagrams struct{ net.PacketConn }

func (datagrams) SetReadBuffer(int) error  { return nil }
func (datagrams) SetWriteBuffer(int) error { return nil }

func (q *quicServer) accept() {
	for {
		conn, err := q.listener.Accept(q.server.open)
		if err != nil {
			return
		}
		if !q.server.door.enter() {
			_ = conn.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeExcessiveLoad), "too many connections are open")
			continue
		}
		q.server.background.Go(func() {
			defer q.server.door.leave()
			q.serve(conn)
		})
	}
}

// serve takes the requests of one connection until it is closed.
func (q *quicServer) serve(conn *quic.Conn) {
	line := &quicLine{server: q.server, conn: conn, number: q.server.numbers.Add(1), streams: map[uint64]*quic.Stream{}}
	q.mu.Lock()
	q.lines[line] = true
	q.mu.Unlock()
	defer func() {
		q.mu.Lock()
		delete(q.lines, line)
		q.mu.Unlock()
		line.busy()
	}()
	protocol := &http3.Server{
		Handler:        http.HandlerFunc(q.server.serveHTTP3),
		MaxHeaderBytes: HeaderBytes,
		IdleTimeout:    IdleTimeout,
		ConnContext: func(ctx context.Context, _ *quic.Conn) context.Context {
			return with(ctx, &Conn{line: line})
		},
	}
	raw, err := protocol.NewRawServerConn(conn)
	if err != nil {
		_ = conn.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeInternalError), "")
		return
	}
	q.server.background.Go(func() {
		for {
			stream, err := conn.AcceptUniStream(context.Background())
			if err != nil {
				return
			}
			go raw.HandleUnidirectionalStream(stream)
		}
	})
	for {
		stream, err := conn.AcceptStream(context.Background())
		if err != nil {
			return
		}
		if !q.begin(line, stream) {
			stream.CancelRead(quic.StreamErrorCode(http3.ErrCodeRequestRejected))
			stream.CancelWrite(quic.StreamErrorCode(http3.ErrCodeRequestRejected))
			continue
		}
		go func() {
			defer q.handling.Done()
			defer q.server.letGo()
			defer line.ended(stream)
			raw.HandleRequestStream(stream)
		}()
	}
}

// begin counts a request, unless none is taken any more.
func (q *quicServer) begin(line *quicLine, stream *quic.Stream) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.leaving || !q.server.hold() {
		return false
	}
	q.handling.Add(1)
	line.begin(stream)
	return true
}

func (s *Server) serveHTTP3(w http.ResponseWriter, r *http.Request) {
	c := From(r.Context())
	if body, is := r.Body.(interface{ StreamID() quic.StreamID }); is {
		r = r.WithContext(with(r.Context(), &Conn{line: c.line, stream: uint64(body.StreamID())}))
	}
	s.handle(w, r)
}

// drain refuses connections and requests, and waits for those under way.
func (q *quicServer) drain(ctx context.Context) error {
	q.mu.Lock()
	q.leaving = true
	q.mu.Unlock()
	_ = q.listener.Close()
	drained := make(chan struct{})
	go func() {
		q.handling.Wait()
		close(drained)
	}()
	select {
	case <-drained:
	case <-ctx.Done():
		return ctx.Err()
	}
	// What has been written last is still on its way.
	return q.server.clock.WaitUntil(ctx, q.server.clock.Now().Add(settle))
}

// close ends all connections at once.
func (q *quicServer) close() error {
	q.mu.Lock()
	q.leaving = true
	lines := make([]*quicLine, 0, len(q.lines))
	for line := range q.lines {
		lines = append(lines, line)
	}
	q.mu.Unlock()
	for _, line := range lines {
		line.close(http3.ErrCodeNoError)
	}
	_ = q.listener.Close()
	err := q.carrier.Close()
	_ = q.packets.Close()
	return err
}

// quicLine is a connection that speaks HTTP/3.
type quicLine struct {
	server *Server
	conn   *quic.Conn
	number uint64
	took   atomic.Int64

	mu      sync.Mutex // guards what follows
	streams map[uint64]*quic.Stream
	finish  bool
	idle    time.Duration
	watch   context.CancelFunc
}

func (l *quicLine) begin(stream *quic.Stream) {
	l.busy()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams[uint64(stream.StreamID())] = stream
}

// ended closes the connection, by and by, if that is wanted and no other request is under way.
func (l *quicLine) ended(stream *quic.Stream) {
	l.mu.Lock()
	delete(l.streams, uint64(stream.StreamID()))
	open, finish, idle := len(l.streams), l.finish, l.idle
	l.mu.Unlock()
	switch {
	case open > 0:
	case finish:
		l.closeIn(settle)
	case idle > 0:
		l.closeIn(max(idle, settle))
	}
}

func (l *quicLine) closeIn(d time.Duration) {
	until := l.server.clock.Now().Add(d)
	ctx, cancel := context.WithCancel(l.conn.Context())
	l.mu.Lock()
	l.watch = cancel
	l.mu.Unlock()
	go func() {
		defer cancel()
		if l.server.clock.WaitUntil(ctx, until) == nil {
			l.close(http3.ErrCodeNoError)
		}
	}()
}

// busy is told when a request is under way.
func (l *quicLine) busy() {
	l.mu.Lock()
	cancel := l.watch
	l.watch = nil
	l.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (l *quicLine) close(code http3.ErrCode) {
	_ = l.conn.CloseWithError(quic.ApplicationErrorCode(code), "")
}

// settled waits for what has been sent to arrive.
func (l *quicLine) settled() {
	_ = l.server.clock.WaitUntil(l.conn.Context(), l.server.clock.Now().Add(settle))
}

func (l *quicLine) owner() *Server { return l.server }
func (l *quicLine) serial() uint64 { return l.number }
func (l *quicLine) take() int      { return int(l.took.Add(1)) }

func (l *quicLine) secured() *tls.ConnectionState {
	state := l.conn.ConnectionState().TLS
	return &state
}

func (l *quicLine) takeHead() []byte { return nil }

func (l *quicLine) reset(uint64) {
	l.settled()
	l.close(http3.ErrCodeInternalError)
}

func (l *quicLine) resetStream(stream, code uint64) bool {
	l.settled()
	l.mu.Lock()
	s, open := l.streams[stream]
	l.mu.Unlock()
	if open {
		s.CancelWrite(quic.StreamErrorCode(code))
	}
	return open
}

func (l *quicLine) goAway(uint64, uint32, bool) bool { return false }

func (l *quicLine) closeAfter(uint64) {
	l.mu.Lock()
	l.finish = true
	l.mu.Unlock()
}

func (l *quicLine) idleClose(_ uint64, d time.Duration) {
	l.mu.Lock()
	l.idle = d
	l.mu.Unlock()
}

func (l *quicLine) resetNext() bool { return false }
