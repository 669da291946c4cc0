package mock_test

import (
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
)

// BenchmarkARunOfOnesOwn is what a first request in a run costs more than one in a run that is there: as many
// as a server keeps, asked one by one, without a socket. It is the best of a few, which only what else the machine
// does makes worse.
func BenchmarkARunOfOnesOwn(b *testing.B) {
	for _, scenario := range []string{"messages", "zio", "zero-plane"} {
		b.Run(scenario, func(b *testing.B) {
			one, own := time.Hour, time.Hour
			var bytes int64
			for b.Loop() {
				for range 5 {
					took, kept := askedIn(b, scenario, func(int) string { return "one" })
					one = min(one, took)
					took, keptOwn := askedIn(b, scenario, func(i int) string { return fmt.Sprint("run-", i) })
					own = min(own, took)
					bytes = keptOwn - kept
				}
			}
			bounded(b, "µs/run", float64(own-one)/1e3, 20)
			bounded(b, "bytes/run", float64(bytes)/run.Most, 8<<10)
		})
	}
}

// timedTogether is how many requests are timed together: few enough that no other process comes between.
const timedTogether = 50

// askedIn asks so many times as there may be runs, in the runs so named; it returns how long a request took at best,
// and how much more memory is in use after all.
func askedIn(b *testing.B, scenario string, name func(i int) string) (took time.Duration, bytes int64) {
	b.Helper()
	h, err := mock.New(mock.Scenario(scenario))
	require.NoError(b, err)
	ask := body(fields{"max_tokens": nil}) // refused when it is read, which takes no time
	requests := make([]*http.Request, run.Most)
	for i := range requests {
		requests[i], err = calling(nowhere(), "X-Orrery-Run", name(i)).request(b.Context(), "/v1/messages", ask)
		require.NoError(b, err)
	}
	before := inUse()
	took = time.Hour
	for few := range slices.Chunk(requests, timedTogether) {
		start := time.Now()
		for _, r := range few {
			w := &discarded{header: http.Header{}}
			h.ServeHTTP(w, r)
			require.Equal(b, http.StatusBadRequest, w.status)
		}
		took = min(took, time.Since(start)/timedTogether)
	}
	bytes = inUse() - before
	runtime.KeepAlive(h)
	runtime.KeepAlive(requests)
	return took, bytes
}
