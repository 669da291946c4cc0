package plot_test

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/plot"
)

func TestACurveIsTheProfilesTableAsItIsDrawnFrom(t *testing.T) {
	s := builtIn(t, "zlip")
	part := s.Profiles["zlip"].FirstToken.Parts[0]
	place := latency.NewPlace(s.Seed, s.Places[part.Place])
	values := make([]int64, 1000)
	for n := range values {
		values[n] = part.Table.At(place.Exact(uint64(n)))
	}
	slices.Sort(values)

	f := drawn(t, s, plot.Question{Kind: plot.Quantiles, Profile: "zlip"})
	require.Equal(t, "Time to the first token, streamed", f.Panels[0].Title)
	curve := f.Panels[0].Series[0]
	require.Equal(t, "zlip", curve.Name)
	require.Greater(t, len(curve.Points), 100)
	for _, p := range curve.Points {
		rank := max(int(math.Ceil(p.X*1000-1e-6)), 1)
		require.Equal(t, float64(values[rank-1])/1e6, p.Y, "at %v", p.X)
	}
	last := curve.Points[len(curve.Points)-1]
	require.InDelta(t, 0.999, last.X, 1e-9)
}

func TestTheHistogramHoldsWhatAMixSays(t *testing.T) {
	s := own(t, `
profiles:
  two: {first-token: 5ms, token-gap: {mix: [{share: 70%, uniform: [10ms, 10ms]}, {share: 30%, uniform: [50ms, 50ms]}]}}
routes: [{name: all, profile: two, reply: {tokens: 101}}]
`)
	f := drawn(t, s, plot.Question{})
	require.Equal(t, plot.Gaps, f.Kind, "two lengths of gaps tell most")
	full := map[float64]float64{}
	for _, p := range f.Panels[0].Series[0].Points {
		if p.Y > 0 {
			full[p.X] = p.Y
		}
	}
	require.Equal(t, map[float64]float64{10: 70, 50: 30}, full)
}

func TestProfilesWithTheSameGapsShareAHistogram(t *testing.T) {
	f := drawn(t, builtIn(t, "zio"), plot.Question{Kind: plot.Gaps})
	require.Len(t, f.Panels, 2)
	require.Equal(t, "zio, aside, one-connection", f.Panels[0].Title)
	require.Equal(t, "legacy", f.Panels[1].Title)
	require.Equal(t, f.Panels[0].X, f.Panels[1].X)
	require.Equal(t, f.Panels[0].Y, f.Panels[1].Y)
}

func TestARowIsTheRequestsPlan(t *testing.T) {
	const n = 3
	f := drawn(t, builtIn(t, "zio"), plot.Question{Kind: plot.Timelines, N: n})
	h, err := mock.New(mock.Scenario("zio"))
	require.NoError(t, err)
	body := `{"model":"claude-sonnet-5","max_tokens":1024,"stream":true,"messages":[{"role":"user","content":"Hello"}]}`
	r, err := http.NewRequest(http.MethodPost, "http://127.0.0.1/v1/messages", strings.NewReader(body))
	require.NoError(t, err)
	r.Header = http.Header{"Content-Type": {"application/json"}, "Anthropic-Version": {"2023-06-01"}, "X-Api-Key": {"any"}}
	entries, err := h.Plans(r, n)
	require.NoError(t, err)
	require.Len(t, f.Panels[0].Series, n)
	for i, e := range entries {
		row := f.Panels[0].Series[i]
		require.Equal(t, e.Ordinal, row.Row.Ordinal)
		require.Equal(t, e.Route, row.Row.Route)
		require.Equal(t, inMilliseconds(e.PlannedDuration()), *row.Row.End)
		var dues []float64
		for _, s := range e.Steps {
			if s.Event == "content_block_delta" {
				dues = append(dues, inMilliseconds(s.Planned))
			}
		}
		var ticks []float64
		for _, p := range row.Points {
			ticks = append(ticks, p.X)
		}
		require.Equal(t, dues, ticks)
	}
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func TestWhatIsNeverAnsweredHasNoEnd(t *testing.T) {
	s := own(t, "routes: [{name: silent, never: true}]\n")
	f := drawn(t, s, plot.Question{})
	require.Equal(t, plot.Timelines, f.Kind)
	row := f.Panels[0].Series[0].Row
	require.Nil(t, row.End)
	require.Nil(t, row.Head)
	require.Contains(t, plot.Text(f, plot.Page{Width: 80}), "never answered")
}

func TestFourSlotsMakeTwiceAsManyClientsWaitTwiceAsLong(t *testing.T) {
	s := own(t, `
profiles: {slots: {respond: 100ms, queue: {slots: 4}}}
routes: [{name: all, profile: slots}]
`)
	f := drawn(t, s, plot.Question{Kind: plot.Load})
	require.Equal(t, []string{"slots p99", "slots p50"}, []string{f.Panels[0].Series[0].Name, f.Panels[0].Series[1].Name})
	for _, curve := range f.Panels[0].Series {
		at := map[float64]float64{}
		for _, p := range curve.Points {
			at[p.X] = p.Y
		}
		require.Equal(t, map[float64]float64{
			1: 100, 2: 100, 4: 100, 8: 200, 16: 400, 32: 800, 64: 1600, 128: 3200, 256: 6400, 512: 12800,
		}, at, curve.Name)
	}
}

func TestAFactorByConcurrencyIsDrawn(t *testing.T) {
	s := own(t, `
profiles: {heavy: {respond: 100ms, load: {by: concurrency, at: {1: 1, 128: 2}}}, light: {respond: 50ms}}
routes: [{name: some, when: stream, profile: light}, {name: all, profile: heavy}]
`)
	f := drawn(t, s, plot.Question{Kind: plot.Load})
	require.Len(t, f.Panels[0].Series, 2, "of what load does nothing to there is nothing to see")
	middle := f.Panels[0].Series[1]
	require.Equal(t, 100., middle.Points[0].Y)
	for i := 1; i < len(middle.Points); i++ {
		require.GreaterOrEqual(t, middle.Points[i].Y, middle.Points[i-1].Y)
	}
	require.InDelta(t, 200, middle.Points[len(middle.Points)-1].Y, 1e-9)
}

func TestClaimsAreDrawnWhereTheyApplyWithWhatVerifySays(t *testing.T) {
	s := builtIn(t, "zlip")
	verdicts := map[string]string{}
	all, err := claim.Verify(t.Context(), only(s, "Z05", "Z06"), claim.Options{})
	require.NoError(t, err)
	for _, v := range all {
		verdicts[v.Claim+" "+v.Measure] = v.Measured
	}
	f := drawn(t, s, plot.Question{Kind: plot.Quantiles})
	var said []string
	for _, p := range f.Panels {
		for _, c := range p.Claims {
			said = append(said, fmt.Sprintf("%s %v %s", c.Claim, c.From, p.Series[c.Tone].Name))
			require.Equal(t, verdicts[c.Claim+" "+c.Measure], c.Measured)
			require.True(t, c.Holds)
		}
	}
	require.Equal(t, []string{"Z05 0.5 zlip", "Z05 0.5 legacy", "Z06 0.95 zlip", "Z06 0.95 legacy"}, said)
	require.Equal(t, []float64{16, 18}, []float64{*f.Panels[0].Claims[0].Low, *f.Panels[0].Claims[0].High})

	gaps := drawn(t, builtIn(t, "zio"), plot.Question{Kind: plot.Gaps, Profile: "zio"})
	require.Equal(t, []float64{17, 23, 0.67, 0.69}, ends(gaps.Panels[0].Claims[0]))
	require.Equal(t, []float64{85, 92, 0.28, 0.3}, ends(gaps.Panels[0].Claims[1]))
}

func ends(r plot.Range) []float64 { return []float64{r.From, r.To, *r.Low, *r.High} }

func TestOnlyWhatIsAboutTheCurveIsDrawn(t *testing.T) {
	s := own(t, `
profiles: {a: {respond: {uniform: [90ms, 110ms]}}, b: {respond: 1s}}
routes: [{name: slow, when: max_tokens == 7, profile: b}, {name: all, profile: a}]
contradictions: {C1: It can't be.}
workloads:
  plain: {requests: 100, rate: 10/s}
  slow: {requests: 100, rate: 10/s, request: {max_tokens: 7}}
claims:
  right: {says: so, measure: p50(plain.duration_ms), at_most: 120ms}
  wrong: {says: less, measure: p99(plain.duration_ms), within: [80ms, 85ms]}
  known: {says: much less, measure: p90(plain.duration_ms), at_most: 10ms, contradicts: C1}
  other: {says: of another profile, measure: p50(slow.duration_ms), at_most: 2s}
  difference: {says: of two, measure: p50(slow.duration_ms) - p50(plain.duration_ms), at_most: 2s}
  twice: {says: of one, measure: 2 * p50(plain.duration_ms), at_most: 2s}
`)
	f := drawn(t, s, plot.Question{Kind: plot.Quantiles, Profile: "a"})
	require.Len(t, f.Panels, 1)
	verdicts := map[string]bool{}
	for _, c := range f.Panels[0].Claims {
		verdicts[c.Claim] = c.Holds
	}
	require.Equal(t, map[string]bool{"right": true, "wrong": false, "known": false}, verdicts)
	text := plot.Text(f, plot.Page{Width: 160})
	require.Contains(t, text, "wrong fails: ")
	require.Contains(t, text, "known contradicts, as C1 says: ")
	require.Nil(t, f.Panels[0].Claims[0].Low)

	f = drawn(t, s, plot.Question{Kind: plot.Quantiles, Route: "slow"})
	require.Equal(t, "other", f.Panels[len(f.Panels)-1].Claims[0].Claim)
}

func TestTwoScenariosAreComparedByTheirLeadingProfiles(t *testing.T) {
	f := drawn(t, builtIn(t, "zlip"), plot.Question{Kind: plot.Quantiles, Compare: builtIn(t, "zlip-lossy")})
	require.Equal(t, []string{"zlip", "zlip-lossy"}, f.Scenarios)
	for _, p := range f.Panels {
		require.Equal(t, []string{"zlip", "zlip-lossy zlip"}, []string{p.Series[0].Name, p.Series[1].Name})
		require.NotEqual(t, p.Series[0].Tone, p.Series[1].Tone)
	}
	f = drawn(t, builtIn(t, "zlip"), plot.Question{Kind: plot.Timelines, Compare: builtIn(t, "zio")})
	require.Equal(t, []string{"zlip", "zio"}, []string{f.Panels[0].Title, f.Panels[1].Title})
	require.Equal(t, f.Panels[0].X, f.Panels[1].X)
}

func TestAnotherSeedGivesOtherTimes(t *testing.T) {
	s, seed := builtIn(t, "zlip"), uint64(7)
	q := plot.Question{Kind: plot.Timelines, N: 2}
	first := drawn(t, s, q)
	require.Equal(t, first, drawn(t, s, q))
	q.Seed = &seed
	require.NotEqual(t, first.Panels[0].Series, drawn(t, s, q).Panels[0].Series)
}

func TestAQuestionThatIsWrongIsRefusedWithItsField(t *testing.T) {
	for name, test := range map[string]struct {
		question plot.Question
		field    string
		want     string
	}{
		"a kind":              {plot.Question{Kind: "pie"}, "kind", `no kind of figure "pie": use quantiles, gaps, timelines or load`},
		"a profile":           {plot.Question{Profile: "zia"}, "profile", `zio has no profile "zia"; the profiles: aside, legacy, one-connection, zio`},
		"a route":             {plot.Question{Route: "nowhere"}, "route", `zio has no route "nowhere"; the routes: the old path has no slot, `},
		"both":                {plot.Question{Profile: "zio", Route: "scheduled"}, "route", "leave one of the two out"},
		"too many":            {plot.Question{N: plot.MostRequests + 1}, "n", "1 to 100000"},
		"too many rows":       {plot.Question{Kind: plot.Timelines, N: plot.MostRows + 1}, "n", "1 to 40 for timelines"},
		"too many streams":    {plot.Question{N: plot.MostStreams + 1}, "n", "1 to 10000 for gaps"},
		"less than none":      {plot.Question{N: -1}, "n", "1 to 100000"},
		"a route's times":     {plot.Question{Kind: plot.Gaps, Route: "the scheduler has no slot"}, "route", "streams several events"},
		"a profile elsewhere": {plot.Question{Profile: "zia", Compare: builtIn(t, "zlip")}, "profile", "zio and zlip has no profile"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := plot.Make(t.Context(), builtIn(t, "zio"), test.question)
			var wrong *plot.Wrong
			require.ErrorAs(t, err, &wrong)
			require.Equal(t, test.field, wrong.Field)
			require.ErrorContains(t, err, test.want)
		})
	}
}
