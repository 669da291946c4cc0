package latency

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func second[T any](_ T, err error) error { return err }

func ref(millis float64) *int64 { return &[]int64{p(0, millis).V}[0] }

func TestWhatIsWrongWithADistribution(t *testing.T) {
	one := Constant(ms)
	tests := []struct {
		err  error
		want string
	}{
		{second(Quantiles(nil)), "give at least two quantiles, such as p50 and p99; for a value that never varies, write it alone"},
		{second(Quantiles([]Point{p(50, 1)})), "give at least two quantiles, such as p50 and p99; for a value that never varies, write it alone"},
		{second(Quantiles([]Point{p(90, 179), p(50, 190)})), "quantiles must not fall: p90 is 179ms but p50 is 190ms"},
		{second(Quantiles([]Point{p(99.9, 1), p(99.99, 0.5)})), "quantiles must not fall: p99.99 is 500µs but p99.9 is 1ms"},
		{second(Quantiles([]Point{p(50, 1), p(50, 2)})), "p50 is given twice"},
		{second(Quantiles([]Point{p(50, -1), p(90, 2)})), "p50 must not be negative: it is -1ms"},
		{second(Quantiles([]Point{p(50, 1), p(101, 2)})), "there is no quantile above p100"},
		{second(Quantiles([]Point{p(50, 1), {Whole, ceiling}})), "p100 must be shorter: it is 1281023h53m38.427387904s"},
		{second(Quantiles([]Point{p(0, 1), p(50, 2)})), "give p100, or a second quantile between p0 and p100: from p50 alone it can't be said how values go on above it"},
		{second(Quantiles([]Point{p(50, 1), p(100, 2)})), "give p0, or a second quantile between p0 and p100: from p50 alone it can't be said how values go on below it"},
		{second(Quantiles([]Point{p(50, 0), p(99, 2)})), "give p100: p50 is 0, and no log-normal through it and p99 goes on above"},
		{second(Quantiles([]Point{p(50, 0.001), p(51, 1e6)})), "give p100: from p50 (1µs) to p51 (16m40s) values grow so fast that the longest would take over a century"},
		{second(Uniform(-ms, ms)), "the low end must not be negative: it is -1ms"},
		{second(Uniform(2*ms, ms)), "the low end comes first: [1ms, 2ms]"},
		{second(Uniform(0, math.MaxInt64)), "the high end must be shorter: it is 2562047h47m16.854775807s"},
		{second(Normal(-ms, ms, Limits{})), "the mean must not be negative: it is -1ms"},
		{second(Normal(ms, -ms, Limits{})), "the standard deviation must not be negative: it is -1ms"},
		{second(Normal(ceiling, 0, Limits{})), "mean and standard deviation must be shorter: they are 1281023h53m38.427387904s and 0s"},
		{second(Normal(ms, ms, Limits{Min: ref(-1)})), "min must not be negative: it is -1ms"},
		{second(Normal(ms, ms, Limits{Max: ref(-1)})), "max must not be negative: it is -1ms"},
		{second(Normal(ms, ms, Limits{Min: ref(3), Max: ref(2)})), "min (3ms) is above max (2ms)"},
		{second(Normal(ms, 0, Limits{Max: ref(0.5)})), "max (500µs) is below every value, the least being 1ms: write the constant instead"},
		{second(Normal(ms, 0, Limits{Min: ref(2)})), "min (2ms) is above every value, the greatest being 1ms: write the constant instead"},
		{second(Normal(ms, ceiling/2, Limits{})), "give a max: the longest values would take over a century"},
		{second(LogNormal(p(50, 2), p(99, 1), Limits{})), "quantiles must not fall: p99 is 1ms but p50 is 2ms"},
		{second(LogNormal(p(50, 2), p(50, 2), Limits{})), "p50 is given twice"},
		{second(LogNormal(p(50, 0), p(99, 2), Limits{})), "p50 of a log-normal must be above 0"},
		{second(LogNormal(p(0, 1), p(99, 2), Limits{})), "a log-normal has no p0 and no p100: give two quantiles between them, and min or max for an end"},
		{second(LogNormal(p(50, 1), p(100, 2), Limits{})), "a log-normal has no p0 and no p100: give two quantiles between them, and min or max for an end"},
		{second(LogNormalMean(0, ms, Limits{})), "the mean of a log-normal must be above 0"},
		{second(Exponential(-ms, Limits{})), "the mean must not be negative: it is -1ms"},
		{second(Mix(nil)), "a mix needs at least one part"},
		{second(Mix([]Part{{Share: Whole}})), "part 1 has no distribution"},
		{second(Mix([]Part{{Share: Whole, Table: one}, {Table: one}})), "part 2 has no share of the draws: give it one above 0%, or leave the part out"},
		{second(Mix([]Part{{Share: 680_000_000, Table: one}, {Share: 295_000_000, Table: one}})), "the shares add up to 97.5%, not to 100%"},
		{second(Mix([]Part{{Share: math.MaxUint32, Table: one}, {Share: Whole + 705_032_705, Table: one}})), "the shares add up to 600%, not to 100%"},
		{second(Mix([]Part{{Share: Whole, Table: one, TokensMax: 2}})), "part 1: an event carries at least one token"},
		{second(Mix([]Part{{Share: Whole, Table: one, TokensMin: 3, TokensMax: 2}})), "part 1: the tokens must not fall: 3..2"},
		{second(Mix([]Part{{Share: Whole, Table: one, TokensMin: 1, TokensMax: 1_001}})), "part 1: at most 1000 different counts of tokens, none above 65535"},
		{second(NewCurve(nil)), "give at least one point, such as {86: 1, 500: 1.045}"},
		{second(NewCurve([]CurvePoint{{math.NaN(), 1}})), "a point must lie at a number: NaN is none"},
		{second(NewCurve([]CurvePoint{{1, -1}})), "the factor at 1 must not be negative: it is -1"},
		{second(NewCurve([]CurvePoint{{1, 2e6}})), "the factor at 1 must not be above a million: it is 2e+06"},
		{second(NewCurve([]CurvePoint{{1, 1}, {1, 2}})), "the factor at 1 is given twice"},
	}
	for _, tt := range tests {
		require.EqualError(t, tt.err, tt.want)
	}
}

func TestValuesCanBeSaidAsPlainFactors(t *testing.T) {
	err := second(Quantiles([]Point{{500_000_000, 1_000_000_000}, {950_000_000, 720_000_000}}))
	require.EqualError(t, err, "quantiles must not fall: p95 is 720ms but p50 is 1s")
	require.EqualError(t, InFactors(err), "quantiles must not fall: p95 is 0.72 but p50 is 1")
	require.EqualError(t, InFactors(second(Uniform(-1_500_000_000, 0))), "the low end must not be negative: it is -1.5")
	other := errors.New("something else")
	require.Equal(t, other, InFactors(other))
	require.NoError(t, InFactors(nil))
}
