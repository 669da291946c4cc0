package transport_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/seed-954e9acd/orrery/mock/internal/transport"
)

// framed is a client of HTTP/2 that sees frames.
type framed struct {
	*http2.Framer
	t       *testing.T
	block   bytes.Buffer
	encoder *hpack.Encoder
}

func newFramed(t *testing.T, c net.Conn) *framed {
	t.Helper()
	f := &framed{Framer: http2.NewFramer(c, c), t: t}
	f.encoder = hpack.NewEncoder(&f.block)
	_, err := io.WriteString(c, http2.ClientPreface)
	require.NoError(t, err)
	require.NoError(t, f.WriteSettings())
	return f
}

// request opens a stream; in two frames when split. Its fields enter HPACK's tables.
func (f *framed) request(stream uint32, path string, split bool) {
	f.t.Helper()
	f.block.Reset()
	for _, field := range [][2]string{{":method", "GET"}, {":scheme", "http"}, {":authority", "x"}, {":path", path}, {"orrery-stream", "77"}} {
		require.NoError(f.t, f.encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}))
	}
	block := f.block.Bytes()
	p := http2.HeadersFrameParam{StreamID: stream, EndStream: true, EndHeaders: !split, BlockFragment: block, PadLength: 9}
	if split {
		p.BlockFragment = block[:5]
	}
	require.NoError(f.t, f.WriteHeaders(p))
	if split {
		require.NoError(f.t, f.WriteContinuation(stream, true, block[5:]))
	}
}

// opening opens a stream whose body is to come.
func (f *framed) opening(stream uint32) {
	f.t.Helper()
	f.block.Reset()
	for _, field := range [][2]string{{":method", "POST"}, {":scheme", "http"}, {":authority", "x"}, {":path", "/"}, {"content-length", "10"}} {
		require.NoError(f.t, f.encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}))
	}
	require.NoError(f.t, f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, EndHeaders: true, BlockFragment: f.block.Bytes()}))
}

// all reads until the connection ends, and tells what matters of its frames.
func (f *framed) all() (seen []string, err error) {
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return seen, err
		}
		switch frame := frame.(type) {
		case *http2.DataFrame:
			seen = append(seen, fmt.Sprintf("%d: %s", frame.StreamID, frame.Data()))
		case *http2.RSTStreamFrame:
			seen = append(seen, fmt.Sprintf("%d: %v", frame.StreamID, frame.ErrCode))
		case *http2.GoAwayFrame:
			seen = append(seen, fmt.Sprintf("GOAWAY %v after %d", frame.ErrCode, frame.LastStreamID))
		}
	}
}

// overBoth runs a test in the clear, where the client begins with HTTP/2, and under TLS.
func overBoth(t *testing.T, h http.HandlerFunc, check func(*testing.T, *framed)) {
	for name, protocol := range map[string]string{"in the clear": "", "under TLS": "h2"} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, h, func(c *transport.Config) {
				if protocol == "" {
					c.TLS = nil
				}
			})
			check(t, newFramed(t, s.dial(t, protocol)))
		})
	}
}

func TestAStreamIsResetWithTheCodeAskedFor(t *testing.T) {
	both := make(chan bool)
	overBoth(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Orrery-Stream") != "77" {
			t.Error("a client's own header is left alone")
		}
		part(w, "some"+r.URL.Path)
		select { // two streams are open at once
		case both <- true:
		case <-both:
		}
		if !transport.From(r.Context()).ResetStream(map[string]uint64{"/a": 11, "/b": 8}[r.URL.Path]) {
			t.Error("HTTP/2 can do that")
		}
		transport.From(r.Context()).CloseAfter()
		panic(http.ErrAbortHandler)
	}, func(t *testing.T, f *framed) {
		f.request(1, "/a", false)
		f.request(3, "/b", true)
		seen, err := f.all()
		require.ErrorIs(t, err, io.EOF)
		require.ElementsMatch(t, []string{"1: some/a", "3: some/b", "1: ENHANCE_YOUR_CALM", "3: CANCEL", "GOAWAY NO_ERROR after 3"}, seen)
	})
}

func TestAResetOnHTTP2IsOneOfTCP(t *testing.T) {
	overBoth(t, resetting, func(t *testing.T, f *framed) {
		f.request(1, "/", false)
		seen, err := f.all()
		require.Equal(t, []string{"1: some"}, seen)
		require.ErrorIs(t, err, syscall.ECONNRESET)
	})
}

func TestGoAwayNamesTheLastStreamAndClosesBehindIt(t *testing.T) {
	for _, before := range []bool{false, true} {
		t.Run(fmt.Sprint("before ", before), func(t *testing.T) {
			overBoth(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/first" {
					part(w, "first")
					<-r.Context().Done()
					return
				}
				if !transport.From(r.Context()).GoAway(2, before) {
					t.Error("HTTP/2 can do that")
				}
				if before {
					panic(http.ErrAbortHandler)
				}
				part(w, "second")
			}, func(t *testing.T, f *framed) {
				f.request(1, "/first", false)
				for {
					frame, err := f.ReadFrame()
					require.NoError(t, err)
					if frame.Header().Type == http2.FrameData {
						break
					}
				}
				f.request(3, "/second", false)
				for {
					frame, err := f.ReadFrame()
					require.NoError(t, err)
					if goAway, is := frame.(*http2.GoAwayFrame); is {
						require.Equal(t, http2.ErrCodeInternal, goAway.ErrCode)
						require.Equal(t, map[bool]uint32{true: 1, false: 3}[before], goAway.LastStreamID)
						break
					}
				}
				f.request(5, "/late", false)
				require.NoError(t, f.WriteRSTStream(1, http2.ErrCodeCancel))
				seen, err := f.all()
				require.ErrorIs(t, err, io.EOF)
				want := []string{"3: second", "3: ", "5: REFUSED_STREAM"}
				if before {
					want = []string{"3: REFUSED_STREAM", "5: REFUSED_STREAM"}
				}
				require.ElementsMatch(t, want, seen)
			})
		})
	}
}

func TestAConnectionOfHTTP2IsClosedWhenIdle(t *testing.T) {
	overBoth(t, func(w http.ResponseWriter, r *http.Request) {
		transport.From(r.Context()).IdleClose(30 * time.Millisecond)
	}, func(t *testing.T, f *framed) {
		start := time.Now()
		f.request(1, "/", false)
		seen, err := f.all()
		require.ErrorIs(t, err, io.EOF)
		require.Contains(t, seen, "GOAWAY NO_ERROR after 1")
		require.GreaterOrEqual(t, time.Since(start), 30*time.Millisecond)
	})
}

func TestCurlSpeaksHTTP2InTheClear(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %d %d", r.Proto, r.Header.Get("X-A"), r.Header.Get("Orrery-Stream"), len(body), transport.From(r.Context()).Took())
	}, clear)
	large := string(bytes.Repeat([]byte("x"), 100_000))
	for _, how := range []string{"--http2", "--http2-prior-knowledge"} {
		require.Equal(t, told{0, "HTTP/2.0 a  2 1"}, curl(t, s, how, "-H", "x-a: a", "-d", "hi"), how)
		require.Equal(t, told{0, "HTTP/2.0 a  100000 1"}, curl(t, s, how, "-H", "x-a: a", "-H", "Expect:", "-d", large), how)
	}
	require.Equal(t, told{0, "HTTP/2.0 a  0 1"}, curl(t, s, "--http2", "-H", "x-a: a"))
}
