package play_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/memnet"
	"github.com/seed-954e9acd/orrery/mock/internal/play"
)

const ms = time.Millisecond

type step struct {
	due  time.Duration
	kind play.Kind
	text string
}

type program []step

func (p program) Status() int                     { return http.StatusAccepted }
func (p program) Header(h http.Header)            { h.Set("Content-Type", "text/event-stream") }
func (p program) Len() int                        { return len(p) }
func (p program) Step(i int) play.Step            { return play.Step{Due: p[i].due, Kind: p[i].kind} }
func (p program) Append(dst []byte, i int) []byte { return append(dst, p[i].text...) }

func session(w http.ResponseWriter, c clock.Clock, arrived time.Time, p play.Program, rec play.Recorder) play.Session {
	return play.Session{Writer: w, Clock: c, Arrived: arrived, Program: p, Recorder: rec}
}

// stream is a head and then texts at their instants, the end with the last of them.
func stream(head time.Duration, texts ...step) program {
	p := program{{due: head, kind: play.Head}}
	for _, s := range texts {
		p = append(p, step{s.due, play.Write, s.text})
	}
	return append(p, step{p[len(p)-1].due, play.End, ""})
}

type mark struct {
	step  int
	at    time.Duration
	bytes int
}

// played is what the server saw of one play.
type played struct {
	marks  []mark
	held   []mark
	result play.Result
	err    error
	ended  time.Duration
}

func (p *played) Wrote(step int, at time.Duration, bytes int) {
	p.marks = append(p.marks, mark{step, at, bytes})
}

func (p *played) Held(step int, by time.Duration) { p.held = append(p.held, mark{step, by, 0}) }

func (p *played) times() []time.Duration {
	var out []time.Duration
	for _, m := range p.marks {
		out = append(out, m.at)
	}
	return out
}

// arrival is bytes that reached the client by one read, and when, from the request's start.
type arrival struct {
	at   time.Duration
	text string
}

// house is a real server in memory that plays programs, by path.
type house struct {
	listener  *memnet.Listener
	transport *http.Transport
	plays     chan *played
}

func open(t *testing.T, wrap func(http.ResponseWriter) http.ResponseWriter, programs map[string]program) *house {
	h := &house{listener: memnet.New(), plays: make(chan *played, 100)}
	var player play.Player
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, p := clock.Real(), &played{}
		arrived := c.Now()
		if wrap != nil {
			w = wrap(w)
		}
		p.result, p.err = player.Play(r.Context(), session(w, c, arrived, programs[r.URL.Path], p))
		p.ended = c.Now().Sub(arrived)
		h.plays <- p
	})}
	var done sync.WaitGroup
	done.Go(func() { server.Serve(h.listener) })
	h.transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return h.listener.Dial(ctx)
	}}
	t.Cleanup(func() {
		h.transport.CloseIdleConnections()
		server.Close()
		done.Wait()
	})
	return h
}

func (h *house) get(ctx context.Context, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://memory"+path, nil)
	if err != nil {
		return nil, err
	}
	return h.transport.RoundTrip(r)
}

// read reads a body to its end.
func read(t *testing.T, start time.Time, body io.ReadCloser) []arrival {
	defer body.Close()
	var got []arrival
	b := make([]byte, 64<<10)
	for {
		n, err := body.Read(b)
		if n > 0 {
			got = append(got, arrival{time.Since(start), string(b[:n])})
		}
		if err == io.EOF {
			return got
		}
		require.NoError(t, err)
	}
}

func TestEveryStepLeavesAtItsNanosecond(t *testing.T) {
	for name, test := range map[string]struct {
		program program
		headers time.Duration // when the client has them
		want    []arrival
		marks   []mark
	}{
		"headers with the first event": {
			stream(100*ms+7, step{due: 100*ms + 7, text: "a"}, step{due: 117*ms + 1, text: "bc"}),
			100*ms + 7,
			[]arrival{{100*ms + 7, "a"}, {117*ms + 1, "bc"}},
			[]mark{{0, 100*ms + 7, 0}, {1, 100*ms + 7, 1}, {2, 117*ms + 1, 2}, {3, 117*ms + 1, 0}},
		},
		"headers on their own": {
			stream(3, step{due: time.Hour, text: "a"}),
			3,
			[]arrival{{time.Hour, "a"}},
			[]mark{{0, 3, 0}, {1, time.Hour, 1}, {2, time.Hour, 0}},
		},
		"events of one instant in one write": {
			stream(0, step{due: 5, text: "a"}, step{due: 5, text: "b"}, step{due: 6, text: "c"}, step{due: 6, text: "d"}),
			0,
			[]arrival{{5, "ab"}, {6, "cd"}},
			[]mark{{0, 0, 0}, {1, 5, 1}, {2, 5, 1}, {3, 6, 1}, {4, 6, 1}, {5, 6, 0}},
		},
		"an end after the last event": {
			program{{0, play.Head, ""}, {1, play.Write, "a"}, {9, play.End, ""}, {9, play.Write, "never"}},
			0,
			[]arrival{{1, "a"}},
			[]mark{{0, 0, 0}, {1, 1, 1}, {2, 9, 0}},
		},
		"no end at all": {
			program{{2, play.Head, ""}, {4, play.Write, "a"}},
			2,
			[]arrival{{4, "a"}},
			[]mark{{0, 2, 0}, {1, 4, 1}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := open(t, nil, map[string]program{"/": test.program})
				start := time.Now()
				response, err := h.get(t.Context(), "/")
				require.NoError(t, err)
				require.Equal(t, test.headers, time.Since(start))
				require.Equal(t, http.StatusAccepted, response.StatusCode)
				require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
				require.Equal(t, test.want, read(t, start, response.Body))
				p := <-h.plays
				require.NoError(t, p.err)
				require.Equal(t, test.marks, p.marks)
				require.Equal(t, play.Done, p.result.Phase)
				require.Equal(t, len(test.marks), p.result.Steps)
				require.Equal(t, test.marks[len(test.marks)-1].at, p.ended)
				require.Equal(t, p.ended, time.Since(start), "the body ends with the program")
			})
		})
	}
}

func TestManyStreamsKeepTheirTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var steps []step
		for i := range 20 {
			steps = append(steps, step{due: time.Duration(i)*17*ms + 1, text: "x"})
		}
		h := open(t, nil, map[string]program{"/": stream(0, steps...)})
		start := time.Now()
		var clients sync.WaitGroup
		for range 50 {
			clients.Go(func() {
				response, err := h.get(t.Context(), "/")
				if err != nil {
					t.Error(err)
					return
				}
				for i, a := range read(t, start, response.Body) {
					if a.at != steps[i].due {
						t.Errorf("event %d came at %s instead of %s", i, a.at, steps[i].due)
					}
				}
			})
		}
		clients.Wait()
		for range 50 {
			require.Equal(t, 22, (<-h.plays).result.Steps)
		}
	})
}

func TestAnswersAreFramedAsTheyShouldBe(t *testing.T) {
	whole := func(length int) program {
		return program{{ms, play.Head, ""}, {ms, play.Write, strings.Repeat("x", length)}, {ms, play.End, ""}}
	}
	for name, test := range map[string]struct {
		program program
		length  int64
		chunked bool
	}{
		"a short whole answer":   {whole(10), 10, false},
		"a long whole answer":    {whole(100_000), 100_000, false},
		"an empty whole answer":  {whole(0), 0, false},
		"a stream":               {stream(0, step{due: 1, text: "a"}), -1, true},
		"an end of its own":      {append(stream(0, step{text: "a"})[:2], step{1, play.End, ""}), -1, true},
		"a stream in one moment": {stream(0, step{text: "a"}, step{text: "b"}), -1, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := open(t, nil, map[string]program{"/": test.program})
				response, err := h.get(t.Context(), "/")
				require.NoError(t, err)
				require.Equal(t, test.length, response.ContentLength)
				require.Equal(t, test.chunked, len(response.TransferEncoding) > 0)
				body, err := io.ReadAll(response.Body)
				require.NoError(t, err)
				require.Equal(t, (<-h.plays).result.Bytes, int64(len(body)))
			})
		})
	}
}

func TestALateStepGoesAtOnceAndAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, arrived := clock.Real(), time.Now()
		time.Sleep(50 * ms)
		w, p := &slow{ResponseRecorder: httptest.NewRecorder()}, &played{}
		var player play.Player
		_, err := player.Play(t.Context(), session(w, c, arrived, stream(0,
			step{due: 10 * ms, text: "a"}, step{due: 20 * ms, text: "b"}, step{due: 60 * ms, text: "c"}), p))
		require.NoError(t, err)
		require.Equal(t, []string{"a", "b", "c"}, w.writes)
		require.Equal(t, []time.Duration{50 * ms, 50 * ms, 50 * ms, 60 * ms, 60 * ms}, p.times())
	})
}

func TestASlowWriteShiftsNoLaterStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, p := &slow{ResponseRecorder: httptest.NewRecorder(), each: 15 * ms}, &played{}
		var player play.Player
		c := clock.Real()
		_, err := player.Play(t.Context(), session(w, c, c.Now(), stream(0,
			step{due: 20 * ms, text: "a"}, step{due: 30 * ms, text: "b"}, step{due: 60 * ms, text: "c"}), p))
		require.NoError(t, err)
		require.Equal(t, []time.Duration{0, 35 * ms, 50 * ms, 75 * ms, 75 * ms}, p.times())
	})
}

// slow is a writer that takes its time, and notes what is written at once.
type slow struct {
	*httptest.ResponseRecorder
	each   time.Duration
	writes []string
}

func (s *slow) Write(b []byte) (int, error) {
	time.Sleep(s.each)
	s.writes = append(s.writes, string(b))
	return s.ResponseRecorder.Write(b)
}

func TestASlowReaderDelaysOnlyItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		big := strings.Repeat("x", 8<<10) // more than the client buffers unasked
		h := open(t, nil, map[string]program{"/": stream(0, step{due: ms, text: big}, step{due: 2 * ms, text: "b"}, step{due: time.Hour, text: "c"})})
		start := time.Now()
		sluggish, err := h.get(t.Context(), "/")
		require.NoError(t, err)
		brisk, err := h.get(t.Context(), "/")
		require.NoError(t, err)
		read(t, start, brisk.Body)
		require.Equal(t, []time.Duration{0, ms, 2 * ms, time.Hour, time.Hour}, (<-h.plays).times())
		time.Sleep(time.Minute)
		read(t, start, sluggish.Body)
		late := time.Hour + time.Minute
		require.Equal(t, []time.Duration{0, late, late, late, late}, (<-h.plays).times())
	})
}

func TestAWrappedWriterIsFlushedAllTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, func(w http.ResponseWriter) http.ResponseWriter { return unwrappable{w} },
			map[string]program{"/": stream(0, step{due: 1, text: "a"}, step{due: 2, text: "b"})})
		start := time.Now()
		response, err := h.get(t.Context(), "/")
		require.NoError(t, err)
		require.Equal(t, []arrival{{1, "a"}, {2, "b"}}, read(t, start, response.Body))
		require.NoError(t, (<-h.plays).err)
	})
}

type unwrappable struct{ http.ResponseWriter }

func (u unwrappable) Unwrap() http.ResponseWriter { return u.ResponseWriter }

func TestAWriterThatCannotFlushIsNoClientThatLeft(t *testing.T) {
	opaque := struct{ http.ResponseWriter }{httptest.NewRecorder()}
	var player play.Player
	c := clock.Real()
	_, err := player.Play(t.Context(), session(opaque, c, c.Now(), stream(0, step{due: 1, text: "a"}), &played{}))
	require.ErrorIs(t, err, http.ErrNotSupported)
	require.False(t, errors.Is(err, play.ErrLeft))
	// A whole answer needs no flush.
	_, err = player.Play(t.Context(), session(opaque, c, c.Now(), stream(0, step{text: "a"}), &played{}))
	require.NoError(t, err)
}
