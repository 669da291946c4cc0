package transport_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/transport"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// served is a server on a loopback port.
type served struct {
	*transport.Server
	address  string
	identity transport.Identity
}

// serve answers with h; what says more about the server.
func serve(t *testing.T, h http.HandlerFunc, what func(*transport.Config)) *served {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &served{address: l.Addr().String()}
	s.identity, err = transport.NewIdentity(time.Now(), []string{"localhost", "127.0.0.1"})
	require.NoError(t, err)
	c := transport.Config{Handler: h, Clock: clock.Real(), TLS: s.identity.ServerConfig()}
	if what != nil {
		what(&c)
	}
	s.Server, err = transport.Serve(l, c)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func clear(c *transport.Config) { c.TLS = nil }

// dial connects by TCP and, when protocol isn't "", by TLS that negotiates it.
func (s *served) dial(t *testing.T, protocol string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", s.address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(30*time.Second)))
	if protocol == "" {
		return c
	}
	config := s.identity.ClientConfig("127.0.0.1")
	config.ServerName, config.NextProtos = "127.0.0.1", []string{protocol}
	secure := tls.Client(c, config)
	require.NoError(t, secure.Handshake())
	require.Equal(t, protocol, secure.ConnectionState().NegotiatedProtocol)
	return secure
}

// ask sends text and reads an answer to its end, or to its error.
func ask(t *testing.T, c net.Conn, r *bufio.Reader, text string) (string, error) {
	t.Helper()
	_, err := io.WriteString(c, text)
	require.NoError(t, err)
	response, err := http.ReadResponse(r, nil)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

// part sends the start of an answer and flushes it.
func part(w http.ResponseWriter, text string) {
	fmt.Fprint(w, text)
	w.(http.Flusher).Flush()
}
