package scenario_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

const ms = int64(time.Millisecond)

// respond compiles a profile whose respond is the distribution given as YAML.
func respond(t *testing.T, dist string) *latency.Table {
	t.Helper()
	s := load(t, "orrery: 1\nname: a\nprofiles:\n  p: {respond: "+dist+"}\n")
	require.Len(t, s.Profiles["p"].Respond.Parts, 1)
	return s.Profiles["p"].Respond.Parts[0].Table
}

func TestADurationIsReadWithItsUnit(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "150ms": 150 * time.Millisecond, "1.5s": 1500 * time.Millisecond, "200us": 200 * time.Microsecond,
		"200µs": 200 * time.Microsecond, "1m30s": 90 * time.Second, "7ns": 7, `"5ms"`: 5 * time.Millisecond, "24h": 24 * time.Hour,
	} {
		table := respond(t, text)
		require.Equal(t, int64(want), table.Min(), text)
		require.Equal(t, int64(want), table.Max(), text)
	}
}

func TestADistributionBecomesItsTable(t *testing.T) {
	half := latency.Whole / 2
	for dist, want := range map[string][3]int64{ // lowest, median, highest
		"{constant: 5ms}":                                                            {5 * ms, 5 * ms, 5 * ms},
		"{p0: 1ms, p50: 2ms, p100: 9ms}":                                             {1 * ms, 2 * ms, 9 * ms},
		"{p100: 9ms, p50: 2ms, p0: 1ms}":                                             {1 * ms, 2 * ms, 9 * ms},
		"{uniform: [10ms, 20ms]}":                                                    {10 * ms, 15 * ms, 20 * ms},
		"{normal: {mean: 50ms, sd: 5ms, min: 40ms, max: 60ms}}":                      {40 * ms, 50 * ms, 60 * ms},
		"{lognormal: {p50: 60ms, p99: 180ms, min: 10ms, max: 200ms}}":                {10 * ms, 60 * ms, 200 * ms},
		"{lognormal: {p99: 180ms, p50: 60ms, min: 10ms, max: 200ms}}":                {10 * ms, 60 * ms, 200 * ms},
		"{mix: [{share: 50.1%, p0: 1ms, p100: 1ms}, {share: 49.9%, constant: 9ms}]}": {1 * ms, 1 * ms, 9 * ms},
	} {
		t.Run(dist, func(t *testing.T) {
			table := respond(t, dist)
			require.InDelta(t, want[0], table.Min(), 2)
			require.InDelta(t, want[1], table.At(half), float64(ms)/1000)
			require.InDelta(t, want[2], table.Max(), 2)
		})
	}
	bare := respond(t, "{exponential: 20ms}")
	named := respond(t, "{exponential: {mean: 20ms}}")
	require.Equal(t, bare.At(half), named.At(half))
	require.Less(t, respond(t, "{exponential: {mean: 20ms, max: 30ms}}").Max(), bare.Max())
}

func TestPaceIsAFactorInBillionths(t *testing.T) {
	s := good(t, "every-form")
	pace := s.Profiles["mixed"].Pace.Parts[0].Table
	require.Equal(t, int64(500_000_000), pace.Min())
	require.Equal(t, int64(1_310_000_000), pace.Max())
}

func TestASumHasAPlaceForEachPart(t *testing.T) {
	s := good(t, "zero-plane")
	parts := s.Profiles["legacy"].FirstToken.Parts
	require.Equal(t, []string{"network", "scheduling", "padding"}, []string{parts[0].Name, parts[1].Name, parts[2].Name})
	for _, p := range parts {
		require.Equal(t, "profiles.legacy.first-token."+p.Name, s.Places[p.Place])
	}
}

func TestLikeTakesTheSamePointButDrawsForItself(t *testing.T) {
	s := good(t, "every-form")
	from, to := s.Profiles["mixed"], s.Profiles["copy"]
	require.Equal(t, from.TokenGap.Parts[0].Table.At(latency.Whole/3), to.TokenGap.Parts[0].Table.At(latency.Whole/3))
	require.Equal(t, "profiles.copy.token-gap", s.Places[to.TokenGap.Parts[0].Place])
	require.Equal(t, "profiles.copy.first-token.extra", s.Places[to.FirstToken.Parts[1].Place])
}

func TestAMixOfGapsCarriesTokens(t *testing.T) {
	gap := good(t, "every-form").Profiles["mixed"].TokenGap.Parts[0].Table
	require.Zero(t, gap.Tokens(latency.Whole/2), "a part that says nothing")
	require.Contains(t, []int{2, 3}, gap.Tokens(latency.Whole/100*80))
}

func TestAProfileKeepsEveryOtherKey(t *testing.T) {
	s := good(t, "every-form")
	p := s.Profiles["mixed"]
	require.Equal(t, scenario.Range{Min: 1, Max: 2}, p.TokensPerEvent)
	require.Equal(t, 10*time.Second, p.PingEvery)
	require.True(t, p.Random)
	require.True(t, p.DrawByBody)
	require.NotNil(t, p.Headers)
	require.NotNil(t, p.MessageStart)
	require.Nil(t, p.Stop)
	by, err := p.Load.By.Float(facts())
	require.NoError(t, err)
	require.InDelta(t, 10, by, 0)
	require.Equal(t, int64(1_500_000_000), p.Load.Curve.At(10))
	require.False(t, s.Profiles["copy"].Random)
}

func TestARouteKeepsItsTests(t *testing.T) {
	s := good(t, "every-form")
	first, some, refused := s.Routes[0], s.Routes[1], s.Routes[2]
	require.Nil(t, first.When)
	require.Equal(t, &scenario.Times{First: 1, Last: 2, Per: "key"}, first.Times)
	require.Equal(t, latency.U(123_456_789), some.Share.Below)
	require.Equal(t, "routes.some.share", s.Places[some.Share.Place])
	require.Equal(t, &scenario.Times{Every: 3, Per: "run"}, some.Times)
	require.Equal(t, &scenario.Times{First: 2, Last: 4, Per: "run"}, refused.Times)
}

func TestAnOutcomeKeepsWhatAnswers(t *testing.T) {
	s := good(t, "every-form")
	require.Equal(t, "hello", s.Routes[0].Reply.Text)
	require.Equal(t, []string{"one", "two"}, s.Routes[1].Reply.Fixtures)
	require.Equal(t, scenario.Range{Min: 200, Max: 400}, s.Routes[1].Reply.Tokens)
	require.Equal(t, "routes.some.reply.tokens", s.Places[s.Routes[1].Reply.TokensPlace])
	require.Nil(t, s.Routes[2].Reply)
	require.Equal(t, 529, s.Routes[2].Error.Status)
	require.Equal(t, 1500*time.Millisecond, s.Routes[2].Error.RetryAfter)
	require.Same(t, s.Profiles["copy"], s.Routes[2].Profile)
	require.Equal(t, "<html>Bad Gateway</html>", s.Routes[3].Error.Body)
	require.Empty(t, s.Routes[3].Error.Type)
	require.NotNil(t, good(t, "zero-plane").Routes[4].Reply, "no reply means any fixture")
}

func TestMarksAreAlwaysSharesOrConditions(t *testing.T) {
	s := good(t, "zero-plane")
	marks := s.Routes[3].Marks
	require.Equal(t, scenario.Mark{Name: "hit"}, marks[0])
	require.Equal(t, latency.U(917_000_000), marks[1].Share.Below)
	require.True(t, marks[2].Planned)
	require.Nil(t, marks[2].Share)
	never := good(t, "every-form").Routes[6].Marks[0]
	ok, err := never.When.Bool(facts())
	require.NoError(t, err)
	require.False(t, ok)
}

func TestTheAPISideHasDefaults(t *testing.T) {
	require.Equal(t, scenario.API{Validation: "strict", Models: "any", Padding: true}, good(t, "zero-plane").API)
	require.Equal(t, scenario.API{
		Validation: "warn", Models: "listed", CDNHeaders: true, Downloadable: true, Paths: map[string]string{"/v1/completions": "complete"},
	}, good(t, "every-form").API)
}

func TestAParameterWithoutADefaultIsItsTypesZero(t *testing.T) {
	s := load(t, frame)
	absent := map[string]any{}
	for _, p := range s.Parameters {
		absent[p.Name] = p.Absent()
	}
	require.Equal(t, map[string]any{"mode": "strict", "level": 0, "part": 0.0, "on": false}, absent)
}
