package mock

import (
	"context"
	"log"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"github.com/seed-954e9acd/orrery/mock/internal/memnet"
)

// TB is what a test gives: *testing.T, *testing.B and *testing.F have it.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// Server is a handler that listens.
type Server struct {
	*Handler
	// URL is its base URL, without a trailing slash.
	URL    string
	http   *http.Server
	client *http.Client
	served chan struct{} // closed when serving has ended
}

// Start listens on a loopback port of its own until the test ends.
func Start(tb TB, opts ...Option) *Server {
	tb.Helper()
	s, err := Listen("127.0.0.1:0", opts...)
	if err != nil {
		tb.Fatalf("orrery: %v", err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

// StartInMemory serves over pipes, without a socket, until the test ends. Only [Server.Client]
// reaches it. Inside a testing/synctest bubble time is virtual, and every step leaves at its
// planned nanosecond.
func StartInMemory(tb TB, opts ...Option) *Server {
	tb.Helper()
	h, err := New(opts...)
	if err != nil {
		tb.Fatalf("orrery: %v", err)
	}
	l := memnet.New()
	s := serve(h, l, "http://orrery.memory")
	s.client.Transport = &http.Transport{
		DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return l.Dial(ctx) },
		MaxIdleConnsPerHost: h.settings.connections,
		DisableCompression:  true,
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

// Listen listens on a TCP address such as 127.0.0.1:4010; port 0 picks one. An error is about the
// scenario or about the address.
func Listen(address string, opts ...Option) (*Server, error) {
	h, err := New(opts...)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return serve(h, netutil.LimitListener(l, h.settings.connections), "http://"+named(address, l.Addr())), nil
}

// named is the address listened on, with the host as it was given: 0.0.0.0 stays 0.0.0.0.
func named(asked string, got net.Addr) string {
	host, _, err := net.SplitHostPort(asked)
	_, port, wrong := net.SplitHostPort(got.String())
	if err != nil || wrong != nil || host == "" {
		return got.String()
	}
	return net.JoinHostPort(host, port)
}

// The bounds on a connection that doesn't ask for anything, and on headers. There is none on a
// whole request or answer: both may take long on purpose.
const (
	headerTimeout = 30 * time.Second
	idleTimeout   = 5 * time.Minute
	headerBytes   = 256 << 10
)

func serve(h *Handler, l net.Listener, url string) *Server {
	s := &Server{Handler: h, URL: url, client: &http.Client{}, served: make(chan struct{})}
	s.http = &http.Server{
		Handler:           h,
		ConnContext:       h.service.ConnContext,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          log.New(quiet{}, "", 0),
	}
	s.client.Transport = &http.Transport{MaxIdleConnsPerHost: h.settings.connections, DisableCompression: true}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(l) // it ends with ErrServerClosed, or with the listener
	}()
	return s
}

// quiet drops net/http's own log: it tells of clients that broke off, which the journal knows.
type quiet struct{}

func (quiet) Write(p []byte) (int, error) { return len(p), nil }

// Client is an HTTP client that reaches the server.
func (s *Server) Client() *http.Client { return s.client }

// Shutdown takes no more connections and waits for requests under way; when ctx ends first, its
// error is returned and they go on until Close.
func (s *Server) Shutdown(ctx context.Context) error {
	s.client.CloseIdleConnections()
	return s.http.Shutdown(ctx)
}

// Close ends every connection at once, and returns when nothing serves any more.
func (s *Server) Close() error {
	err := s.http.Close()
	s.client.CloseIdleConnections()
	<-s.served
	return err
}
