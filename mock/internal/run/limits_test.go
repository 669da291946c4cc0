package run_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func limited(t *testing.T, limits string) *game {
	t.Helper()
	return playing(t, "limits: "+limits+"\n"+quick+all)
}

func TestABucketHoldsAMinutesWorthAndFillsEvenly(t *testing.T) {
	g := limited(t, "{requests: 3}")
	for i := range 3 {
		d := g.ask()
		require.Equal(t, 200, d.Timeline.Status)
		require.Equal(t, run.Rate{Limit: 3, Remaining: 2 - i, Reset: start().Add(time.Duration(i+1) * 20 * time.Second)}, d.Rates().Requests)
		require.Zero(t, d.Rates().Input)
	}
	d := g.ask(at(time.Second))
	require.Equal(t, 429, d.Timeline.Status)
	require.Equal(t, 19*time.Second, d.Timeline.Error.RetryAfter)
	require.True(t, strings.HasPrefix(message(d), "This request would exceed your organization's rate limit of 3 requests per minute (org: "), message(d))
	require.Contains(t, message(d), ", model: claude-sonnet-5). For details, refer to: https://docs.claude.com/en/api/rate-limits.")
	require.Equal(t, 429, g.ask(at(20*time.Second-1)).Timeline.Status)
	require.Equal(t, time.Second, g.ask(at(20*time.Second-1)).Timeline.Error.RetryAfter, "rounded up to a second")
	require.Equal(t, 200, g.ask(at(20*time.Second)).Timeline.Status)
	require.Equal(t, 429, g.ask(at(20*time.Second)).Timeline.Status)
}

func TestARefusalMayLeaveOutRetryAfter(t *testing.T) {
	g := limited(t, "{requests: 1, retry_after: false}")
	require.Equal(t, 200, g.ask().Timeline.Status)
	d := g.ask()
	require.Equal(t, 429, d.Timeline.Status)
	require.Zero(t, d.Timeline.Error.RetryAfter)
	require.Equal(t, start().Add(time.Minute), d.Rates().Requests.Reset)
}

func TestInputCountsWhatIsNotRead(t *testing.T) {
	g := playing(t, "limits: {input_tokens: 10000}\n"+quick+all)
	mark := system(block(long(), "5m"))
	total := g.query(mark).Request.InputTokens
	first := g.ask(mark)
	require.Equal(t, 10000-total, first.Rates().Input.Remaining, "to write counts")
	read := g.ask(mark)
	require.Equal(t, 200, read.Timeline.Status)
	require.Equal(t, 10000-total-used(t, read).input, read.Rates().Input.Remaining)

	over := g.ask(saying(long()))
	require.Equal(t, 429, over.Timeline.Status)
	require.Contains(t, message(over), "rate limit of 10,000 input tokens per minute")
	wait := over.Timeline.Error.RetryAfter
	require.Equal(t, 429, g.ask(saying(long()), at(wait-time.Second)).Timeline.Status)
	require.Equal(t, 200, g.ask(saying(long()), at(wait)).Timeline.Status)
}

func TestOutputCountsWhenTheAnswerEnds(t *testing.T) {
	g := playing(t, "limits: {output_tokens: 60}\nprofiles: {slow: {respond: 10s}}\nroutes: [{name: all, profile: slow, reply: {tokens: 100}}]\n")
	require.Equal(t, 60, g.ask().Rates().Output.Remaining)
	require.Equal(t, 200, g.ask(at(10*time.Second-1)).Timeline.Status, "the first is still under way")
	over := g.ask(at(10 * time.Second))
	require.Contains(t, message(over), "rate limit of 60 output tokens per minute")
	require.Equal(t, 0, over.Rates().Output.Remaining)
	require.Equal(t, 41*time.Second, over.Timeline.Error.RetryAfter, "40 tokens of debt, and one more")
}

func TestWhoLeavesPaysForWhatWentOut(t *testing.T) {
	g := playing(t, "limits: {output_tokens: 1000}\nprofiles: {slow: {first-token: 1s, token-gap: 1s}}\nroutes: [{name: all, profile: slow, reply: {tokens: 100}}]\n")
	d := g.ask(streamed())
	g.Forget(d, start().Add(10*time.Second))
	require.Equal(t, 990, g.ask(at(10*time.Second)).Rates().Output.Remaining)
}

func TestKeysAndClassesHaveBucketsOfTheirOwn(t *testing.T) {
	g := playing(t, "limits: {requests: 1}\nkeys: [{name: rich, key: sk-rich, limits: {requests: 2}}]\n"+quick+all)
	rich := func(a *asked) { a.query.Key = "rich"; a.query.Client = "key-rich" }
	require.Equal(t, 200, g.ask().Timeline.Status)
	require.Equal(t, 429, g.ask().Timeline.Status)
	require.Equal(t, 200, g.ask(from("key-b")).Timeline.Status)
	require.Equal(t, 200, g.ask(rich).Timeline.Status)
	require.Equal(t, 200, g.ask(rich).Timeline.Status)
	require.Equal(t, 429, g.ask(rich).Timeline.Status)
}

func TestALimitedRequestDrawsNothingAndUsesUpNoScriptedOutcome(t *testing.T) {
	g := playing(t, "limits: {requests: 1}\nprofiles: {p: {respond: {uniform: [1ms, 2ms]}}}\nroutes: [{name: all, profile: p, reply: {tokens: 5}}]\n")
	first := g.ask()
	g.Next(&scenario.Outcome{Error: &scenario.Error{Status: 529}})
	over := g.ask()
	require.Equal(t, 429, over.Timeline.Status)
	require.Empty(t, over.Draws())
	require.Equal(t, 1, g.Waiting())
	require.Equal(t, 529, g.ask(at(time.Minute)).Timeline.Status)
	next := g.ask(at(2 * time.Minute))
	require.Equal(t, first.Draws()[0].N+1, next.Draws()[0].N)
}

func TestLimitsThatAreNotEnforcedOnlyTell(t *testing.T) {
	g := limited(t, "{requests: 2, input_tokens: 20, enforce: false}")
	for range 5 {
		require.Equal(t, 200, g.ask().Timeline.Status)
	}
	d := g.ask()
	require.Equal(t, 0, d.Rates().Requests.Remaining)
	require.Equal(t, start().Add(time.Minute), d.Rates().Requests.Reset)
	require.Equal(t, 2, g.ask(at(10*time.Minute)).Rates().Requests.Limit)
}

func TestAScenarioWithoutLimitsTellsOfNone(t *testing.T) {
	require.Nil(t, playing(t, quick+all).ask().Rates())
	g := playing(t, "keys: [{name: poor, key: sk-poor, limits: {requests: 1}}]\n"+quick+all)
	require.Nil(t, g.ask().Rates())
}

func TestTheLargestLimitsDoNotOverflow(t *testing.T) {
	g := limited(t, "{requests: 100000000, input_tokens: 100000000, output_tokens: 100000000}")
	d := g.ask()
	require.Equal(t, 99_999_999, d.Rates().Requests.Remaining)
	d = g.ask(at(1000 * time.Hour))
	require.Equal(t, 99_999_999, d.Rates().Requests.Remaining)
}

func TestARunWithoutLimitsHasNone(t *testing.T) {
	s := loaded(t, "limits: {requests: 1}\n"+quick+all)
	g := &game{run.New(run.Config{Scenario: s, Replies: replies(t), Unlimited: true}), t, wire.NewReader(), s}
	for range 3 {
		d := g.ask()
		require.Equal(t, 200, d.Timeline.Status)
		require.Nil(t, d.Rates())
	}
}

func TestALimitedRequestIsAFailureToThoseThatComeAfter(t *testing.T) {
	g := playing(t, "limits: {requests: 1}\nfacts: {again: attempt, before: last_status}\n"+quick+"routes: [{name: all, profile: quick, reply: hello, when: again + before > 0}]\n")
	require.Equal(t, 200, g.ask(saying("another")).Timeline.Status)
	require.Equal(t, 429, g.ask(at(time.Second)).Timeline.Status)
	require.Equal(t, 429, g.ask(at(30*time.Second)).Timeline.Status)
	d := g.ask(at(60 * time.Second))
	require.Equal(t, 200, d.Timeline.Status)
	require.Equal(t, 3, d.Facts()["again"])
	require.Equal(t, 429, d.Facts()["before"])
	require.Equal(t, 1, d.Snapshot().Repeats)
}
