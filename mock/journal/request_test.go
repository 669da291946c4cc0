package journal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

func TestATestCanAskWhatItsClientSent(t *testing.T) {
	r, err := journal.Entry{Body: []byte(`{
		"model": "claude-x", "max_tokens": 100, "stream": true, "temperature": 0.5, "strict": false,
		"system": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Be kind."}],
		"tools": [{"name": "weather", "input_schema": {}}, {"type": "web_search", "name": "search"}],
		"messages": [
			{"role": "user", "content": "Hello"},
			{"role": "assistant", "content": [{"type": "tool_use", "id": "tu_1", "name": "weather", "input": {"at": "Rome"}}]},
			{"role": "user", "content": [
				{"type": "tool_result", "tool_use_id": "tu_1", "content": [{"type": "text", "text": "sunny"}]},
				{"type": "text", "text": "Well?"}, {"type": "image"}, {"type": "text", "text": "So?"}]}
		]}`)}.Request()
	require.NoError(t, err)
	require.Equal(t, "claude-x", r.Model)
	require.Equal(t, 100, r.MaxTokens)
	require.True(t, r.Stream)
	require.Equal(t, "Be brief.\nBe kind.", r.System)
	require.Equal(t, []string{"weather", "search"}, r.Tools)
	require.Equal(t, "Well?\nSo?", r.LastText)
	require.Equal(t, []journal.Message{
		{Role: "user", Text: "Hello", Content: []journal.Block{{Type: "text", Text: "Hello"}}},
		{Role: "assistant", Content: []journal.Block{{Type: "tool_use", ID: "tu_1", Name: "weather", Input: []byte(`{"at": "Rome"}`)}}},
		{Role: "user", Text: "Well?\nSo?", Content: []journal.Block{
			{Type: "tool_result", ID: "tu_1", Text: "sunny"},
			{Type: "text", Text: "Well?"}, {Type: "image"}, {Type: "text", Text: "So?"}}},
	}, r.Messages)
	require.Equal(t, 0.5, r.Param("temperature"))
	require.Equal(t, false, r.Param("strict"))
	require.Nil(t, r.Param("absent"))
}

func TestLastTextIsTheLastUserTurns(t *testing.T) {
	r, err := journal.Entry{Body: []byte(`{"messages": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}]}`)}.Request()
	require.NoError(t, err)
	require.Equal(t, "Q", r.LastText)
}

func TestAFieldOfAnotherTypeIsZeroAndSpoilsNoOther(t *testing.T) {
	r, err := journal.Entry{Body: []byte(`{
		"model": 5, "max_tokens": "many", "system": 3, "stream": true, "tools": {"a": 1},
		"messages": ["hm", {"role": "user", "content": "Q"}]}`)}.Request()
	require.NoError(t, err)
	require.Empty(t, r.Model)
	require.Zero(t, r.MaxTokens)
	require.True(t, r.Stream)
	require.Empty(t, r.System)
	require.Empty(t, r.Tools)
	require.Len(t, r.Messages, 2)
	require.Equal(t, "Q", r.LastText)
	require.Equal(t, "many", r.Param("max_tokens"))
}

func TestABodyThatIsNoJSONObjectIsAnErrorAndNoRequest(t *testing.T) {
	for name, body := range map[string]string{
		"empty": "", "not JSON": "hello", "cut off": `{"model": "m"`, "an array": `[{}]`, "null": "null", "a string": `"x"`,
	} {
		t.Run(name, func(t *testing.T) {
			r, err := journal.Entry{Body: []byte(body)}.Request()
			require.ErrorContains(t, err, "the request")
			require.Equal(t, journal.Request{}, r)
		})
	}
}
