package scenario_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestAnOutcomeIsCompiledForAScenario(t *testing.T) {
	s := load(t, frame)
	places, uses := slices.Clone(s.Places), s.Uses("arrived_unix_ns")
	o, err := gallery().ParseOutcome(s, `
profile: p
reply: {fixtures: [one, two], tokens: 20..40}
headers: {x-mode: "${params.mode}", x-busy: "${busy}", retry-after: "${http_date(5)}"}
marks: {half: 50%}
faults: [{drop: message_stop}, {end: goaway, after: 3}]
`)
	require.NoError(t, err)
	require.Same(t, s.Profiles["p"], o.Profile)
	require.Equal(t, []fault.Fault{fault.Drop{At: event("message_stop")}, fault.Ending{End: fault.GoAway, After: fault.Place{Nth: 3}}}, o.Faults)
	require.Equal(t, []string{"arrived_unix_ns"}, o.Reads)
	require.Equal(t, scenario.NextPlace, s.Places[o.Reply.Place])
	require.Equal(t, scenario.NextPlace, s.Places[o.Reply.TokensPlace])
	require.Equal(t, &scenario.Share{Place: 0, Below: latency.Whole / 2}, o.Marks[0].Share)
	require.Equal(t, places, s.Places, "the scenario stays as it is")
	require.Equal(t, uses, s.Uses("arrived_unix_ns"))

	env := s.NewEnv()
	env.Set("params.mode", "strict")
	env.Set("busy", true)
	env.Set("arrived_unix_ns", int(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()))
	var values []string
	for _, h := range o.Headers {
		v, err := h.Value.Text(env)
		require.NoError(t, err)
		values = append(values, v)
	}
	require.Equal(t, []string{"strict", "true", "Thu, 01 Jan 2026 00:00:05 GMT"}, values)
}

func TestAnOutcomeNeedsNoProfileAndMayBeJSON(t *testing.T) {
	s := load(t, frame)
	for text, check := range map[string]func(*scenario.Outcome){
		`{"error": {"status": 529}}`:          func(o *scenario.Outcome) { require.Equal(t, 529, o.Error.Status) },
		"{http: {status: 502, body: <html>}}": func(o *scenario.Outcome) { require.Equal(t, "<html>", o.HTTP.Body) },
		"never: true":                         func(o *scenario.Outcome) { require.True(t, o.Never) },
		"reply: Hello.":                       func(o *scenario.Outcome) { require.Equal(t, "Hello.", o.Reply.Text) },
		"framing: raw-text":                   func(o *scenario.Outcome) { require.True(t, o.RawText); require.NotNil(t, o.Reply) },
		"{}":                                  func(o *scenario.Outcome) { require.NotNil(t, o.Reply) },
	} {
		o, err := gallery().ParseOutcome(s, text)
		require.NoError(t, err, text)
		check(o)
	}
}

func TestAWrongOutcomeGetsAllItsProblems(t *testing.T) {
	s := load(t, frame)
	for text, want := range map[string]string{
		"":                       "outcome:1:1: the outcome is empty",
		"[1]":                    "outcome:1:1: an outcome is a map of keys, this is a list",
		"{when: stream}":         "outcome:1:2: unknown key \"when\" in an outcome",
		"{profile: q}":           "there is no profile \"q\"",
		"{reply: {fixture: on}}": "did you mean `one`?",
		"{faults: [{drop: mesage_stop}, {gzip: no}]}": "did you mean `message_stop`?",
		"{marks: {m: qps > 3}}":                       "no expression of the scenario \"test\" reads qps, so its runs don't keep it",
		"{headers: {x: '${bsy}'}}":                    "did you mean `busy`?",
		"{headers: {x: '${params.moode}'}}":           "did you mean `params.mode`?",
	} {
		o, err := gallery().ParseOutcome(s, text)
		require.Nil(t, o, text)
		var problems scenario.Problems
		require.ErrorAs(t, err, &problems, text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := gallery().ParseOutcome(s, "{faults: [{drop: mesage_stop}, {gzip: no}], profile: q}")
	var problems scenario.Problems
	require.ErrorAs(t, err, &problems)
	require.Len(t, problems, 3)
}

func TestOutcomesMayBeCompiledAtOnce(t *testing.T) {
	s := load(t, frame)
	done := make(chan error)
	for range 4 {
		go func() {
			_, err := gallery().ParseOutcome(s, "{headers: {x: '${messages + 1}'}, marks: {m: busy}}")
			done <- err
		}()
	}
	for range 4 {
		require.NoError(t, <-done)
	}
}
