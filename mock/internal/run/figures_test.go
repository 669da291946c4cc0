package run_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func tokensOf(text string) int { return wire.CountTokens(text) }

// usage is a route whose answers cost this in tokens.
func usage(input, output int) string {
	return fmt.Sprintf("routes: [{name: all, profile: quick, reply: hello, usage: {input_tokens: %d, output_tokens: %d}}]\n", input, output)
}

func figures(d map[string]json.Number) map[string]string {
	all := map[string]string{}
	for name, n := range d {
		all[name] = n.String()
	}
	return all
}

func TestChargedTokensDeviateAsTheArticleSays(t *testing.T) { // CLAIMS.md O06
	g := playing(t, quick+`
figures:
  charged_tokens: {of: usage.total_tokens, factor: {normal: {mean: 0.9977, sd: 0.0007, min: 0.9959}}, decimals: 4}
routes: [{name: all, profile: quick, reply: {tokens: 50..400}}]
`)
	const n = 10_000
	q := g.query()
	var sum, squares, least float64
	for range n {
		d := g.Decide(q)
		u := d.Timeline.Message.Usage
		charged, ok := d.Figure("charged_tokens")
		require.True(t, ok)
		deviation := (charged/float64(u.Input+u.Output) - 1) * 100
		sum, squares, least = sum+deviation, squares+deviation*deviation, min(least, deviation)
	}
	mean := sum / n
	require.InDelta(t, -0.23, mean, 0.0005)
	require.InDelta(t, 0.07, math.Sqrt(squares/n-mean*mean), 0.001)
	require.GreaterOrEqual(t, least, -0.41-1e-9)
	require.InDelta(t, -0.41, least, 1e-4)
}

func TestAChargeIsExactInItsDecimals(t *testing.T) {
	for _, c := range []struct {
		of       int
		factor   string
		decimals int
		want     string
	}{
		{1024, "0.9977", 4, "1021.6448"},
		{3, "0.1", 4, "0.3000"}, // 0.30000000000000004 as floats
		{1, "0.00005", 4, "0.0001"},
		{1, "0.000049999", 4, "0.0000"},
		{-1, "0.00005", 4, "-0.0001"},
		{-12, "0.5", 1, "-6.0"},
		{7, "0.5", 0, "4"},
		{9007199254740993, "1", 0, "9007199254740993"}, // 2⁵³ + 1 is no float
		{1, "0.123456789", 9, "0.123456789"},
		{123456, "9999.999999999", 2, "1234560000.00"},
		{0, "0.5", 4, "0.0000"},
	} {
		g := playing(t, quick+usage(1, 1)+fmt.Sprintf("figures: {x: {of: '%d', factor: %s, decimals: %d}}\n", c.of, c.factor, c.decimals))
		require.Equal(t, map[string]string{"x": c.want}, figures(g.ask().Figures()), c)
	}
}

func TestAFigureThatIsTooLargeOrNoNumberIsAWarning(t *testing.T) {
	g := playing(t, quick+usage(1, 1)+`
figures:
  large: {of: 9000000000000000000, factor: 9999, decimals: 9}
  endless: usage.total_tokens / (usage.input_tokens - 1)
  rounded: {value: 1e300, decimals: 2}
  broken: 'int(model)'
  fine: 1
`)
	d := g.ask()
	require.Equal(t, 200, d.Timeline.Status, "no client sees it")
	require.Equal(t, map[string]string{"fine": "1"}, figures(d.Figures()))
	require.Len(t, d.Warnings, 4)
	require.Equal(t, "figure large: the number is too large", d.Warnings[0])
	require.Equal(t, "figure endless: gives +Inf, which is no number", d.Warnings[1])
	_, ok := d.Figure("large")
	require.False(t, ok)
}

func TestAFigureIsTheFirstCaseThatHolds(t *testing.T) {
	g := playing(t, quick+usage(100, 0)+`
clock: {starts: 2024-10-18T01:00:00Z}
figures:
  charged:
    - {when: skew_ms > 500, of: usage.input_tokens, factor: 0.99, decimals: 0}
    - {when: hour in 2..5, of: usage.input_tokens, factor: 0.9962, decimals: 2}
    - {when: text == "free", value: 0}
    - {when: text != "none", value: usage.input_tokens + 0.125}
`)
	require.Equal(t, map[string]string{"charged": "100.125"}, figures(g.ask().Figures()))
	require.Equal(t, map[string]string{"charged": "99.62"}, figures(g.ask(at(time.Hour)).Figures()))
	require.Equal(t, map[string]string{"charged": "0"}, figures(g.ask(saying("free")).Figures()))
	require.Equal(t, map[string]string{"charged": "99"}, figures(g.ask(at(time.Hour), header("X-Request-Timestamp", "1700000000")).Figures()))
	require.Empty(t, g.ask(saying("none")).Figures(), "no case holds")
}

func TestAFigureDrawsAtAPlaceOfItsOwnAndOnlyForAnswers(t *testing.T) {
	text := quick + `
FIGURES
routes:
  - {name: error, when: text == "no", error: {status: 429}}
  - {name: all, profile: quick, reply: {tokens: 5..50}, marks: {lucky: 30%}}
guards: [{when: text == "never", error: {status: 429}}]
`
	with := playing(t, replaced(text, "FIGURES", "figures: {x: {of: usage.output_tokens, factor: {uniform: [0, 1]}}}"))
	without := playing(t, replaced(text, "FIGURES", ""))
	for i := range 300 {
		what := saying([]string{"yes", "no", "never"}[i%3])
		a, b := with.ask(what), without.ask(what)
		require.Equal(t, plan(a), plan(b))
		require.Equal(t, a.Marks(), b.Marks())
		require.Empty(t, b.Figures())
		if i%3 == 0 {
			require.Equal(t, "figures.x", places(a)[len(places(a))-1])
			require.EqualValues(t, i/3, a.Draws()[len(a.Draws())-1].N, "refused ones don't draw")
		} else {
			require.Empty(t, a.Figures())
			require.NotContains(t, places(a), "figures.x")
		}
	}
}

func TestARoutesFiguresStandInPlaceOfTheFiles(t *testing.T) {
	g := playing(t, quick+`
figures: {one: 1, two: 2}
routes:
  - {name: some, when: stream, profile: quick, figures: {two: 22, three: usage.total_tokens}, usage: {input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 5}}
  - {name: rest, profile: quick}
`)
	require.Equal(t, map[string]string{"one": "1", "two": "22", "three": "12"}, figures(g.ask(streamed()).Figures()))
	require.Equal(t, map[string]string{"one": "1", "two": "2"}, figures(g.ask().Figures()))
	g.Next(&scenario.Outcome{Reply: &scenario.Reply{Text: "scripted"}})
	require.Equal(t, map[string]string{"one": "1", "two": "2"}, figures(g.ask().Figures()))
}

const clicked = `
figures:
  ttft_ms: planned.ttft_ms
  ttft_from_click_ms:
    - when: between(number(header("x-start-time-ns")), 1.5e18, 4e18)
      value: planned.ttft_ms + (arrived_unix_ns - number(header("x-start-time-ns"))) / 1e6
      decimals: 3
warn:
  - when: header("x-start-time-ns") != "" and not between(number(header("x-start-time-ns")), 1.5e18, 4e18)
    text: "X-Start-Time-Ns: ${header(\"x-start-time-ns\")} is no Unix time in nanoseconds"
profiles: {p: {first-token: 17ms}}
routes: [{name: all, profile: p}]
`

func TestTTFTIsCountedFromTheUsersClick(t *testing.T) { // CLAIMS.md Z21
	g := playing(t, clicked)
	click := start().Add(-12_345 * time.Microsecond).UnixNano()
	d := g.ask(streamed(), header("X-Start-Time-Ns", fmt.Sprint(click)))
	require.Equal(t, map[string]string{"ttft_ms": "17", "ttft_from_click_ms": "29.345"}, figures(d.Figures()))
	require.Empty(t, d.Warnings)
	for _, insane := range []string{"12345678", "now", "1729209600"} { // performance.now() and the like (C21)
		d = g.ask(streamed(), header("X-Start-Time-Ns", insane))
		require.Equal(t, map[string]string{"ttft_ms": "17"}, figures(d.Figures()))
		require.Equal(t, []string{"X-Start-Time-Ns: " + insane + " is no Unix time in nanoseconds"}, d.Warnings)
	}
	require.Empty(t, g.ask(streamed()).Warnings)
}

func TestWarningsGoToTheJournalOfEveryRequestTheyHoldFor(t *testing.T) {
	g := playing(t, `
warn:
  - {when: text contains "odd", text: "odd: ${planned.duration_ms} ms, ${usage.output_tokens} tokens"}
profiles: {slow: {respond: 20ms}}
routes:
  - {name: error, when: text == "odd error", error: {status: 429}, warn: an error}
  - {name: slow, when: text startsWith "odd", profile: slow, reply: {tokens: 7}, warn: [{when: stream, text: streamed}, {when: not stream, text: "whole, ${model}"}]}
guards: [{when: text == "odd and refused", error: {status: 429}}]
`)
	require.Equal(t, []string{"odd: 20 ms, 7 tokens", "whole, claude-sonnet-5"}, g.ask(saying("odd")).Warnings)
	require.Equal(t, []string{"odd: 20 ms, 7 tokens", "streamed"}, g.ask(saying("odd"), streamed()).Warnings)
	require.Equal(t, []string{"odd: 0 ms, 0 tokens", "an error"}, g.ask(saying("odd error")).Warnings)
	require.Equal(t, []string{"odd: 20 ms, 7 tokens", "whole, claude-sonnet-5"}, g.ask(saying("odd and refused")).Warnings, "what it would have been")
	g.ask(saying("odd"))
	require.Equal(t, []string{"odd: 0 ms, 0 tokens"}, g.ask(saying("so odd that no route takes it")).Warnings)
	require.Empty(t, g.ask(saying("even")).Warnings)
}

func TestAWarningKnowsNoPlanButItsOwn(t *testing.T) {
	g := playing(t, `
warn: "${planned.duration_ms} ms"
profiles: {slow: {respond: 20ms, queue: {slots: 1, wait: 0s, full: {status: 529}}}}
routes:
  - {name: broken, when: text == "broken", profile: slow, usage: {input_tokens: int(model)}}
  - {name: slow, profile: slow}
`)
	require.Equal(t, []string{"20 ms"}, g.ask().Warnings)
	full := g.ask(at(10 * ms))
	require.Equal(t, 529, full.Timeline.Status)
	require.Equal(t, []string{"0 ms"}, full.Warnings)
	require.Equal(t, []string{"20 ms"}, g.ask(at(time.Second)).Warnings)
	broken := g.ask(at(2*time.Second), saying("broken"))
	require.Equal(t, 500, broken.Timeline.Status)
	require.Equal(t, []string{"0 ms"}, broken.Warnings)
}

func TestWarningsLeaveTheRequestsOwnAlone(t *testing.T) {
	g := playing(t, quick+all+"warn: mine\n")
	q := g.query()
	q.Request.Warnings = make([]string, 1, 8)
	q.Request.Warnings[0] = "its own"
	a, b := g.Decide(q), g.Decide(q)
	require.Equal(t, []string{"its own", "mine"}, a.Warnings)
	require.Equal(t, a.Warnings, b.Warnings)
	require.Equal(t, []string{"its own", ""}, q.Request.Warnings[:2])
}

func TestAWarningThatFailsSaysSo(t *testing.T) {
	g := playing(t, quick+all+"warn: [{when: int(text) > 3, text: a}, {text: \"${int(text)}\"}]\n")
	d := g.ask(saying("none"))
	require.Equal(t, 200, d.Timeline.Status)
	require.Len(t, d.Warnings, 2)
	for _, w := range d.Warnings {
		require.Contains(t, w, "warning: int(text)")
	}
}

func TestATruncatedSystemPromptCostsWhatWasKept(t *testing.T) { // CLAIMS.md O15
	g := playing(t, quick+`
facts:
  safe: system_tokens <= 2048 or len(split(system, "<|eot_id|>")) >= 3
routes:
  - {name: whole, when: safe, profile: quick}
  - name: cut
    profile: quick
    usage: {input_tokens: input_tokens - (system_tokens - 2048)}
    warn: "the system prompt was cut from ${system_tokens} to 2048 tokens"
`)
	of := func(system string) (route string, d, input int, warnings []string) {
		q := g.query(prompted(system))
		made := g.Decide(q)
		return made.Route(), q.Request.InputTokens - made.Timeline.Message.Usage.Input, q.Request.SystemTokens, made.Warnings
	}
	words := func(n int) string {
		text := "so"
		for range n - 1 {
			text += " so"
		}
		return text
	}
	route, cut, system, warnings := of(words(2048))
	require.Equal(t, []any{"whole", 0, 2048}, []any{route, cut, system})
	require.Empty(t, warnings)
	route, cut, _, warnings = of(words(2148))
	require.Equal(t, []any{"cut", 100}, []any{route, cut})
	require.Equal(t, []string{"the system prompt was cut from 2148 to 2048 tokens"}, warnings)
	route, cut, _, _ = of(words(1000) + "<|eot_id|>" + words(1000) + "<|eot_id|>" + words(1000))
	require.Equal(t, []any{"whole", 0}, []any{route, cut})
}
