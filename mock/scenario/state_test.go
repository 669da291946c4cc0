package scenario_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func TestPhasesByTimeFollowOneAnother(t *testing.T) {
	phases := good(t, "every-form").Phases
	for elapsed, want := range map[time.Duration]string{
		0: "small", 10*time.Minute - 1: "small", 10 * time.Minute: "incident", 10*time.Minute + 1700*time.Millisecond: "small",
		8000*time.Hour + 10*time.Minute + 1700*time.Millisecond: "all", 100_000 * time.Hour: "all",
	} {
		require.Equal(t, want, phases.At(elapsed, 1), "%v", elapsed)
	}
}

func TestPhasesByCountFollowOneAnother(t *testing.T) {
	phases := load(t, "orrery: 1\nname: a\nphases: {by: count, steps: [{name: first, for: 3}, {name: second, for: 1}, {name: rest}]}\n").Phases
	for ordinal, want := range map[uint64]string{1: "first", 3: "first", 4: "second", 5: "rest", 1_000_000: "rest"} {
		require.Equal(t, want, phases.At(time.Hour, ordinal), "%d", ordinal)
	}
}

func TestAScenarioWithoutPhasesHasNone(t *testing.T) {
	require.Empty(t, load(t, "orrery: 1\nname: a\n").Phases.At(time.Hour, 5))
}

func TestADateIsKeptInUTC(t *testing.T) {
	require.Equal(t, time.Date(2024, 10, 18, 0, 0, 0, 0, time.UTC), good(t, "every-form").Starts)
	require.True(t, load(t, "orrery: 1\nname: a\n").Starts.IsZero())
}

func TestAKeyIsFoundByItsTextAndByItsName(t *testing.T) {
	s := good(t, "every-form")
	require.Equal(t, "a", s.KeyName("sk-old"))
	require.Equal(t, "undated", s.KeyName("sk-undated"))
	require.Equal(t, "*", s.KeyName("sk-someone-else"))
	require.Equal(t, scenario.Key{Name: "a", Text: "sk-old", Created: time.Date(2024, 9, 30, 12, 0, 0, 0, time.UTC), Tier: "4"}, s.Key("a"))
	require.Equal(t, "free", s.Key("undated").Tier)
	require.Zero(t, s.Key("undated").Created)
	require.Equal(t, "*", s.Key("nobody").Name)
	require.Equal(t, 2024, s.Key("nobody").Created.Year())

	without := load(t, "orrery: 1\nname: a\nkeys: [{name: a, key: sk-old}]\n")
	require.Empty(t, without.KeyName("sk-someone-else"))
	require.Zero(t, without.Key("nobody"))
	require.Empty(t, load(t, "orrery: 1\nname: a\n").KeyName("sk-old"))
}

func TestAFigureHasItsCasesAndPlacesOfItsOwn(t *testing.T) {
	s := good(t, "every-form")
	figures := map[string]scenario.Figure{}
	for _, f := range s.Figures {
		figures[f.Name] = f
	}
	require.Len(t, figures, 5)
	charged := figures["charged_tokens"].Cases[0]
	require.Equal(t, "figures.charged_tokens", s.Places[charged.Place])
	require.Equal(t, 4, charged.Decimals, "unless the file says otherwise")
	require.Equal(t, int64(995_900_000), charged.Factor.Min())
	require.InDelta(t, 997_700_000, charged.Factor.At(latency.Whole/2), 10)
	require.Equal(t, 0, figures["whole"].Cases[0].Decimals)
	require.Equal(t, -1, figures["ratio"].Cases[0].Decimals)

	click := figures["from_click_ms"].Cases
	require.Len(t, click, 3)
	require.NotNil(t, click[0].When)
	require.Equal(t, 3, click[0].Decimals)
	require.NotNil(t, click[1].When)
	require.Nil(t, click[2].When)

	require.Len(t, s.Routes[1].Figures, 2)
	require.Len(t, s.Routes[1].Warnings, 1)
	require.Len(t, s.Warnings, 2)
}

func TestEachCaseOfAFigureDrawsAtAPlaceOfItsOwn(t *testing.T) {
	s := load(t, `orrery: 1
name: a
figures: {x: [{when: stream, of: usage.total_tokens, factor: 1}, {of: usage.total_tokens, factor: 2}]}
profiles: {p: {respond: 1ms}}
routes: [{name: r, profile: p, figures: {x: {of: usage.input_tokens, factor: 3}}}]
`)
	require.Equal(t, "figures.x", s.Places[s.Figures[0].Cases[0].Place])
	require.Equal(t, "figures.x.2", s.Places[s.Figures[0].Cases[1].Place])
	require.Equal(t, "routes.r.figures.x", s.Places[s.Routes[0].Figures[0].Cases[0].Place])
}

func TestAChildAddsToItsParentsFiguresAndReplacesItsPhases(t *testing.T) {
	parent := `orrery: 1
name: parent
clock: {starts: 2024-10-18T00:00:00Z}
phases: {by: time, steps: [{name: early, for: 1h}, {name: late}]}
keys: [{name: a, key: sk-a}]
figures: {one: 1, two: 2}
warn: parent
`
	l := scenario.Loader{Find: func(string) (string, []byte, bool) { return "parent.yaml", []byte(parent), true }}
	s, err := l.Load("child.yaml", []byte("orrery: 1\nname: child\nextends: parent\nphases: {by: count, steps: [{name: all}]}\nkeys: [{name: b, key: sk-b}]\nfigures: {two: 22, three: 3}\n"))
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two", "three"}, []string{s.Figures[0].Name, s.Figures[1].Name, s.Figures[2].Name})
	require.Equal(t, "22", s.Figures[1].Cases[0].Value.Source)
	require.Equal(t, &scenario.Phases{ByCount: true, Steps: []scenario.Phase{{Name: "all"}}}, s.Phases)
	require.Equal(t, "b", s.Keys[0].Name)
	require.Len(t, s.Keys, 1)
	require.Len(t, s.Warnings, 1)
	require.Equal(t, 2024, s.Starts.Year())
}
