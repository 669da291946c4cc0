package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAnswersUsageBeginsWithASmallFirstCount(t *testing.T) {
	for output := range 2000 {
		u := NewUsage(5, output, Older)
		require.Equal(t, 5, u.Input)
		require.Equal(t, max(output, 1), u.Output)
		require.GreaterOrEqual(t, u.First, 1)
		require.LessOrEqual(t, u.First, min(u.Output, 24))
	}
	require.Equal(t, "not_available", NewUsage(1, 1, Older).InferenceGeo)
	require.Equal(t, "global", NewUsage(1, 1, Newer).InferenceGeo)
}

func TestAUsageIsOverriddenByTheNamesThatItShows(t *testing.T) {
	u := NewUsage(1, 1, Newer)
	for field, n := range map[string]int{
		"input_tokens": 11, "output_tokens": 12, "cache_read_input_tokens": 14,
		"cache_creation_input_tokens": 20,
	} {
		require.True(t, u.Set(field, n), field)
	}
	require.Equal(t, 11, u.Input)
	require.Equal(t, 12, u.Output)
	require.Equal(t, 14, u.CacheRead)
	require.Equal(t, 20, u.CacheCreation)
	require.Equal(t, 20, u.CacheCreation5m)
	require.False(t, u.Set("tokens", 1))
}
