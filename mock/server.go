package mock

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/memnet"
	"github.com/seed-954e9acd/orrery/mock/internal/transport"
)

// TB is what a test gives: *testing.T, *testing.B and *testing.F have it.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// Server is a handler that listens. It speaks HTTP/1.1 and HTTP/2, and HTTP/3 with [HTTP3].
type Server struct {
	*Handler
	// URL is its base URL, without a trailing slash.
	URL string
	// MetricsURL is where [MetricsListen] has the time series served; "" without it.
	MetricsURL string
	transport  *transport.Server
	client     *http.Client
	ca         []byte
	scrapes    *http.Server // of MetricsListen; nil: there is none
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
// reaches it, over HTTP/1.1 in the clear. Inside a testing/synctest bubble time is virtual, and every
// step leaves at its planned nanosecond.
func StartInMemory(tb TB, opts ...Option) *Server {
	tb.Helper()
	h, err := New(opts...)
	if err != nil {
		tb.Fatalf("orrery: %v", err)
	}
	if h.settings.secure.on {
		tb.Fatalf("orrery: there is no TLS and no HTTP/3 in memory; take Start in place of StartInMemory")
	}
	l := memnet.New()
	s, err := h.serve(l, transport.Config{}, "http://orrery.memory")
	if err != nil {
		tb.Fatalf("orrery: %v", err)
	}
	s.client.Transport = &http.Transport{
		DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return l.Dial(ctx) },
		MaxIdleConnsPerHost: h.settings.connections,
		DisableCompression:  true,
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

// Listen listens on a TCP address such as 127.0.0.1:4010, and with [HTTP3] on the UDP port of the same
// number; port 0 picks one. An error is about the scenario, the certificate or the address.
func Listen(address string, opts ...Option) (*Server, error) {
	s, err := listen(address, opts)
	if err != nil {
		return nil, err
	}
	if err := s.listenForScrapes(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func listen(address string, opts []Option) (*Server, error) {
	exact := clock.Precise() // opened when it is first waited on, so that it costs nothing where an option replaces it
	h, err := New(append([]Option{Clock(exact)}, opts...)...)
	if err != nil {
		return nil, err
	}
	identity, err := h.settings.secure.identity(address)
	if err != nil {
		return nil, err
	}
	l, packets, err := bind(address, h.settings.secure.http3)
	if err != nil {
		return nil, err
	}
	config := transport.Config{Packets: packets, Connections: h.settings.connections}
	if identity == nil {
		return h.serve(l, config, "http://"+named(address, l.Addr()))
	}
	config.TLS = identity.ServerConfig()
	s, err := h.serve(l, config, "https://"+named(address, l.Addr()))
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(named(address, l.Addr())) // which has been listened on
	s.ca = identity.CA
	s.client.Transport = s.dialer(identity.ClientConfig(host))
	return s, nil
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

func (h *Handler) serve(l net.Listener, c transport.Config, url string) (*Server, error) {
	// A connection's deadlines are the machine's, whatever clock the scenario plays by.
	c.Handler, c.Clock = h, clock.Real()
	t, err := transport.Serve(l, c)
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	h.openConnections, h.counts = t.Working, t.Counts
	s := &Server{Handler: h, URL: url, transport: t, client: &http.Client{}}
	s.client.Transport = s.dialer(nil)
	return s, nil
}

func (s *Server) dialer(secure *tls.Config) *http.Transport {
	return &http.Transport{
		MaxIdleConnsPerHost: s.settings.connections,
		DisableCompression:  true,
		TLSClientConfig:     secure,
		ForceAttemptHTTP2:   secure != nil,
	}
}

// Client is an HTTP client that reaches the server, and trusts it: over HTTP/2 when that speaks TLS,
// else over HTTP/1.1.
func (s *Server) Client() *http.Client { return s.client }

// CA is the certificate that a client must trust, in PEM; nil when the server is in the clear. It holds
// no key.
func (s *Server) CA() []byte { return s.ca }

// Shutdown takes no more connections and waits for requests under way; when ctx ends first, its
// error is returned and they go on until Close.
func (s *Server) Shutdown(ctx context.Context) error {
	s.client.CloseIdleConnections()
	err := s.transport.Shutdown(ctx)
	if s.scrapes != nil { // to the end, so that the last figures can be had
		err = errors.Join(err, s.scrapes.Shutdown(ctx))
	}
	return err
}

// Close ends every connection at once, and returns when nothing serves any more.
func (s *Server) Close() error {
	err := s.transport.Close()
	if s.scrapes != nil {
		err = errors.Join(err, s.scrapes.Close())
	}
	s.client.CloseIdleConnections()
	if exact, is := s.settings.clock.(*clock.PreciseClock); is {
		err = errors.Join(err, exact.Close())
	}
	return errors.Join(err, s.closeJournal())
}
