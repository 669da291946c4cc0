package run_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

func keyed(name string) change { return func(a *asked) { a.query.Key = name } }

// fact is a fact that the answer was decided by.
func (g *game) fact(name string, changes ...change) any {
	g.t.Helper()
	return g.ask(changes...).Facts()[name]
}

func TestAPhaseByTimeGoesByTheTimeSinceTheFirstRequest(t *testing.T) {
	g := playing(t, quick+`
phases: {by: time, steps: [{name: small, for: 10m}, {name: all}]}
routes: [{name: small, when: phase == "small", profile: quick}, {name: all, when: phase == "all", profile: quick}]
`)
	require.Equal(t, "small", g.ask(at(time.Hour)).Route())
	require.Equal(t, "small", g.ask(at(70*time.Minute-1)).Route())
	require.Equal(t, "all", g.ask(at(70*time.Minute)).Route())
	require.Equal(t, "all", g.ask(at(7000*time.Minute)).Route())
}

func TestAPhaseByCountGoesByTheOrdinalBadRequestsIncluded(t *testing.T) {
	g := playing(t, quick+`
phases: {by: count, steps: [{name: first, for: 3}, {name: rest}]}
routes: [{name: first, when: phase == "first", profile: quick}, {name: rest, profile: quick}]
`)
	require.Equal(t, "first", g.ask().Route())
	g.Refuse(g.query(), wire.MissingKey())
	require.Equal(t, []string{"first", "rest", "rest"}, g.routes(3))
}

func TestARunsDateStartsAtItsFirstRequest(t *testing.T) {
	g := playing(t, quick+all+`
clock: {starts: 2024-10-18T01:59:59Z}
facts: {now: now_unix_s, h: hour}
`)
	first := time.Date(2024, 10, 18, 1, 59, 59, 0, time.UTC)
	d := g.ask(at(5 * time.Hour))
	require.Equal(t, 1, d.Facts()["hour"])
	require.Equal(t, int(first.Unix()), d.Facts()["now_unix_s"])
	require.Equal(t, first, d.Date())
	d = g.ask(at(5*time.Hour + time.Second))
	require.Equal(t, 2, d.Facts()["hour"])
	require.Equal(t, first.Add(time.Second), d.Date())
	require.Equal(t, 1, g.fact("hour", at(29*time.Hour)), "a day later but for a second")
	require.Equal(t, 1, g.fact("hour", at(0)), "one that arrived before the first but was read later")
}

func TestWithoutAClockOfItsOwnARunHasTheRealDate(t *testing.T) {
	g := playing(t, quick+all+"facts: {now: now_unix_s, h: hour}\n")
	d := g.ask(at(time.Hour))
	require.Equal(t, 14, d.Facts()["hour"])
	require.Equal(t, int(start().Add(time.Hour).Unix()), d.Facts()["now_unix_s"])
	require.Zero(t, d.Date())
}

const keys = `
keys:
  - {name: old, key: sk-old, created: 2024-09-30T12:00:00Z, tier: 1}
  - {name: undated, key: sk-undated}
REST
facts: {created: key.created, unix: key.created_unix, tier: key.tier, name: key.name}
routes:
  - {name: old path, when: 'key.created < "2024-10-01T00:00:00Z"', profile: quick}
  - {name: new path, profile: quick}
`

func TestAKeysAgeDecidesThePath(t *testing.T) {
	g := playing(t, quick+replaced(keys, "REST", `  - {name: "*", created: 2024-10-01T00:00:00Z, tier: free}`))
	d := g.ask(keyed("old"))
	require.Equal(t, "old path", d.Route())
	require.Equal(t, map[string]any{
		"key.name": "old", "key.created": "2024-09-30T12:00:00Z", "key.created_unix": 1727697600, "key.tier": "1",
		"name": "old", "created": "2024-09-30T12:00:00Z", "unix": 1727697600, "tier": "1",
	}, d.Facts())
	for _, other := range []string{"*", "", "nobody"} {
		d = g.ask(keyed(other))
		require.Equal(t, "new path", d.Route(), "the cut is at midnight exactly (CLAIMS.md C3)")
		require.Equal(t, "*", d.Facts()["key.name"])
		require.Equal(t, "free", d.Facts()["key.tier"])
		require.Equal(t, 1727740800, d.Facts()["key.created_unix"])
	}
}

func TestAKeyThatNobodyKnowsHasNoNameAndNoAge(t *testing.T) {
	g := playing(t, quick+replaced(keys, "REST", ""))
	for _, key := range []string{"", "nobody"} {
		d := g.ask(keyed(key))
		require.Equal(t, []any{"", "", 0, ""}, []any{d.Facts()["key.name"], d.Facts()["key.created"], d.Facts()["key.created_unix"], d.Facts()["key.tier"]})
	}
	require.Empty(t, g.fact("key.created", keyed("undated")))
	require.Equal(t, "undated", g.fact("key.name", keyed("undated")))
}
