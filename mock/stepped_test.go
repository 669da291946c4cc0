package mock_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// sixtyTokens has a token every 20 ms, and all that comes before the first leaves at once.
const sixtyTokens = `
orrery: 1
name: sixty-tokens
profiles: {steady: {headers: 0, message-start: 0, first-token: 20ms, token-gap: 20ms, tokens_per_event: 1}}
routes: [{name: all, profile: steady, reply: {tokens: 60}}]
`

func TestTwentyStreamsShowExactlyKTokensAfterKSteps(t *testing.T) {
	const streams, steps = 20, 50
	srv := mock.Start(t, mock.ScenarioText(sixtyTokens))
	c := calling(srv)
	all := make([]*listening, streams)
	path := func(i int) string { return fmt.Sprint("/runs/sixty-tokens/ui-", i) }
	for i := range streams {
		c.did(t, "POST", "/runs", fmt.Sprintf(`{"name": "ui-%d", "clock": "stepped"}`, i))
		l, err := calling(srv, "X-Orrery-Run", fmt.Sprint("ui-", i)).listen(open(t), body(fields{"stream": true}))
		require.NoError(t, err)
		defer l.Body.Close()
		all[i] = l
		e, err := l.next()
		require.NoError(t, err)
		require.Equal(t, "message_start", e.name)
	}
	// sent is how many tokens the server has sent in a run, as its own record has it.
	sent := func(i int) (tokens int, bytes int64) {
		e := srv.Journal().Find(journal.Query{Run: fmt.Sprint("ui-", i)})[0]
		for _, s := range e.Steps {
			if s.Event == "content_block_delta" && s.Actual >= 0 {
				tokens++
				require.Equal(t, s.Planned, s.Actual, "on a stepped clock nothing is late")
			}
		}
		return tokens, e.Bytes
	}
	for k := 1; k <= steps; k++ {
		before := make([]int64, streams)
		for i := range streams {
			_, before[i] = sent(i)
		}
		for n, i := range rand.New(rand.NewPCG(uint64(k), 6)).Perm(streams) { // in another order each time
			told := c.did(t, "POST", path(i)+"/clock", `{"next": 1}`)
			require.Equal(t, 1., told["steps"])
			require.Len(t, told["waiting"], 1)
			e, err := all[i].next()
			for k == 1 && slices.Contains([]string{"content_block_start", "ping"}, e.name) { // which come with the first token
				e, err = all[i].next()
			}
			require.NoError(t, err)
			require.Equal(t, "content_block_delta", e.name, "the %dth thing that is shown is its %dth token", k, k)
			require.Zero(t, all[i].lines.Buffered(), "and nothing else has come")
			if n+1 < streams { // whoever has not been stepped stands
				other := (i + 1) % streams
				tokens, bytes := sent(other)
				require.Contains(t, []int{k - 1, k}, tokens)
				if tokens == k-1 {
					require.Equal(t, before[other], bytes)
				}
			}
		}
		for i := range streams {
			tokens, _ := sent(i)
			require.Equal(t, k, tokens)
		}
	}
	for i := range streams {
		c.did(t, "POST", path(i)+"/clock", `{"advance": "1h"}`)
		events, err := all[i].rest()
		require.NoError(t, err)
		require.Equal(t, "message_stop", events[len(events)-1].name)
		require.Len(t, deltas(events), 60-steps)
	}
	srv.RequireIdle(t)
}

// One step of a run moves all its streams, and "first-token" goes to whichever comes first.
func TestTheFirstTokenIsThatOfAStreamUnderWay(t *testing.T) {
	srv := mock.Start(t, mock.ScenarioText(sixtyTokens), mock.JournalLimit(1)) // the journal keeps nothing
	c := calling(srv)
	c.did(t, "POST", "/runs", `{"name": "s", "clock": "stepped"}`)
	const moves = "/runs/sixty-tokens/s/clock"
	for range 3 {
		l, err := calling(srv, "X-Orrery-Run", "s").listen(open(t), body(fields{"stream": true}))
		require.NoError(t, err)
		defer l.Body.Close()
		told := c.did(t, "POST", moves, `{"until": "first-token"}`)
		require.LessOrEqual(t, told["steps"], 4., "the tokens of earlier streams don't count")
		c.did(t, "POST", moves, `{"next": 3}`)
	}
	whole := make(chan answer)
	go func() {
		a, _ := calling(srv, "X-Orrery-Run", "s").postTo("/v1/messages", body(nil))
		whole <- a
	}()
	c.did(t, "POST", moves, `{"until": "first-token"}`)
	require.Equal(t, http.StatusOK, (<-whole).status, "an answer without tokens to wait for counts when it ends")
}

// Twenty clients make, step, stream, script, release, reset and delete the same few runs at once. Nothing may panic,
// hang or be left over, and every answer of the control API is one of its own.
func TestControlCallsAndRequestsOfTheSameRunsMayComeInAnyOrder(t *testing.T) {
	rounds := 40
	if testing.Short() || raceDetector {
		rounds = 10
	}
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		srv := mock.StartInMemory(t, mock.ScenarioText(sixtyTokens), mock.JournalLimit(1<<20), mock.Logger(slog.New(slog.NewTextHandler(&log, nil))))
		var group sync.WaitGroup
		for client := range 20 {
			c := calling(srv, "X-Orrery-Run", fmt.Sprint("r", client%4))
			path := fmt.Sprint("/runs/sixty-tokens/r", client%4)
			group.Go(func() {
				dice := rand.New(rand.NewPCG(6, uint64(client)))
				for range rounds {
					call := [][3]string{
						{"POST", "/runs", fmt.Sprintf(`{"name": "r%d", "clock": "stepped"}`, client%4)},
						{"DELETE", path, ""},
						{"POST", path + "/reset", ""},
						{"POST", path + "/clock", `{"next": 5}`},
						{"POST", path + "/clock", `{"advance": "50ms"}`},
						{"POST", path + "/clock", `{"until": "first-token"}`},
						{"POST", path + "/clock", `{"hold": true}`},
						{"POST", path + "/clock", `{"release": true}`},
						{"GET", path + "/clock", ""},
						{"POST", path + "/next", `{"reply": "held", "faults": [{"stall": {"gate": "go"}, "after": 1}]}`},
						{"POST", path + "/gates/go/release", ""},
						{"GET", "/runs", ""},
						{"GET", "/journal?limit=5", ""},
						{"", "", ""},
					}[dice.IntN(14)]
					if call[0] == "" {
						if _, err := c.postTo("/v1/messages", body(fields{"stream": dice.IntN(2) == 0})); err != nil {
							t.Error(err)
						}
						continue
					}
					status, told, err := c.control(call[0], call[1], call[2])
					if err != nil || status >= 500 || status >= 400 && told["detail"] == "" {
						t.Errorf("%v: %d %v %v", call, status, told, err)
					}
				}
			})
		}
		ended := make(chan struct{})
		go func() { group.Wait(); close(ended) }()
		for stuck := true; stuck; { // whoever waits for a clock or a gate is let go by its run's end
			for i := range 4 {
				_, _, _ = calling(srv).control("DELETE", fmt.Sprint("/runs/sixty-tokens/r", i), "")
			}
			time.Sleep(2 * clock.SettleLimit)
			select {
			case <-ended:
				stuck = false
			default:
			}
		}
		srv.RequireIdle(t)
		require.NotContains(t, log.String(), "panic")
	})
}
