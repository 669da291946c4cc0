package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// FuzzCondition looks for conditions that load and then panic, never end, or give no bool.
func FuzzCondition(f *testing.F) {
	for _, text := range []string{
		`busy and params.mode == "strict"`, `header("x-a") matches "^v.*"`, `between(messages, 1, 5)`, `messages in 1..5`, `any(betas, # == "b")`,
		`len(filter(split(text, " "), # != "")) > 3`, `betas[messages] == "a"`, `messages % (messages - 5) == 0`, `(stream ? 1 : 2.5) > 1`,
		`max(messages, elapsed_ms) > 3`, `text[1:3] == "om"`, `model ?? "x" == "y"`, `1 < messages < 3`, `map(betas, upper(#)) == ["A"]`,
		`planned?.duration_ms > 3`, `{"a": 1}.a == 1`, `text | upper() == "X"`, `if stream { true } else { false }`, `not (2 ** 70 > messages)`,
	} {
		f.Add(text)
	}
	env := facts()
	env.Set("params.mode", "strict")
	env.Set("params.level", 2)
	env.Set("params.part", 0.5)
	env.Set("params.on", false)
	env.Set("busy", true)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\n'") {
			return
		}
		s, err := scenario.Loader{}.Load("a.yaml", []byte(frame+"routes: [{name: r, profile: p, when: '"+text+"'}]"))
		if err != nil || s.Routes[0].When == nil {
			return
		}
		if _, err := s.Routes[0].When.Bool(env); err != nil {
			require.NotContains(t, err.Error(), "not a bool")
			require.NotContains(t, err.Error(), "interface conversion")
		}
	})
}
