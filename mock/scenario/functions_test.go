package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// holds evaluates a condition over an environment in which text is set.
func holds(t *testing.T, condition, text string) bool {
	t.Helper()
	s := load(t, fmt.Sprintf("orrery: 1\nname: a\nfacts: {it: %q}\n", condition))
	env := facts()
	env.Set("text", text)
	v, err := s.Facts[0].Expr.Bool(env)
	require.NoError(t, err)
	return v
}

func TestAVersionIsOlderByItsNumbers(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"0.37.9", "0.38.0", true},
		{"0.38.0", "0.38.0", false},
		{"0.38.1", "0.38.0", false},
		{"0.9.0", "0.38.0", true},
		{"1", "0.38.0", false},
		{"0.38", "0.38.0", false},
		{"0.38.0", "0.38", false},
		{"v0.37.0", "0.38.0", true},
		{"0.38.0-beta.1", "0.38.0", true},
		{"0.38.0b1", "0.38.0", true},
		{"0.38.0", "0.38.0-beta.1", false},
		{"0.38.0+build5", "0.38.0", false},
		{"0.38.1-beta.1", "0.38.0", false},
		{"", "0.38.0", false},
		{"unknown", "0.38.0", false},
		{"0.38.0", "", false},
		{"99999999999999999999.1", "0.38.0", false},
	} {
		require.Equal(t, c.want, holds(t, fmt.Sprintf("older(text, %q)", c.b), c.a), "older(%q, %q)", c.a, c.b)
	}
}

func TestANumberIsWhatAPlainDecimalSays(t *testing.T) {
	for text, want := range map[string]float64{
		"12": 12, " 12.5 ": 12.5, "-3": -3, "+3": 3, "1729209600123456789": 1729209600123456789,
		"": 0, "x": 0, "12 ms": 0, "1e9": 0, "0x10": 0, "inf": 0, "NaN": 0, "1_000": 0, "١٢": 0, strings.Repeat("9", 41): 0,
	} {
		require.True(t, holds(t, fmt.Sprintf("number(text) == %v", fmt.Sprintf("%f", want)), text), text)
	}
}

func TestOddCharactersAreFoundByAPattern(t *testing.T) {
	require.True(t, holds(t, `text matches "[٠-٩]"`, "room ٣"))
	require.False(t, holds(t, `text matches "[٠-٩]"`, "room 3"))
	require.True(t, holds(t, `text matches "[\\x{0660}-\\x{0669}]"`, "room ٣"))
	require.True(t, holds(t, `text contains "\u0660"`, "zero ٠"))
}

func TestAPatternThatTriesABacktrackingMatcherIsFast(t *testing.T) {
	// The pattern that makes a backtracking matcher take 2ⁿ steps.
	s := load(t, "orrery: 1\nname: a\nfacts: {it: 'text matches \"^(a+)+$\"'}\n")
	env := facts()
	env.Set("text", strings.Repeat("a", 200_000)+"!")
	v, err := s.Facts[0].Expr.Bool(env)
	require.NoError(t, err)
	require.False(t, v)
}

func TestEveryGroupOfFactsIsReserved(t *testing.T) {
	for _, f := range scenario.BuiltinFacts() {
		name, _, dotted := strings.Cut(f.Name, ".")
		if !dotted {
			continue
		}
		_, err := scenario.Loader{}.Load("a.yaml", []byte("orrery: 1\nname: a\nfacts: {"+name+": true}\n"))
		require.ErrorContains(t, err, "has a meaning already", name)
		_, err = scenario.Loader{}.Load("a.yaml", []byte("orrery: 1\nname: a\nfacts: {x: "+name+" > 1}\n"))
		require.ErrorContains(t, err, "is a group of facts", name)
	}
}
