package latency

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// zioGaps is a mix such as O04's: most events carry one token, the slow ones two or three.
func zioGaps(t testing.TB) *Table {
	t.Helper()
	fast, err := Uniform(17*ms, 23*ms)
	must(t, fast, err)
	slow, err := Uniform(85*ms, 92*ms)
	must(t, slow, err)
	rest, err := Uniform(24*ms, 80*ms)
	must(t, rest, err)
	table, err := Mix([]Part{
		{Share: 684_000_000, Table: fast, TokensMin: 1, TokensMax: 1},
		{Share: 290_000_000, Table: slow, TokensMin: 2, TokensMax: 3},
		{Share: 26_000_000, Table: rest},
	})
	return must(t, table, err)
}

func TestR34SharesOfAMixAreExact(t *testing.T) {
	table := zioGaps(t)
	sequence := NewPlace(1, "p").Sequence(false)
	var fast, slow, rest int
	tokens := map[int]int{}
	for range 10_000 {
		u := sequence.Next()
		tokens[table.Tokens(u)]++
		switch v := table.At(u); {
		case 17*ms <= v && v < 23*ms:
			fast++
			require.Equal(t, 1, table.Tokens(u))
		case 85*ms <= v && v < 92*ms:
			slow++
			require.Contains(t, []int{2, 3}, table.Tokens(u))
		default:
			rest++
			require.Zero(t, table.Tokens(u))
		}
	}
	require.Equal(t, []int{6_840, 2_900, 260}, []int{fast, slow, rest})
	require.InDelta(t, 1_450, tokens[2], 150)
	require.Equal(t, 2_900, tokens[2]+tokens[3])
}

func TestR34TheRestOfTheDrawIsInsideThePart(t *testing.T) {
	long, err := LogNormal(p(50, 24), p(99, 90), Limits{})
	must(t, long, err)
	table, err := Mix([]Part{{Share: Whole / 4, Table: Constant(5 * ms)}, {Share: Whole / 4 * 3, Table: long}})
	must(t, table, err)
	require.Equal(t, 5*ms, table.At(0))
	require.Equal(t, 5*ms, table.At(Whole/4-1))
	for u := U(1_000_000); u < Whole-1_000_000; u += 999_983 {
		within := Whole/4 + U(uint64(u)*3/4)
		require.InEpsilon(t, long.At(u), table.At(within), 1e-5, "at %d", u)
	}
	require.Equal(t, 24*ms, table.At(Whole/4+Whole/8*3))
	require.InEpsilon(t, 0.25*5e6+0.75*long.Mean(), table.Mean(), 1e-7)
}

func TestPartsMayComeInAnyOrderOfValues(t *testing.T) {
	table, err := Mix([]Part{{Share: Whole / 2, Table: Constant(9)}, {Share: Whole / 2, Table: Constant(4)}})
	must(t, table, err)
	require.Equal(t, int64(9), table.At(Whole/2-1))
	require.Equal(t, int64(4), table.At(Whole/2))
	require.Equal(t, int64(4), table.Min())
	require.Equal(t, int64(9), table.Max())
	require.Equal(t, 6.5, table.Mean())
}

func TestAMixOfMixesKeepsItsTokens(t *testing.T) {
	inner := zioGaps(t)
	table, err := Mix([]Part{
		{Share: Whole / 2, Table: inner},
		{Share: Whole / 4, Table: inner, TokensMin: 7, TokensMax: 7},
		{Share: Whole / 4, Table: Constant(ms)},
	})
	must(t, table, err)
	require.Equal(t, 1, table.Tokens(0))
	require.Contains(t, []int{2, 3}, table.Tokens(400_000_000))
	require.Zero(t, table.Tokens(499_000_000))
	require.Equal(t, 7, table.Tokens(500_000_000))
	require.Equal(t, 7, table.Tokens(749_000_000))
	require.Zero(t, table.Tokens(750_000_000))
}

func TestTokensOfARangeAreEven(t *testing.T) {
	table, err := Mix([]Part{{Share: Whole, Table: Constant(ms), TokensMin: 2, TokensMax: 5}})
	must(t, table, err)
	counts := map[int]int{}
	for u := U(123_000); u < 124_000; u++ {
		counts[table.Tokens(u)]++
	}
	require.Equal(t, map[int]int{2: 250, 3: 250, 4: 250, 5: 250}, counts)
}
