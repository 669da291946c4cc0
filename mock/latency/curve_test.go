package latency

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestR36ACurveIsStraightBetweenItsPointsAndFlatOutside(t *testing.T) {
	curve, err := NewCurve([]CurvePoint{{500, 1.045}, {86, 1}, {344, 1.04}, {2_000, 1.132}})
	require.NoError(t, err)
	tests := map[float64]int64{
		math.Inf(-1): 1_000_000_000,
		0:            1_000_000_000,
		86:           1_000_000_000,
		215:          1_020_000_000,
		344:          1_040_000_000,
		422:          1_042_500_000,
		500:          1_045_000_000,
		2_000:        1_132_000_000,
		1e300:        1_132_000_000,
		math.Inf(1):  1_132_000_000,
	}
	for x, want := range tests {
		require.Equal(t, want, curve.At(x), "at %v", x)
	}
	require.Equal(t, int64(1_000_000_000), curve.At(math.NaN()))
}

func TestTheZeroCurveChangesNothing(t *testing.T) {
	require.Equal(t, int64(Whole), Curve{}.At(7))
}

func TestACurveMayFall(t *testing.T) {
	curve, err := NewCurve([]CurvePoint{{0, 2}, {1, 1}})
	require.NoError(t, err)
	require.Equal(t, int64(1_250_000_000), curve.At(0.75))
}

func TestScaleRoundsToTheNearest(t *testing.T) {
	tests := []struct{ v, factor, want int64 }{
		{0, 5, 0},
		{185_000_000, 1_000_000_000, 185_000_000},
		{185_000_000, 1_045_000_000, 193_325_000},
		{1, 499_999_999, 0},
		{1, 500_000_000, 1},
		{3, 500_000_000, 2},
		{1 << 61, 2_000_000_000, 1 << 62},
		{math.MaxInt64, 1_000_000_000, math.MaxInt64},
		{math.MaxInt64, 1_000_000_001, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, Scale(tt.v, tt.factor), "%d × %d", tt.v, tt.factor)
	}
	place := NewPlace(1, "p")
	for n := range uint64(10_000) {
		v, factor := int64(place.Hash(n)>>(2+n%40)), int64(place.Random(n))
		want := new(big.Int).Mul(big.NewInt(v), big.NewInt(factor))
		want.Add(want, big.NewInt(int64(Whole)/2)).Div(want, big.NewInt(int64(Whole)))
		require.Equal(t, want.Int64(), Scale(v, factor), "%d × %d", v, factor)
	}
}
