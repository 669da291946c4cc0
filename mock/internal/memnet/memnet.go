// Package memnet is a network inside the process: a [net.Listener] whose connections are
// [net.Pipe]s, so that a real http.Server can be reached without a socket and, in a
// testing/synctest bubble, on the bubble's time.
//
// A pipe has no buffer: a write returns once the other side has read it all, or has closed.
// There is one address, and no host names, no ports and no limit on connections.
//
//	l := memnet.New()
//	go server.Serve(l)
//	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
//		return l.Dial(ctx)
//	}}
package memnet

import (
	"context"
	"net"
	"sync"
)

// Listener hands each connection that is dialled to whoever accepts. Make one with [New]; all
// methods may be called from any goroutine.
type Listener struct {
	handed chan net.Conn
	closed chan struct{}
	once   sync.Once // closes closed
}

// New returns a listener that is open. Nothing has to be closed to free it.
func New() *Listener {
	return &Listener{handed: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept waits for the next connection. After Close it returns a [net.OpError] that wraps
// [net.ErrClosed].
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.handed:
		return c, nil
	case <-l.closed:
		return nil, failed("accept", net.ErrClosed)
	}
}

// Close makes waiting and later calls of Accept and Dial fail at once. Connections that were
// accepted live on; they are the server's to close. Closing again does nothing.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr is the listener's address: network "memory", text "in-memory". Both ends of every
// connection report it too.
func (l *Listener) Addr() net.Addr { return addr{} }

// Dial connects and returns the client's end once the server has accepted the other. It fails
// with a [net.OpError]: around [net.ErrClosed] when the listener is closed, around ctx's error when
// ctx ends first.
func (l *Listener) Dial(ctx context.Context) (net.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, failed("dial", err)
	}
	client, server := net.Pipe()
	select {
	case l.handed <- conn{server}:
		return conn{client}, nil
	case <-l.closed:
		return nil, failed("dial", net.ErrClosed)
	case <-ctx.Done():
		return nil, failed("dial", ctx.Err())
	}
}

func failed(op string, err error) error {
	return &net.OpError{Op: op, Net: addr{}.Network(), Addr: addr{}, Err: err}
}

// conn is one end of a pipe with an address of ours instead of "pipe".
type conn struct{ net.Conn }

func (conn) LocalAddr() net.Addr  { return addr{} }
func (conn) RemoteAddr() net.Addr { return addr{} }

type addr struct{}

func (addr) Network() string { return "memory" }
func (addr) String() string  { return "in-memory" }
