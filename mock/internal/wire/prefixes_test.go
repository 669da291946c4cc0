package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const marked = `"cache_control":{"type":"ephemeral"}`

func prefixesOf(t *testing.T, fragment string) []Prefix {
	t.Helper()
	r, problem := NewReader().Read(bodyWith(t, fragment), ReadOptions{Version: Version2026})
	require.Nil(t, problem)
	require.NotContains(t, r.Prefixes, Prefix{})
	for i, p := range r.Prefixes {
		require.LessOrEqual(t, p.Tokens, r.InputTokens)
		if i > 0 {
			require.Greater(t, p.Tokens, r.Prefixes[i-1].Tokens)
		}
	}
	return r.Prefixes
}

func marks(prefixes []Prefix) (all []Mark) {
	for _, p := range prefixes {
		all = append(all, p.Mark)
	}
	return all
}

func TestAPromptWithoutMarksHasNoPrefixes(t *testing.T) {
	require.Nil(t, prefixesOf(t, ``))
	require.Nil(t, prefixesOf(t, `"cache_control":null`))
}

func TestAPrefixEndsWithEachBlock(t *testing.T) {
	tool := `{"name":"f","input_schema":{"type":"object"}`
	all := prefixesOf(t, `"tools":[`+tool+`,"cache_control":{"type":"ephemeral","ttl":"1h"}}],"system":[{"type":"text","text":"a"},{"type":"text","text":"b",`+marked+`}]`)
	require.Equal(t, []Mark{OneHour, Unmarked, FiveMinutes, Unmarked}, marks(all))
	require.Equal(t, []Mark{FiveMinutes}, marks(prefixesOf(t, marked)), "the mark of the whole is the last block's")
	nested := prefixesOf(t, talk(userHi+`,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},`+
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x",`+marked+`}]}]}`))
	require.Equal(t, []Mark{Unmarked, Unmarked, FiveMinutes}, marks(nested))
}

func TestPromptsThatBeginAlikeShareTheirPrefixes(t *testing.T) {
	base := prefixesOf(t, marked+`,"system":"be brief"`)
	same := prefixesOf(t, `"system":[{"type":"text","text":"be brief",`+marked+`}],`+talk(userHi+`,`+assistHi+`,`+userHi))
	require.Equal(t, base[0].Hash, same[0].Hash)
	require.Equal(t, base[1].Hash, same[1].Hash)
	for _, other := range []string{
		`"system":"be long"`, `"model":"claude-opus-5","system":"be brief"`, `"tools":[{"name":"f","input_schema":{"type":"object"}}],"system":"be brief"`,
		`"speed":"fast","system":"be brief"`,
	} {
		require.NotContains(t, hashes(prefixesOf(t, marked+`,`+other)), base[0].Hash, other)
	}
	for _, other := range []string{`"thinking":{"type":"adaptive"}`, `"tools":[],"tool_choice":{"type":"auto"}`} {
		changed := prefixesOf(t, marked+`,"system":"be brief",`+other)
		require.Equal(t, base[0].Hash, changed[0].Hash, "it concerns the messages alone")
		require.NotEqual(t, base[1].Hash, changed[1].Hash)
	}
}

func hashes(prefixes []Prefix) (all []uint64) {
	for _, p := range prefixes {
		all = append(all, p.Hash)
	}
	return all
}

func TestModelsShareTheirLimitsByLineAndAge(t *testing.T) {
	for model, class := range map[string]string{
		"claude-opus-4-8": "opus-4", "claude-opus-4-5-20251101": "opus-4", "claude-sonnet-5-5": "sonnet-5", "claude-sonnet-5": "sonnet-5",
		"claude-3-5-sonnet-20240620": "sonnet-3", "claude-3-haiku-20240307": "haiku-3", "claude-haiku-20301010": "haiku",
		"claude-mythos-preview": "mythos", "my-model": "my-model",
	} {
		require.Equal(t, class, ClassOf(model), model)
	}
}
