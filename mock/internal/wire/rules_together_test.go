package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOfFaultsInTheWholeTheFirstCheckWins(t *testing.T) {
	// As for the fields: each fragment is a fault, and they stand in the order of the checks. What
	// comes after the unknown fields was not measured but for the conversation and the container.
	text := func(ttl string) string {
		return `{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"` + ttl + `"}}`
	}
	rows := []faultCase{
		{`"max_tokens":-1`, "max_tokens: must be greater than or equal to 0"},
		{talk(userHi + `,{"role":"assistant","content":"I am "}`), "messages: final assistant content cannot end with trailing whitespace"},
		{`"system":[` + text("5m") + `,` + text("1h") + `]`, "system.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' " +
			"cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`."},
		{`"thinking":{"type":"enabled","budget_tokens":4096}`, "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our " +
			"documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size"},
		{`"container":"c"`, "container: Container identifier can only be provided when using the code execution tool"},
		{inUserTurn(imageOf("image/png", "AAAA")), "Could not process image"},
	}
	pairs := pairsOf(rows)
	require.Len(t, pairs, 14)
	requireFaults(t, ReadOptions{Version: Version2026}, append(rows, pairs...))
}
