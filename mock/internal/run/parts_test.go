package run_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func total(parts map[string]time.Duration) (sum time.Duration) {
	for _, d := range parts {
		sum += d
	}
	return sum
}

func TestPartsAddUpToTheFirstTokenToTheNanosecond(t *testing.T) {
	g := playing(t, `
profiles:
  p:
    first-token: {sum: {network: {lognormal: {p50: 148ms, p99: 260ms}}, scheduling: {lognormal: {p50: 98ms, p99: 260ms}}, padding: 60ms}}
    token-gap: 7ms
    per_input_token: 77777ns
    load: {by: concurrency, at: {1: 1, 100: 1.777777777}}
    queue: {slots: 2}
routes: [{name: all, profile: p, reply: "one two three"}]
`)
	for i := range 200 {
		d := g.ask(at(time.Duration(i)*100*ms), streamed())
		require.Len(t, d.Parts(), 5)
		require.Equal(t, d.Timeline.TTFT(), total(d.Parts()))
	}
}

func TestOnlyWhatIsMadeOfPartsHasThem(t *testing.T) {
	g := playing(t, `
profiles:
  plain: {respond: 5ms, first-token: 3ms, token-gap: 1ms}
  summed: {headers: {sum: {a: 1ms}}, first-token: 1ms, respond: {sum: {b: 2ms, c: 3ms}}}
routes:
  - {name: plain, when: text == "plain", profile: plain}
  - {name: summed, profile: summed}
`)
	require.Nil(t, g.ask(saying("plain")).Parts())
	require.Nil(t, g.ask(saying("plain"), streamed()).Parts())
	require.Equal(t, map[string]time.Duration{"b": 2 * ms, "c": 3 * ms}, g.ask().Parts(), "those of the answer alone")
}

func TestInputTokensTakeTime(t *testing.T) {
	g := playing(t, `
profiles: {p: {respond: 100ms, first-token: 40ms, token-gap: 1ms, per_input_token: 0.5ms, load: {by: messages, at: {1: 2}}}}
routes:
  - {name: cached, when: text == "cached", profile: p, usage: {cache_read_input_tokens: input_tokens - 2}}
  - {name: overcached, when: text == "over", profile: p, usage: {cache_read_input_tokens: input_tokens + 9}}
  - {name: refused, when: text == "refused", profile: p, error: {status: 500}}
  - {name: all, profile: p}
`)
	q := g.query()
	tokens := time.Duration(q.Request.InputTokens)
	require.Greater(t, tokens, time.Duration(2))
	d := g.Decide(q)
	require.Equal(t, map[string]time.Duration{"respond": 200 * ms, "input_tokens": tokens * ms}, d.Parts(), "the load's factor of 2 is on both")
	require.Equal(t, 200*ms+tokens*ms, d.Timeline.Duration())
	require.Equal(t, 80*ms+tokens*ms, g.ask(streamed()).Timeline.TTFT())
	require.Equal(t, 202*ms, g.ask(saying("cached")).Timeline.Duration(), "what the cache gives takes none")
	require.Equal(t, 200*ms, g.ask(saying("over")).Timeline.Duration())
	refused := g.query(saying("refused"))
	require.Equal(t, 200*ms+time.Duration(refused.Request.InputTokens)*ms, g.Decide(refused).Timeline.Duration())
}

func TestABlendFollowsTheRequest(t *testing.T) {
	g := playing(t, `
parameters: {feedback: {type: number, minimum: 0, maximum: 1, default: 0.5}}
profiles:
  p:
    respond: {blend: {by: params.feedback, at: {0: {p0: 100ms, p100: 300ms}, 0.5: {p0: 150ms, p100: 200ms}, 1: 170ms}}}
    first-token: 0
    token-gap: {blend: {by: params.feedback, at: {0: 10ms, 1: 20ms}}}
    pace: {blend: {by: params.feedback, at: {0: 1, 1: 3}}}
routes: [{name: all, profile: p, reply: "one two three"}]
`)
	between := func(low, high time.Duration, changes ...change) {
		all := g.durations(100, changes...)
		for _, d := range all {
			require.True(t, low <= d && d <= high, "%v", d)
		}
	}
	between(150*ms, 200*ms)
	between(170*ms, 170*ms, with(`"feedback":1`))
	between(160*ms, 185*ms, with(`"feedback":0.75`))
	require.Greater(t, g.durations(100, with(`"feedback":0`))[0], 100*ms)
	require.Equal(t, 30*ms, gaps(g.ask(streamed(), with(`"feedback":0.5`)))[0], "15 ms times 2")
	require.Equal(t, 60*ms, gaps(g.ask(streamed(), with(`"feedback":1`)))[0])
}

func TestATraceIsReplayedInTheOrderOfItsDraws(t *testing.T) {
	const text = `
profiles: {p: {respond: {trace: [210ms, 190ms, 0.5s]}, first-token: 0, token-gap: {trace: [1ms, 2ms]}MORE}}
routes: [{name: all, profile: p, reply: "one two three four"}]
`
	g := playing(t, replaced(text, "MORE", ""))
	require.Equal(t, []time.Duration{210 * ms, 190 * ms, 500 * ms, 210 * ms}, g.durations(4))
	for range 2 {
		require.Equal(t, []time.Duration{ms, 2 * ms, ms}, gaps(g.ask(streamed()))[:3], "each stream from the first")
	}
	g = playing(t, replaced(text, "MORE", ", draw_by: body"))
	all := g.durations(3)
	require.Equal(t, []time.Duration{all[0], all[0], all[0]}, all)
}

func TestAnErrorThatSaysNothingSaysWhatTheAPIsSchemaSays(t *testing.T) {
	require.Equal(t, "Rate limited", message(playing(t, "routes: [{name: all, error: {status: 429}}]\n").ask()))
}
