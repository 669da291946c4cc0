package mock_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// gap is what lies between two events with content at the client, and what the second one carried.
type gap struct {
	time.Duration
	tokens int
}

// gaps streams n answers at once and compares what the client saw with the journal.
func gaps(t *testing.T, srv *mock.Server, n int, body []byte) []gap {
	t.Helper()
	c := calling(srv)
	heard := make([][]event, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			l, err := c.listen(t.Context(), body)
			if err == nil {
				heard[i], _ = l.rest()
			}
		})
	}
	group.Wait()
	var seen []string
	for _, events := range heard {
		seen = append(seen, fmt.Sprint(deltas(events)))
	}
	var all []gap
	var promised []string
	for _, e := range srv.Journal().All() {
		var at []time.Duration
		for _, s := range e.Steps {
			if s.Event != "content_block_delta" {
				continue
			}
			if len(at) > 0 {
				all = append(all, gap{s.Actual - at[len(at)-1], s.Tokens})
			}
			at = append(at, s.Planned)
		}
		promised = append(promised, fmt.Sprint(at))
	}
	slices.Sort(seen)
	slices.Sort(promised)
	require.Equal(t, promised, seen)
	return all
}

func TestZioTokensComeInTwoModes(t *testing.T) { // CLAIMS.md O04
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("zio"))

		all := gaps(t, srv, 50, body(fields{"stream": true, "max_tokens": 200}))

		for _, e := range srv.Journal().All() {
			tokens := 0
			for _, s := range e.Steps {
				tokens += s.Tokens
			}
			require.Equal(t, 200, tokens)
		}
		short := func(g gap) bool { return between(17*ms, 23*ms)(g.Duration) }
		long := func(g gap) bool { return between(85*ms, 92*ms)(g.Duration) }
		merged := func(g gap) bool { return g.tokens > 1 }
		require.InDelta(t, 0.68, share(all, short), 0.01)
		require.InDelta(t, 0.29, share(all, long), 0.01)
		require.InDelta(t, 0.29, share(all, func(g gap) bool { return long(g) && merged(g) }), 0.01)
		for _, g := range all {
			require.LessOrEqual(t, g.tokens, 3)
			require.False(t, merged(g) && !long(g), "%v carries %d tokens", g.Duration, g.tokens)
		}
		for _, tokens := range []int{2, 3} {
			require.InDelta(t, 0.145, share(all, func(g gap) bool { return g.tokens == tokens }), 0.02)
		}
	})
}

func TestZioImagesStayOnTheOldPath(t *testing.T) { // CLAIMS.md O05, O16
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("zio"))
		image := fields{"type": "image", "source": fields{"type": "base64", "media_type": "image/png", "data": dot}}
		text := fields{"type": "text", "text": "What is this?"}
		ask := fields{"stream": true, "messages": []fields{{"role": "user", "content": []fields{image, text}}}}

		all := gaps(t, srv, 50, body(ask))

		require.Equal(t, "images stay on the old path", srv.Journal().Last().Route)
		require.GreaterOrEqual(t, share(all, func(g gap) bool {
			return between(30*ms, 45*ms)(g.Duration) || between(60*ms, 75*ms)(g.Duration)
		}), 0.95)
		require.Less(t, share(all, func(g gap) bool { return between(17*ms, 23*ms)(g.Duration) }), 0.01)
	})
}

// dot is a PNG of one pixel.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func TestZioRoundTripsAreNarrow(t *testing.T) { // CLAIMS.md O02
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("zio"))

		times := each(calling(srv).postAll(t, 1000, 20, question(fields{"max_tokens": 1})), took)

		require.Less(t, deviation(times), 45*ms)
		require.GreaterOrEqual(t, share(times, between(210*ms, 295*ms)), 0.95)
	})
}

func deviation(durations []time.Duration) time.Duration {
	var sum, squares float64
	for _, d := range durations {
		sum += float64(d)
		squares += float64(d) * float64(d)
	}
	n := float64(len(durations))
	return time.Duration(math.Sqrt(squares/n - sum/n*sum/n))
}

// TestZioChangesNothingOfTheAPI compares zio with messages, key by key (CLAIMS.md O01).
func TestZioChangesNothingOfTheAPI(t *testing.T) {
	for _, model := range []string{"claude-sonnet-5", "claude-3-5-sonnet-20241022"} {
		t.Run(model, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shapes := map[string][2][]string{}
				for _, name := range []string{"messages", "zio"} {
					c := calling(mock.StartInMemory(t, mock.Scenario(name)))
					header, events := c.stream(t, body(fields{"model": model, "stream": true}))
					whole := c.post(t, body(fields{"model": model}))
					shapes[name] = [2][]string{streamShape(header, events), wholeShape(t, whole)}
				}
				require.Equal(t, shapes["messages"], shapes["zio"])
				require.Contains(t, shapes["zio"][0], "content_block_delta.delta.text string")
				require.Contains(t, shapes["zio"][1], ".content[].text string")
			})
		})
	}
}

// streamShape is every header, and every key of every event with the type of its value. The
// order of events is in it too; several deltas count as one.
func streamShape(header http.Header, events []event) []string {
	shape := headerNames(header)
	for _, e := range events {
		keys := map[string]bool{}
		walk(e.name, e.data, keys)
		for _, k := range sortedKeys(keys) {
			if !slices.Contains(shape, k) {
				shape = append(shape, k)
			}
		}
	}
	return shape
}

func wholeShape(t *testing.T, a answer) []string {
	var whole map[string]any
	require.NoError(t, json.Unmarshal(a.body, &whole))
	keys := map[string]bool{}
	walk("", whole, keys)
	return append(headerNames(a.header), sortedKeys(keys)...)
}

func headerNames(h http.Header) []string {
	var names []string
	for name := range h {
		names = append(names, "header "+strings.ToLower(name))
	}
	slices.Sort(names)
	return names
}

func sortedKeys(m map[string]bool) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

func walk(path string, v any, keys map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			walk(path+"."+k, inner, keys)
		}
	case []any:
		for _, inner := range v {
			walk(path+"[]", inner, keys)
		}
	default:
		keys[fmt.Sprintf("%s %T", path, v)] = true
	}
}
