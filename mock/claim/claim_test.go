package claim_test

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// proving claims a tail, a header and a share.
const proving = head + `routes:
  - {name: all, profile: spread, headers: {X-Layer: one}, marks: {hit: 30%}, reply: {tokens: 20}}
contradictions: {C1: "All can't be fast and slow."}
workloads:
  steady: {requests: 1000, rate: 100/s}
  streamed: {requests: 100, rate: 100/s, request: {stream: true}}
claims:
  tail: {says: "P99 is 199 ms", measure: p99(steady.duration_ms), within: [198ms, 200ms]}
  header: {says: "all carry it", measure: 'share(steady, header("x-layer") == "one")', within: [100%, 100%]}
  share: {says: "three in ten", measure: "share(steady, marks.hit)", within: [29%, 31%]}
  gaps: {says: "short ones", measure: "share(streamed.gaps, gap_ms < 24)", within: [68%, 72%]}
  fast: {says: "all under 100 ms", measure: "share(steady, duration_ms < 100)", at_least: 99%, contradicts: C1, shown_by: elsewhere}
  later: {says: "not yet", not_measured: "needs more"}
  two:
    says: "two figures"
    checks:
      - {says: "the least", measure: min(steady.duration_ms), at_least: 100ms}
      - {measure: max(steady.duration_ms), at_most: 200ms}
`

func byClaim(verdicts []claim.Verdict) map[string]string {
	all := map[string]string{}
	for _, v := range verdicts {
		if all[v.Claim] == "" || all[v.Claim] == claim.Pass {
			all[v.Claim] = v.Verdict
		}
	}
	return all
}

func TestEachCheckOfEachClaimHasAVerdictInTheOrderOfTheFile(t *testing.T) {
	verdicts := verify(t, claim.Options{}, load(t, proving))
	var names []string
	for _, v := range verdicts {
		names = append(names, v.Claim)
	}
	require.Equal(t, []string{"tail", "header", "share", "gaps", "fast", "later", "two", "two"}, names)
	require.Equal(t, map[string]string{
		"tail": claim.Pass, "header": claim.Pass, "share": claim.Pass, "gaps": claim.Pass, "fast": claim.Contradicts,
		"later": claim.NotMeasured, "two": claim.Pass,
	}, byClaim(verdicts))
	require.Equal(t, "198ms to 200ms", verdicts[0].Within)
	require.Equal(t, "C1", verdicts[4].Contradicts)
	require.Equal(t, "elsewhere", verdicts[4].ShownBy)
	require.Equal(t, "needs more", verdicts[5].Reason)
	require.Equal(t, "the least", verdicts[6].Check)
	require.Equal(t, "max(steady.duration_ms)", verdicts[7].Check, "of several figures each is told apart")
}

func TestAnEditThatMattersMakesItsClaimFailAndNoOther(t *testing.T) {
	for _, c := range []struct {
		name, from, to string
		fails          []string
	}{
		{"a longer tail", "spread: {respond: {uniform: [100ms, 200ms]}", "spread: {respond: {uniform: [100ms, 205ms]}", []string{"tail", "two"}},
		{"no numbers at all", "spread: {respond: {uniform: [100ms, 200ms]}", "spread: {respond: 0", []string{"fast", "tail", "two"}},
		{"a misspelt header", "X-Layer: one", "X-Layr: one", []string{"header"}},
		{"another value", "X-Layer: one", "X-Layer: One", []string{"header"}},
		{"another share of marks", "hit: 30%", "hit: 33%", []string{"share"}},
		{"another share of gaps", "share: 70%, uniform: [17ms, 23ms]}, {share: 30%", "share: 60%, uniform: [17ms, 23ms]}, {share: 40%", []string{"gaps"}},
		{"a claim said to be impossible that holds", "respond: {uniform: [100ms, 200ms]}", "respond: {uniform: [50ms, 99ms]}", []string{"fast", "tail", "two"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(proving, c.from))
			var fails []string
			for name, verdict := range byClaim(verify(t, claim.Options{}, load(t, strings.Replace(proving, c.from, c.to, 1)))) {
				if verdict == claim.Fail {
					fails = append(fails, name)
				}
			}
			slices.Sort(fails)
			require.Equal(t, c.fails, fails)
		})
	}
}

func TestAFigureOfNothingIsAFailure(t *testing.T) {
	s := load(t, head+`routes: [{name: all, error: {status: 503, message: "no"}}]
workloads: {steady: {requests: 10, rate: 100/s}}
claims:
  tail: {says: "fast", measure: p99(steady.duration_ms), at_most: 1h}
  impossible: {says: "slow", measure: p99(steady.duration_ms), at_least: 1h, contradicts: C1}
contradictions: {C1: "x"}
`)
	for _, v := range verify(t, claim.Options{}, s) {
		require.Equal(t, claim.Fail, v.Verdict, v.Claim)
		require.Equal(t, "no value", v.Measured)
		require.NotEmpty(t, v.Reason)
	}
}

func TestAFigureSaysHowManyItIsSilentAbout(t *testing.T) {
	s := load(t, head+`routes: [{name: refused, share: 25%, error: {status: 503, message: "no"}}, {name: all, profile: ten}]
workloads: {steady: {requests: 100, rate: 100/s}}
claims: {tail: {says: "fast", checks: [
  {measure: p99(steady.duration_ms), at_most: 10ms}, {measure: p99(steady.ended_ms), at_most: 10ms},
  {measure: "p99(steady.duration_ms, status == 200)", at_most: 10ms}]}}
`)
	verdicts := verify(t, claim.Options{}, s)
	require.Equal(t, "25 of 100 requests had no whole answer and are left out", verdicts[0].Reason)
	require.Empty(t, verdicts[1].Reason)
	require.Empty(t, verdicts[2].Reason)
}

func TestVerdictsAreTheSameOnAnyNumberOfProcessorsAndInAnyOrder(t *testing.T) {
	one, other := load(t, proving), load(t, strings.Replace(proving, "seed: 7", "seed: 8", 1))
	both := verify(t, claim.Options{}, one, other)
	require.Equal(t, both, verify(t, claim.Options{}, one, other))
	turned := verify(t, claim.Options{}, other, one)
	require.Equal(t, both[:8], turned[8:])
	require.Equal(t, both[8:], turned[:8])
	require.NotEqual(t, both[0].Figure, both[8].Figure, "another seed gives other draws")
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	require.Equal(t, both, verify(t, claim.Options{}, one, other))
}

func TestASeedStandsInPlaceOfTheScenariosOwn(t *testing.T) {
	seed := uint64(8)
	other := verify(t, claim.Options{}, load(t, strings.Replace(proving, "seed: 7", "seed: 8", 1)))
	require.Equal(t, other, verify(t, claim.Options{Seed: &seed}, load(t, proving)))
}

func TestFewerRequestsAreSentOnRequest(t *testing.T) {
	sent := 0
	s := load(t, proving)
	o := claim.Options{Requests: 100}
	require.Equal(t, uint64(200), claim.Planned([]*scenario.Scenario{s}, o))
	counts := make(chan int, 100)
	o.Progress = func(n int) { counts <- n }
	verify(t, o, s)
	close(counts)
	for n := range counts {
		sent += n
	}
	require.Equal(t, 200, sent)
	require.Equal(t, uint64(1100), claim.Planned([]*scenario.Scenario{s}, claim.Options{}))
}

func TestASoakPlaysItsWorkloadAloneForItsLength(t *testing.T) {
	text := strings.Replace(proving, "steady: {requests: 1000, rate: 100/s}", "steady: {requests: 1000, rate: 100/s, soak: 20s}", 1)
	o := claim.Options{Soak: true}
	require.Equal(t, uint64(2000), claim.Planned([]*scenario.Scenario{load(t, text)}, o))
	verdicts := verify(t, o, load(t, text))
	var names []string
	for _, v := range verdicts {
		names = append(names, v.Claim)
	}
	require.Equal(t, []string{"tail", "header", "share", "fast", "two", "two"}, names)
	require.Empty(t, verify(t, o, load(t, proving)))
}

func TestACancelledContextEndsIt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := load(t, strings.Replace(proving, "steady: {requests: 1000", "steady: {requests: 100000", 1))
	_, err := claim.Verify(ctx, []*scenario.Scenario{s}, claim.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestAWorkloadThatCantBeMadeSaysWhich(t *testing.T) {
	s := claiming(t, ten, `small: {requests: 1, rate: 1/s, request: {system_tokens: 100, input_tokens: 50}}`, "count(small)")
	_, err := claim.Verify(context.Background(), []*scenario.Scenario{s}, claim.Options{})
	require.ErrorContains(t, err, "scenario tested, workload small: a request of this kind has at least")
}

func TestEveryFormOfWorkloadCanBePlayed(t *testing.T) {
	source, err := os.ReadFile("../scenario/testdata/good/claims.yaml")
	require.NoError(t, err)
	text := string(source)
	// Each workload is asked for something, so that each is played.
	s, err := scenario.Loader{}.Load("claims.yaml", source)
	require.NoError(t, err)
	for _, w := range s.Workloads {
		text += "  W_" + w.Name + ": {says: \"-\", measure: count(" + w.Name + "), at_least: 1}\n"
	}
	s, err = scenario.Loader{}.Load("claims.yaml", []byte(text))
	require.NoError(t, err)
	for _, v := range verify(t, claim.Options{}, s) {
		if strings.HasPrefix(v.Claim, "W_") {
			require.Equal(t, claim.Pass, v.Verdict, v.Claim)
		}
	}
}
