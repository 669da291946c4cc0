package latency

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestR32TailsGoOnAsTheLogNormalThroughTheTwoNearest(t *testing.T) {
	table, err := Quantiles([]Point{p(99, 342), p(50, 200)})
	must(t, table, err)
	sigma := math.Log(342.0/200) / distuv.UnitNormal.Quantile(0.99)
	want := distuv.LogNormal{Mu: math.Log(200e6), Sigma: sigma}
	for _, u := range []U{1_000, 100_000, 1_000_000, 123_456_789, 499_000_000, 990_000_001, 995_000_000, 999_000_000, 999_999_000} {
		require.InEpsilon(t, want.Quantile(float64(u)/1e9), float64(table.At(u)), 1e-4, "at %d", u)
	}
	require.Equal(t, 200*ms, table.At(Whole/2))
	require.Equal(t, 342*ms, table.At(990_000_000))
	require.Equal(t, (200*ms+342*ms)/2, table.At(745_000_000), "straight between the quantiles")
}

func TestR32ExactlyHalfOfAllDrawsLieBelowTheMedian(t *testing.T) {
	table, err := Quantiles([]Point{p(50, 200), p(99, 342)})
	must(t, table, err)
	sequence := NewPlace(1, "p").Sequence(false)
	below := 0
	for range 10_000 {
		if table.At(sequence.Next()) < 200*ms {
			below++
		}
	}
	require.Equal(t, 5_000, below)
}

func TestR32EachTailTakesItsOwnTwoNearest(t *testing.T) {
	table, err := Quantiles([]Point{p(10, 100), p(50, 200), p(90, 250), p(99, 260)})
	must(t, table, err)
	normal := distuv.UnitNormal
	low := math.Log(2) / -normal.Quantile(0.1)
	require.InEpsilon(t, 200*math.Exp(low*normal.Quantile(0.01)), float64(table.At(10_000_000))/1e6, 1e-4)
	high := math.Log(260.0/250) / (normal.Quantile(0.99) - normal.Quantile(0.9))
	require.InEpsilon(t, 260*math.Exp(high*(normal.Quantile(0.999)-normal.Quantile(0.99))), float64(table.At(999_000_000))/1e6, 1e-4)
}

func TestR32GivenEndsStay(t *testing.T) {
	low, err := Quantiles([]Point{p(0, 50), p(50, 200), p(99, 342)})
	must(t, low, err)
	require.Equal(t, 50*ms, low.Min())
	require.Greater(t, low.Max(), 500*ms)
	high, err := Quantiles([]Point{p(50, 200), p(99, 342), p(100, 400)})
	must(t, high, err)
	require.Equal(t, 400*ms, high.Max())
	require.Less(t, high.Min(), 100*ms)
}

func TestR32FlatQuantilesGoOnFlat(t *testing.T) {
	table, err := Quantiles([]Point{p(50, 0), p(90, 0), p(100, 10)})
	must(t, table, err)
	require.Zero(t, table.At(0))
	require.Zero(t, table.At(899_999_999))
	table, err = Quantiles([]Point{p(10, 5), p(90, 5)})
	must(t, table, err)
	require.Equal(t, 5*ms, table.Min())
	require.Equal(t, 5*ms, table.Max())
}

func TestQuantilesNeverFall(t *testing.T) {
	for _, points := range [][]Point{
		{p(50, 200), p(50.0000001, 200.000001)},
		{p(0.0000001, 1), p(99.9999999, 9)},
		{p(1, 100), p(1.0000001, 100)},
		{p(47.9, 7.000001), p(48.1, 7.000002), p(93.7, 7.000003)},
	} {
		table, err := Quantiles(points)
		must(t, table, err)
		for i := 1; i < len(table.us); i++ {
			require.LessOrEqual(t, table.vs[i-1], table.vs[i], "node %d of %v", i, points)
		}
		for _, point := range points {
			require.Equal(t, point.V, table.At(point.U))
		}
	}
}

func TestUniformIsEven(t *testing.T) {
	table, err := Uniform(17*ms, 23*ms)
	must(t, table, err)
	require.Equal(t, 17*ms, table.At(0))
	require.Equal(t, 20*ms, table.At(Whole/2))
	require.Equal(t, 23*ms-1, table.At(Whole-1))
	require.Equal(t, float64(20*ms), table.Mean())
}
