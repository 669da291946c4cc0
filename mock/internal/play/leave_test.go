package play_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/play"
)

func TestAClientThatLeavesIsSeenAtThatInstantInEveryPhase(t *testing.T) {
	events := stream(10*ms, step{due: 20 * ms, text: "a"}, step{due: 30 * ms, text: "b"}, step{due: time.Hour, text: "c"})
	whole := program{{time.Hour, play.Head, ""}, {time.Hour, play.Write, "x"}, {time.Hour, play.End, ""}}
	for name, test := range map[string]struct {
		program program
		leaves  time.Duration
		phase   play.Phase
		steps   int
	}{
		"at once":                      {events, 1, play.Waiting, 0},
		"before the headers":           {events, 10*ms - 1, play.Waiting, 0},
		"after the headers":            {events, 15 * ms, play.Headers, 1},
		"after the first event":        {events, 20*ms + 1, play.Streaming, 2},
		"in mid-stream":                {events, time.Minute, play.Streaming, 3},
		"waiting for a whole answer":   {whole, time.Minute, play.Waiting, 0},
		"waiting for what never comes": {program{{play.Never, play.End, ""}}, 200 * 365 * 24 * time.Hour, play.Waiting, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := open(t, nil, map[string]program{"/": test.program})
				ctx, cancel := context.WithTimeout(t.Context(), test.leaves)
				defer cancel()
				if response, err := h.get(ctx, "/"); err == nil {
					_, err = io.Copy(io.Discard, response.Body)
					require.ErrorIs(t, err, context.DeadlineExceeded)
				}
				p := <-h.plays
				require.ErrorIs(t, p.err, play.ErrLeft)
				require.ErrorIs(t, p.err, context.Canceled)
				require.Equal(t, test.leaves, p.ended)
				require.Equal(t, test.phase, p.result.Phase)
				require.Equal(t, test.steps, p.result.Steps)
				require.Len(t, p.marks, test.steps)
			})
		})
	}
}

func TestAClientThatLeavesWhileAWriteIsStuckIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, nil, map[string]program{"/": stream(0, step{due: ms, text: strings.Repeat("x", 64<<10)}, step{due: time.Hour, text: "b"})})
		ctx, cancel := context.WithCancel(t.Context())
		response, err := h.get(ctx, "/")
		require.NoError(t, err)
		time.Sleep(time.Second) // reads nothing
		cancel()
		response.Body.Close()
		p := <-h.plays
		require.ErrorIs(t, p.err, play.ErrLeft)
		require.Equal(t, time.Second, p.ended)
		require.Equal(t, play.Headers, p.result.Phase)
		require.Equal(t, []mark{{0, 0, 0}}, p.marks)
	})
}

func TestNothingIsSentToAClientThatHasLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w, c := httptest.NewRecorder(), clock.Real()
	var player play.Player
	result, err := player.Play(ctx, session(w, c, c.Now().Add(-time.Hour), stream(0, step{text: "a"}), &played{}))
	require.ErrorIs(t, err, play.ErrLeft)
	require.Equal(t, play.Result{}, result)
	require.Empty(t, w.Body.String())
}

func TestAWriteThatFailsCountsAsTheClientLeaving(t *testing.T) {
	broken := errors.New("broken pipe")
	p, c := &played{}, clock.Real()
	var player play.Player
	result, err := player.Play(t.Context(), session(failing{httptest.NewRecorder(), broken}, c, c.Now(), stream(0, step{due: 1, text: "a"}), p))
	require.ErrorIs(t, err, play.ErrLeft)
	require.ErrorIs(t, err, broken)
	require.Equal(t, play.Result{Phase: play.Headers, Steps: 1}, result)
	require.Len(t, p.marks, 1)
}

type failing struct {
	*httptest.ResponseRecorder
	err error
}

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestPhasesHaveTheJournalsNames(t *testing.T) {
	require.Equal(t, "waiting headers streaming done",
		fmt.Sprint(play.Waiting, " ", play.Headers, " ", play.Streaming, " ", play.Done))
}

// A smoke test, and so loose: a socket, a real clock, a busy machine.
func TestAStreamArrivesOverASocket(t *testing.T) {
	var player play.Player
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := clock.Real()
		player.Play(r.Context(), session(w, c, c.Now(), stream(0, step{due: 5 * ms, text: "a"}, step{due: 10 * ms, text: "b"}), &played{}))
	}))
	defer server.Close()
	start := time.Now()
	response, err := server.Client().Get(server.URL)
	require.NoError(t, err)
	got := read(t, start, response.Body)
	require.Equal(t, "b", got[len(got)-1].text)
	require.GreaterOrEqual(t, got[len(got)-1].at, 10*ms)
}
