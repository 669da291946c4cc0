package mock_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

const atOnce = `
orrery: 1
name: at-once
profiles: {now: {respond: 0}}
routes: [{name: all, profile: now, reply: {tokens: 60}}]
`

// BenchmarkThroughput compares answers without delay with those of a bare net/http handler that
// reads the body and writes the same status, headers and body: over loopback, turn and turn about.
func BenchmarkThroughput(b *testing.B) {
	const rounds, requests, clients = 7, 8000, 8
	srv := mock.Start(b, mock.ScenarioText(atOnce), mock.JournalLimit(16<<20))
	c := calling(srv)
	ask := body(nil)
	sample := c.post(b, ask)
	require.Equal(b, http.StatusOK, sample.status)
	bare := httptest.NewServer(copyOf(sample))
	defer bare.Close()
	urls := []string{srv.URL, bare.URL}
	for b.Loop() {
		var ratios, rates []float64
		for round := range rounds + 1 {
			var took [2]time.Duration
			for i := range urls {
				i = (i + round) % 2
				took[i] = answered(b, srv.Client(), urls[i], ask, requests, clients)
			}
			if round > 0 { // the first is for warming up
				ratios = append(ratios, took[1].Seconds()/took[0].Seconds())
				rates = append(rates, requests/took[0].Seconds())
			}
		}
		ratio := median(ratios)
		b.ReportMetric(ratio, "of-bare-throughput")
		b.ReportMetric(median(rates), "answers/s")
		bounded(b, "bare-by-mock-throughput", 1/ratio, 1/0.8)
	}
}

// copyOf answers as the sample was answered.
func copyOf(sample answer) http.HandlerFunc {
	header := maps.Clone(sample.header)
	delete(header, "Date") // net/http's own
	header.Set("Content-Length", strconv.Itoa(len(sample.body)))
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		maps.Copy(w.Header(), header)
		w.WriteHeader(sample.status)
		_, _ = w.Write(sample.body)
	}
}

// answered is how long so many clients take for so many answers.
func answered(b *testing.B, hc *http.Client, url string, ask []byte, requests, clients int) time.Duration {
	b.Helper()
	c := calling(&mock.Server{URL: url})
	var group sync.WaitGroup
	errs := make(chan error, clients)
	start := time.Now()
	for range clients {
		group.Go(func() {
			for range requests / clients {
				r, err := c.request(b.Context(), "/v1/messages", ask)
				if err != nil {
					errs <- err
					return
				}
				response, err := hc.Do(r)
				if err != nil {
					errs <- err
					return
				}
				_, _ = io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
		})
	}
	group.Wait()
	took := time.Since(start)
	close(errs)
	for err := range errs {
		require.NoError(b, err)
	}
	return took
}

// BenchmarkHandlerAlone is the handler without a server around it: the request is used again, and
// the response goes nowhere.
func BenchmarkHandlerAlone(b *testing.B) {
	h, err := mock.New(mock.ScenarioText(atOnce), mock.JournalLimit(16<<20))
	require.NoError(b, err)
	ask := body(nil)
	r, err := calling(nowhere()).request(b.Context(), "/v1/messages", ask)
	require.NoError(b, err)
	w, again := &discarded{header: http.Header{}}, bytes.NewReader(ask)
	r.Body = io.NopCloser(again)
	serve := func() {
		again.Reset(ask)
		clear(w.header)
		h.ServeHTTP(w, r)
	}
	allocations := testing.AllocsPerRun(1000, serve)
	require.Equal(b, http.StatusOK, w.status)
	const rounds, answers = 5, 5000
	for b.Loop() {
		var costs []float64
		for range rounds {
			start := time.Now()
			for range answers {
				serve()
			}
			costs = append(costs, time.Since(start).Seconds()*1e6/answers)
		}
		b.ReportMetric(median(costs), "µs/answer")
		b.ReportMetric(allocations, "allocs/answer")
	}
	if allocations > 70 {
		b.Errorf("an answer takes %v allocations, more than 70", allocations)
	}
}
