package transport_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/transport"
)

// serveQUIC answers over HTTP/3 too, and gives a client of it.
func serveQUIC(t *testing.T, h http.HandlerFunc) (*served, *http.Client) {
	t.Helper()
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	s := serve(t, h, func(c *transport.Config) { c.Packets = packets })
	s.address = packets.LocalAddr().String()
	carrier := &http3.Transport{TLSClientConfig: s.identity.ClientConfig("127.0.0.1")}
	t.Cleanup(func() { _ = carrier.Close() })
	return s, &http.Client{Transport: carrier}
}

// fetch reads an answer to its end, or to its error.
func fetch(t *testing.T, c *http.Client, s *served) (string, error) {
	t.Helper()
	r, err := c.Get("https://" + s.address + "/")
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return string(body), err
}

func TestAStreamOfHTTP3IsResetWithTheCodeAskedFor(t *testing.T) {
	s, c := serveQUIC(t, func(w http.ResponseWriter, r *http.Request) {
		part(w, "some")
		if !transport.From(r.Context()).ResetStream(0x10c) {
			t.Error("HTTP/3 can do that")
		}
		panic(http.ErrAbortHandler)
	})
	body, err := fetch(t, c, s)
	require.Equal(t, "some", body)
	reset := new(http3.Error)
	require.ErrorAs(t, err, &reset)
	require.Equal(t, http3.ErrCodeRequestCanceled, reset.ErrorCode)
	require.True(t, reset.Remote)
}

func TestAResetOnHTTP3ClosesTheConnection(t *testing.T) {
	s, c := serveQUIC(t, resetting)
	body, err := fetch(t, c, s)
	require.Equal(t, "some", body)
	closed, reset := new(quic.ApplicationError), new(http3.Error)
	require.True(t, errors.As(err, &closed) || errors.As(err, &reset), "%v", err)
}

func TestRequestsOfHTTP3AreCountedOnTheirConnection(t *testing.T) {
	counts := make(chan [2]int, 2)
	s, c := serveQUIC(t, func(_ http.ResponseWriter, r *http.Request) {
		conn := transport.From(r.Context())
		counts <- [2]int{int(conn.Number()), conn.Took()}
	})
	for want := range 2 {
		_, err := fetch(t, c, s)
		require.NoError(t, err)
		require.Equal(t, [2]int{1, want + 1}, <-counts)
	}
}

func TestShutdownLetsHTTP3EndAndCloseDoesNot(t *testing.T) {
	begun, onward := make(chan bool), make(chan bool)
	s, c := serveQUIC(t, func(w http.ResponseWriter, r *http.Request) {
		begun <- true
		select {
		case <-onward:
			part(w, "all")
		case <-r.Context().Done():
		}
	})
	results := make(chan string, 2)
	go func() { body, _ := fetch(t, c, s); results <- body }()
	<-begun
	down := make(chan error, 1)
	go func() { down <- s.Shutdown(context.Background()) }()
	select {
	case <-down:
		t.Fatal("Shutdown didn't wait")
	case <-time.After(50 * time.Millisecond):
	}
	onward <- true
	require.Equal(t, "all", <-results)
	require.NoError(t, <-down)
	require.NoError(t, s.Close())
	p, err := net.ListenPacket("udp", s.address)
	require.NoError(t, err, "the port is free")
	require.NoError(t, p.Close())
}

func TestCloseEndsHTTP3AtOnce(t *testing.T) {
	begun := make(chan bool)
	s, c := serveQUIC(t, func(_ http.ResponseWriter, r *http.Request) {
		begun <- true
		<-r.Context().Done()
	})
	ended := make(chan error, 1)
	go func() { _, err := fetch(t, c, s); ended <- err }()
	<-begun
	require.NoError(t, s.Close())
	require.Error(t, <-ended)
}
