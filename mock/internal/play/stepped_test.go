package play_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/play"
)

func TestTwentyClientsHaveExactlyKEventsAfterKSteps(t *testing.T) {
	const clients, events = 20, 50
	var player play.Player
	var steps []step
	for k := range events {
		steps = append(steps, step{due: time.Duration(k+1) * 10 * ms, text: "token\n"})
	}
	prog := stream(0, steps...)
	c := clock.NewStepped(clock.Real(), time.Unix(1_700_000_000, 0))
	marks := make(chan mark, clients*(events+2))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		work, leave := clock.Enter(c, r.URL.Path)
		defer leave()
		player.Play(r.Context(), session(w, work, work.Now(), prog, told(marks)))
	}))
	defer server.Close()
	var readers []*bufio.Reader
	for range clients {
		response, err := http.Get(server.URL)
		require.NoError(t, err)
		defer response.Body.Close()
		readers = append(readers, bufio.NewReader(response.Body))
	}
	require.NoError(t, c.Await(t.Context(), clients))
	require.Len(t, marks, clients, "the heads")
	for k := 1; k <= events; k++ {
		_, err := c.NextEvent(t.Context(), 1)
		require.NoError(t, err)
		sent := clients * (1 + k)
		if k == events {
			sent += clients // the end, which is of the last event's instant
		}
		require.Len(t, marks, sent, "neither more nor less has been sent")
		for _, r := range readers {
			line, err := r.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "token\n", line)
		}
	}
	for range clients * (events + 2) {
		m := <-marks
		require.Equal(t, prog[m.step].due, m.at, "planned is actual")
	}
}

// told passes on what has been written.
type told chan mark

func (m told) Wrote(step int, at time.Duration, bytes int) { m <- mark{step, at, bytes} }
func (told) Held(int, time.Duration)                       {}
