package latency

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// eachOnce says whether the draws hold each of as many equal strata as there are draws.
func eachOnce(draws []U) bool {
	seen := make([]bool, len(draws))
	for _, u := range draws {
		stratum := int(uint64(u) * uint64(len(draws)) / uint64(Whole))
		if seen[stratum] {
			return false
		}
		seen[stratum] = true
	}
	return true
}

func TestEveryAlignedBlockHoldsEachStratumOnce(t *testing.T) {
	for _, start := range []uint64{0, 7_000_000, 1 << 40 / 1_000_000 * 1_000_000} {
		place := NewPlace(20241022, "zero-plane respond")
		draws := make([]U, 1_000_000)
		for i := range draws {
			draws[i] = place.Exact(start + uint64(i))
		}
		require.Less(t, slices.Max(draws), Whole)
		for size := 100; size <= len(draws); size *= 10 {
			for at := 0; at < len(draws); at += size {
				if !eachOnce(draws[at : at+size]) {
					t.Fatalf("draws %d to %d don't hold each stratum once", start+uint64(at), start+uint64(at+size-1))
				}
			}
		}
	}
}

func TestBlocksThatAreNotAlignedAreLeftToChance(t *testing.T) {
	place := NewPlace(1, "p")
	var counts [3]int
	for block := range uint64(20_000) {
		top := 0
		for i := range uint64(100) {
			if place.Exact(block*100+50+i) >= Whole/100*99 {
				top++
			}
		}
		counts[top]++
	}
	// Half of one hundred and half of the next: two coins, and a little more.
	require.InDelta(t, 0.25, float64(counts[0])/20_000, 0.015)
	require.InDelta(t, 0.50, float64(counts[1])/20_000, 0.015)
	require.InDelta(t, 0.25, float64(counts[2])/20_000, 0.015)
}

// chiSquare compares counts with an even spread.
func chiSquare(counts []int) float64 {
	sum := 0
	for _, c := range counts {
		sum += c
	}
	even := float64(sum) / float64(len(counts))
	chi := 0.0
	for _, c := range counts {
		chi += (float64(c) - even) * (float64(c) - even) / even
	}
	return chi
}

// fair says whether χ² lies within five standard deviations of what chance gives; both ends count, since too even a
// spread over seeds would be no chance either.
func fair(t *testing.T, counts []int, what ...any) {
	t.Helper()
	freedom := float64(len(counts) - 1)
	require.InDelta(t, freedom, chiSquare(counts), 5*math.Sqrt(2*freedom), what...)
}

func TestOneIndexIsSpreadEvenlyOverSeeds(t *testing.T) {
	draw := map[string]func(Place, uint64) U{"exact": Place.Exact, "random": Place.Random}
	for name, draw := range draw {
		for _, n := range []uint64{0, 57, 99, 100, 9_876, 987_654, 123_456_789} {
			percentiles := make([]int, 100)
			digits := make([][]int, 9)
			for i := range digits {
				digits[i] = make([]int, 10)
			}
			for seed := range uint64(50_000) {
				u := draw(NewPlace(seed, "p"), n)
				percentiles[u/(Whole/100)]++
				for i := range digits {
					digits[i][u%10]++
					u /= 10
				}
			}
			fair(t, percentiles, "%s, draw %d", name, n)
			for i := range digits {
				fair(t, digits[i], "%s, draw %d, digit %d from the right", name, n, i)
			}
		}
	}
}

func TestTheOrderOfAHundredIsAnyOrder(t *testing.T) {
	// Which of two neighbours' percentiles is the greater, and by how much, at the ends of the shuffle and within.
	for _, n := range []uint64{0, 1, 48, 97, 98} {
		differences := make([]int, 99)
		for seed := range uint64(50_000) {
			place := NewPlace(seed, "p")
			a, b := place.Exact(n)/(Whole/100), place.Exact(n+1)/(Whole/100)
			differences[(b+100-a)%100-1]++
		}
		fair(t, differences, "draws %d and %d", n, n+1)
	}
}

func TestADigitsPermutationIsAnyPermutation(t *testing.T) {
	for _, pair := range [][2]uint32{{0, 1}, {0, 9}, {4, 5}, {8, 9}} {
		counts := make([]int, 90)
		for seed := range uint64(50_000) {
			a, b := digit(mix(seed), pair[0]), digit(mix(seed), pair[1])
			require.NotEqual(t, a, b)
			counts[a*9+(b+10-a)%10-1]++
		}
		fair(t, counts, "elements %v", pair)
	}
}

// correlation is that of draws a[i] with b[i].
func correlation(a, b []U) float64 {
	var sa, sb, saa, sbb, sab float64
	n := float64(len(a))
	for i := range a {
		x, y := float64(a[i])/float64(Whole), float64(b[i])/float64(Whole)
		sa, sb, saa, sbb, sab = sa+x, sb+y, saa+x*x, sbb+y*y, sab+x*y
	}
	return (sab/n - sa/n*sb/n) / math.Sqrt((saa/n-sa/n*sa/n)*(sbb/n-sb/n*sb/n))
}

func TestNeighboursAreUncorrelated(t *testing.T) {
	sequence := NewPlace(3, "p").Sequence(false)
	draws := make([]U, 1_000_000)
	for i := range draws {
		draws[i] = sequence.Next()
	}
	var a, b []U // neighbours within one hundred
	for i := range len(draws) - 1 {
		if i%100 != 99 {
			a, b = append(a, draws[i]), append(b, draws[i+1])
		}
	}
	require.InDelta(t, -1.0/99, correlation(a, b), 0.004)
	for _, lag := range []int{100, 1_000, 10_000} {
		require.InDelta(t, 0, correlation(draws[lag:], draws[:len(draws)-lag]), 0.004, "lag %d", lag)
	}
}

func TestPlacesAreUnrelated(t *testing.T) {
	place := NewPlace(3, "p")
	others := map[string]Place{
		"next seed":    NewPlace(4, "p"),
		"other name":   NewPlace(3, "q"),
		"of request 0": place.For(0),
		"of request 1": place.For(1),
		"of another's": place.For(0).For(0),
	}
	const n = 100_000
	for name, other := range others {
		for _, random := range []bool{false, true} {
			require.NotEqual(t, place, other, name)
			a, b := make([]U, n), make([]U, n)
			s, o := place.Sequence(random), other.Sequence(random)
			for i := range a {
				a[i], b[i] = s.Next(), o.Next()
			}
			require.InDelta(t, 0, correlation(a, b), 0.015, name)
		}
	}
}

func TestHashesFillAllBits(t *testing.T) {
	place := NewPlace(3, "p")
	bits := make([]int, 64)
	for n := range uint64(10_000) {
		h := place.Hash(n)
		for i := range bits {
			bits[i] += int(h >> i & 1)
		}
	}
	for i, ones := range bits {
		require.InDelta(t, 5_000, ones, 250, "bit %d", i)
	}
}

func TestDrawsAreTheSameOnEveryCPU(t *testing.T) {
	place := NewPlace(20241022, "zero-plane respond")
	for n, want := range goldenExact() {
		require.Equal(t, want, place.Exact(n), "draw %d", n)
	}
	for n, want := range goldenRandom() {
		require.Equal(t, want, place.Random(n), "random draw %d", n)
	}
	for n, want := range goldenHash() {
		require.Equal(t, want, place.Hash(n), "hash %d", n)
	}
	for n, want := range goldenFor() {
		require.Equal(t, want, place.For(n).Exact(0), "first draw of request %d", n)
	}
}

func BenchmarkExact(b *testing.B) {
	p := NewPlace(1, "x")
	var sum U
	var n uint64
	for b.Loop() {
		sum += p.Exact(n)
		n += 7919
	}
	_ = sum
}
