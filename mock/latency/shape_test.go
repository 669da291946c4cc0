package latency

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

type shapeCase struct {
	name string
	make func(Limits) (*Table, error)
	want interface{ Quantile(float64) float64 }
	mean float64
}

func shapes() []shapeCase {
	sigma := math.Log(90.0/24) / distuv.UnitNormal.Quantile(0.99)
	wide := math.Log(3.09) / distuv.UnitNormal.Quantile(0.95)
	spread := math.Log1p(0.4 * 0.4)
	return []shapeCase{
		{
			"normal", func(l Limits) (*Table, error) { return Normal(200*ms, 30*ms, l) },
			distuv.Normal{Mu: 200e6, Sigma: 30e6}, 200e6,
		},
		{
			"log-normal", func(l Limits) (*Table, error) { return LogNormal(p(50, 24), p(99, 90), l) },
			distuv.LogNormal{Mu: math.Log(24e6), Sigma: sigma}, 24e6 * math.Exp(sigma*sigma/2),
		},
		{
			"log-normal, higher quantile first", func(l Limits) (*Table, error) { return LogNormal(p(95, 3_090), p(50, 1_000), l) },
			distuv.LogNormal{Mu: math.Log(1e9), Sigma: wide}, 1e9 * math.Exp(wide*wide/2),
		},
		{
			"log-normal by mean", func(l Limits) (*Table, error) { return LogNormalMean(50*ms, 20*ms, l) },
			distuv.LogNormal{Mu: math.Log(50e6) - spread/2, Sigma: math.Sqrt(spread)}, 50e6,
		},
		{
			"exponential", func(l Limits) (*Table, error) { return Exponential(100*ms, l) },
			distuv.Exponential{Rate: 1e-8}, 100e6,
		},
	}
}

func TestTablesFollowTheirDistribution(t *testing.T) {
	for _, tt := range shapes() {
		t.Run(tt.name, func(t *testing.T) {
			table, err := tt.make(Limits{})
			must(t, table, err)
			for u := Whole / 1_000; u <= Whole-Whole/1_000; u += 12_347 {
				want := tt.want.Quantile(float64(u) / float64(Whole))
				if got := float64(table.At(u)); math.Abs(got-want) > 1e-4*want+1 {
					t.Fatalf("at %d: %v, not %v", u, got, want)
				}
			}
			for u := Whole - Whole/1_000; u < Whole-1_000; u += 97 { // the tail to a millionth
				want := tt.want.Quantile(float64(u) / float64(Whole))
				if got := float64(table.At(u)); math.Abs(got-want) > 1e-4*want+1 {
					t.Fatalf("at %d: %v, not %v", u, got, want)
				}
			}
			require.InEpsilon(t, tt.mean, table.Mean(), 1e-4)
			require.InEpsilon(t, tt.want.Quantile(1-1e-9), float64(table.Max()), 1e-4)
			require.InDelta(t, tt.want.Quantile(1e-9), float64(table.Min()), 1e-4*float64(table.Min())+1)
		})
	}
}

func TestALogNormalMeetsItsQuantilesExactly(t *testing.T) {
	for _, pair := range [][2]Point{
		{p(50, 24), p(99, 90)},
		{p(50, 60), p(99, 180)},
		{p(1.2345678, 60.000001), p(99.9999, 180.000001)},
		{p(50, 200), p(50.0000001, 200.000001)},
		{p(10, 7), p(20, 7)},
	} {
		table, err := LogNormal(pair[0], pair[1], Limits{})
		must(t, table, err)
		require.Equal(t, pair[0].V, table.At(pair[0].U))
		require.Equal(t, pair[1].V, table.At(pair[1].U))
	}
}

func TestR33LimitsClamp(t *testing.T) {
	for _, tt := range shapes() {
		t.Run(tt.name, func(t *testing.T) {
			low := int64(tt.want.Quantile(0.3))
			high := int64(tt.want.Quantile(0.8))
			table, err := tt.make(Limits{Min: &low, Max: &high})
			must(t, table, err)
			require.Equal(t, low, table.Min())
			require.Equal(t, high, table.Max())
			var atLow, atHigh int
			sequence := NewPlace(1, "p").Sequence(false)
			for range 100_000 {
				switch v := table.At(sequence.Next()); v {
				case low:
					atLow++
				case high:
					atHigh++
				default:
					require.True(t, low < v && v < high)
				}
			}
			require.InDelta(t, 30_000, atLow, 2)
			require.InDelta(t, 20_000, atHigh, 2)
		})
	}
}

func TestANormalWithoutAMinimumStopsAtZero(t *testing.T) {
	table, err := Normal(10*ms, 10*ms, Limits{})
	must(t, table, err)
	require.Zero(t, table.Min())
	below := U(math.Round(distuv.UnitNormal.CDF(-1) * float64(Whole)))
	require.Zero(t, table.At(below-10_000))
	require.Positive(t, table.At(below+10_000))
}

func TestWithoutSpreadAShapeIsAConstant(t *testing.T) {
	normal, err := Normal(10*ms, 0, Limits{})
	require.Equal(t, Constant(10*ms), must(t, normal, err))
	logNormal, err := LogNormalMean(10*ms, 0, Limits{})
	require.Equal(t, Constant(10*ms), must(t, logNormal, err))
	zero, err := Exponential(0, Limits{})
	require.Equal(t, Constant(0), must(t, zero, err))
}
