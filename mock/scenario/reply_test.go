package scenario_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func replies(t *testing.T) map[string]*scenario.Reply {
	t.Helper()
	source, err := os.ReadFile("testdata/good/replies.yaml")
	require.NoError(t, err)
	s, err := gallery().Load("replies.yaml", source)
	require.NoError(t, err)
	made := map[string]*scenario.Reply{}
	for _, r := range s.Routes {
		made[r.Name] = r.Reply
	}
	return made
}

func TestARepliesKeysSayWhatIsAnswered(t *testing.T) {
	r := replies(t)
	require.True(t, r["echo"].Echo)
	require.True(t, r["echo"].Own())
	require.Equal(t, "prompt", r["language"].Language)
	require.False(t, r["language"].Own())
	require.Equal(t, &scenario.Thinking{Text: "The moon pulls.", Redacted: true}, r["thought"].Thinking)
	require.Equal(t, scenario.Range{Min: 100, Max: 300}, r["long thought"].Thinking.Tokens)
	require.Equal(t, &scenario.ToolCall{Name: "get_weather"}, r["tool"].Tool)
	require.Equal(t, `{"city": "Oslo", "days": 3, "wind": 1.5, "at": [1, null, true, {"deep": "a \"b\""}]}`, r["call"].Tool.Input)
	require.Equal(t, "parallel", r["tools"].Tools)
	require.Equal(t, &scenario.Refusal{Category: "bio", Explanation: "No."}, r["refusal"].Refusal)
	require.Equal(t, "pause_turn", r["pause"].StopReason)
	require.Equal(t, []scenario.Block{
		{Type: "thinking", Text: "Hm."}, {Type: "redacted_thinking"}, {Type: "text", Text: "Let me see."},
		{Type: "server_tool_use", ToolCall: scenario.ToolCall{Name: "web_search", Input: `{"query": "tides"}`}},
		{Type: "raw", Text: `{"type":"container_upload","file_id":"file_1"}`},
		{Type: "tool_use", ToolCall: scenario.ToolCall{Name: "get_weather"}},
	}, r["blocks"].Blocks)
	d := r["dialogue"].Dialogue
	require.Len(t, d, 3)
	require.Equal(t, "weather", d[0].Contains)
	require.Equal(t, "{}", d[0].Reply.Tool.Input)
	require.Equal(t, scenario.Range{Min: 2, Max: 3}, d[1].Turn)
	require.Equal(t, []string{"one", "two"}, d[1].Reply.Fixtures)
	require.True(t, d[2].Matches.MatchString("hello"))
	require.Equal(t, "Good bye.", r["dialogue"].Text)
}

func TestATemplateSpeaksOfTheRequest(t *testing.T) {
	asked := scenario.Asked{Text: "hi", Messages: []scenario.AskedMessage{{Role: "user", Text: "hi"}}, Tools: []string{"a", "<b>"}}
	said, err := replies(t)["template"].Template.Render(asked, func(string) int { return 3 })
	require.NoError(t, err)
	require.Equal(t, `HI of 1 ["a","<b>"] user:3`, said)

	asked.Messages = make([]scenario.AskedMessage, 200_000)
	_, err = replies(t)["template"].Template.Render(asked, func(string) int { return 12345678 })
	require.ErrorContains(t, err, "longer than 1048576 bytes")
}

func TestEveryDialogueDrawsAtPlacesOfItsOwn(t *testing.T) {
	r := replies(t)["dialogue"]
	require.NotEqual(t, r.Place, r.Dialogue[1].Reply.Place)
}

func TestAProblemOfATemplateNamesNoFileOfTheProgram(t *testing.T) {
	text, err := os.ReadFile("testdata/bad/reply-template.txt")
	require.NoError(t, err)
	require.NotContains(t, strings.ToLower(string(text)), "template: reply")
}
