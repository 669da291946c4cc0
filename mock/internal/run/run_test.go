package run_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// varied draws at every kind of place.
const varied = `
seed: 7
profiles:
  slow:
    first-token: {lognormal: {p50: 300ms, p99: 2s}}
    token-gap: {lognormal: {p50: 20ms, p99: 90ms}}
    pace: {p0: 0.5, p100: 1.5}
    stop: {uniform: [1ms, 5ms]}
routes:
  - {name: some, share: 30%, profile: slow, marks: {lucky: 20%}}
  - {name: rest, profile: slow, reply: {tokens: 5..20}}
`

func TestOrdinalsCountEveryRequestOfTheAPIAndNoStray(t *testing.T) {
	g := playing(t, quick+all)
	var got []uint64
	for _, d := range []*run.Decision{
		g.ask(),
		g.Refuse(g.query(), wire.MissingKey()),
		g.Stray(g.query(), wire.NotFound()),
		g.Direct(g.query(), []byte("{}")),
		g.Stray(g.query(), wire.NotFound()),
		g.ask(),
	} {
		got = append(got, d.Ordinal)
	}
	require.Equal(t, []uint64{1, 2, 0, 3, 0, 4}, got)
}

func TestTimeZeroIsTheFirstRequestEvenABadOne(t *testing.T) {
	g := playing(t, quick+all)
	g.Refuse(g.query(at(0)), wire.MissingKey())
	require.Equal(t, 1500*ms, g.ask(at(1500*ms)).Snapshot().Elapsed)
}

func TestARequestThatArrivedFirstButWasReadLaterHasElapsedNothing(t *testing.T) {
	g := playing(t, quick+all)
	g.ask(at(100 * ms))
	require.Zero(t, g.ask(at(40*ms)).Snapshot().Elapsed)
}

func TestARefusedRequestGetsTheErrorAtOnceAndDrawsNothing(t *testing.T) {
	g := playing(t, varied)
	d := g.Refuse(g.query(), wire.MissingVersion())
	require.Equal(t, 400, d.Timeline.Status)
	require.Zero(t, d.Timeline.Duration())
	require.Empty(t, d.Draws())
	require.Equal(t, plan(playing(t, varied).ask())[:20], plan(g.ask())[:20], "the next request has the first draws")
}

func TestScriptedAnswersGoOutInOrderAndThenTheRoutesAnswer(t *testing.T) {
	g := playing(t, quick+all)
	g.Next(
		&scenario.Outcome{Error: &scenario.Error{Status: 529, Message: scenario.Text("Overloaded")}},
		&scenario.Outcome{Reply: &scenario.Reply{Text: "at last"}},
	)
	g.Next(&scenario.Outcome{Reply: &scenario.Reply{Text: "and again"}})
	require.Equal(t, 3, g.Waiting())

	require.Equal(t, 529, g.ask().Timeline.Status)
	second := g.ask()
	require.Equal(t, "at last", text(second))
	require.Equal(t, "(scripted)", second.Route())
	require.Equal(t, "and again", text(g.ask()))
	require.Equal(t, "hello", text(g.ask()))
	require.Zero(t, g.Waiting())
}

func TestABadRequestUsesUpNoScriptedAnswer(t *testing.T) {
	g := playing(t, quick+all)
	g.Next(&scenario.Outcome{Reply: &scenario.Reply{Text: "at last"}})
	g.Refuse(g.query(), wire.MissingKey())
	g.Direct(g.query(), []byte("{}"))
	g.Stray(g.query(), wire.NotFound())
	require.Equal(t, "at last", text(g.ask()))
}

func TestARequestWhoseFactsFailUsesUpNoScriptedAnswer(t *testing.T) {
	g := playing(t, "facts: {n: int(text)}\n"+quick+"routes: [{name: all, when: n > 3, profile: quick}]\n")
	g.Next(&scenario.Outcome{Reply: &scenario.Reply{Text: "at last"}})
	require.Equal(t, 500, g.ask(saying("none")).Timeline.Status)
	require.Equal(t, "at last", text(g.ask(saying("7"))))
}

func TestAScriptedTextDrawsNothingOfTheScenarios(t *testing.T) {
	g := playing(t, varied)
	g.Next(&scenario.Outcome{Reply: &scenario.Reply{Text: "mine"}})
	require.Empty(t, g.ask().Draws())

	without := playing(t, "routes: [{name: no, error: {status: 400, message: no}}]\n")
	without.Next(&scenario.Outcome{Reply: &scenario.Reply{Text: "mine"}})
	require.Equal(t, "mine", text(without.ask()), "a scenario in which nothing draws has no place at all")
}

func TestTwoRunsOfAScenarioHaveTheSamePlansAndIDsOfTheirOwn(t *testing.T) {
	one, other := playingAs(t, varied, "one", nil), playingAs(t, varied, "other", nil)
	again := playingAs(t, varied, "one", nil)
	for range 50 {
		a, b, c := one.ask(streamed()), other.ask(streamed()), again.ask(streamed())
		require.Equal(t, a.Draws(), b.Draws())
		require.Equal(t, text(a), text(b))
		require.Equal(t, a.Timeline.Duration(), b.Timeline.Duration())
		require.NotEqual(t, a.RequestID(), b.RequestID())
		require.NotEqual(t, a.Timeline.Message.ID, b.Timeline.Message.ID)
		require.Equal(t, plan(a), plan(c), "the same run again is the same to the byte")
		require.Equal(t, a.RequestID(), c.RequestID())
	}
}

func TestAnotherSeedGivesOtherPlans(t *testing.T) {
	own, other := uint64(7), uint64(8)
	of := func(seed *uint64) []time.Duration {
		return playingAs(t, varied, "default", seed).durations(20, streamed())
	}
	require.Equal(t, of(nil), of(&own), "the scenario's own seed")
	for i, d := range of(&other) {
		require.NotEqual(t, of(nil)[i], d)
	}
}

func TestPlansAreTheSameHoweverManyAskAtOnce(t *testing.T) {
	const n = 640
	inOrder := playing(t, varied)
	q := inOrder.query(streamed())
	want := make([]string, n)
	for i := range want {
		want[i] = plan(inOrder.Decide(q))
	}

	atOnce := playing(t, varied)
	got := make([]string, n)
	var everyone sync.WaitGroup
	for range 64 {
		everyone.Go(func() {
			for range n / 64 {
				d := atOnce.Decide(q)
				got[d.Ordinal-1] = plan(d)
			}
		})
	}
	everyone.Wait()
	require.True(t, slices.Equal(want, got))
}

func TestIDsAreUniqueAndStable(t *testing.T) {
	g, again := playing(t, quick+all), playing(t, quick+all)
	q := g.query()
	seen := map[string]bool{}
	for i := range 100_000 {
		d, same := g.Decide(q), again.Decide(q)
		for _, id := range []string{d.RequestID(), d.Timeline.Message.ID, g.Stray(q, wire.NotFound()).RequestID()} {
			if seen[id] {
				t.Fatalf("request %d has an id that was there before: %s", i, id)
			}
			seen[id] = true
		}
		if d.RequestID() != same.RequestID() || d.Timeline.Message.ID != same.Timeline.Message.ID {
			t.Fatalf("request %d has other ids the second time", i)
		}
	}
}

func TestARunIsIdleOnceItsPlansHaveEnded(t *testing.T) {
	g := playing(t, "profiles: {slow: {respond: 100ms}}\nroutes: [{name: all, profile: slow}]\n")
	require.True(t, g.Idle(start()))
	d := g.ask(at(0))
	require.False(t, g.Idle(start().Add(99*ms)))
	require.True(t, g.Idle(start().Add(100*ms)))
	g.ask(at(200 * ms))
	g.Forget(d, start().Add(200*ms))
	require.False(t, g.Idle(start().Add(250*ms)), "forgetting one that has ended forgets no other")
}

func TestWhatALaxValidationLetPassIsAWarning(t *testing.T) {
	g := playing(t, quick+all)
	q := g.query()
	q.Request.Warnings = []string{"max_tokens: Field required"}
	require.Equal(t, q.Request.Warnings, g.Decide(q).Warnings)
	require.Equal(t, q.Request.Warnings, g.Direct(q, nil).Warnings)
}
