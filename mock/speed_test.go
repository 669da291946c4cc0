package mock_test

import (
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// fast is a speed at which a stream of seconds takes milliseconds.
const fast = 1000

// articles are a stream of each article's scenario, and how to ask for it.
func articles() map[string]func(*mock.Server) (caller, []byte) {
	streamed := func(model string) func(*mock.Server) (caller, []byte) {
		return func(srv *mock.Server) (caller, []byte) {
			return calling(srv), body(fields{"stream": true, "model": model})
		}
	}
	return map[string]func(*mock.Server) (caller, []byte){
		"zlip": streamed(fastModel), "zio": streamed("claude-3-5-sonnet-20241022"), "zero-plane": streamed("claude-3-5-sonnet-20241022"),
	}
}

// heardAt is what a client hears of a scenario's first streams at a speed, one after the other.
type heardAt struct {
	bodies []string
	took   []time.Duration // by the client's clock
	kept   []journal.Entry
}

func hearAt(t *testing.T, scenario string, speed, n int) (h heardAt) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario(scenario))
		c, ask := articles()[scenario](srv)
		c.did(t, "POST", "/runs", fmt.Sprintf(`{"name": "r", "speed": %d}`, speed))
		for range n {
			a, err := c.inRun("r", ask)
			require.NoError(t, err)
			require.Equal(t, 200, a.status, "%s", a.body)
			h.bodies = append(h.bodies, string(a.body))
			h.took = append(h.took, a.took)
		}
		h.kept = srv.Journal().Find(journal.Query{Run: "r"})
	})
	return h
}

func TestAtSpeed1000TheArticlesStreamsAreByteForByteTheSame(t *testing.T) {
	const n = 20
	for scenario := range articles() {
		t.Run(scenario, func(t *testing.T) {
			plain, scaled := hearAt(t, scenario, 1, n), hearAt(t, scenario, fast, n)
			require.Equal(t, plain.bodies, scaled.bodies)
			require.Greater(t, len(plain.bodies[0]), 1000, "it is a stream")
			for i := range n {
				e := scaled.kept[i]
				require.Equal(t, plain.kept[i].Planned(), e.Planned())
				require.Equal(t, plain.kept[i].Planned(), plain.kept[i].Actual())
				// The machine's nanosecond is a microsecond of the run's time, and nothing is ever early.
				require.Equal(t, (e.PlannedDuration()+fast-1)/fast, scaled.took[i])
				require.Less(t, e.Lateness(), time.Duration(fast))
				require.Equal(t, plain.took[i], e.PlannedDuration())
			}
		})
	}
}

// A smoke test on a real clock, and so by a ratio: whatever the machine is busy with, a thousandth of a plan isn't a
// tenth of it.
func TestAtSpeed1000AStreamOfSecondsTakesNoSeconds(t *testing.T) {
	srv := mock.Start(t, mock.Scenario("zio"), mock.Speed(fast))
	c, ask := articles()["zio"](srv)
	start := time.Now()
	var all time.Duration
	for range 20 {
		a := c.post(t, ask)
		require.Equal(t, 200, a.status)
		all += srv.Journal().Last().PlannedDuration()
	}
	require.Less(t, time.Since(start), all/10)
}

// BenchmarkSpeed1000 says how much later than a thousandth of its plan a stream ends.
func BenchmarkSpeed1000(b *testing.B) {
	for scenario, article := range articles() {
		b.Run(scenario, func(b *testing.B) {
			srv := mock.Start(b, mock.Scenario(scenario), mock.Speed(fast))
			c, ask := article(srv)
			var late []time.Duration
			for b.Loop() {
				response, err := c.send(b.Context(), "/v1/messages", ask)
				require.NoError(b, err)
				_, err = io.Copy(io.Discard, response.Body)
				require.NoError(b, err)
				require.NoError(b, response.Body.Close())
				e := srv.Journal().Last()
				late = append(late, (e.ActualDuration()-e.PlannedDuration())/fast)
			}
			bounded(b, "late-p99-ms", percentile(99, late).Seconds()*1000, 5)
		})
	}
}
