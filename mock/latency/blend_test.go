package latency

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABlendIsStraightBetweenItsTablesAndFlatOutside(t *testing.T) {
	low, err := Uniform(100, 300)
	require.NoError(t, err)
	high, err := Uniform(1_000, 1_000)
	require.NoError(t, err)
	b, err := NewBlend([]BlendPoint{{1, high}, {0, low}, {3, Constant(0)}})
	require.NoError(t, err)
	for x, want := range map[float64][3]int64{ // at p0, p50, p100
		math.Inf(-1): {100, 200, 299},
		0:            {100, 200, 299},
		0.25:         {325, 400, 474},
		0.5:          {550, 600, 649},
		1:            {1_000, 1_000, 1_000},
		1.5:          {750, 750, 750},
		2.5:          {250, 250, 250},
		3:            {0, 0, 0},
		math.Inf(1):  {0, 0, 0},
	} {
		v := b.At(x)
		require.False(t, v.None())
		for i, u := range []U{0, Whole / 2, Whole - 1} {
			require.InDelta(t, want[i], v.At(u, 0), 1, "at %v, %v", x, u)
		}
	}
	v := b.At(math.NaN())
	require.Equal(t, int64(100), v.At(0, 0))
}

func TestABlendsWeightIsExactToABillionth(t *testing.T) {
	b, err := NewBlend([]BlendPoint{{0, Constant(0)}, {3, Constant(3_000_000_000)}})
	require.NoError(t, err)
	for x, want := range map[float64]int64{1: 999_999_999, 2: 2_000_000_001, 0.3: 300_000_000, 1e-10: 0, 3e-9: 3} {
		v := b.At(x)
		require.Equal(t, want, v.At(7, 0), "at %v", x)
	}
	huge := Constant(ceiling - 1)
	b, err = NewBlend([]BlendPoint{{0, huge}, {1, Constant(1)}})
	require.NoError(t, err)
	v := b.At(0.5)
	require.Equal(t, int64(ceiling/2), v.At(0, 0), "no overflow on the way")
}

func TestABlendOfExactDrawsHasExactQuantiles(t *testing.T) {
	a, err := Uniform(0, 1_000_000)
	require.NoError(t, err)
	c, err := Uniform(2_000_000, 4_000_000)
	require.NoError(t, err)
	b, err := NewBlend([]BlendPoint{{0, a}, {1, c}})
	require.NoError(t, err)
	v, place, above := b.At(0.5), NewPlace(1, "blend"), 0
	for n := range uint64(1_000) {
		if v.At(place.Exact(n), n) >= 1_000_000+1_485_000 { // p99 of uniform [1, 2.5] ms
			above++
		}
	}
	require.Equal(t, 10, above)
}

func TestABlendSaysWhatIsWrongWithIt(t *testing.T) {
	one := Constant(1)
	for want, points := range map[string][]BlendPoint{
		"give at least one point, such as {0: 20ms, 1: 40ms}": {},
		"the point at 2 is given twice":                       {{2, one}, {1, one}, {2, one}},
		"a point must lie at a number: NaN is none":           {{math.NaN(), one}},
		"the point at 1 has no distribution":                  {{1, nil}},
	} {
		_, err := NewBlend(points)
		require.EqualError(t, err, want)
	}
}

func TestValuesAreThoseOfATableOrOfATraceOrNone(t *testing.T) {
	var none Values
	require.True(t, none.None())
	require.Zero(t, none.At(5, 5))
	least, most := none.TokenRange(5)
	require.Zero(t, least+most)

	mixed, err := Mix([]Part{{Share: Whole, Table: Constant(9), TokensMin: 2, TokensMax: 3}})
	require.NoError(t, err)
	table := (&Component{Table: mixed}).Values(77)
	require.Equal(t, mixed.Values(), table)
	require.Equal(t, int64(9), table.At(5, 5))
	least, most = table.TokenRange(5)
	require.Equal(t, []int{2, 3}, []int{least, most})

	trace, err := NewTrace([]int64{3, 4})
	require.NoError(t, err)
	values := (&Component{Trace: trace}).Values(77)
	require.False(t, values.None())
	require.Equal(t, int64(4), values.At(0, 5))
	least, most = values.TokenRange(5)
	require.Zero(t, least+most)
}
