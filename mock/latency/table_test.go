package latency

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const ms = int64(time.Millisecond)

// p makes a point of a percentage and a number of milliseconds.
func p(percent, millis float64) Point {
	return Point{U(math.Round(percent * 1e7)), int64(math.Round(millis * float64(ms)))}
}

func must(t testing.TB, table *Table, err error) *Table {
	t.Helper()
	require.NoError(t, err)
	return table
}

func zeroPlane(t testing.TB) *Table {
	t.Helper()
	table, err := Quantiles([]Point{p(0, 158), p(50, 172), p(90, 179), p(99, 185), p(99.9, 187), p(100, 188)})
	return must(t, table, err)
}

func TestAConstantIsAlwaysItself(t *testing.T) {
	table := Constant(62 * ms)
	for _, u := range []U{0, 1, Whole / 2, Whole - 1, Whole, math.MaxUint32} {
		require.Equal(t, 62*ms, table.At(u))
	}
	require.Equal(t, 62*ms, table.Min())
	require.Equal(t, 62*ms, table.Max())
	require.Equal(t, float64(62*ms), table.Mean())
	require.Zero(t, table.Tokens(0))
}

func TestAtIsStraightBetweenQuantilesAndRoundsDown(t *testing.T) {
	table := zeroPlane(t)
	tests := map[U]int64{
		0:           158 * ms,
		1:           158 * ms,
		250_000_000: 165 * ms,
		499_999_999: 172*ms - 1,
		500_000_000: 172 * ms,
		700_000_000: 175_500_000,
		990_000_000: 185 * ms,
		994_500_000: 186 * ms,
		999_999_999: 188*ms - 1,
	}
	for u, want := range tests {
		require.Equal(t, want, table.At(u), "at %d", u)
	}
	require.Equal(t, 158*ms, table.Min())
	require.Equal(t, 188*ms, table.Max())
	require.InDelta(t, (0.5*165+0.4*175.5+0.09*182+0.009*186+0.001*187.5)*float64(ms), table.Mean(), 1e-3)
}

func TestAtHoldsValuesTooLargeForOneMultiplication(t *testing.T) {
	table, err := Uniform(0, 1<<61)
	must(t, table, err)
	require.Equal(t, int64(1<<60), table.At(Whole/2))
	require.Equal(t, float64(1<<60), table.Mean())
}

// slow looks a draw up without an index.
func slow(t *Table, u U) int64 {
	i := 0
	for t.us[i+1] <= u {
		i++
	}
	rise := float64(t.vs[i+1] - t.vs[i])
	return t.vs[i] + int64(math.Floor(rise*float64(u-t.us[i])/float64(t.us[i+1]-t.us[i])))
}

func TestTheIndexFindsTheRightPiece(t *testing.T) {
	long, err := LogNormal(p(50, 7), p(99, 26), Limits{})
	must(t, long, err)
	place := NewPlace(1, "p")
	for _, table := range []*Table{zeroPlane(t), long} {
		for n := range uint64(20_000) {
			u := place.Exact(n)
			if n%2 == 0 {
				u /= U(1 + n%1_000) // more of them where nodes are dense
			}
			if n%4 == 0 {
				u = Whole - 1 - u
			}
			require.InDelta(t, slow(table, u), table.At(u), 1, "at %d", u)
		}
		for _, u := range table.us[:len(table.us)-1] {
			require.Equal(t, slow(table, u), table.At(u), "at node %d", u)
		}
	}
}

// nearestRank is the percentile of sorted values.
func nearestRank(sorted []int64, percent int) int64 {
	return sorted[(len(sorted)*percent+99)/100-1]
}

func TestP01AP99IsAP99AfterAHundredDraws(t *testing.T) {
	table := zeroPlane(t)
	p99 := func(values []int64) float64 {
		return float64(nearestRank(slices.Sorted(slices.Values(values)), 99)) / float64(ms)
	}
	var mean100, mean1000 float64
	const seeds = 100
	for seed := range uint64(seeds) {
		sequence := NewPlace(seed, "respond").Sequence(false)
		values := make([]int64, 20_000)
		above := 0
		for i := range values {
			if values[i] = table.At(sequence.Next()); values[i] > 185*ms {
				above++
			}
		}
		require.InDelta(t, 184.667, p99(values[:100]), 0.334)
		require.InDelta(t, 184.967, p99(values[:1_000]), 0.034)
		require.InDelta(t, 185, p99(values), 0.007)
		require.Equal(t, 200, above, "exactly 1 %% of 20,000 lie above 185 ms")
		mean100 += p99(values[:100]) / seeds
		mean1000 += p99(values[:1_000]) / seeds
	}
	// The draw of that rank lies evenly in its percentile, or per mille.
	require.InDelta(t, 184.667, mean100, 0.1)
	require.InDelta(t, 184.967, mean1000, 0.01)
	t.Logf("mean over %d seeds: P99 %.2f ms after 100 draws, %.3f ms after 1,000", seeds, mean100, mean1000)
}

func TestTablesAreTheSameOnEveryCPU(t *testing.T) {
	for name, golden := range goldenTables() {
		table, err := golden.make()
		must(t, table, err)
		for u, want := range golden.values {
			require.Equal(t, want, table.At(u), "%s at %d", name, u)
		}
		require.Equal(t, golden.sum, checksum(table), "%s: all nodes", name)
	}
}

// checksum is one number for all nodes of a table.
func checksum(t *Table) uint64 {
	var sum uint64
	for i := range t.us {
		sum = mix(mix(sum+uint64(t.us[i])) + uint64(t.vs[i]))
	}
	return sum
}

func BenchmarkTableAt(b *testing.B) {
	curve, err := LogNormal(p(50, 24), p(99, 90), Limits{})
	tables := map[string]*Table{
		"quantiles":  zeroPlane(b),
		"mix":        zioGaps(b),
		"log-normal": must(b, curve, err),
	}
	draws := make([]U, 1<<14)
	sequence := NewPlace(1, "p").Sequence(false)
	for i := range draws {
		draws[i] = sequence.Next()
	}
	for name, table := range tables {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				table.At(draws[i&(len(draws)-1)])
				i++
			}
		})
	}
}
