package play_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/memnet"
	"github.com/seed-954e9acd/orrery/mock/internal/play"
)

const event = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\" word\"}}\n\n"

// twenty is twenty steps whose instants have passed, each of its own.
func twenty() program {
	var steps []step
	for i := range 20 {
		steps = append(steps, step{due: time.Duration(i), text: event})
	}
	return stream(0, steps...)
}

// The ratio is what Play takes of what a handler takes that writes and flushes the same bytes;
// both behind a real server in memory, turn and turn about.
func BenchmarkTwentyEventsBesideABareHandler(b *testing.B) {
	var player play.Player
	prog := twenty()
	l := memnet.New()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/play" {
			c := clock.Real()
			player.Play(r.Context(), session(w, c, c.Now(), prog, silent{}))
			return
		}
		prog.Header(w.Header())
		w.WriteHeader(prog.Status())
		flusher := w.(http.Flusher)
		for range 20 {
			io.WriteString(w, event)
			flusher.Flush()
		}
	})}
	go server.Serve(l)
	defer server.Close()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return l.Dial(ctx) }}
	defer transport.CloseIdleConnections()
	took := map[string]time.Duration{}
	paths := []string{"/play", "/bare"}
	for b.Loop() {
		paths[0], paths[1] = paths[1], paths[0]
		for _, path := range paths {
			start := time.Now()
			r, _ := http.NewRequest(http.MethodGet, "http://memory"+path, nil)
			response, err := transport.RoundTrip(r)
			if err != nil {
				b.Fatal(err)
			}
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
			took[path] += time.Since(start)
		}
	}
	b.ReportMetric(float64(took["/play"])/float64(took["/bare"]), "ratio")
	b.ReportMetric(float64(took["/play"].Nanoseconds())/float64(b.N), "ns/play")
}

// What Play itself costs: a whole answer to a writer that does nothing.
func BenchmarkWholeAnswerWithoutAWriter(b *testing.B) { alone(b, stream(0, step{text: event})) }

// And a stream of twenty events, each flushed.
func BenchmarkTwentyEventsWithoutAWriter(b *testing.B) { alone(b, twenty()) }

func alone(b *testing.B, prog program) {
	var player play.Player
	var rec play.Recorder = silent{}
	w := &nowhere{header: http.Header{}}
	var p play.Program = prog
	c, ctx := clock.Real(), b.Context()
	arrived := c.Now().Add(-time.Second)
	b.ReportAllocs()
	for b.Loop() {
		clear(w.header)
		if _, err := player.Play(ctx, session(w, c, arrived, p, rec)); err != nil {
			b.Fatal(err)
		}
	}
}

type silent struct{}

func (silent) Wrote(int, time.Duration, int) {}
func (silent) Held(int, time.Duration)       {}

type nowhere struct{ header http.Header }

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) WriteHeader(int)             {}
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (n *nowhere) FlushError() error           { return nil }

// What a stream that stands still between two events holds: heap and stack, its timer included,
// beyond the goroutine that net/http has for it anyway.
func BenchmarkStalledStreamHolds(b *testing.B) {
	var player play.Player
	c := clock.Real()
	prog := stream(0, step{text: event}, step{due: time.Hour, text: event})
	for b.Loop() {
		idle := held(b, func(ctx context.Context, stalled func()) {
			w := &nowhere{header: http.Header{}}
			stalled()
			<-ctx.Done()
			w.WriteHeader(0)
		})
		played := held(b, func(ctx context.Context, stalled func()) {
			player.Play(ctx, session(&nowhere{header: http.Header{}}, c, c.Now(), prog, first(stalled)))
		})
		b.ReportMetric(played-idle, "B/stream")
	}
}

// held is what one of many that stand still holds.
func held(b *testing.B, stand func(ctx context.Context, stalled func())) float64 {
	const streams = 2000
	ctx, cancel := context.WithCancel(b.Context())
	before := inUse()
	var stalled, done sync.WaitGroup
	stalled.Add(streams)
	for range streams {
		done.Go(func() { stand(ctx, stalled.Done) })
	}
	stalled.Wait()
	after := inUse()
	cancel()
	done.Wait()
	return float64(after-before) / streams
}

// first is called when the first event is out.
type first func()

func (first) Held(int, time.Duration) {}

func (f first) Wrote(step int, _ time.Duration, _ int) {
	if step == 1 {
		f()
	}
}

func inUse() int64 {
	runtime.GC()
	runtime.GC() // the second empties the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
