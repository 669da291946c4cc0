package claim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

const all = `- {name: all, profile: spread, headers: {X-Layer: one}, marks: {hit: 30%}, reply: {tokens: 50}}`

func TestEachFunctionMakesItsFigure(t *testing.T) {
	f := figures(t, all, `steady: {requests: 1000, rate: 500/s}`,
		"p50(steady.duration_ms)", "median(steady.duration_ms)", "p99(steady.duration_ms)", "p999(steady.duration_ms)", "p100(steady.duration_ms)",
		"min(steady.duration_ms)", "max(steady.duration_ms)", "mean(steady.duration_ms)", "sigma(steady.duration_ms)", "sum(steady.duration_ms)",
		"share(steady, duration_ms < 150)", "count(steady)", "count(steady, marks.hit)", "rate(steady)", "rate(steady, marks.hit)",
		"span(steady)", "span(steady, ordinal in 11..20)", "distinct(steady.request_id)", "distinct(steady.status)",
		"value(steady, 5, elapsed_ms)", "first(steady.elapsed_ms)", "share(steady, marks.hit, ordinal <= 100)")
	// Of 1,000 exact draws one lies in each per mille.
	for i, want := range []float64{150, 150, 199, 199.9, 200, 100, 200, 150, 28.87, 150_000} {
		require.InDelta(t, want, f[i], want/1000+0.1, i)
	}
	require.Equal(t, f[4], f[6])
	require.Equal(t, []float64{0.5, 1000, 300, 500, 150, 1998, 18, 1000, 1, 8, 0, 0.3}, f[10:])
}

func TestGapsAreRowsOfTheirOwn(t *testing.T) {
	f := figures(t, all, `steady: {requests: 200, rate: 500/s, request: {stream: true}}`,
		"share(steady.gaps, gap_ms >= 17 and gap_ms <= 23)", "share(steady.gaps, tokens >= 2 and tokens <= 3, gap_ms > 80)",
		"max(steady.gaps.tokens)", "sum(steady.gaps.tokens) / count(steady)", "mean(steady.tokens)", "max(steady.gaps.gap_index, gap_ms < 30)",
		"min(steady.ttft_ms)", "p50(steady.duration_ms) - p50(steady.ttft_ms)")
	require.InDelta(t, 0.7, f[0], 0.02)
	require.Equal(t, 1.0, f[1])
	require.Equal(t, 3.0, f[2])
	require.Equal(t, 49.0, f[3], "the first token has no gap before it")
	require.Equal(t, 50.0, f[4])
	require.LessOrEqual(t, f[5], 49.0)
	require.InDelta(t, 100, f[6], 1)
	require.Greater(t, f[7], 1000.0)
}

func TestAnAnswerThatIsNotStreamedHasNoGaps(t *testing.T) {
	f := figures(t, all, `steady: {requests: 20, rate: 500/s}`, "count(steady.gaps)", "p50(steady.gaps.gap_ms)")
	require.Zero(t, f[0])
	require.True(t, math.IsNaN(f[1]))
}

func TestColumnsTellOfTheAnswerAndOfWhatWasSent(t *testing.T) {
	routes := `
- {name: refused, when: 'params.mode == "b"', error: {status: 429, message: "no"}}
- {name: all, profile: ten, headers: {X-Layer: one}, usage: {cache_creation_input_tokens: 7}, reply: {tokens: 5}}
`
	f := figures(t, routes, `
mixed: {requests: 100, rate: 500/s, mix: {good: {share: 75%}, bad: {share: 25%, request: {params: {mode: b}, headers: {X-Sent: yes-it-was}}}}}`,
		"share(mixed, answered)", "share(mixed, refused)", "count(mixed, status == 429)", `count(mixed, route == "all")`,
		`count(mixed, header("x-layer") == "one")`, `count(mixed, sent.header("x-sent") == "yes-it-was")`, `count(mixed, sent.params.mode == "b")`,
		`count(mixed, sent.name == "good")`, "mean(mixed.usage.cache_creation_input_tokens)", `count(mixed, error_type == "rate_limit_error")`,
		"max(mixed.ended_ms, status == 429)", "count(mixed, duration_ms >= 0)", "mean(mixed.tokens)", `count(mixed, hasPrefix(route, "ref"))`,
		"min(mixed.bytes) / max(mixed.bytes)", "sum(mixed.try)", "count(mixed, sent.rate == 500)", "distinct(mixed.answer)", "count(mixed, warned)")
	require.Equal(t, []float64{0.75, 0.25, 25, 75, 75, 25, 25, 75, 7, 25, 0, 75, 5, 25}, f[:14])
	require.Less(t, f[14], 1.0)
	require.Equal(t, []float64{100, 100}, f[15:17])
	require.GreaterOrEqual(t, f[17], 1.0)
	require.Zero(t, f[18])
}

func TestWindowsAreConsecutiveAndStartAnewWithEachRun(t *testing.T) {
	routes := `
- {name: slow, when: 'ordinal > 30 and ordinal <= 40', profile: spread}
- {name: all, profile: ten}
`
	f := figures(t, routes, `
steady: {requests: 100, rate: 500/s}
twice: {requests: 95, rates: [500/s, 100/s]}`,
		"windows(steady, 10, max(duration_ms) <= 10)", "windows(steady, 20, max(duration_ms) <= 10)", "windows(steady, 20, share(duration_ms > 50) == 0.5)",
		"windows(twice, 10, max(duration_ms) <= 10 and count() == 10)", "windows(steady, 1000, max(duration_ms) <= 10)")
	require.Equal(t, 0.9, f[0])
	require.Equal(t, 0.8, f[1])
	require.Equal(t, 0.2, f[2])
	require.InDelta(t, 16.0/18, f[3], 1e-12)
	require.True(t, math.IsNaN(f[4]), "no window is full")
}

func TestASlopeFollowsAFigureOverWhatWasSent(t *testing.T) {
	routes := `
- {name: fast, when: max_tokens <= 20, profile: ten}
- {name: all, profile: spread}
`
	f := figures(t, routes, `
several: {requests: 100, rate: 500/s, request: {max_tokens: [10, 20, 30]}}
faster: {requests: 100, rates: [50/s, 100/s, 200/s]}`,
		"slope(min(several.duration_ms), sent.max_tokens, 10, 20)", "slope(p100(several.duration_ms), sent.max_tokens, 20, 30)",
		"slope(count(faster), sent.rate, 50, 200)", "slope(rate(faster), sent.rate, 50, 200)", "slope(max(several.duration_ms), sent.max_tokens, 11, 20)")
	require.Zero(t, f[0])
	require.InDelta(t, 19, f[1], 0.1)
	require.Zero(t, f[2])
	require.InDelta(t, 1, f[3], 1e-9)
	require.True(t, math.IsNaN(f[4]), "one point has no slope")
}

func TestSlotsTellHowBusyTheyWere(t *testing.T) {
	// 50 requests a second that take 100 ms each keep 5 of 10 slots busy.
	f := figures(t, `- {name: all, profile: slots, reply: {tokens: 20}}`, `
half: {requests: 1000, rate: 50/s, warmup: 50}
full: {requests: 1000, rate: 200/s}`,
		"utilization(half)", `utilization(half, "slots")`, "utilization(full)", "gpu_seconds(half)", "sum(half.tokens) / gpu_seconds(half)",
		"max(half.part.queue)", "max(full.part.queue)")
	require.InDelta(t, 0.5, f[0], 1e-9)
	require.InDelta(t, 0.5, f[1], 1e-9)
	require.InDelta(t, 1, f[2], 0.005, "but for the first 50 ms")
	require.InDelta(t, 50, f[3], 1e-9, "1,000 requests of 100 ms on half a GPU each")
	require.InDelta(t, 400, f[4], 1e-9)
	require.Zero(t, f[5])
	require.Greater(t, f[6], 1000.0)
}

func TestWritesAreRowsOfTheirOwn(t *testing.T) {
	routes := `
- {name: units, when: 'params.mode == "b"', profile: ten, reply: {tokens: 50}, faults: [write_size: 100]}
- {name: all, profile: spread, reply: {tokens: 50}}
`
	f := figures(t, routes, `
units: {requests: 20, rate: 500/s, request: {stream: true, params: {mode: b}}}
events: {requests: 20, rate: 500/s, request: {stream: true}}
whole: {requests: 20, rate: 500/s}`,
		"min(units.writes.write_bytes, not write_last)", "max(units.writes.write_bytes, not write_last)", "sum(units.writes.write_bytes) / sum(units.bytes)",
		"count(units.writes, write_last)", "count(events.writes, ends_inside != \"\")", "min(events.writes.write_ms) - min(events.ttft_ms)",
		"count(whole.writes)", "sum(whole.writes.write_bytes) / sum(whole.bytes)", "max(whole.writes.write_index)",
		`share(units.writes, ends_inside in ["data line", "other line", "event", ""])`, `share(units.writes, ends_inside == "data line", not write_last)`)
	require.Equal(t, []float64{100, 100, 1, 20, 0}, f[:5])
	require.LessOrEqual(t, f[5], 0.0, "message_start comes no later than the first token")
	require.Equal(t, []float64{20, 1, 1, 1}, f[6:10])
	require.Greater(t, f[10], 0.5)
}

func TestABodyIsWhatLeft(t *testing.T) {
	routes := `
- {name: zipped, when: 'header("accept-encoding") == "gzip"', profile: ten, reply: "tea 茶 tea 茶 tea 茶 tea", faults: [gzip: flushed]}
- {name: cut, when: 'params.mode == "b"', profile: ten, reply: "tea 茶 tea 茶 tea 茶 tea", framing: raw-text, faults: [{cut: inside-character}]}
- {name: bare, profile: ten, reply: "tea 茶 tea 茶 tea 茶 tea", framing: raw-text}
`
	f := figures(t, routes, `
zipped: {requests: 5, rate: 500/s, request: {stream: true, headers: {Accept-Encoding: gzip}}}
cut: {requests: 5, rate: 500/s, request: {stream: true, params: {mode: b}}}
bare: {requests: 5, rate: 500/s, request: {stream: true}}`,
		`share(zipped, header("content-encoding") == "gzip")`, `share(zipped, hasPrefix(body, "event: message_start\n") and hasSuffix(body, "}\n\n"))`, "count(zipped.gaps) - count(bare.gaps)",
		"share(cut, body == answer)", "share(cut, valid_utf8)", "max(cut.split_characters)", "count(cut.writes, splits_character) / count(cut)",
		"share(bare, body == answer)", "max(bare.split_characters)", `count(bare.writes, ends_inside != "")`, "share(cut, answered)", "share(zipped, answered)")
	require.Equal(t, []float64{1, 1, 0, 1, 1, 3, 3, 1, 0, 0, 1, 1}, f)
}

func TestAnAnswerThatNeverBecomesWholeIsNotAnswered(t *testing.T) {
	for name, fault := range map[string]string{
		"cut off":                 "{end: cut, after: 3}",
		"ended by an error event": "{error_event: overloaded_error, after: 3}",
		"without message_stop":    "{drop: message_stop}",
	} {
		t.Run(name, func(t *testing.T) {
			f := figures(t, "- {name: all, profile: ten, reply: {tokens: 20}, faults: ["+fault+"]}",
				"steady: {requests: 5, rate: 500/s, request: {stream: true}}", "count(steady, answered)", "count(steady, status == 200)")
			require.Equal(t, []float64{0, 5}, f)
		})
	}
	f := figures(t, "- {name: all, profile: ten, reply: {tokens: 20}, faults: [coalesce: all]}",
		"steady: {requests: 5, rate: 500/s, request: {stream: true}}", "count(steady, answered)", "count(steady.writes)")
	require.Equal(t, []float64{5, 5}, f, "all of it in one write is whole")
}
