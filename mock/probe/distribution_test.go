package probe_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/probe"
)

func TestAnEmptyDistributionIsZero(t *testing.T) {
	var d probe.Distribution
	require.Zero(t, d.Count())
	require.Zero(t, d.Min()+d.Max()+d.Mean()+d.Deviation()+d.Quantile(0.5))
}

func TestCountExtremesMeanAndDeviationAreExact(t *testing.T) {
	var d probe.Distribution
	for _, x := range []time.Duration{2, 4, 4, 4, 5, 5, 7, 9} {
		d.Add(x * s)
	}
	require.EqualValues(t, 8, d.Count())
	require.Equal(t, 2*s, d.Min())
	require.Equal(t, 9*s, d.Max())
	require.Equal(t, 5*s, d.Mean())
	require.Equal(t, 2*s, d.Deviation())
	require.Equal(t, 2*s, d.Quantile(0))
	require.Equal(t, 9*s, d.Quantile(1))
}

func TestQuantilesAreTheRankThatTheShareReachesToThreeDigits(t *testing.T) {
	for _, unit := range []time.Duration{time.Microsecond, ms, 3 * s} {
		var d probe.Distribution
		for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(1000) {
			d.Add(time.Duration(i+1) * unit)
		}
		for q, rank := range map[float64]int{0: 1, 0.0001: 1, 0.5: 500, 0.5001: 501, 0.9: 900, 0.99: 990, 0.999: 999, 0.9991: 1000, 1: 1000} {
			want := time.Duration(rank) * unit
			require.InDelta(t, want, d.Quantile(q), float64(want)/1000, "quantile %g of 1 to 1,000 × %v", q, unit)
		}
	}
}

func TestTimesBelowZeroCountAsZeroAndLongOnesAsTheLongest(t *testing.T) {
	var d probe.Distribution
	d.Add(-s)
	require.Zero(t, d.Quantile(1))
	d.Add(50 * time.Hour)
	require.Equal(t, 50*time.Hour, d.Quantile(1))
	require.Equal(t, 25*time.Hour, d.Mean())
}

func BenchmarkAdd(b *testing.B) {
	var d probe.Distribution
	b.ReportAllocs()
	for b.Loop() {
		d.Add(172 * ms)
	}
}
