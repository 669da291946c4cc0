package transport_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"

	"github.com/seed-954e9acd/orrery/mock/internal/transport"
)

// drip sends text a byte at a time until all is sent or the other side has closed, and then is silent.
func drip(c net.Conn, text string, each time.Duration) {
	for i := range len(text) {
		if _, err := io.WriteString(c, text[i:i+1]); err != nil {
			return
		}
		time.Sleep(each)
	}
}

// ends is how long a connection goes on.
func ends(c net.Conn) time.Duration {
	start := time.Now()
	_, _ = io.Copy(io.Discard, c)
	return time.Since(start)
}

func TestWhoSendsAByteASecondIsNotWaitedForLongerThanTheBounds(t *testing.T) {
	const half = "\x00\x01\x00\x01\x05" // of the head of a frame of 256 bytes that opens stream 1
	for name, c := range map[string]struct {
		sent  string
		bound time.Duration
	}{
		"a head":                    {get[:len(get)-2] + "X: " + fmt.Sprintf("%0200d", 0), transport.HeaderTimeout},
		"nothing":                   {"", transport.HeaderTimeout},
		"the preface":               {http2.ClientPreface[:14], transport.HeaderTimeout},
		"a frame that never ends":   {http2.ClientPreface + "\x00\x00\x00\x04\x00\x00\x00\x00\x00" + half, transport.HeaderTimeout + transport.PingAfter + transport.PingTimeout},
		"HTTP/2 and then no stream": {http2.ClientPreface + "\x00\x00\x00\x04\x00\x00\x00\x00\x00", transport.HeaderTimeout + transport.PingAfter + transport.PingTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, _ := inMemory(t, func(http.ResponseWriter, *http.Request) { t.Error("it was no request") })
				dripped := make(chan bool)
				go func() { drip(client, c.sent, time.Second); close(dripped) }()
				took := ends(client)
				<-dripped
				require.LessOrEqual(t, took, c.bound)
				require.NotZero(t, took)
			})
		})
	}
}

func TestABodyMayBeSlowButNotStandStill(t *testing.T) {
	const size = 10
	post := fmt.Sprintf("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", size)
	read := func(to chan<- error) http.HandlerFunc {
		return func(_ http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			to <- err
			<-r.Context().Done()
		}
	}
	t.Run("slow", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			got := make(chan error, 1)
			client, _ := inMemory(t, read(got))
			_, err := io.WriteString(client, post)
			require.NoError(t, err)
			start := time.Now()
			drip(client, "0123456789", 50*time.Second)
			require.NoError(t, <-got)
			require.Equal(t, size*50*time.Second, time.Since(start))
			time.Sleep(time.Hour) // behind the body the client may be silent as long as it likes
			require.NoError(t, client.Close())
		})
	})
	t.Run("still", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			got := make(chan error, 1)
			client, _ := inMemory(t, func(w http.ResponseWriter, r *http.Request) {
				_, err := io.ReadAll(r.Body)
				got <- err
				counts, known := transport.From(r.Context()).Counts()
				require.True(t, known)
				require.Equal(t, uint64(1), counts.StoodStill)
			})
			_, err := io.WriteString(client, post+"half")
			require.NoError(t, err)
			require.Equal(t, transport.StillTimeout, ends(client))
			require.ErrorIs(t, <-got, os.ErrDeadlineExceeded)
		})
	})
	t.Run("still, of HTTP/2", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			got := make(chan error, 1)
			client, _ := inMemory(t, read(got))
			go func() { _, _ = io.Copy(io.Discard, client) }()
			f := newFramed(t, client)
			f.opening(1)
			require.NoError(t, f.WriteData(1, false, []byte("half")))
			start := time.Now()
			// The connection itself is alive.
			for range 3 {
				time.Sleep(20 * time.Second)
				require.NoError(t, f.WritePing(false, [8]byte{}))
			}
			require.ErrorIs(t, <-got, os.ErrDeadlineExceeded)
			require.Equal(t, transport.StillTimeout, time.Since(start))
			require.NoError(t, client.Close())
		})
	})
	t.Run("still, and unread", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			client, _ := inMemory(t, func(http.ResponseWriter, *http.Request) {})
			_, err := io.WriteString(client, post+"half")
			require.NoError(t, err)
			require.Equal(t, transport.StillTimeout, ends(client))
		})
	})
}

func TestWhoTakesNothingIsNotWaitedForLongerThanTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := make(chan error, 1)
		client, _ := inMemory(t, func(w http.ResponseWriter, _ *http.Request) {
			for i := range 3 { // which are taken
				fmt.Fprint(w, i)
				require.NoError(t, http.NewResponseController(w).Flush())
				time.Sleep(time.Hour)
			}
			start := time.Now()
			_, err := w.Write(make([]byte, 1<<20))
			require.Equal(t, transport.StuckTimeout, time.Since(start))
			failed <- err
		})
		_, err := io.WriteString(client, get)
		require.NoError(t, err)
		taken := make(chan bool)
		go func() {
			start := time.Now()
			for time.Since(start) < 2*time.Hour {
				_, _ = client.Read(make([]byte, 1000))
			}
			close(taken)
		}()
		<-taken
		require.ErrorIs(t, <-failed, os.ErrDeadlineExceeded)
	})
}

func TestStreamsBeyondTheBoundAreRefusedAndCounted(t *testing.T) {
	begun := make(chan transport.Counts, 2)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		counts, _ := transport.From(r.Context()).Counts()
		begun <- counts
		<-r.Context().Done()
	}, func(c *transport.Config) { c.Streams, c.Connections = 2, 3 })
	one, two := newFramed(t, s.dial(t, "h2")), newFramed(t, s.dial(t, "h2"))
	one.request(1, "/", false)
	<-begun
	two.request(1, "/", false)
	counts := <-begun
	require.Equal(t, []int{2, 2, 2, 2, 3}, []int{counts.Streams, counts.MostStreams, counts.Requests, counts.Connections, counts.MostConnections})
	one.request(3, "/", false)
	for {
		frame, err := one.ReadFrame()
		require.NoError(t, err)
		if reset, is := frame.(*http2.RSTStreamFrame); is {
			require.Equal(t, []any{uint32(3), http2.ErrCodeRefusedStream}, []any{reset.StreamID, reset.ErrCode})
			break
		}
	}
	require.Equal(t, uint64(1), s.Counts().StreamsRefused)
	require.NoError(t, one.WriteRSTStream(1, http2.ErrCodeCancel))
	require.Eventually(t, func() bool { return s.Counts().Streams == 1 }, 10*time.Second, time.Millisecond)
	two.request(3, "/", false)
	require.Equal(t, 2, (<-begun).Streams, "there is room again")
}

func TestHowOftenTheDoorWasFullIsCounted(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {}, func(c *transport.Config) { c.TLS, c.Connections = nil, 1 })
	require.Zero(t, s.Counts().Full)
	c := s.dial(t, "")
	require.Eventually(t, func() bool { return s.Counts().Full == 1 }, 10*time.Second, time.Millisecond)
	require.Equal(t, 1, s.Counts().Connections)
	require.NoError(t, c.Close())
	require.Eventually(t, func() bool { return s.Counts().Connections == 0 }, 10*time.Second, time.Millisecond)
}

func TestAPanicOfAHandlerHarmsNoOtherStream(t *testing.T) {
	onward := make(chan bool)
	overBoth(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/broken" {
			part(w, "bro")
			onward <- true
			panic(errors.New("a mistake"))
		}
		part(w, "one ")
		<-onward
		part(w, "two")
		transport.From(r.Context()).CloseAfter()
	}, func(t *testing.T, f *framed) {
		f.request(1, "/whole", false)
		f.request(3, "/broken", false)
		seen, err := f.all()
		require.ErrorIs(t, err, io.EOF)
		require.Subset(t, seen, []string{"1: one ", "1: two", "3: bro", "3: INTERNAL_ERROR"})
	})
}
