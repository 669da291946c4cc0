package run_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestAScenariosModelsStandInPlaceOfTheAPIsOrBesideThem(t *testing.T) {
	require.Equal(t, wire.Models(), run.Models(&scenario.Scenario{}))

	table := run.Models(&scenario.Scenario{Models: []scenario.Model{
		{ID: "claude-3-5-sonnet-20241022", Lifecycle: "active", Window: 1000},
		{ID: "mine", Like: "claude-opus-4-5", Name: "My model", MaxOutput: 7, Alias: "claude-opus-4-5", Created: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)},
		{ID: "another"},
	}})
	require.Len(t, table, len(wire.Models())+2)
	named := func(id string) wire.Model {
		at := slices.IndexFunc(table, func(m wire.Model) bool { return m.ID == id })
		require.GreaterOrEqual(t, at, 0, id)
		return table[at]
	}
	sonnet := named("claude-3-5-sonnet-20241022")
	require.Equal(t, "active", sonnet.Lifecycle)
	require.Equal(t, 1000, sonnet.Window)
	require.Equal(t, 8192, sonnet.MaxOutput, "as with the API")
	mine := named("mine")
	require.Equal(t, table[0], mine, "the newest comes first")
	require.Equal(t, "My model", mine.Name)
	require.Equal(t, 7, mine.MaxOutput)
	require.Equal(t, 200_000, mine.Window)
	require.Equal(t, wire.Older, mine.Generation)
	require.Empty(t, named("claude-opus-4-5-20251101").Alias, "the scenario's model has it")
	require.Equal(t, "another", named("another").Name)
	require.True(t, slices.IsSortedFunc(table, func(a, b wire.Model) int { return b.Created - a.Created }))
}
