package mock_test

import (
	"io"
	"net/http"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// stalling sends a first token of 200 at once, and the next ones in an hour.
const stalling = `
orrery: 1
name: stalling
profiles: {stalled: {first-token: 0, token-gap: 1h}}
routes: [{name: all, profile: stalled, reply: {tokens: 200}}]
`

// BenchmarkStalledStream is what a stream that stands still holds, heap and stack, beyond a bare
// handler's that stands still after the same event. The journal's share is in it.
func BenchmarkStalledStream(b *testing.B) {
	const streams, bound = 1000, 24 << 10
	for b.Loop() {
		mocked := heldBy(b, streams, func(t *testing.T) (*http.Client, string) {
			srv := mock.StartInMemory(t, mock.ScenarioText(stalling))
			return srv.Client(), srv.URL
		})
		bare := heldBy(b, streams, func(t *testing.T) (*http.Client, string) {
			return serveBare(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = w.Write([]byte("event: ping\ndata: {\"type\": \"ping\"}\n\n"))
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}), "http://bare.memory"
		})
		b.ReportMetric(mocked-bare, "B/stream-beyond-bare")
		b.ReportMetric(bare, "B/stream-bare")
		if mocked-bare > bound {
			b.Errorf("a stalled stream holds %.0f bytes beyond a bare one's %.0f, more than %d", mocked-bare, bare, bound)
		}
	}
}

// heldBy is what one of many stalled streams holds at both its ends.
func heldBy(b *testing.B, streams int, start func(t *testing.T) (*http.Client, string)) (each float64) {
	inBubble(b, func(t *testing.T) {
		hc, url := start(t)
		c := calling(&mock.Server{URL: url})
		before := inUse()
		open := make([]*http.Response, streams)
		for i := range open {
			r, err := c.request(t.Context(), "/v1/messages", body(fields{"stream": true}))
			require.NoError(t, err)
			open[i], err = hc.Do(r)
			require.NoError(t, err)
			_, err = io.ReadFull(open[i].Body, make([]byte, 10))
			require.NoError(t, err)
		}
		each = float64(inUse()-before) / float64(streams)
		for _, response := range open {
			response.Body.Close()
		}
	})
	return each
}

func inUse() int64 {
	runtime.GC()
	runtime.GC() // the second empties the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
