package claim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func sample(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	all := make([]float64, n)
	for i := range all {
		all[i] = math.Exp(r.NormFloat64()) * 100
	}
	return all
}

func TestADistributionAgreesWithBruteForce(t *testing.T) {
	for _, n := range []int{1, 2, 3, 99, 100, 101, 5000} {
		values := sample(n, uint64(n))
		d := &distribution{ranked: true}
		sum := 0.0
		for _, v := range values {
			d.add(v)
			sum += v
		}
		mean, squares := sum/float64(n), 0.0
		for _, v := range values {
			squares += (v - mean) * (v - mean)
		}
		slices.Sort(values)
		require.InEpsilon(t, mean, d.figure("mean", [2]uint64{}), 1e-12)
		require.InDelta(t, math.Sqrt(squares/float64(n)), d.figure("sigma", [2]uint64{}), 1e-9)
		require.InEpsilon(t, sum, d.figure("sum", [2]uint64{}), 1e-12)
		require.Equal(t, values[0], d.figure("min", [2]uint64{}))
		require.Equal(t, values[n-1], d.figure("max", [2]uint64{}))
		for _, q := range [][2]uint64{{1, 100}, {50, 100}, {95, 100}, {99, 100}, {999, 1000}, {9999, 10000}, {1, 1}} {
			// Nearest rank: the smallest value that at least this part of all don't exceed.
			want := values[n-1]
			for i := range values {
				if uint64(i+1)*q[1] >= q[0]*uint64(n) {
					want = values[i]
					break
				}
			}
			require.Equal(t, want, d.quantile(q[0], q[1]), "%v of %d", q, n)
		}
	}
}

func TestADistributionGoesOnAfterAPercentileWasAsked(t *testing.T) {
	d := &distribution{ranked: true}
	for v := range 100 {
		d.add(float64(v))
	}
	require.Equal(t, 49.0, d.quantile(1, 2))
	d.add(-5)
	require.Equal(t, -5.0, d.quantile(1, 1000))
}

func TestAnEmptyDistributionHasNoFiguresButASum(t *testing.T) {
	d := &distribution{ranked: true}
	for _, name := range []string{"percentile", "min", "max", "mean", "sigma"} {
		require.True(t, math.IsNaN(d.figure(name, [2]uint64{1, 2})), name)
	}
	require.Zero(t, d.figure("sum", [2]uint64{}))
}

func TestAHugeDistributionIsAHistogramOfThreeDigits(t *testing.T) {
	values := sample(200_000, 3)
	d := &distribution{ranked: true}
	d.expect(exactly + 1)
	for _, v := range values {
		d.add(v)
	}
	require.Nil(t, d.values, "no value is kept")
	slices.Sort(values)
	for _, q := range [][2]uint64{{50, 100}, {99, 100}, {999, 1000}} {
		require.InEpsilon(t, values[rank(q[0], q[1], uint64(len(values)))-1], d.quantile(q[0], q[1]), 1e-3)
	}
	require.Equal(t, values[len(values)-1], d.quantile(1, 1))
}

func TestARankIsRoundedUp(t *testing.T) {
	require.Equal(t, uint64(99), rank(99, 100, 100))
	require.Equal(t, uint64(100), rank(99, 100, 101))
	require.Equal(t, uint64(1), rank(1, 100, 1))
	require.Equal(t, uint64(128_304_000), rank(99, 100, 129_600_000))
}
