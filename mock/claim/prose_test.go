package claim

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

func TestProseHasExactlyItsTokens(t *testing.T) {
	place := latency.NewPlace(1, "texts")
	for n := range 300 {
		require.Equal(t, n, wire.CountTokens(prose(place, "a", n)))
	}
	require.Equal(t, prose(place, "a", 40), prose(place, "a", 40))
	require.NotEqual(t, prose(place, "a", 40), prose(place, "b", 40))
}

func TestALabelIsOneTokenAndTellsNumbersApart(t *testing.T) {
	seen := map[string]bool{}
	for n := range uint64(20_000) {
		require.Equal(t, 1, wire.CountTokens(label(n)))
		seen[label(n)] = true
	}
	require.Len(t, seen, 20_000)
}

func TestATextThatRepeatsItselfHasItsTokensToo(t *testing.T) {
	place := latency.NewPlace(1, "texts")
	for _, template := range []int{0, 2, 4, 10, 13, 20, 21, 23, 100, 891, 892} {
		t.Run(strconv.Itoa(template), func(t *testing.T) {
			require.Equal(t, 2000, wire.CountTokens(repeated(place, "a", template, 2000)))
		})
	}
}
