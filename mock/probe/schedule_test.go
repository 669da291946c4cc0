package probe_test

import (
	"iter"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/probe"
)

func first(n int, schedule iter.Seq[time.Duration]) []time.Duration {
	var all []time.Duration
	for at := range schedule {
		if len(all) == n {
			break
		}
		all = append(all, at)
	}
	return all
}

func TestAConstantScheduleDoesNotDrift(t *testing.T) {
	require.Equal(t, []time.Duration{0, 20 * ms, 40 * ms}, first(3, probe.Constant(50)))
	require.Equal(t, []time.Duration{0, 2 * s, 4 * s}, first(3, probe.Constant(0.5)))
	require.Equal(t, 100_000*s, first(300_001, probe.Constant(3))[300_000])
	require.Equal(t, time.Duration(math.MaxInt64), first(2, probe.Constant(1e-30))[1])
}

func TestAPoissonScheduleHasItsRateAndTheSpreadOfIndependentArrivals(t *testing.T) {
	const n = 100_000
	all := first(n, probe.Poisson(200, 7))
	require.Equal(t, all, first(n, probe.Poisson(200, 7)))
	require.NotEqual(t, all[:10], first(10, probe.Poisson(200, 8)))
	var gaps probe.Distribution
	for i := 1; i < n; i++ {
		require.GreaterOrEqual(t, all[i], all[i-1])
		gaps.Add(all[i] - all[i-1])
	}
	require.InEpsilon(t, 5*ms, gaps.Mean(), 0.01)
	require.InEpsilon(t, 5*ms, gaps.Deviation(), 0.02)
	require.InEpsilon(t, 5*float64(ms)*math.Ln2, gaps.Quantile(0.5), 0.02)
}
