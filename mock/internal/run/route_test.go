package run_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func count(names []string, name string) int {
	n := 0
	for _, got := range names {
		if got == name {
			n++
		}
	}
	return n
}

func TestTheFirstRouteWhoseConditionHoldsAnswers(t *testing.T) {
	g := playing(t, quick+`
routes:
  - {name: streams, when: stream, profile: quick}
  - {name: long, when: len(text) > 5, profile: quick}
  - {name: rest, profile: quick}
`)
	require.Equal(t, "streams", g.ask(streamed(), saying("long enough")).Route())
	require.Equal(t, "long", g.ask(saying("long enough")).Route())
	require.Equal(t, "rest", g.ask().Route())
}

func TestAShareIsExactOverThoseThatReachIt(t *testing.T) {
	g := playing(t, quick+`
routes:
  - {name: streams, when: stream, profile: quick}
  - {name: some, share: 30%, profile: quick}
  - {name: half of the rest, share: 50%, profile: quick}
  - {name: rest, profile: quick}
`)
	for block := range 10 {
		// Each block of a hundred that reach it, however many others come in between.
		var names []string
		for i := range 100 {
			names = append(names, g.ask().Route())
			if i%3 == block%3 {
				require.Equal(t, "streams", g.ask(streamed()).Route())
			}
		}
		require.Equal(t, 30, count(names, "some"))
	}

	g = playing(t, quick+"routes:\n  - {name: some, share: 0.3%, profile: quick}\n  - {name: rest, profile: quick}\n")
	require.Equal(t, 3, count(g.routes(1000), "some"))

	g = playing(t, quick+"routes:\n  - {name: none, share: 0%, profile: quick}\n  - {name: every, share: 100%, profile: quick}\n")
	require.Equal(t, 300, count(g.routes(300), "every"))
}

func TestSharesInARowAreExactEach(t *testing.T) {
	g := playing(t, quick+`
routes:
  - {name: some, share: 20%, profile: quick}
  - {name: half, share: 50%, profile: quick}
  - {name: rest, profile: quick}
`)
	names := g.routes(500)
	require.Equal(t, 100, count(names, "some"))
	require.Equal(t, 200, count(names, "half"), "of the 400 that reach it")
}

func TestOnlyWhoPassesTheConditionDrawsTheShareAndOnlyWhoIsInItCounts(t *testing.T) {
	g := playing(t, quick+`
routes:
  - {name: first three, when: stream, share: 50%, times: 3, profile: quick}
  - {name: rest, profile: quick, reply: hello}
`)
	require.NotContains(t, places(g.ask()), "routes.first three.share", "the condition is false: no draw")

	names := []string{}
	for range 100 {
		d := g.ask(streamed())
		require.Equal(t, "routes.first three.share", d.Draws()[0].Place)
		names = append(names, d.Route())
		g.ask()
	}
	require.Equal(t, 3, count(names, "first three"), "those outside of the share weren't counted, nor those without a stream")
}

func TestTimesSayWhichOfThoseThatPassAreTaken(t *testing.T) {
	for _, c := range []struct{ times, want string }{
		{"1", "x......."},
		{"3", "xxx....."},
		{"2..4", ".xxx...."},
		{"3..3", "..x....."},
		{"every 1", "xxxxxxxx"},
		{"every 3", "..x..x.."},
	} {
		t.Run(c.times, func(t *testing.T) {
			g := playing(t, quick+"routes:\n  - {name: taken, times: "+c.times+", profile: quick}\n  - {name: rest, profile: quick}\n")
			got := ""
			for _, name := range g.routes(len(c.want)) {
				got += map[string]string{"taken": "x", "rest": "."}[name]
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestTimesAreCountedForTheRunForEachKeyOrForEachBody(t *testing.T) {
	type request struct{ key, text string }
	requests := []request{{"a", "one"}, {"a", "two"}, {"b", "one"}, {"a", "one"}, {"b", "two"}, {"c", "three"}}
	for _, c := range []struct{ per, want string }{
		{"run", "x....."},
		{"key", "x.x..x"},
		{"body", "xx...x"},
	} {
		t.Run(c.per, func(t *testing.T) {
			g := playing(t, quick+"routes:\n  - {name: taken, times: 1, per: "+c.per+", profile: quick}\n  - {name: rest, profile: quick}\n")
			got := ""
			for _, r := range requests {
				got += map[string]string{"taken": "x", "rest": "."}[g.ask(from(r.key), saying(r.text)).Route()]
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestEachRouteCountsForItself(t *testing.T) {
	g := playing(t, quick+`
routes:
  - {name: one, times: 1, per: key, profile: quick}
  - {name: two, times: 2, per: key, profile: quick}
  - {name: three, times: 1, profile: quick}
  - {name: rest, profile: quick}
`)
	require.Equal(t, []string{"one", "two", "two", "three", "rest"}, g.routes(5))
}

func TestCountsPerBodyAreKeptForTheLastTenThousand(t *testing.T) {
	g := playing(t, quick+"routes:\n  - {name: first, times: 1, per: body, profile: quick}\n  - {name: again, profile: quick}\n")
	q := g.query()
	of := func(identity uint64) string {
		q.Request.Identity = identity
		return g.Decide(q).Route()
	}
	for i := range uint64(10_001) {
		require.Equal(t, "first", of(i))
	}
	require.Equal(t, "again", of(5_000))
	require.Equal(t, "first", of(0), "the oldest has been forgotten")
}

func TestWithoutARouteTheAnswerNamesTheNearestMiss(t *testing.T) {
	for _, c := range []struct{ name, routes, want string }{
		{"none at all", "routes: []", `orrery: scenario "test" has no routes, so nothing answers this request.`},
		{"a condition", "routes:\n  - {name: a, when: stream, profile: quick}\n  - {name: b, when: messages > 3, profile: quick}",
			`orrery: no route of scenario "test" answers this request. The nearest is "a"; its condition is false: stream`},
		{"a share", "routes:\n  - {name: a, when: stream, profile: quick}\n  - {name: b, share: 0%, profile: quick}\n  - {name: c, when: tools > 3, profile: quick}",
			`orrery: no route of scenario "test" answers this request. The nearest is "b"; it takes only a share of the requests, and this one isn't in it`},
		{"times", "routes:\n  - {name: a, share: 0%, profile: quick}\n  - {name: b, times: 5..6, profile: quick}\n  - {name: c, when: stream, profile: quick}",
			`orrery: no route of scenario "test" answers this request. The nearest is "b"; it has already answered as often as it may`},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := playing(t, quick+c.routes)
			d := g.ask()
			require.Equal(t, 400, d.Timeline.Status)
			require.Equal(t, "invalid_request_error", d.Timeline.Error.Type)
			require.Equal(t, c.want, message(d))
			require.Empty(t, d.Route())
			require.Zero(t, d.Timeline.Duration())
		})
	}
}

func TestAnExpressionThatFailsIs500AndSaysWhich(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a fact", "facts: {n: int(text)}\nroutes: [{name: a, when: n > 3, profile: quick}]", `orrery: fact n: int(text): `},
		{"a condition", "routes: [{name: a, when: int(text) > 3, profile: quick}]", `orrery: route "a": int(text) > 3: `},
		{"a header", `routes: [{name: a, profile: quick, headers: {x-n: "${int(text)}"}}]`, `orrery: route "a": int(text): `},
		{"a usage", "routes: [{name: a, profile: quick, usage: {output_tokens: int(text)}}]", `orrery: route "a": usage output_tokens: int(text): `},
		{"a usage below 0", "routes: [{name: a, profile: quick, usage: {output_tokens: messages - 3}}]",
			`orrery: route "a": usage output_tokens: messages - 3: gives -2, less than 0`},
		{"a mark", "routes: [{name: a, profile: quick, marks: {odd: int(text) > 3}}]", `orrery: route "a": mark odd: int(text) > 3: `},
		{"an error's message", `routes: [{name: a, error: {status: 429, message: "${int(text)}"}}]`, `orrery: route "a": int(text): `},
		{"an error's header", `routes: [{name: a, error: {status: 429, message: m, headers: {x-n: "${int(text)}"}}}]`, `orrery: route "a": int(text): `},
		{"a load", "profiles: {busy: {respond: 1ms, load: {by: int(text), at: {1: 1}}}}\nroutes: [{name: a, profile: busy}]",
			`orrery: route "a": profile busy, load: int(text): `},
		{"a guard", "routes: [{name: a, profile: quick}]\nguards: [{name: g, when: int(text) > 3, error: {status: 429, message: m}}]",
			`orrery: route "a": guard "g": int(text) > 3: `},
	} {
		t.Run(c.name, func(t *testing.T) {
			head := quick
			if strings.HasPrefix(c.text, "profiles") {
				head = ""
			}
			g := playing(t, head+c.text)
			d := g.ask(saying("no number"))
			require.Equal(t, 500, d.Timeline.Status)
			require.Equal(t, "api_error", d.Timeline.Error.Type)
			require.Contains(t, message(d), c.want)
			require.Zero(t, d.Timeline.Duration())
			require.Empty(t, d.Headers)
			require.Equal(t, uint64(2), g.ask(saying("7")).Ordinal, "the run goes on")
		})
	}
}
