package api_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// streaming asks for a streamed answer in the background; the end of ctx is its client's leaving.
func (c controls) streaming(ctx context.Context, path string) {
	r := request("POST", path+"/v1/messages", strings.Replace(hello, `"max_tokens"`, `"stream":true,"max_tokens"`, 1)).WithContext(ctx)
	go func() {
		defer func() { _ = recover() }() // as net/http does, of a client that has left
		c.ServeHTTP(httptest.NewRecorder(), r)
	}()
	synctest.Wait()
}

func TestAStepToAFirstTokenThatCannotComeMovesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := controls{serving(t)}
		c.do("POST", "/runs", `{"scenario": "home", "name": "s", "clock": "stepped"}`)
		const moves, path = "/runs/home/s/clock", "/scenarios/home/runs/s"
		status, told := c.do("POST", moves, `{"until": "first-token"}`)
		require.Equal(t, 409, status)
		require.Contains(t, told["detail"], "nothing waits on the clock")

		c.streaming(t.Context(), path)
		status, told = c.do("POST", moves, `{"until": "first-token"}`)
		require.Equal(t, 200, status, told)
		now := told["now"]
		status, told = c.do("POST", moves, `{"until": "first-token"}`)
		require.Equal(t, []any{409, "until"}, []any{status, told["field"]})
		require.Contains(t, told["detail"], "nothing open is before its first token")
		_, told = c.do("GET", moves, "")
		require.Equal(t, now, told["now"])
		require.Len(t, told["waiting"], 1)

		left, leave := context.WithCancel(t.Context())
		c.streaming(left, path)
		leave()
		synctest.Wait()
		status, _ = c.do("POST", moves, `{"until": "first-token"}`)
		require.Equal(t, 409, status, "the second one's client has left")

		c.streaming(t.Context(), path)
		status, told = c.do("POST", moves, `{"until": "first-token"}`)
		require.Equal(t, 200, status, told)
		require.NotEqual(t, now, told["now"])
		c.do("POST", moves, `{"release": true}`)
		_, err := c.Journal.Wait(t.Context(), 3, journal.Query{Run: "s"})
		require.NoError(t, err)
	})
}

const slotted = `
orrery: 1
name: slotted
profiles: {p: {first-token: 100ms, token-gap: 100ms, respond: 1s, queue: {slots: 1, cancel: 17ms, wait: 2s}}}
routes: [{name: all, profile: p, reply: {tokens: 10}}]
`

// busy is how many slots of the runs' queues are taken, as the load tells it.
func (c controls) busy() any {
	_, told := c.do("GET", "/load", "")
	return told["queues"].([]any)[0].(map[string]any)["busy"]
}

func TestASteppedClockGoesToTheReleaseOfASlotWhoseClientHasLeft(t *testing.T) {
	for name, move := range map[string]string{
		"next": `{"next": 1}`, "advance": `{"advance": "17ms"}`, "release": `{"release": true}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := controls{serving(t, func(config *api.Config) {
					made, err := config.Library.LoadText("slotted.yaml", []byte(slotted))
					require.NoError(t, err)
					config.Default = made
				})}
				c.do("POST", "/runs", `{"name": "s", "clock": "stepped"}`)
				const moves = "/runs/slotted/s/clock"
				ctx, leave := context.WithCancel(t.Context())
				c.streaming(ctx, "/scenarios/slotted/runs/s")
				c.do("POST", moves, `{"next": 1}`)
				leave()
				synctest.Wait()

				require.Equal(t, 1., c.busy())
				_, told := c.do("GET", moves, "")
				require.Equal(t, []any{map[string]any{
					"in_ms": 17., "request": "POST /scenarios/slotted/runs/s/v1/messages, whose client has left: its slot gets free",
				}}, told["waiting"])
				status, told := c.do("POST", moves, move)
				require.Equal(t, 200, status, told)
				time.Sleep(20 * time.Millisecond) // in the bubble; only a released clock moves by it
				require.Equal(t, 0., c.busy())
				_, told = c.do("GET", moves, "")
				require.Empty(t, told["waiting"])
			})
		})
	}
}
