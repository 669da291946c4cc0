package mock_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// slow sends its headers after 100 ms, the first event after 200 and the first of ten tokens after
// 300, then one every 100 ms; a whole answer comes after a second.
const slow = `
orrery: 1
name: slow
profiles:
  slow: {headers: 100ms, message-start: 200ms, first-token: 300ms, token-gap: 100ms}
  whole: {respond: 1s}
facts: {alone: concurrency == 1}
routes:
  - {name: streamed, when: stream, profile: slow, reply: {tokens: 10}}
  - {name: whole, profile: whole, marks: {alone: alone}}
`

func TestAClientThatLeavesIsNotedAtOnce(t *testing.T) {
	for name, tt := range map[string]struct {
		after  time.Duration
		stream bool
		phase  journal.Phase
		bytes  bool
	}{
		"before the headers of a stream": {50 * ms, true, journal.Waiting, false},
		"before the first event":         {150 * ms, true, journal.Headers, false},
		"before the first token":         {250 * ms, true, journal.Streaming, true},
		"between two tokens":             {777 * ms, true, journal.Streaming, true},
		"before a whole answer":          {999 * ms, false, journal.Waiting, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := mock.StartInMemory(t, mock.ScenarioText(slow))
				ctx, cancel := context.WithTimeout(t.Context(), tt.after)
				defer cancel()
				if l, err := calling(srv).listen(ctx, body(fields{"stream": tt.stream})); err == nil {
					_, err = l.rest()
					require.ErrorIs(t, err, context.DeadlineExceeded)
				}

				gone, err := srv.Journal().Wait(open(t), 1, journal.Query{Outcome: journal.ClientLeft})

				require.NoError(t, err)
				require.Equal(t, tt.phase, gone[0].Phase)
				requireWithin(t, tt.after, tt.after+5*ms, gone[0].Ended, "the end")
				require.Equal(t, tt.bytes, gone[0].Bytes > 0)
				for _, s := range gone[0].Steps {
					require.Equal(t, s.Planned <= tt.after, s.Actual >= 0, "%+v", s)
				}

				calling(srv).post(t, body(nil))
				require.True(t, srv.Journal().Last().Marks["alone"], "who left is off the load")
			})
		})
	}
}

func TestAClientThatLeavesWithinItsBodyIsNoted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow))
		conn, err := srv.Client().Transport.(*http.Transport).DialContext(t.Context(), "tcp", "orrery.memory:80")
		require.NoError(t, err)
		_, err = io.WriteString(conn, "POST /v1/messages HTTP/1.1\r\nHost: orrery.memory\r\nX-Api-Key: k\r\nContent-Length: 100\r\n\r\n{")
		require.NoError(t, err)
		time.Sleep(30 * ms)
		require.NoError(t, conn.Close())

		gone, err := srv.Journal().Wait(open(t), 1, journal.Query{Outcome: journal.ClientLeft})

		require.NoError(t, err)
		require.Equal(t, journal.Reading, gone[0].Phase)
		requireWithin(t, 30*ms, 35*ms, gone[0].Ended, "the end")
	})
}

func TestASlowReaderDelaysOnlyItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow))
		ask := body(fields{"stream": true})
		sluggish, err := calling(srv).listen(t.Context(), ask)
		require.NoError(t, err)
		_, err = sluggish.next()
		require.NoError(t, err)
		brisk, err := calling(srv).listen(t.Context(), ask)
		require.NoError(t, err)
		_, err = brisk.rest()
		require.NoError(t, err)
		woken := time.Since(sluggish.start) + 7*ms
		time.Sleep(7 * ms)
		events, err := sluggish.rest()
		require.NoError(t, err)
		require.NotEmpty(t, events)

		entries, err := srv.Journal().Wait(open(t), 2, journal.Query{Outcome: journal.Complete})
		require.NoError(t, err)
		require.Equal(t, entries[1].Planned(), entries[1].Actual())
		late := 0
		for _, s := range entries[0].Steps {
			switch {
			case s.Actual == s.Planned:
			case s.Planned < woken:
				require.Equal(t, woken, s.Actual, "a late step goes out at once: %+v", s)
				late++
			default:
				t.Errorf("late without a reason: %+v", s)
			}
		}
		require.NotZero(t, late)
	})
}

// TestLateStepsKeepLaterDeadlines stops reading for 350 ms; what comes after is on time again.
func TestLateStepsKeepLaterDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slow))
		l, err := calling(srv).listen(t.Context(), body(fields{"stream": true}))
		require.NoError(t, err)
		_, err = l.next()
		require.NoError(t, err)
		time.Sleep(350 * ms)
		woken := time.Since(l.start)
		_, err = l.rest()
		require.NoError(t, err)

		e := srv.Journal().Last()
		var late, onTime []string
		for _, s := range e.Steps {
			if s.Event != "content_block_delta" {
				continue
			}
			if s.Actual == s.Planned {
				onTime = append(onTime, fmt.Sprint(s.Planned))
			} else {
				require.Equal(t, woken, s.Actual)
				late = append(late, fmt.Sprint(s.Planned))
			}
		}
		require.Equal(t, "300ms 400ms 500ms", strings.Join(late, " "))
		require.Equal(t, "600ms 700ms 800ms 900ms 1s 1.1s 1.2s", strings.Join(onTime, " "))
		require.Equal(t, woken-300*ms, e.Lateness())
	})
}
