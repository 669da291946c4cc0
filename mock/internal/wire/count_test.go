package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInputTokensFollowTheRule(t *testing.T) {
	tokens := func(fragment string) int {
		return read(t, string(bodyWith(t, fragment)), ReadOptions{Version: Version2023}).InputTokens
	}
	require.Equal(t, 8, tokens(``))
	require.Equal(t, 8+5, tokens(talk(userHi+`,`+assistHi)))
	require.Equal(t, 8+5+5, tokens(talk(userHi+`,`+assistHi+`,`+userHi)))
	require.Equal(t, 8, tokens(inUserTurn(`{"type":"text","text":"hi"}`)))
	system := strings.Repeat("All happy families are alike. ", 20)
	require.Equal(t, 8+CountTokens(system), tokens(`"system":"`+system+`"`))
	require.Equal(t, 8+CountTokens("a b\nc"), tokens(`"system":[{"type":"text","text":"a b"},{"type":"text","text":"c"}]`))

	tool := `{"name":"f","input_schema":{"type":"object"}}`
	require.Equal(t, 8+CountTokens(tool), tokens(`"tools":[`+tool+`]`))
	require.Equal(t, tokens(`"tools":[`+tool+`]`), tokens(`"tools":[ { "name" : "f", "input_schema":{"type":"object"}}]`))

	hi := `,{"type":"text","text":"hi"}`
	require.Equal(t, 8+1600, tokens(inUserTurn(`{"type":"image","source":{"type":"url","url":"u"}}`+hi)))
	require.Equal(t, 8+1500, tokens(inUserTurn(`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjc="}}`+hi)))
	require.Equal(t, 8+CountTokens("a paper"), tokens(inUserTurn(`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a paper"}}`+hi)))
	require.Equal(t, 8+1600+CountTokens("fig. 1"), tokens(inUserTurn(`{"type":"document","source":{"type":"content","content":[{"type":"text","text":"fig. 1"},`+
		`{"type":"image","source":{"type":"url","url":"u"}}]}}`+hi)))
	require.Equal(t, 8+3*CountTokens("one"), tokens(inUserTurn(`{"type":"search_result","source":"one","title":"one","content":[{"type":"text","text":"one"}]}`+hi)))

	called := talk(userHi + `,{"role":"assistant","content":[{"type":"thinking","thinking":"one two","signature":"s"},{"type":"tool_use","id":"a","name":"get","input":{"x":1}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one two"}]}`)
	require.Equal(t, 8+2*4+2*CountTokens("one two")+CountTokens("get")+CountTokens(`{"x":1}`), tokens(called))
}

func TestCountTokensAndUsageAgree(t *testing.T) {
	fragment := `"system":"a b c","tools":[{"name":"f","input_schema":{"type":"object"}}]`
	asked := read(t, string(bodyWith(t, fragment)), ReadOptions{})
	counted := read(t, string(bodyWith(t, fragment+`,"max_tokens":"(absent)"`)), ReadOptions{CountOnly: true})
	require.Equal(t, asked.InputTokens, counted.InputTokens)
	require.Equal(t, 3, asked.SystemTokens)
}
