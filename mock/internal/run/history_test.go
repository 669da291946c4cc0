package run_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
)

// remembering is a scenario that reads what came before. A text says how its answer ends.
const remembering = `
profiles: {quick: {respond: 0}}
routes:
  - {name: fails, when: text startsWith "fail", error: {status: 529, message: "${repeats} ${attempt}"}}
  - {name: all, profile: quick, headers: {x-seen: "${repeats} ${attempt}"}}
guards: [{when: text startsWith "refuse", error: {status: 429, message: "no"}}]
`

func TestRepeatsCountTheSameBodyInARowOfAKey(t *testing.T) {
	type request struct {
		changes []change
		want    int
	}
	for _, c := range []struct {
		name     string
		requests []request
	}{
		{"the same again", []request{{nil, 1}, {nil, 2}, {nil, 3}, {nil, 4}}},
		{"another body begins anew", []request{{nil, 1}, {nil, 2}, {[]change{saying("other")}, 1}, {nil, 1}, {nil, 2}}},
		{"a field more is another body", []request{{nil, 1}, {[]change{with(`"service_tier":"auto"`)}, 1}}},
		{"other keys don't interrupt", []request{{nil, 1}, {[]change{from("b"), saying("other")}, 1}, {nil, 2}, {[]change{from("b")}, 1}, {nil, 3}}},
		{"an SDK's retries don't count", []request{{nil, 1}, {[]change{retry(1)}, 1}, {[]change{retry(2)}, 1}, {nil, 2}, {[]change{retry(1)}, 2}, {[]change{retry(0)}, 3}}},
		{"a retry of another body doesn't interrupt", []request{{nil, 1}, {[]change{saying("other"), retry(1)}, 1}, {nil, 2}}},
		{"refused ones don't count", []request{{[]change{saying("fail")}, 1}, {[]change{saying("fail")}, 1}, {[]change{saying("refuse")}, 1}, {[]change{saying("refuse")}, 1}}},
		{"refused ones don't interrupt", []request{{nil, 1}, {[]change{saying("fail")}, 1}, {[]change{saying("refuse")}, 1}, {nil, 2}}},
		{"time makes no difference", []request{{nil, 1}, {[]change{at(1000 * time.Hour)}, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := playing(t, remembering)
			for i, r := range c.requests {
				require.Equal(t, r.want, g.ask(r.changes...).Snapshot().Repeats, "request %d", i+1)
			}
		})
	}
}

func TestTheAttemptIsWhatTheSDKSaysElseOneMoreThanTheFailuresInARow(t *testing.T) {
	fail := func(changes ...change) []change { return append([]change{saying("fail")}, changes...) }
	type request struct {
		changes []change
		want    int
	}
	for _, c := range []struct {
		name     string
		requests []request
	}{
		{"an SDK says it", []request{{[]change{retry(0)}, 1}, {[]change{retry(1)}, 2}, {[]change{retry(7)}, 8}}},
		{"failures in a row", []request{{fail(), 1}, {fail(), 2}, {fail(), 3}}},
		{"an SDK's word counts for more", []request{{fail(), 1}, {fail(), 2}, {fail(retry(0)), 1}, {fail(retry(1)), 2}, {fail(), 5}}},
		{"nonsense is nobody's word", []request{{fail(header("X-Stainless-Retry-Count", "many")), 1}, {fail(header("X-Stainless-Retry-Count", "-3")), 2}}},
		{"a success ends the row", []request{{nil, 1}, {nil, 1}}},
		{"other bodies don't matter", []request{{fail(), 1}, {nil, 1}, {[]change{saying("fail too")}, 1}, {fail(), 2}}},
		{"other keys don't matter", []request{{fail(), 1}, {fail(from("b")), 2}}},
		{"sixty seconds", []request{{fail(), 1}, {fail(at(60 * time.Second)), 2}, {fail(at(121 * time.Second)), 1}, {fail(at(122 * time.Second)), 2}}},
		{"a guard's refusal is a failure", []request{{[]change{saying("refuse")}, 1}, {[]change{saying("refuse")}, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := playing(t, remembering)
			for i, r := range c.requests {
				require.Equal(t, r.want, g.ask(r.changes...).Snapshot().Attempt, "request %d", i+1)
			}
		})
	}
}

func TestASuccessEndsTheRowOfFailures(t *testing.T) {
	g := playing(t, "profiles: {quick: {respond: 0}}\nroutes:\n  - {name: fails, when: attempt < 3, error: {status: 529, message: full}}\n  - {name: all, profile: quick}\n")
	require.Equal(t, []string{"fails", "fails", "all", "fails", "fails", "all"}, g.routes(6))
}

func TestARequestWhoseFactsFailHasFailed(t *testing.T) {
	g := playing(t, "facts: {n: int(text)}\nprofiles: {quick: {respond: 0}}\nroutes: [{name: all, when: n > attempt, profile: quick}]\n")
	g.ask()
	require.Equal(t, 2, g.ask().Snapshot().Attempt)
}

func TestTheLastTenThousandClientsAndBodiesAreRemembered(t *testing.T) {
	g := playing(t, remembering)
	q := g.query(saying("fail"))
	attempt := func(identity uint64) int {
		q.Request.Identity = identity
		return g.Decide(q).Snapshot().Attempt
	}
	p := g.query()
	repeats := func(client int) int {
		p.Client = fmt.Sprint(client)
		return g.Decide(p).Snapshot().Repeats
	}
	for i := range 10_001 {
		require.Equal(t, 1, attempt(uint64(i)))
		require.Equal(t, 1, repeats(i))
	}
	require.Equal(t, []int{2, 2}, []int{attempt(5000), repeats(5000)})
	require.Equal(t, []int{1, 1}, []int{attempt(0), repeats(0)}, "the oldest have been forgotten")
}

func TestNothingIsRememberedThatNobodyAsksFor(t *testing.T) {
	g := playing(t, quick+all)
	var last *run.Decision
	for range 3 {
		last = g.ask()
	}
	require.Equal(t, []int{1, 1, 0}, []int{last.Snapshot().Repeats, last.Snapshot().Attempt, last.Snapshot().QPS})
	require.Empty(t, last.Facts())
}
