package latency

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestTheGridRisesAndIsSymmetric(t *testing.T) {
	points := grid()
	require.True(t, slices.IsSorted(points))
	require.Equal(t, U(1), points[0])
	require.Contains(t, points, Whole/2)
	for i, u := range points {
		require.Equal(t, Whole-u, points[len(points)-1-i])
		require.True(t, i == 0 || u > points[i-1])
	}
}

func TestNoNumberOfTheGridCouldSettleDifferentlyOnAnotherCPU(t *testing.T) {
	for _, u := range grid() {
		for name, x := range map[string]float64{
			"normal":      distuv.UnitNormal.Quantile(float64(u) / float64(Whole)),
			"exponential": distuv.Exponential{Rate: 1}.Quantile(float64(u) / float64(Whole)),
		} {
			scaled := x * float64(Whole)
			border := math.Abs(scaled-math.Floor(scaled)-0.5) / float64(Whole)
			lastBit := math.Nextafter(math.Abs(x), math.Inf(1)) - math.Abs(x)
			require.Greater(t, border, 16*lastBit, "%s at %d", name, u)
		}
	}
}

func TestExpIsTheExponentialFunction(t *testing.T) {
	for x := -40.0; x < 40; x += 0.0137 {
		require.InEpsilon(t, math.Exp(x), exp(x), 2e-15, "e^%v", x)
	}
	require.Equal(t, 1.0, exp(0))
	require.Equal(t, exp(700), exp(math.Inf(1)))
	require.Equal(t, exp(-700), exp(math.Inf(-1)))
}
