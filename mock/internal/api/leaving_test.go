package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

const ms = time.Millisecond

// head is a request line and headers, with further header lines.
func head(more ...string) string {
	lines := append([]string{"POST /v1/messages HTTP/1.1", "Host: x", "X-Api-Key: " + secret, "Anthropic-Version: 2023-06-01"}, more...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

func whole(body string) string { return head(fmt.Sprint("Content-Length: ", len(body))) + body }

func TestTheJournalSaysInWhichPhaseAClientLeft(t *testing.T) {
	stream := strings.Replace(hello, "{", `{"stream":true,`, 1)
	for _, c := range []struct {
		name, sends string
		after       time.Duration
		phase       journal.Phase
		sent        int // steps
	}{
		{"within a body of known length", head("Content-Length: 1000") + hello, 5 * ms, journal.Reading, 0},
		{"within a body of chunks", head("Transfer-Encoding: chunked") + "5\r\n{\"mod", 5 * ms, journal.Reading, 0},
		{"before the answer", whole(hello), 50 * ms, journal.Waiting, 0},
		{"before the stream's headers", whole(stream), 5 * ms, journal.Waiting, 0},
		{"between headers and message_start", whole(stream), 15 * ms, journal.Headers, 1},
		{"before the first token", whole(stream), 25 * ms, journal.Streaming, 2},
		{"between tokens", whole(stream), 150 * ms, journal.Streaming, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			connected(t, func(t *testing.T, n *network) {
				conn := n.raw(c.sends)
				go func() { _, _ = io.Copy(io.Discard, conn) }()
				time.Sleep(c.after)
				synctest.Wait()
				require.Equal(t, journal.Open, n.Journal.Last().Outcome, "it is still under way")
				require.NoError(t, conn.Close())
				synctest.Wait()

				e := n.Journal.Last()
				require.Equal(t, []any{journal.ClientLeft, c.phase}, []any{e.Outcome, e.Phase})
				require.Equal(t, c.after, e.Ended, "at the very instant")
				sent := 0
				for _, s := range e.Steps {
					if s.Actual >= 0 {
						sent++
					}
				}
				require.Equal(t, c.sent, sent)
			})
		})
	}
}

func TestWhoHasLeftIsNoLongerInFlight(t *testing.T) {
	connected(t, func(t *testing.T, n *network) {
		for _, want := range []int{1, 2, 2} {
			conn := n.raw(whole(hello))
			synctest.Wait()
			require.Equal(t, want, n.Journal.Last().Facts["busy"])
			if want == 2 {
				require.NoError(t, conn.Close())
				synctest.Wait()
			} else {
				defer conn.Close()
			}
		}
	})
}

func TestWhoCannotBeAnsweredGetsNoEmpty200(t *testing.T) {
	s := serving(t)
	r := request("POST", "/v1/messages", "")
	r.Body, r.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader("{"), failed{io.ErrUnexpectedEOF})), 100
	w := httptest.NewRecorder()
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { s.ServeHTTP(w, r) })
	require.Zero(t, w.Body.Len())
	require.Equal(t, []any{journal.ClientLeft, journal.Reading}, []any{s.Journal.Last().Outcome, s.Journal.Last().Phase})
}

func TestWhoStaysGetsTheWholeAnswer(t *testing.T) {
	connected(t, func(t *testing.T, n *network) {
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://x/v1/messages", strings.NewReader(strings.Replace(hello, "{", `{"stream":true,`, 1)))
		require.NoError(t, err)
		r.Header = request("POST", "/", "").Header
		w, err := n.client.Do(r)
		require.NoError(t, err)
		body, err := io.ReadAll(w.Body)
		require.NoError(t, err)
		require.NoError(t, w.Body.Close())
		require.Equal(t, "text/event-stream; charset=utf-8", w.Header.Get("Content-Type"))
		require.Equal(t, "no-cache", w.Header.Get("Cache-Control"))

		e := n.Journal.Last()
		require.Equal(t, []any{journal.Complete, journal.Done}, []any{e.Outcome, e.Phase})
		require.Equal(t, e.Planned(), e.Actual())
		require.Equal(t, int64(len(body)), e.Bytes)
		require.Equal(t, w.Header.Get("Request-Id"), e.RequestID)
	})
}

func TestABodyThatIsNoHTTPIsRefusedInTheAPIsShape(t *testing.T) {
	connected(t, func(t *testing.T, n *network) {
		conn := n.raw(head("Transfer-Encoding: chunked") + "zz\r\n")
		w, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		body, err := io.ReadAll(w.Body)
		require.NoError(t, err)
		require.Equal(t, 400, w.StatusCode)
		said := requireEnvelope(t, body, w.Header, "invalid_request_error")
		require.Contains(t, said, "The request body could not be read: ")
		require.Equal(t, journal.Refused, n.Journal.Last().Outcome)
		require.NoError(t, conn.Close())
	})
}

// failing is a clock that breaks down at the n-th wait.
type failing struct{ n int }

func (*failing) Now() time.Time { return time.Now() }

func (f *failing) WaitUntil(context.Context, time.Time) error {
	if f.n--; f.n == 0 {
		panic("the clock broke down")
	}
	return nil
}

func TestAMistakeWithinAnAnswerBreaksTheConnectionOff(t *testing.T) {
	connected(t, func(t *testing.T, n *network) {
		conn := n.raw(whole(strings.Replace(hello, "{", `{"stream":true,`, 1)))
		w, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.Equal(t, 200, w.StatusCode)
		_, err = io.ReadAll(w.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "nothing that looks like an end")
		synctest.Wait()
		require.Equal(t, journal.Failed, n.Journal.Last().Outcome)
		require.NoError(t, conn.Close())
	}, func(c *api.Config) { c.Clock = &failing{4} })
}
