package mock_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

func TestTwoServersShareNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, two := mock.StartInMemory(t, mock.Scenario("zio")), mock.StartInMemory(t, mock.Scenario("zio"))
		one.Next(mock.Overloaded())
		a := calling(one).postAll(t, 3, 1, question(nil))

		require.Equal(t, 3, one.Journal().Len())
		require.Zero(t, two.Journal().Len())
		b := calling(two).postAll(t, 3, 1, question(nil))
		require.Equal(t, []int{529, 200, 200}, each(a, func(a answer) int { return a.status }))
		require.Equal(t, []int{200, 200, 200}, each(b, func(a answer) int { return a.status }))
		require.Equal(t, uint64(1), two.Journal().All()[0].Ordinal)
		require.Equal(t, a[0].header.Get("Request-Id"), b[0].header.Get("Request-Id"), "each counts from its own start")
		one.Close()
		require.Equal(t, http.StatusOK, calling(two).post(t, body(nil)).status)
	})
}

// TestNewStartsNoGoroutine would fail at the end of its bubble if one were left there. It counts too,
// for one that goes away by itself; of earlier tests some may still do so.
func TestNewStartsNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := runtime.NumGoroutine()
		h, err := mock.New(mock.Scenario("zio"))
		require.NoError(t, err)
		require.LessOrEqual(t, runtime.NumGoroutine(), before)
		w := &discarded{header: http.Header{}}
		bad, err := calling(nowhere()).request(t.Context(), "/v1/messages", body(fields{"max_tokens": "many"}))
		require.NoError(t, err)
		h.ServeHTTP(w, bad)
		require.Equal(t, http.StatusBadRequest, w.status)
		require.LessOrEqual(t, runtime.NumGoroutine(), before)
	})
}

// discarded is a response that nobody reads.
type discarded struct {
	header http.Header
	status int
	bytes  int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(status int)      { d.status = status }
func (d *discarded) Write(b []byte) (int, error) { d.bytes += len(b); return len(b), nil }
func (d *discarded) Flush()                      {}

// TestCloseEndsEveryStreamAtOnce needs no count of goroutines: a bubble that one is left in fails,
// and so does one whose clock goes on.
func TestCloseEndsEveryStreamAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow))
		var streams []*listening
		for range 20 {
			l, err := calling(srv).listen(t.Context(), body(fields{"stream": true}))
			require.NoError(t, err)
			_, err = l.next()
			require.NoError(t, err)
			streams = append(streams, l)
		}
		start := time.Now()
		require.NoError(t, srv.Close())
		for _, l := range streams {
			_, err := l.rest()
			require.Error(t, err)
		}
		gone, err := srv.Journal().Wait(open(t), 20, journal.Query{Outcome: journal.ClientLeft})
		require.NoError(t, err)
		require.Len(t, gone, 20)
		require.Zero(t, time.Since(start))
		_, err = calling(srv).postTo("/v1/messages", body(nil))
		require.Error(t, err)
		require.NoError(t, srv.Close(), "closing again does nothing")
	})
}

func TestCloseLeavesNoGoroutineOnASocket(t *testing.T) {
	before := runtime.NumGoroutine()
	srv, err := mock.Listen("127.0.0.1:0", mock.ScenarioText(slow))
	require.NoError(t, err)
	var streams []*listening
	for range 3 {
		l, err := calling(srv).listen(t.Context(), body(fields{"stream": true}))
		require.NoError(t, err)
		_, err = l.next()
		require.NoError(t, err)
		streams = append(streams, l)
	}
	require.NoError(t, srv.Close())
	for _, l := range streams {
		_, err := l.rest()
		require.Error(t, err)
	}
	_, err = srv.Journal().Wait(open(t), 3, journal.Query{Outcome: journal.ClientLeft})
	require.NoError(t, err)
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+1 }, 10*time.Second, ms,
		"one more is require's own")
}

func TestAKeyIsWrittenNowhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		srv := mock.StartInMemory(t, mock.Scenario("zero-plane"), mock.Logger(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
		plain := calling(srv)
		bearer := calling(srv, "Authorization", "Bearer "+secret)
		bearer.header.Del("X-Api-Key")
		both := calling(srv, "Authorization", "Bearer "+secret, "Cookie", "key="+secret)
		var seen []byte
		for _, c := range []caller{plain, bearer, both} {
			for _, path := range []string{"/v1/messages", "/v1/messages/count_tokens", "/v1/nothing", "/nowhere"} {
				for _, b := range [][]byte{body(nil), body(fields{"max_tokens": nil}), body(fields{"model": 7}), []byte("{")} {
					a, err := c.postTo(path, b)
					require.NoError(t, err)
					seen = append(seen, a.body...)
				}
			}
		}
		entries := srv.Journal().All()
		require.Len(t, entries, 3*4*4)
		all, err := json.Marshal(entries)
		require.NoError(t, err)
		require.Contains(t, string(all), entries[0].Key)
		require.Equal(t, entries[0].Key, srv.Journal().Last().Key, "the same key has the same fingerprint")
		require.NotContains(t, string(all), secret)
		require.NotContains(t, string(seen), secret)
		require.Contains(t, log.String(), "/v1/messages")
		require.NotContains(t, log.String(), secret)
	})
}
