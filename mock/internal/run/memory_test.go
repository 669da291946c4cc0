package run_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func prompted(system string) change { return with(fmt.Sprintf(`"system":%q`, system)) }

func TestAClientsNextRequestKnowsItsLast(t *testing.T) {
	g := playing(t, quick+`
facts: {status: last_status, wait: since_last_ms}
routes:
  - {name: fails, when: text == "fail", error: {status: 503}}
  - {name: rest, profile: quick}
`)
	of := func(changes ...change) []any {
		d := g.ask(changes...)
		return []any{d.Facts()["last_status"], d.Facts()["since_last_ms"]}
	}
	require.Equal(t, []any{0, 0.0}, of(saying("fail")))
	require.Equal(t, []any{503, 500.5}, of(at(500*ms+500*time.Microsecond)))
	require.Equal(t, []any{200, 99.5}, of(at(600*ms)))
	require.Equal(t, []any{0, 0.0}, of(at(700*ms), from("another")))
	require.Equal(t, []any{200, 300.0}, of(at(900*ms)))
	require.Equal(t, []any{200, 0.0}, of(at(800*ms)), "one that arrived before but was read later")
}

func TestASecondTryHalfASecondLaterSucceeds(t *testing.T) { // CLAIMS.md O09
	g := playing(t, quick+`
routes:
  - {name: second try, when: last_status >= 500 and since_last_ms >= 500, profile: quick}
  - {name: too soon, when: last_status == 429 and since_last_ms < 5000, error: {status: 429}}
  - {name: limited, when: text == "many", error: {status: 429}}
  - {name: first try, when: text == "flaky", error: {status: 503}}
  - {name: rest, profile: quick}
`)
	flaky := saying("flaky")
	require.Equal(t, "first try", g.ask(flaky).Route())
	require.Equal(t, "first try", g.ask(flaky, at(499*ms)).Route(), "too early")
	require.Equal(t, "second try", g.ask(flaky, at(999*ms)).Route())
	require.Equal(t, "first try", g.ask(flaky, at(2*time.Second)).Route(), "the next request is a first try again")

	require.Equal(t, "limited", g.ask(saying("many"), from("b"), at(0)).Route())
	require.Equal(t, "too soon", g.ask(from("b"), at(4999*ms)).Route())
	require.Equal(t, "too soon", g.ask(from("b"), at(9998*ms)).Route(), "the wait is counted from the last refusal")
	require.Equal(t, "rest", g.ask(from("b"), at(14998*ms)).Route())
}

func TestEveryFirstTryFailsAndEverySecondSucceedsByCount(t *testing.T) {
	g := playing(t, quick+`
routes:
  - {name: first try, when: attempt == 1, times: 1, per: body, error: {status: 503}}
  - {name: rest, profile: quick}
`)
	for i := range 20 {
		text := saying(fmt.Sprint("request ", i))
		require.Equal(t, 503, g.ask(text, at(time.Duration(i)*time.Second)).Timeline.Status)
		require.Equal(t, 200, g.ask(text, at(time.Duration(i)*time.Second+500*ms)).Timeline.Status)
	}
}

func TestAClientAboveItsRateIsMovedAsideAndNoOther(t *testing.T) { // CLAIMS.md O17
	g := playing(t, quick+`
routes:
  - {name: aside, when: client_qps > 500, profile: quick}
  - {name: rest, profile: quick}
`)
	greedy, modest := g.query(from("greedy")), g.query(from("modest"))
	routes := map[string]int{}
	for i := range 4000 {
		greedy.Arrived = start().Add(time.Duration(i) * time.Second / 1000)
		modest.Arrived = greedy.Arrived
		routes["greedy "+g.Decide(greedy).Route()]++
		if i%4 == 0 {
			routes["modest "+g.Decide(modest).Route()]++
		}
	}
	require.Equal(t, map[string]int{"greedy rest": 500, "greedy aside": 3500, "modest rest": 1000}, routes)
}

func TestRepeatsOfASystemPromptAreCountedForEachKey(t *testing.T) {
	g := playing(t, quick+`
facts: {n: repeats_of.system}
routes: [{name: refused, when: text == "no", error: {status: 400}}, {name: all, profile: quick}]
`)
	of := func(changes ...change) any { return g.fact("repeats_of.system", changes...) }
	require.Equal(t, 1, of(prompted("Be brief.")))
	require.Equal(t, 2, of(prompted("Be brief."), saying("something else")))
	require.Equal(t, 1, of(prompted("Be brief."), from("b")), "another key")
	require.Equal(t, 3, of(prompted("Be brief.")), "which interrupts nothing")
	require.Equal(t, 3, of(prompted("Be brief."), retry(1)), "a retry counts as what it repeats")
	require.Equal(t, 4, of(prompted("Be brief."), saying("no")))
	require.Equal(t, 4, of(prompted("Be brief.")), "a refused one doesn't count")
	require.Equal(t, 1, of(prompted("Be brief. ")))
	require.Equal(t, 1, of(prompted("Be brief.")))
	require.Equal(t, 1, of())
	require.Equal(t, 2, of(), "no system prompt is one, too")
}

func TestSkewIsTheDistanceOfTheClientsClock(t *testing.T) { // CLAIMS.md O19
	g := playing(t, quick+all+"facts: {off: skew_ms}\nclock: {starts: 2020-01-01T00:00:00Z}\n")
	arrived := start().Add(250 * ms)
	unix := start().Unix()
	for told, want := range map[string]float64{
		fmt.Sprint(unix):                                   250,
		fmt.Sprint(unix + 2):                               1750,
		fmt.Sprintf("%d.25", unix):                         0,
		fmt.Sprintf("%d.2", unix):                          50,
		fmt.Sprint(arrived.UnixMilli() - 700):              700,
		fmt.Sprintf("%d.5", arrived.UnixMilli()):           0.5,
		arrived.Add(-time.Second).Format(time.RFC3339Nano): 1000,
		start().Format(http.TimeFormat):                    250, // whole seconds (C24)
		"":                                                 0,
	} {
		d := g.ask(at(250*ms), header("X-Request-Timestamp", told))
		require.InDelta(t, want, d.Facts()["skew_ms"], 1e-9, told)
		require.Empty(t, d.Warnings, told)
	}
	d := g.ask(header("X-Request-Timestamp", "half past four"))
	require.Zero(t, d.Facts()["skew_ms"])
	require.Equal(t, []string{`X-Request-Timestamp: "half past four" is no time that can be read: Unix seconds or milliseconds, RFC 3339, an HTTP date`}, d.Warnings)
	require.Empty(t, g.ask().Warnings, "the next one has none of it")
}

func TestTheClientsSDKIsToldByItsHeaders(t *testing.T) {
	g := playing(t, quick+all+`
facts: {lang: sdk.language, released: sdk.version}
warn:
  - {when: 'sdk.language == "python" and older(sdk.version, "0.38.0")', text: "Python SDK ${sdk.version} misses the header"}
  - {when: 'sdk.language == "js" and older(sdk.version, "0.42.1")', text: "Node SDK ${sdk.version} misses the header"}
`)
	type headers map[string]string
	for _, c := range []struct {
		headers           headers
		language, version string
		warning           []string
	}{
		{headers{"X-Stainless-Lang": "python", "X-Stainless-Package-Version": "0.37.9"}, "python", "0.37.9", []string{"Python SDK 0.37.9 misses the header"}},
		{headers{"X-Stainless-Lang": "python", "X-Stainless-Package-Version": "0.38.0"}, "python", "0.38.0", nil},
		{headers{"User-Agent": "Anthropic/Python 0.37.9"}, "python", "0.37.9", []string{"Python SDK 0.37.9 misses the header"}},
		{headers{"User-Agent": "AsyncAnthropic/Python 0.38.0"}, "python", "0.38.0", nil},
		{headers{"User-Agent": "Anthropic/JS 0.42.0"}, "js", "0.42.0", []string{"Node SDK 0.42.0 misses the header"}},
		{headers{"X-Stainless-Lang": "js", "X-Stainless-Package-Version": "0.42.1", "User-Agent": "Anthropic/JS 0.1.0"}, "js", "0.42.1", nil},
		{headers{"User-Agent": "AnthropicBedrock/Go 1.2.3-beta.1"}, "go", "1.2.3-beta.1", nil},
		{headers{"User-Agent": "curl/8.5.0"}, "", "", nil},
		{headers{}, "", "", nil},
	} {
		var changes []change
		for name, value := range c.headers {
			changes = append(changes, header(name, value))
		}
		d := g.ask(changes...)
		require.Equal(t, []any{c.language, c.version}, []any{d.Facts()["sdk.language"], d.Facts()["sdk.version"]}, c.headers)
		require.Equal(t, c.warning, d.Warnings, c.headers)
	}
}

func TestTheRealArrivalIsAFactToTheNanosecond(t *testing.T) {
	g := playing(t, quick+all+"facts: {n: arrived_unix_ns}\nclock: {starts: 2020-01-01T00:00:00Z}\n")
	require.Equal(t, int(start().UnixNano())+7, g.fact("arrived_unix_ns", at(7)))
}

func TestWhatIsRememberedOfClientsIsBounded(t *testing.T) {
	g := playing(t, quick+all+"facts: {status: last_status, n: repeats_of.system}\n")
	q := g.query(from("first"))
	g.Decide(q)
	for i := range 10_000 {
		q.Client = fmt.Sprint(i)
		g.Decide(q)
	}
	q.Client = "first"
	require.Equal(t, 0, g.Decide(q).Facts()["last_status"], "forgotten (R15)")
	q.Client = "9999"
	d := g.Decide(q)
	require.Equal(t, 200, d.Facts()["last_status"])
	require.Equal(t, 2, d.Facts()["repeats_of.system"])
}
