package transport

import (
	"context"
	"crypto/tls"
	"time"
)

// Conn is a request's view of the connection that it came over. What it does to "this request" is
// done to the request whose context it was taken from. Every method may be called on nil, which is
// the connection of a request that another server took: then nothing is known and nothing happens.
type Conn struct {
	line   line
	stream uint64 // the request's own, on HTTP/2 and HTTP/3
}

// line is a connection of one protocol.
type line interface {
	owner() *Server
	serial() uint64
	take() int
	secured() *tls.ConnectionState
	takeHead() []byte
	reset(stream uint64)
	resetStream(stream uint64, code uint64) bool
	goAway(stream uint64, code uint32, lastBefore bool) bool
	closeAfter(stream uint64)
	idleClose(stream uint64, d time.Duration)
	resetNext() bool
}

type connKey struct{}

// From is the connection of the request with that context; nil when it came over another server.
func From(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}

func with(ctx context.Context, c *Conn) context.Context { return context.WithValue(ctx, connKey{}, c) }

// Number tells the server's connections apart: 1 is the first one that it accepted; 0 is none.
func (c *Conn) Number() uint64 {
	if c == nil {
		return 0
	}
	return c.line.serial()
}

// Took counts a request on the connection and returns its number there, from 1. Call it once for
// each request, when it arrives.
func (c *Conn) Took() int {
	if c == nil {
		return 0
	}
	return c.line.take()
}

// Counts tells what the server holds that accepted the connection; false: nothing is known.
func (c *Conn) Counts() (Counts, bool) {
	if c == nil {
		return Counts{}, false
	}
	return c.line.owner().Counts(), true
}

// TLS is how the connection is secured; nil when it is in the clear.
func (c *Conn) TLS() *tls.ConnectionState {
	if c == nil {
		return nil
	}
	return c.line.secured()
}

// Head gives away the request's head as it came, from the request line to the blank line: names as
// sent, their order, duplicates, padding. It is nil on HTTP/2 and HTTP/3, where there is no such
// text, on a second call, above [HeaderBytes], and once a client has sent requests so far ahead that
// they can't be told apart.
func (c *Conn) Head() []byte {
	if c == nil {
		return nil
	}
	return c.line.takeHead()
}

// Reset ends the connection with a TCP reset, on HTTP/3 with CONNECTION_CLOSE, and in memory by
// closing it. The handler must flush before, and end with panic(http.ErrAbortHandler) after.
//
// On HTTP/1.1 it happens within the call. On HTTP/2 it happens when what the handler has flushed has
// left, with the end of the handler; other streams die with it. On HTTP/3 it happens [settle]
// later, since QUIC throws away what is still under way.
func (c *Conn) Reset() {
	if c != nil {
		c.line.reset(c.stream)
	}
}

// ResetStream makes the request's stream end with RST_STREAM of that code (RFC 9113, section 7) on
// HTTP/2, with RESET_STREAM of that code (RFC 9114, section 8.1) on HTTP/3. The handler must end with
// panic(http.ErrAbortHandler) after it. It reports false, and does nothing, on HTTP/1.1.
//
// On HTTP/3 it waits [settle] first, since a reset overtakes what is still under way.
func (c *Conn) ResetStream(code uint64) bool { return c != nil && c.line.resetStream(c.stream, code) }

// GoAway sends a GOAWAY frame of that code (RFC 9113, section 7) between two frames of the HTTP/2
// connection, and closes it when its streams have ended. The last stream that the frame calls
// processed is this request's, or with lastBefore the one before it: then the client may ask again
// elsewhere, and the handler should end with panic(http.ErrAbortHandler). Requests that come later on
// the connection are refused with REFUSED_STREAM. It reports false, and does nothing, elsewhere.
func (c *Conn) GoAway(code uint32, lastBefore bool) bool {
	return c != nil && c.line.goAway(c.stream, code, lastBefore)
}

// CloseAfter closes the connection when this answer is over, without having announced it in a header.
// HTTP/2 connections are closed with GOAWAY, when no other stream is open either; HTTP/3 ones with
// CONNECTION_CLOSE, [settle] later.
func (c *Conn) CloseAfter() {
	if c != nil {
		c.line.closeAfter(c.stream)
	}
}

// IdleClose closes the connection when, after this answer, no request has begun for d.
func (c *Conn) IdleClose(d time.Duration) {
	if c != nil {
		c.line.idleClose(c.stream, d)
	}
}

// ResetNext meets the first byte of the next request on the connection with a TCP reset. It reports
// false, and does nothing, on HTTP/2 and HTTP/3.
func (c *Conn) ResetNext() bool { return c != nil && c.line.resetNext() }
