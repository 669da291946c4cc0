package run_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
)

func replaced(text, what, by string) string { return strings.Replace(text, what, by, 1) }

func TestAnErrorTakesItsProfilesRespond(t *testing.T) {
	for _, c := range []struct {
		name, profile string
		want          int
	}{
		{"respond", "p: {respond: 40ms, first-token: 90ms}", 40},
		{"respond under load", "p: {respond: 40ms, load: {by: messages, at: {1: 2}}}", 80},
		{"no respond", "p: {first-token: 90ms}", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := playing(t, "profiles: {"+c.profile+"}\nroutes: [{name: no, profile: p, error: {status: 529, message: full}}]\n")
			d := g.ask(streamed())
			require.Equal(t, 529, d.Timeline.Status)
			require.Equal(t, c.want, int(d.Timeline.Duration()/ms))
			require.Equal(t, "no", d.Route())
		})
	}
}

func TestAnErrorHasTheAPIsTypeForItsStatusUnlessItNamesOne(t *testing.T) {
	g := playing(t, `
routes:
  - {name: own, when: stream, error: {status: 429, type: overloaded_error, message: "busy with ${ordinal}", headers: {x-note: "${model}", x-none: "${header('absent')}"}}}
  - {name: api, error: {status: 429, message: busy, retry_after: 1500ms}}
`)
	own := g.ask(streamed())
	require.Equal(t, "overloaded_error", own.Timeline.Error.Type)
	require.Equal(t, "busy with 1", message(own))
	require.Equal(t, []run.Field{{Name: "x-note", Value: "claude-sonnet-5"}}, own.Headers)
	api := g.ask()
	require.Equal(t, "rate_limit_error", api.Timeline.Error.Type)
	require.Equal(t, 1500*ms, api.Timeline.Error.RetryAfter)
}

func TestAnErrorsBodyStandsAsItIs(t *testing.T) {
	g := playing(t, "routes: [{name: raw, error: {status: 502, body: \"<html>Bad Gateway</html>\", headers: {content-type: text/html}}}]\n")
	d := g.ask()
	require.Equal(t, "<html>Bad Gateway</html>", string(d.Timeline.Append(nil, 1)))
	require.Equal(t, []run.Field{{Name: "content-type", Value: "text/html"}}, d.Headers)
}

func TestHeadersAreRenderedAndAnEmptyOneIsLeftOut(t *testing.T) {
	g := playing(t, quick+`
routes:
  - name: all
    profile: quick
    headers: {X-Plain: as it stands, X-Model: "${model} for ${client}", X-Number: "${messages + 0.5}", X-None: "${header('x-absent')}", X-Dollar: "$${model}"}
`)
	require.Equal(t, []run.Field{
		{Name: "X-Plain", Value: "as it stands"}, {Name: "X-Model", Value: "claude-sonnet-5 for key-a"},
		{Name: "X-Number", Value: "1.5"}, {Name: "X-Dollar", Value: "${model}"},
	}, g.ask().Headers)
}

func TestUsageIsOverriddenFieldByField(t *testing.T) {
	g := playing(t, quick+"routes: [{name: all, profile: quick, reply: hello, usage: {output_tokens: 7, cache_read_input_tokens: input_tokens * 2}}]\n")
	d := g.ask()
	usage := d.Timeline.Message.Usage
	require.Equal(t, 7, usage.Output)
	require.Equal(t, usage.Input*2, usage.CacheRead)
	require.Zero(t, usage.CacheCreation)
}

func TestMarksAreSetAlwaysByShareOrByCondition(t *testing.T) {
	g := playing(t, `
profiles: {even: {respond: {uniform: [0ms, 100ms]}}}
routes:
  - {name: all, profile: even, marks: {always: true, never: false, warm: 25%, long: planned.duration_ms > 90, ordered: ordinal == 1}}
`)
	count := map[string]int{}
	for i := range 100 {
		d := g.ask()
		require.Len(t, d.Marks(), 5)
		for name, set := range d.Marks() {
			if set {
				count[name]++
			}
		}
		require.Equal(t, d.Timeline.Duration() > 90*ms, d.Marks()["long"])
		require.Equal(t, i == 0, d.Marks()["ordered"])
	}
	require.Equal(t, map[string]int{"always": 100, "warm": 25, "long": 10, "ordered": 1}, count)
}

func TestAMarkOfAnErrorReadsTheErrorsOwnPlan(t *testing.T) {
	g := playing(t, `
profiles: {slow: {respond: 100ms}, p: {respond: 30ms}}
routes:
  - {name: slow, when: stream, profile: slow, marks: {over: planned.duration_ms > 50}}
  - {name: no, profile: p, error: {status: 529, message: full}, marks: {over: planned.duration_ms > 50, says: planned.output_tokens > 0}}
`)
	require.Equal(t, map[string]bool{"over": false, "says": false}, g.ask().Marks(), "also before anything else was planned")
	require.Equal(t, map[string]bool{"over": true}, g.ask(streamed()).Marks())
	require.Equal(t, map[string]bool{"over": false, "says": false}, g.ask().Marks())
}

const guarded = `
profiles: {even: {respond: {uniform: [0ms, 100ms]}}}
routes:
  - {name: spared, when: stream, profile: even, error: {status: 500, message: no}}
  - {name: all, profile: even, reply: hello, headers: {X-Layer: one}, marks: {hit: true}}
guards:
  - {name: note, when: planned.duration_ms > 20, marks: {noted: true, again: 50%}}
  - {name: slow, when: planned.duration_ms > 80, marks: {slow: true}, error: {status: 429, message: "too slow for ${client}", retry_after: 1s}}
  - {name: also, when: planned.duration_ms > 60, marks: {late: true}, error: {status: 503, message: later, headers: {X-Why: slow}}}
`

func TestTheFirstGuardThatRefusesWinsAndMarksAddUp(t *testing.T) {
	plain := playing(t, strings.Split(guarded, "guards:")[0])
	g := playing(t, guarded)
	statuses := map[int]int{}
	for range 100 {
		planned := plain.ask().Timeline.Duration()
		d := g.ask()
		marks := d.Marks()
		require.Equal(t, planned > 20*ms, marks["noted"])
		require.True(t, marks["hit"], "the route's own marks stay")
		switch status := d.Timeline.Status; status {
		case 429:
			require.Greater(t, planned, 80*ms)
			require.True(t, marks["slow"])
			require.NotContains(t, marks, "late", "later guards don't see it")
			require.Equal(t, "too slow for key-a", message(d))
			require.Empty(t, d.Headers, "the route's headers belong to its answer")
		case 503:
			require.Greater(t, planned, 60*ms)
			require.LessOrEqual(t, planned, 80*ms)
			require.True(t, marks["late"])
			require.Equal(t, []run.Field{{Name: "X-Why", Value: "slow"}}, d.Headers)
		default:
			require.LessOrEqual(t, planned, 60*ms)
			require.Equal(t, planned, d.Timeline.Duration())
		}
		if d.Timeline.Status != 200 {
			require.Zero(t, d.Timeline.Duration(), "a refusal leaves at once")
			require.Equal(t, "all", d.Route())
			require.Equal(t, "profiles.even.respond", d.Draws()[0].Place, "it has used its draw")
		}
		statuses[d.Timeline.Status]++
	}
	require.Equal(t, map[int]int{429: 20, 503: 20, 200: 60}, statuses)
}

func TestARoutesErrorIsNotGuarded(t *testing.T) {
	g := playing(t, guarded)
	for range 100 {
		d := g.ask(streamed())
		require.Equal(t, 500, d.Timeline.Status)
		require.Empty(t, d.Marks())
	}
}

func TestARefusalIsInFlightForNoTime(t *testing.T) {
	g := playing(t, `
profiles: {slow: {respond: 100ms}}
routes: [{name: all, profile: slow}]
guards: [{when: planned.duration_ms > 50 and stream, error: {status: 429, message: no}}]
`)
	g.ask(streamed())
	require.Equal(t, 1, g.ask(at(10*ms)).Snapshot().Concurrency)
	require.Equal(t, 2, g.ask(at(10*ms)).Snapshot().Concurrency)
}
