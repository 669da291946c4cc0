package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const ten = `- {name: all, profile: ten}`

func TestConstantArrivalsStartAtOnceAndKeepTheirDistance(t *testing.T) {
	f := figures(t, ten, `steady: {requests: 101, rate: 200/s}`,
		"first(steady.elapsed_ms)", "value(steady, 2, elapsed_ms)", "value(steady, 101, elapsed_ms)", "rate(steady)")
	require.Equal(t, []float64{0, 5, 500, 200}, f)
}

func TestALengthEndsAWorkloadBeforeItsEnd(t *testing.T) {
	f := figures(t, ten, `
steady: {for: 2s, rate: 50/s}
stepped: {rate: {steps: [{rate: 20/s, for: 1.5s}, {rate: 40/s, for: 1.5s}]}}
cut: {for: 2s, rate: {steps: [{rate: 20/s, for: 1.5s}, {rate: 40/s, for: 0}]}}`,
		"count(steady)", "max(steady.elapsed_ms)", "count(stepped)", "count(stepped, sent.rate == 40)", "count(cut)",
		"value(stepped, 31, elapsed_ms)", "value(stepped, 32, elapsed_ms)")
	require.Equal(t, []float64{100, 1980, 90, 60, 50, 1500, 1525}, f)
}

func TestPoissonArrivalsAreRandomButTheSameEachTime(t *testing.T) {
	workloads := `
some: {requests: 20000, rate: 100/s, poisson: true}
stepped: {rate: {steps: [{rate: 1000/s, for: 5s}, {rate: 100/s, for: 5s}]}, poisson: true}`
	measures := []string{"rate(some)", "value(some, 777, elapsed_ms)", "distinct(some.elapsed_ms)", "count(stepped, sent.rate == 1000)", "count(stepped, sent.rate == 100)"}
	f := figures(t, ten, workloads, measures...)
	require.InDelta(t, 100, f[0], 3)
	require.NotEqual(t, 7760.0, f[1])
	require.Equal(t, 20000.0, f[2])
	require.InDelta(t, 5000, f[3], 250)
	require.InDelta(t, 500, f[4], 80)
	require.Equal(t, f, figures(t, ten, workloads, measures...))
}

func TestAClosedLoopWaitsForAnswersAndThinks(t *testing.T) {
	f := figures(t, ten, `
one: {requests: 5, clients: 1}
thinking: {requests: 5, clients: 1, think: 15ms}
many: {requests: 40, clients: [2, 4]}`,
		"value(one, 5, elapsed_ms)", "value(thinking, 5, elapsed_ms)", "count(many, sent.clients == 4)", "count(many, elapsed_ms == 0)",
		"max(many.elapsed_ms, sent.clients == 2)", "max(many.elapsed_ms, sent.clients == 4)")
	require.Equal(t, []float64{40, 100, 40, 6, 190, 90}, f)
}

func TestWarmupRequestsAreSentButNotMeasured(t *testing.T) {
	f := figures(t, ten, `warm: {requests: 10, warmup: 3, rate: 100/s}`, "count(warm)", "min(warm.ordinal)", "first(warm.elapsed_ms)")
	require.Equal(t, []float64{10, 4, 30}, f)
}

func TestARefusedRequestIsSentAgain(t *testing.T) {
	routes := `
- {name: refused, when: 'ordinal in 1..3', error: {status: 503, message: "no"}}
- {name: all, profile: ten}`
	f := figures(t, routes, `
once: {requests: 1, rate: 1/s, retry: {after: 500ms}}
often: {requests: 1, rate: 1/s, retry: {after: 500ms, tries: 5}}
bad: {requests: 1, rate: 1/s, retry: {after: 500ms}, request: {model: ""}}`,
		"count(once)", "count(often)", "max(often.try)", "max(often.elapsed_ms)", "share(often, answered, try == 4)", "count(bad)", "max(bad.status)")
	require.Equal(t, []float64{2, 4, 4, 1500, 1, 1, 400}, f, "what the API refuses for good isn't sent again")
}

func TestARetryTellsItsNumberOnlyWhenAsked(t *testing.T) {
	routes := `
- {name: told, when: 'header("x-stainless-retry-count") == "1"', profile: ten}
- {name: counted, when: attempt == 2, profile: spread}
- {name: all, error: {status: 503, message: "no"}}`
	f := figures(t, routes, `
quiet: {requests: 5, rate: 1/s, retry: {after: 100ms}}
told: {requests: 5, rate: 1/s, retry: {after: 100ms, counted: true}}`, `count(quiet, route == "counted")`, `count(told, route == "told")`)
	require.Equal(t, []float64{5, 5}, f)
}

func TestAClientLeavesBeforeTheEndOrGivesUp(t *testing.T) {
	f := figures(t, `
- {name: slots, when: 'params.mode == "b"', profile: slots}
- {name: all, profile: spread}`, `
some: {requests: 1000, rate: 10/s, cancel_after: 150ms}
all: {requests: 10, rate: 10/s, give_up: 50ms}
freed: {requests: 10, rate: 1/s, cancel_after: 40ms, request: {params: {mode: b}}}`,
		"share(some, left)", "share(some, answered)", "max(some.duration_ms)", "max(some.ended_ms)", "count(some, status == 0)",
		"count(all, left)", "max(freed.released_ms)", "min(freed.released_ms)", "count(some, released_ms >= 0)")
	require.InDelta(t, 0.5, f[0], 1e-9)
	require.InDelta(t, 0.5, f[1], 1e-9)
	require.InDelta(t, 150, f[2], 0.2)
	require.Equal(t, []float64{150, 500, 10, 17, 17}, f[3:8])
}

func TestAChainIsSeveralCallsOneAfterTheOther(t *testing.T) {
	f := figures(t, ten, `
chained: {requests: 100, rate: 1/s, chain: {calls: {5: 70%, 4: 30%}}}
thinking: {requests: 10, rate: 1/s, chain: {calls: 3}, think: 5ms}`,
		"count(chained)", "mean(chained.chain_calls)", "min(chained.chain_ms)", "max(chained.chain_ms)", "mean(chained.chain_ms)", "count(chained, chain_ms > 0)",
		"max(thinking.chain_ms)", "max(chained.duration_ms)")
	require.InDeltaSlice(t, []float64{470, 4.7, 40, 50, 47, 100, 40, 10}, f, 1e-9)
}

func TestAListMakesARunOfItsOwnForEachValue(t *testing.T) {
	f := figures(t, ten, `several: {requests: 10, rates: [10/s, 20/s], request: {max_tokens: [5, 6, 7], stream: [true, false]}}`,
		"count(several)", "count(several, ordinal == 1)", "count(several, sent.max_tokens == 6 and sent.stream)", "count(several, sent.rate == 20)")
	require.Equal(t, []float64{120, 12, 20, 60}, f)
}

func TestSharesOfAMixAreExact(t *testing.T) {
	f := figures(t, ten, `mixed: {requests: 1000, rate: 10/s, mix: {a: {share: 12.5%}, b: {share: 80%}, c: {share: 7.5%}}}`,
		`count(mixed, sent.name == "a")`, `count(mixed, sent.name == "b")`, `count(mixed, sent.name == "c")`, `count(mixed, sent.name == "a")`)
	require.Equal(t, []float64{125, 800, 75, 125}, f)
}

func TestPartsSendAtTheSameTime(t *testing.T) {
	routes := `
- {name: busy, when: client_qps > 50, profile: spread}
- {name: all, profile: ten}`
	f := figures(t, routes, `
apart:
    for: 4s
    parts:
      busy: {rate: 100/s, request: {key: busy}}
      others: {rate: 100/s, request: {keys: 20}}
      loop: {clients: 1, request: {key: loop}}`,
		`count(apart, sent.name == "busy")`, `count(apart, sent.name == "others")`, `max(apart.duration_ms, sent.name == "others")`,
		`max(apart.duration_ms, sent.name == "busy")`, `count(apart, route == "busy" and sent.name == "busy")`, `max(apart.duration_ms, sent.name == "loop")`)
	require.Equal(t, []float64{400, 400, 10}, f[:3])
	require.Greater(t, f[3], 190.0)
	require.Equal(t, 350.0, f[4])
}

func TestWhatVariesIsNoRepetition(t *testing.T) {
	routes := `
- {name: again, when: repeats >= 4, profile: ten}
- {name: all, profile: spread}`
	f := figures(t, routes, `
varied: {requests: 8, rate: 1/s}
same: {requests: 8, rate: 1/s, vary: none}
sequence: {requests: 9, rate: 1/s, sequence: [a, a, a, a, near a, a, a, a, a]}
changed: {requests: 5, rate: 1/s, sequence: [a, a, a, {text: a, model: claude-opus-5}, a]}`,
		`count(varied, route == "again")`, `count(same, route == "again")`, `count(sequence, route == "again")`, "value(sequence, 4, duration_ms)",
		"value(sequence, 9, duration_ms)", `count(changed, route == "again")`)
	require.Equal(t, []float64{0, 5, 2, 10, 10, 0}, f)
}

func TestTextsReallyDifferWhereSomethingReadsThem(t *testing.T) {
	routes := `- {name: all, profile: ten, usage: {cache_read_input_tokens: cache.read_tokens}}`
	f := figures(t, routes, `
text: {requests: 10, rate: 1/s, request: {system_tokens: 100, input_tokens: 300}}
none: {requests: 10, rate: 1/s, vary: none, request: {system_tokens: 100, input_tokens: 300}}
system: {requests: 10, rate: 1/s, vary: system, request: {system_tokens: 100, input_tokens: 300}}`,
		"max(text.usage.cache_read_input_tokens)", "count(none, usage.cache_read_input_tokens == 300)", "max(system.usage.cache_read_input_tokens)",
		"min(text.input_tokens)", "max(text.input_tokens)")
	require.Equal(t, []float64{0, 9, 0, 300, 300}, f)
}

func TestAHeaderMayHoldTheTime(t *testing.T) {
	routes := `
- {name: skewed, when: skew_ms > 400, profile: ten}
- {name: all, profile: spread}`
	f := figures(t, routes, `
right: {requests: 3, rate: 1/s, request: {headers: {X-Request-Timestamp: "${unix_ms}"}}}
wrong: {requests: 3, rate: 1/s, request: {headers: {X-Request-Timestamp: "${unix_ms-600ms}"}}}`,
		`count(right, route == "skewed")`, `count(wrong, route == "skewed")`)
	require.Equal(t, []float64{0, 3}, f)
}

func TestFactsOfARequestStandInPlaceOfTheRunsOwn(t *testing.T) {
	routes := `
- {name: night, when: hour < 6 and protocol == "HTTP/3.0", profile: ten}
- {name: all, profile: spread}`
	f := figures(t, routes, `asked: {requests: 3, rate: 1/s, request: {protocol: [HTTP/1.1, HTTP/3.0], facts: {hour: [3, 12]}}}`,
		`count(asked, route == "night")`, `count(asked, sent.protocol == "HTTP/3.0")`)
	require.Equal(t, []float64{3, 6}, f)
}

func TestAConnectionIsNewOrCountsItsRequests(t *testing.T) {
	routes := `
- {name: first, when: connection.requests == 1, profile: ten}
- {name: all, profile: spread}`
	f := figures(t, routes, `asked: {requests: 5, rate: 1/s, request: {connection: [new, reuse]}}`,
		`count(asked, route == "first" and sent.connection == "new")`,
		`count(asked, route == "first" and sent.connection == "reuse")`)
	require.Equal(t, []float64{5, 1}, f)
}

func TestASpreadFieldTakesEachValueAsOften(t *testing.T) {
	f := figures(t, ten, `sized: {requests: 1000, rate: 10/s, request: {system_tokens: 101..110}}`,
		"count(sized, sent.system_tokens == 101)", "count(sized, sent.system_tokens == 110)", "distinct(sized.sent.system_tokens)")
	require.Equal(t, []float64{100, 100, 10}, f)
}

func TestEveryKindOfBlockCanBeSent(t *testing.T) {
	routes := `
- {name: those, when: blocks.image == 2 and blocks.document == 1 and tools == 3 and messages == 4, profile: ten}
- {name: all, profile: spread}`
	f := figures(t, routes, `asked: {requests: 2, rate: 1/s, request: {images: 2, documents: 1, tools: 3, messages: 4, input_tokens: 6000}}`,
		`count(asked, route == "those")`, "min(asked.input_tokens)", "count(asked, answered)")
	require.Equal(t, []float64{2, 6000, 2}, f)
}
