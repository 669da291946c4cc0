package latency

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASequenceMakesTheSameDrawsOneByOne(t *testing.T) {
	for _, place := range []Place{NewPlace(1, "p"), NewPlace(1, "p").For(12), NewPlace(2, "")} {
		exact, random := place.Sequence(false), place.Sequence(true)
		for n := range uint64(25_000) {
			require.Equal(t, place.Exact(n), exact.Next(), "draw %d", n)
			require.Equal(t, place.Random(n), random.Next(), "random draw %d", n)
		}
	}
}

func TestASequenceNeedsNoHeap(t *testing.T) {
	place := NewPlace(1, "p")
	var last U
	require.Zero(t, testing.AllocsPerRun(10, func() {
		s := place.Sequence(false)
		for range 300 {
			last = s.Next()
		}
	}))
	require.Equal(t, place.Exact(299), last)
}

func TestACopyOfASequenceGoesOnFromThere(t *testing.T) {
	place := NewPlace(1, "p")
	s := place.Sequence(false)
	for range 150 {
		s.Next()
	}
	c := s
	require.Equal(t, place.Exact(150), s.Next())
	require.Equal(t, place.Exact(150), c.Next())
}

func BenchmarkSequence100(b *testing.B) {
	p := NewPlace(1, "x")
	b.ReportAllocs()
	var n uint64
	for b.Loop() {
		s := p.For(n).Sequence(false)
		n++
		for range 100 {
			s.Next()
		}
	}
}
