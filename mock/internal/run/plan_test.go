package run_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

func TestEachPlaceCountsItsOwnDraws(t *testing.T) {
	g := playing(t, `
profiles:
  a: {respond: {uniform: [0ms, 100ms]}}
  b: {respond: {uniform: [0ms, 100ms]}}
routes:
  - {name: a, when: stream, profile: a, reply: hello}
  - {name: b, profile: b, reply: hello}
`)
	for n := range uint64(20) {
		// However often the other profile answers in between.
		require.Equal(t, []run.Draw{{Place: "profiles.a.respond", N: n, U: latency.NewPlace(0, "profiles.a.respond").Exact(n)}}, g.ask(streamed()).Draws())
		for range n % 3 {
			g.ask()
		}
	}
}

func TestOfAHundredDrawsOneLiesInEachPercentile(t *testing.T) {
	g := playing(t, "profiles: {even: {respond: {uniform: [0ms, 100ms]}}}\nroutes: [{name: all, profile: even}]\n")
	for range 3 {
		all := g.durations(100)
		slices.Sort(all)
		for i, d := range all {
			require.Equal(t, time.Duration(i), d/ms)
		}
	}
}

func TestRandomSamplingDrawsIndependently(t *testing.T) {
	text := "profiles: {even: {sampling: random, respond: {uniform: [0ms, 100ms]}}}\nroutes: [{name: all, profile: even}]\n"
	all := playing(t, text).durations(1000)
	require.Equal(t, all, playing(t, text).durations(1000), "and yet by the seed")
	seen := map[time.Duration]int{}
	for _, d := range all[:100] {
		seen[d/ms]++
	}
	require.InDelta(t, 63, len(seen), 15, "of a hundred percentiles, 1 − 1/e come up")
}

func TestDrawsByBodyFollowTheBodyAndNotTheOrder(t *testing.T) {
	text := "profiles: {own: {draw_by: body, first-token: {uniform: [0ms, 1s]}, token-gap: {uniform: [0ms, 100ms]}, pace: {p0: 0.5, p100: 2}}}\nroutes: [{name: all, profile: own, reply: one two three four five six}]\n"
	g := playing(t, text)
	first := g.ask(streamed(), saying("first"))
	other := g.ask(streamed(), saying("other"))
	require.NotEqual(t, first.Timeline.Duration(), other.Timeline.Duration())
	for range 5 {
		again := g.ask(streamed(), saying("first"))
		require.Equal(t, first.Timeline.TTFT(), again.Timeline.TTFT())
		require.Equal(t, gaps(first), gaps(again))
	}
	require.Equal(t, gaps(other), gaps(playing(t, text).ask(streamed(), saying("other"))), "in another order, in another run")
}

func TestOnlyThePartsOfASumAreExact(t *testing.T) {
	g := playing(t, "profiles: {two: {respond: {sum: {near: {uniform: [0ms, 100ms]}, far: {uniform: [0ms, 1s]}, always: 5ms}}}}\nroutes: [{name: all, profile: two, reply: hello}]\n")
	near, far := map[latency.U]bool{}, map[latency.U]bool{}
	for range 100 {
		d := g.ask()
		draws := map[string]latency.U{}
		for _, w := range d.Draws() {
			draws[w.Place] = w.U
		}
		a, b := draws["profiles.two.respond.near"], draws["profiles.two.respond.far"]
		require.NotEqual(t, a, b)
		near[a/10_000_000], far[b/10_000_000] = true, true
		want := 5*ms + time.Duration(float64(100*ms)*float64(a)/1e9) + time.Duration(float64(time.Second)*float64(b)/1e9)
		require.InDelta(t, want, d.Timeline.Duration(), float64(5*time.Microsecond))
	}
	require.Len(t, near, 100)
	require.Len(t, far, 100)
}

func TestTheLoadMultipliesEveryDrawnDuration(t *testing.T) {
	text := `
profiles:
  slow:
    headers: 10ms
    message-start: 20ms
    first-token: {sum: {near: 30ms, far: 10ms}}
    token-gap: 8ms
    stop: 4ms
    LOAD
routes: [{name: all, profile: slow, reply: one two three}]
`
	rest := playing(t, replaced(text, "LOAD", "")).ask(streamed())
	busy := playing(t, replaced(text, "LOAD", "load: {by: request_bytes, at: {0: 1, 1: 2.5}}")).ask(streamed())
	require.Equal(t, rest.Timeline.Len(), busy.Timeline.Len())
	for i := range rest.Timeline.Len() {
		require.Equal(t, rest.Timeline.Step(i).Due*5/2, busy.Timeline.Step(i).Due)
	}
}

func TestTheLoadIsStraightBetweenItsPointsAndFlatOutside(t *testing.T) {
	g := playing(t, "profiles: {busy: {respond: 100ms, load: {by: len(text), at: {2: 1, 6: 3}}}}\nroutes: [{name: all, profile: busy}]\n")
	for text, want := range map[string]time.Duration{"a": 100 * ms, "ab": 100 * ms, "abc": 150 * ms, "abcd": 200 * ms, "abcdef": 300 * ms, "abcdefgh": 300 * ms} {
		require.Equal(t, want, g.ask(saying(text)).Timeline.Duration(), text)
	}
}

func TestPaceMultipliesTheGapsOfOneRequestAlone(t *testing.T) {
	g := playing(t, "profiles: {paced: {first-token: 100ms, token-gap: 20ms, pace: {p0: 0.5, p100: 1.5}}}\nroutes: [{name: all, profile: paced, reply: one two three four}]\n")
	paces := map[time.Duration]bool{}
	for range 20 {
		d := g.ask(streamed())
		require.Equal(t, 100*ms, d.Timeline.TTFT())
		all := gaps(d)
		for _, gap := range all {
			require.Equal(t, all[0], gap, "all gaps of an answer have its one pace")
			require.GreaterOrEqual(t, gap, 10*ms)
			require.LessOrEqual(t, gap, 30*ms)
		}
		paces[all[0]] = true
	}
	require.Len(t, paces, 20)
}

func TestTheGapsOfEachAnswerAreItsOwn(t *testing.T) {
	g := playing(t, "profiles: {p: {first-token: 0, token-gap: {uniform: [0ms, 100ms]}}}\nroutes: [{name: all, profile: p, reply: one two three four five}]\n")
	require.NotEqual(t, gaps(g.ask(streamed())), gaps(g.ask(streamed())))
}

func TestAWholeAnswerTakesAsLongAsItsStreamWould(t *testing.T) {
	text := "profiles: {p: {first-token: {uniform: [100ms, 200ms]}, token-gap: {uniform: [0ms, 100ms]}, stop: 3ms}}\nroutes: [{name: all, profile: p, reply: one two three four five}]\n"
	whole, stream := playing(t, text), playing(t, text)
	for range 20 {
		w, s := whole.ask(), stream.ask(streamed())
		require.Equal(t, s.Timeline.Duration(), w.Timeline.Duration())
		require.Equal(t, s.Draws(), w.Draws())
	}
}

func TestTokensPerEventFollowTheSeedAlsoWithoutGaps(t *testing.T) {
	text := "profiles: {p: {first-token: 10ms, tokens_per_event: 1..4}}\nroutes: [{name: all, profile: p, reply: {tokens: 200}}]\n"
	cut := func(seed uint64) (sizes []int) {
		d := playingAs(t, text, "default", &seed).ask(streamed())
		for i := range d.Timeline.Len() {
			if n := d.Timeline.Step(i).Tokens(); n > 0 {
				sizes = append(sizes, n)
			}
		}
		return sizes
	}
	require.Equal(t, cut(1), cut(1))
	require.NotEqual(t, cut(1), cut(2))
	for _, size := range []int{1, 2, 3, 4} {
		require.Contains(t, cut(1), size)
	}
}

func TestWithoutAProfileAnErrorLeavesAtOnce(t *testing.T) {
	g := playing(t, "routes: [{name: no, error: {status: 404, message: no}}]\n")
	require.Zero(t, g.ask().Timeline.Duration())
}
