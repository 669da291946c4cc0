package latency

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATraceIsPlayedInItsOrderAndThenAgain(t *testing.T) {
	given := []int64{5, 3, 9}
	trace, err := NewTrace(given)
	require.NoError(t, err)
	given[0] = 77
	require.Equal(t, 3, trace.Len())
	for n, want := range map[uint64]int64{0: 5, 1: 3, 2: 9, 3: 5, 3_000_001: 3, 1<<64 - 1: 5} {
		require.Equal(t, want, trace.At(n), "draw %d", n)
	}
}

func TestATraceSaysWhatIsWrongWithIt(t *testing.T) {
	for want, values := range map[string][]int64{
		"a trace holds at least one value":             {},
		"value 2 must not be negative: it is -1ns":     {1, -1},
		"value 1 must be shorter: it is 1281023h53m38": {ceiling},
	} {
		_, err := NewTrace(values)
		require.ErrorContains(t, err, want)
	}
}
