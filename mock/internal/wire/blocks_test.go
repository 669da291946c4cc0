package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABlockIsWrittenAsTheAPIWritesIt(t *testing.T) {
	for want, b := range map[string]Block{
		`{"type":"text","text":"a\"b"}`:                                                                  {Type: "text", Text: `a"b`},
		`{"type":"thinking","thinking":"t","signature":"s"}`:                                             {Type: "thinking", Text: "t", Signature: "s"},
		`{"type":"redacted_thinking","data":"d"}`:                                                        {Type: "redacted_thinking", Signature: "d"},
		`{"type":"container_upload","file_id":"f"}`:                                                      {Raw: []byte(`{"type":"container_upload","file_id":"f"}`)},
		`{"type":"tool_use","id":"i","name":"n","input":{"a":[1,"x: y, z"]},"caller":{"type":"direct"}}`: {Type: "tool_use", ID: "i", Name: "n", Text: `{"a": [1, "x: y, z"]}`},
		`{"type":"server_tool_use","id":"i","name":"n","input":{},"caller":{"type":"direct"}}`:           {Type: "server_tool_use", ID: "i", Name: "n"},
		`{"type":"text","text":"x","citations":[{"type":"char_location","cited_text":"c","document_index":1,"document_title":null,"start_char_index":2,"end_char_index":3,"file_id":null},` +
			`{"type":"page_location","cited_text":"c","document_index":0,"document_title":"T","start_page_number":1,"end_page_number":2,"file_id":"f"},` +
			`{"type":"content_block_location","cited_text":"c","document_index":0,"document_title":null,"start_block_index":0,"end_block_index":1,"file_id":null},` +
			`{"type":"search_result_location","cited_text":"c","source":"s","title":null,"search_result_index":4,"start_block_index":0,"end_block_index":1},` +
			`{"type":"web_search_result_location","cited_text":"c","url":"u","title":"T","encrypted_index":"e"}]}`: {Type: "text", Text: "x", Citations: []Citation{
			{Type: "char_location", Cited: "c", Index: 1, Start: 2, End: 3},
			{Type: "page_location", Cited: "c", Title: "T", Start: 1, End: 2, FileID: "f"},
			{Type: "content_block_location", Cited: "c", End: 1},
			{Type: "search_result_location", Cited: "c", Source: "s", Index: 4, End: 1},
			{Type: "web_search_result_location", Cited: "c", Source: "u", Title: "T", Encrypted: "e"},
		}},
	} {
		require.Equal(t, want, string(appendBlock(nil, &Message{Blocks: []Block{b}}, 0)))
	}
	older := &Message{Generation: Older, Blocks: []Block{{Type: "tool_use", ID: "i", Name: "n"}}}
	require.Equal(t, `{"type":"tool_use","id":"i","name":"n","input":{}}`, string(appendBlock(nil, older, 0)), "no caller")
}

func TestAnInputThatWasCutOffKeepsItsWholeMembers(t *testing.T) {
	for cut, want := range map[string]string{
		``: `{}`, `{`: `{}`, `{"a`: `{}`, `{"a": 12`: `{}`, `{"a": 12,`: `{"a":12}`, `{"a": 12, "b": [1, 2`: `{"a":12,"b":[1]}`,
		`{"a": {"b": "c\"}`: `{"a":{}}`, `{"a": "}", "b`: `{"a":"}"}`, `{"a": [`: `{"a":[]}`, `{"a": [{}]}`: `{"a":[{}]}`,
	} {
		require.Equal(t, want, string(appendInput(nil, cut)), cut)
	}
	whole := `{"a": "x\\", "b": [1, {"c": null, "d": "é, \" :"}], "e": true}`
	for i := range whole {
		made := appendInput([]byte("kept"), whole[:i])
		require.True(t, json.Valid(made[len("kept"):]), "%s", made)
	}
}

func TestARefusalSaysWhy(t *testing.T) {
	m := &Message{StopReason: "refusal", Refusal: &Refusal{Category: "bio"}, Usage: Usage{Output: 1}}
	const want = `"stop_reason":"refusal","stop_sequence":null,"stop_details":{"type":"refusal","category":"bio","explanation":null}`
	require.Contains(t, string(AppendMessage(nil, m)), want)
	require.Contains(t, string(AppendMessageDelta(nil, m, 0)), want)
	require.Contains(t, string(AppendMessageStart(nil, m, 0)), `"stop_reason":null,"stop_sequence":null,"stop_details":null`)
	m.Generation = Older
	require.NotContains(t, string(AppendMessage(nil, m)), "stop_details")
}

func TestServerToolsAreCountedWhenTheyRan(t *testing.T) {
	m := &Message{Usage: Usage{Output: 5, Thinking: 2}}
	require.NotContains(t, string(AppendMessage(nil, m)), "server_tool_use")
	m.Usage.ServerTools, m.Usage.WebSearches = true, 2
	const want = `"output_tokens_details":{"thinking_tokens":2},"server_tool_use":{"web_search_requests":2,"web_fetch_requests":0}`
	require.Contains(t, string(AppendMessage(nil, m)), want)
	require.Contains(t, string(AppendMessageDelta(nil, m, 0)), want)
}

func TestASignatureBelongsToOneThought(t *testing.T) {
	s := Signature("The moon.", 1)
	require.True(t, Signed("The moon.", s))
	require.False(t, Signed("The moon", s))
	require.NotEqual(t, s, Signature("The moon.", 2))
	for _, forged := range []string{"", "AAAA", "?", strings.Repeat("A", len(s)), s[:len(s)-4]} {
		require.False(t, Signed("The moon.", forged))
	}
}
