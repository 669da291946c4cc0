package mock_test

import (
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/internal/memnet"
)

// BenchmarkStreamsInVirtualTime reads streams of twenty events, each at an instant of its own, from
// the mock and from a bare handler that waits and writes the same, turn and turn about.
func BenchmarkStreamsInVirtualTime(b *testing.B) {
	const rounds, requests = 5, 4000
	recorded := recordings(b, 100)
	servers := map[string]func(t *testing.T) (*http.Client, string){
		"mock": func(t *testing.T) (*http.Client, string) {
			srv := mock.StartInMemory(t, mock.ScenarioText(twentyEvents))
			return srv.Client(), srv.URL
		},
		"bare": func(t *testing.T) (*http.Client, string) { return startBare(t, recorded), "http://bare.memory" },
	}
	clients := map[string]struct {
		stream func(*http.Client, string) func() error
		bound  float64
	}{
		"raw": {streamRaw, 2},
		"sdk": {streamWithSDK, 1.3},
	}
	for b.Loop() {
		ratios, costs := map[string][]float64{}, map[string][]float64{}
		for range rounds {
			for client, how := range clients { // in random order, as Go's maps are
				took := map[string]float64{}
				for server, start := range servers {
					took[server] = realTime(b, func(t *testing.T) {
						hc, url := start(t)
						repeat(t, requests, 50, how.stream(hc, url))
					}).Seconds()
				}
				ratios[client] = append(ratios[client], took["mock"]/took["bare"])
				costs[client] = append(costs[client], took["mock"]*1e6/requests)
			}
		}
		for client, how := range clients {
			ratio := median(ratios[client])
			b.ReportMetric(median(costs[client]), client+"-µs/stream")
			bounded(b, client+"-ratio", ratio, how.bound)
		}
	}
}

// inBubble runs f on virtual time, which a benchmark can't do by itself.
func inBubble(b *testing.B, f func(t *testing.T)) {
	b.Helper()
	all := func(string, string) (bool, error) { return true, nil }
	test := testing.InternalTest{Name: b.Name(), F: func(t *testing.T) { synctest.Test(t, f) }}
	if !testing.RunTests(all, []testing.InternalTest{test}) {
		b.FailNow()
	}
}

func realTime(b *testing.B, f func(t *testing.T)) time.Duration {
	b.Helper()
	start := time.Now()
	inBubble(b, f)
	return time.Since(start)
}

// repeat calls f n times, so many at once.
func repeat(t testing.TB, n, atOnce int, f func() error) {
	t.Helper()
	errs := make(chan error, atOnce)
	var group sync.WaitGroup
	for range atOnce {
		group.Go(func() {
			for range n / atOnce {
				if err := f(); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	group.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
}

func streamRaw(hc *http.Client, url string) func() error {
	ask := body(fields{"stream": true, "model": "claude-sonnet-5"})
	c := caller{&mock.Server{URL: url}, calling(nil).header}
	return func() error {
		r, err := c.request(context.Background(), "/v1/messages", ask)
		if err != nil {
			return err
		}
		response, err := hc.Do(r)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		_, err = io.Copy(io.Discard, response.Body)
		return err
	}
}

func streamWithSDK(hc *http.Client, url string) func() error {
	client := anthropic.NewClient(option.WithHTTPClient(hc), option.WithBaseURL(url), option.WithAPIKey(secret), option.WithMaxRetries(0))
	return func() error {
		stream := client.Messages.NewStreaming(context.Background(), anthropic.MessageNewParams{
			Model: "claude-sonnet-5", MaxTokens: 200,
			Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("What do the tides do?"))},
		})
		for stream.Next() {
		}
		return stream.Err()
	}
}

// recording is a stream as it came: its headers, and which bytes came when.
type recording struct {
	header  http.Header
	headers time.Duration
	moments []moment
}

type moment struct {
	at    time.Duration
	bytes []byte
}

func recordings(b *testing.B, n int) []recording {
	all := make([]recording, n)
	inBubble(b, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(twentyEvents))
		for i := range all {
			l, err := calling(srv).listen(t.Context(), body(fields{"stream": true, "model": "claude-sonnet-5"}))
			require.NoError(t, err)
			all[i] = record(t, l)
			require.Len(t, all[i].moments, len(slices.Compact(srv.Journal().Last().Planned()))-1, "all but the headers'")
		}
	})
	return all
}

func record(t testing.TB, l *listening) recording {
	r := recording{header: l.Header, headers: time.Since(l.start)}
	buffer := make([]byte, 4096)
	for {
		n, err := l.Body.Read(buffer)
		if at := time.Since(l.start); n > 0 {
			if last := len(r.moments) - 1; last < 0 || r.moments[last].at != at {
				r.moments = append(r.moments, moment{at: at})
			}
			m := &r.moments[len(r.moments)-1]
			m.bytes = append(m.bytes, buffer[:n]...)
		}
		if err == io.EOF {
			return r
		}
		require.NoError(t, err)
	}
}

// startBare serves the recordings in turn, with nothing around them but net/http.
func startBare(t *testing.T, recorded []recording) *http.Client {
	var mu sync.Mutex
	turn := 0
	return serveBare(t, func(w http.ResponseWriter, r *http.Request) {
		arrived := time.Now()
		_, _ = io.Copy(io.Discard, r.Body)
		mu.Lock()
		answer := recorded[turn%len(recorded)]
		turn++
		mu.Unlock()
		time.Sleep(answer.headers - time.Since(arrived))
		maps.Copy(w.Header(), answer.header)
		w.WriteHeader(http.StatusOK)
		flusher := w.(http.Flusher)
		flusher.Flush()
		for _, m := range answer.moments {
			time.Sleep(m.at - time.Since(arrived))
			_, _ = w.Write(m.bytes)
			flusher.Flush()
		}
	})
}

// serveBare serves a handler in memory, as StartInMemory does with the mock's.
func serveBare(t *testing.T, h http.HandlerFunc) *http.Client {
	l := memnet.New()
	server := &http.Server{Handler: h}
	go server.Serve(l)
	transport := &http.Transport{
		DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return l.Dial(ctx) },
		MaxIdleConnsPerHost: 1000,
		DisableCompression:  true,
	}
	t.Cleanup(func() {
		server.Close()
		transport.CloseIdleConnections()
	})
	return &http.Client{Transport: transport}
}
