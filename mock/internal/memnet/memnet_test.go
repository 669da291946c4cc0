package memnet_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/memnet"
)

func TestBothEndsOfAConnectionMeet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.New()
		defer l.Close()
		go func() {
			c, err := l.Accept()
			if err == nil {
				io.WriteString(c, c.RemoteAddr().String()+" "+c.RemoteAddr().Network())
				c.Close()
			}
		}()
		c, err := l.Dial(t.Context())
		require.NoError(t, err)
		got, err := io.ReadAll(c)
		require.NoError(t, err)
		require.Equal(t, "in-memory memory", string(got))
		require.Equal(t, l.Addr(), c.RemoteAddr())
		require.Equal(t, l.Addr(), c.LocalAddr())
	})
}

func TestAnHTTPServerServesManyClientsOnIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.New()
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Second)
			io.WriteString(w, r.RemoteAddr)
		})}
		go server.Serve(l)
		defer server.Close()
		transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return l.Dial(ctx)
		}}
		defer transport.CloseIdleConnections()
		start := time.Now()
		got := make(chan string)
		for range 50 {
			go func() {
				response, err := (&http.Client{Transport: transport}).Get("http://memory/")
				if err != nil {
					got <- err.Error()
					return
				}
				defer response.Body.Close()
				body, _ := io.ReadAll(response.Body)
				got <- string(body)
			}()
		}
		for range 50 {
			require.Equal(t, "in-memory", <-got)
		}
		require.Equal(t, time.Second, time.Since(start))
	})
}

func TestCloseWakesWhoeverWaits(t *testing.T) {
	for name, wait := range map[string]func(context.Context, *memnet.Listener) error{
		"accept": func(_ context.Context, l *memnet.Listener) error { _, err := l.Accept(); return err },
		"dial":   func(ctx context.Context, l *memnet.Listener) error { _, err := l.Dial(ctx); return err },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := memnet.New()
				failed := make(chan error)
				go func() { failed <- wait(t.Context(), l) }()
				synctest.Wait()
				require.NoError(t, l.Close())
				require.ErrorIs(t, <-failed, net.ErrClosed)
				require.ErrorIs(t, wait(t.Context(), l), net.ErrClosed, "later calls")
				require.NoError(t, l.Close(), "a second close")
			})
		})
	}
}

func TestNobodyIsHandedOverOnceItIsClosed(t *testing.T) {
	for range 100 { // select picks at random
		synctest.Test(t, func(t *testing.T) {
			l := memnet.New()
			l.Close()
			go l.Accept()
			_, err := l.Dial(t.Context())
			require.ErrorIs(t, err, net.ErrClosed)
		})
	}
}

func TestNobodyIsHandedOverOnceTheDialHasEnded(t *testing.T) {
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			l := memnet.New()
			defer l.Close()
			go l.Accept()
			synctest.Wait()
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := l.Dial(ctx)
			require.ErrorIs(t, err, context.Canceled)
		})
	}
}

func TestAConnectionOutlivesItsListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.New()
		go func() {
			c, err := l.Accept()
			if err == nil {
				io.Copy(c, io.LimitReader(c, 4))
				c.Close()
			}
		}()
		c, err := l.Dial(t.Context())
		require.NoError(t, err)
		l.Close()
		_, err = io.Copy(c, strings.NewReader("echo"))
		require.NoError(t, err)
		got, err := io.ReadAll(c)
		require.NoError(t, err)
		require.Equal(t, "echo", string(got))
	})
}

func TestDialGivesUpWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.New()
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range 2 { // while it waits, and after
			_, err := l.Dial(ctx)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, time.Second, time.Since(start))
		}
	})
}
