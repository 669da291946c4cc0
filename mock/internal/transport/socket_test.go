package transport_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/memnet"
	"github.com/seed-954e9acd/orrery/mock/internal/transport"
)

// resetting resets after a piece. The request's body has been read, so net/http's reader in the
// background is blocked on the same connection.
func resetting(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	part(w, "some")
	transport.From(r.Context()).Reset()
	panic(http.ErrAbortHandler)
}

func TestAResetIsOneOnTheWire(t *testing.T) {
	for name, protocol := range map[string]string{"in the clear": "", "under TLS": "http/1.1"} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, resetting, func(c *transport.Config) {
				if protocol == "" {
					c.TLS = nil
				}
			})
			c := s.dial(t, protocol)
			body, err := ask(t, c, bufio.NewReader(c), "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi")
			require.Equal(t, "some", body)
			require.ErrorIs(t, err, syscall.ECONNRESET)
		})
	}
}

func TestCurlSeesAReset(t *testing.T) {
	require.Equal(t, 56, curl(t, serve(t, resetting, clear), "--http1.1", "-d", "hi").code)
}

// told is what curl says of a request.
type told struct {
	code int
	out  string
}

func curl(t *testing.T, s *served, args ...string) told {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl isn't here")
	}
	cmd := exec.CommandContext(t.Context(), "curl", append(args, "-sN", "http://"+s.address+"/")...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return told{cmd.ProcessState.ExitCode(), string(out)}
}

func TestCloseAfterEndsTheConnectionBehindAWholeAnswer(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		transport.From(r.Context()).CloseAfter()
		part(w, "all")
	}, clear)
	c := s.dial(t, "")
	r := bufio.NewReader(c)
	body, err := ask(t, c, r, get)
	require.NoError(t, err)
	require.Equal(t, "all", body)
	_, err = r.ReadByte()
	require.ErrorIs(t, err, io.EOF)
}

func TestTheNextRequestIsMetByAReset(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		transport.From(r.Context()).ResetNext()
		part(w, "all")
	}, clear)
	c := s.dial(t, "")
	r := bufio.NewReader(c)
	_, err := ask(t, c, r, get)
	require.NoError(t, err)
	_, err = ask(t, c, r, get)
	require.ErrorIs(t, err, syscall.ECONNRESET)
}

// inMemory serves h in a bubble, and dials.
func inMemory(t *testing.T, h http.HandlerFunc) (net.Conn, *bufio.Reader) {
	t.Helper()
	l := memnet.New()
	s, err := transport.Serve(l, transport.Config{Handler: h, Clock: clock.Real()})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	c, err := l.Dial(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c, bufio.NewReader(c)
}

func TestAnIdleConnectionIsClosedWhenItsTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := inMemory(t, func(w http.ResponseWriter, r *http.Request) {
			transport.From(r.Context()).IdleClose(2 * time.Second)
			part(w, "all")
		})
		for range 3 { // a request in between puts it off
			time.Sleep(1900 * time.Millisecond)
			_, err := ask(t, c, r, get)
			require.NoError(t, err)
		}
		start := time.Now()
		_, err := r.ReadByte()
		require.ErrorIs(t, err, io.EOF)
		require.Equal(t, 2*time.Second, time.Since(start))
	})
}

func TestHalfAHeadIsNotWaitedForLongerThanTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := inMemory(t, func(http.ResponseWriter, *http.Request) { t.Error("it was no request") })
		start := time.Now()
		_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHo")
		require.NoError(t, err)
		_, _ = io.Copy(io.Discard, r)
		require.Equal(t, transport.HeaderTimeout, time.Since(start))
	})
}

func TestASilentHandshakeIsNotWaitedForLongerThanTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		identity, err := transport.NewIdentity(time.Now(), []string{"localhost"})
		require.NoError(t, err)
		l := memnet.New()
		s, err := transport.Serve(l, transport.Config{Handler: http.NotFoundHandler(), Clock: clock.Real(), TLS: identity.ServerConfig()})
		require.NoError(t, err)
		defer s.Close()
		start := time.Now()
		c, err := l.Dial(t.Context())
		require.NoError(t, err)
		defer c.Close()
		_, err = c.Read(make([]byte, 1))
		require.Error(t, err)
		require.Equal(t, transport.HandshakeTimeout, time.Since(start))
	})
}

func TestTheHeadIsKeptAsItCame(t *testing.T) {
	heads := make(chan string, 10)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		c := transport.From(r.Context())
		heads <- string(c.Head())
		if c.Head() != nil {
			t.Error("a head is given away once")
		}
		_, _ = io.Copy(io.Discard, r.Body)
		c.Took()
	}, clear)
	c := s.dial(t, "")
	r := bufio.NewReader(c)
	odd := "POST /v1 HTTP/1.1\r\nhost: x\r\nx-API-key:  a \r\nX-Api-Key: b\r\n"
	for _, sent := range []struct{ head, body string }{
		{odd + "Content-Length: 3\r\n\r\n", "abc"},
		{odd + "Transfer-Encoding: chunked\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n"},
		{odd + "content-length: 100000\r\n\r\n", strings.Repeat("GET / HTTP/1.1\r\n\r\n", 6000)[:100000]},
		{get, ""},
		{"GET /" + strings.Repeat("x", 9000) + " HTTP/1.1\r\nHost: x\r\n\r\n", ""},
		{odd + "Content-Length: 0\r\n\r\n", ""},
	} {
		_, err := ask(t, c, r, sent.head+sent.body)
		require.NoError(t, err)
		require.Equal(t, sent.head, <-heads)
	}
	_, err := ask(t, c, r, get+get)
	require.NoError(t, err)
	_, err = ask(t, c, r, "")
	require.NoError(t, err)
	require.Equal(t, []string{get, ""}, []string{<-heads, <-heads}, "of one sent ahead nothing is known")
}

func TestAHeadInSmallPiecesIsKeptToo(t *testing.T) {
	heads := make(chan string, 1)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { heads <- string(transport.From(r.Context()).Head()) }, clear)
	c := s.dial(t, "")
	const head = "GET / HTTP/1.1\nHost: x\r\nA:  b\r\n\r\n"
	go func() {
		for i := range len(head) - 1 {
			_, _ = io.WriteString(c, head[i:i+1])
		}
		_, _ = io.WriteString(c, head[len(head)-1:])
	}()
	_, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	require.Equal(t, head, <-heads)
}

func TestAFurtherConnectionWaitsForAPlace(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { part(w, "all") },
		func(c *transport.Config) { c.TLS, c.Connections = nil, 1 })
	one, two := s.dial(t, ""), s.dial(t, "")
	_, err := ask(t, one, bufio.NewReader(one), get)
	require.NoError(t, err)
	answered := make(chan error, 1)
	go func() {
		_, err := io.WriteString(two, get)
		if err == nil {
			_, err = http.ReadResponse(bufio.NewReader(two), nil)
		}
		answered <- err
	}()
	select {
	case <-answered:
		t.Fatal("two connections were served at once")
	case <-time.After(50 * time.Millisecond):
	}
	require.NoError(t, one.Close())
	require.NoError(t, <-answered)
}

func TestCloseEndsAllAtOnceAndFreesThePort(t *testing.T) {
	begun := make(chan bool, 3)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		begun <- true
		<-r.Context().Done()
	}, nil)
	clients := []net.Conn{s.dial(t, "http/1.1"), s.dial(t, "h2")}
	half, err := net.Dial("tcp", s.address) // in its handshake
	require.NoError(t, err)
	defer half.Close()
	_, err = io.WriteString(clients[0], get)
	require.NoError(t, err)
	f := newFramed(t, clients[1])
	f.request(1, "/", true)
	<-begun
	<-begun
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "closing again does nothing")
	for _, c := range append(clients, half) {
		_, err := io.Copy(io.Discard, c)
		if err != nil {
			require.NotErrorIs(t, err, context.DeadlineExceeded)
		}
	}
	l, err := net.Listen("tcp", s.address)
	require.NoError(t, err, "the port is free")
	require.NoError(t, l.Close())
}
