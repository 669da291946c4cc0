package scenario_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestAKeysLimitsStandInPlaceOfTheScenarios(t *testing.T) {
	s := good(t, "every-form")
	require.Equal(t, &scenario.Limits{Requests: 50, InputTokens: 30_000, OutputTokens: 8_000, Enforce: true}, s.Limits)
	require.Nil(t, s.Key("a").Limits)
	require.Equal(t, &scenario.Limits{Requests: 5, InputTokens: 30_000, OutputTokens: 8_000}, s.Key("undated").Limits)

	alone := load(t, "orrery: 1\nname: a\nkeys: [{name: a, key: sk-a, limits: {requests: 3}}]\n")
	require.Nil(t, alone.Limits)
	require.Equal(t, &scenario.Limits{Requests: 3, Enforce: true}, alone.Key("a").Limits)
	require.Nil(t, load(t, "orrery: 1\nname: a\n").Limits)
	silent := load(t, "orrery: 1\nname: a\nlimits: {requests: 3, retry_after: false}\n")
	require.Equal(t, &scenario.Limits{Requests: 3, Enforce: true, Silent: true}, silent.Limits)
}

func TestTheCacheIsTheAPIsUnlessTheFileSaysOtherwise(t *testing.T) {
	require.Equal(t, scenario.Cache{Minimum: 100, TTL: 90 * time.Second}, good(t, "every-form").Cache)
	require.Equal(t, scenario.Cache{Minimum: -1}, load(t, "orrery: 1\nname: a\n").Cache)
	require.True(t, load(t, "orrery: 1\nname: a\ncache: {off: true}\n").Cache.Off)
}

func TestCDNHeadersAreOffUnlessAskedFor(t *testing.T) {
	require.True(t, good(t, "every-form").API.CDNHeaders)
	require.False(t, load(t, "orrery: 1\nname: a\n").API.CDNHeaders)
}
