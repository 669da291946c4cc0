package mock_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// telling answers whoever asks for text with a long one.
const telling = "orrery: 1\nname: telling\nprofiles: {some: {first-token: 200ms, token-gap: 10ms}}\nroutes: [{name: all, profile: some, reply: {fixture: en-tides}}]\n"

const citySchema = `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":1,"maximum":7}},"required":["city","days"],"additionalProperties":false}`

const stepSchema = `{"type":"object","properties":{"steps":{"type":"array","items":{"$ref":"#/$defs/step"}},"kind":{"enum":["a","b"]}},"required":["steps","kind"],"additionalProperties":false,"$defs":{"step":{"type":"object","properties":{"why":{"type":"string"}},"required":["why"],"additionalProperties":false}}}`

func officially(srv *mock.Server) anthropic.Client {
	return anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithHTTPClient(srv.Client()), option.WithAPIKey("any"), option.WithMaxRetries(0))
}

func weatherTool(t *testing.T) anthropic.ToolUnionParam {
	t.Helper()
	var schema anthropic.ToolInputSchemaParam
	require.NoError(t, json.Unmarshal([]byte(citySchema), &schema))
	return anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{Name: "get_weather", InputSchema: schema}}
}

func wanting(text string) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "claude-sonnet-5", MaxTokens: 2000,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(text))},
	}
}

// accumulated streams an answer and puts it together as the SDK does.
func accumulated(t *testing.T, c anthropic.Client, p anthropic.MessageNewParams) anthropic.Message {
	t.Helper()
	var m anthropic.Message
	stream := c.Messages.NewStreaming(context.Background(), p)
	for stream.Next() {
		require.NoError(t, m.Accumulate(stream.Current()))
	}
	require.NoError(t, stream.Err())
	return m
}

func requireValid(t *testing.T, schema, value string) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("s.json", doc))
	made, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
	require.NoError(t, err, value)
	compiled, err := c.Compile("s.json")
	require.NoError(t, err)
	require.NoError(t, compiled.Validate(made), value)
}

func TestAToolIsCalledAndItsResultAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := officially(mock.StartInMemory(t))
		p := wanting("What is the weather like?")
		p.Tools = []anthropic.ToolUnionParam{weatherTool(t)}

		first, err := c.Messages.New(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, anthropic.StopReasonToolUse, first.StopReason)
		require.Len(t, first.Content, 1)
		call := first.Content[0].AsToolUse()
		require.Equal(t, "get_weather", call.Name)
		require.Regexp(t, "^toolu_01[1-9A-Za-z]{22}$", call.ID)
		requireValid(t, citySchema, string(call.Input))

		p.Messages = append(p.Messages, first.ToParam(), anthropic.NewUserMessage(anthropic.NewToolResultBlock(call.ID, "Rain.", false)))
		second, err := c.Messages.New(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, anthropic.StopReasonEndTurn, second.StopReason)
		require.NotEmpty(t, second.Content[0].Text)

		p.ToolChoice = anthropic.ToolChoiceUnionParam{OfNone: &anthropic.ToolChoiceNoneParam{}}
		p.Messages = p.Messages[:1]
		none, err := c.Messages.New(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, "text", string(none.Content[0].Type))
	})
}

// requireOneAnswer compares a stream put together with the body of the same plan.
func requireOneAnswer(t *testing.T, p anthropic.MessageNewParams) anthropic.Message {
	t.Helper()
	var streamed, whole anthropic.Message
	synctest.Test(t, func(t *testing.T) {
		streamed = accumulated(t, officially(mock.StartInMemory(t, mock.ScenarioText(telling))), p)
	})
	synctest.Test(t, func(t *testing.T) {
		c := officially(mock.StartInMemory(t, mock.ScenarioText(telling)))
		m, err := c.Messages.New(t.Context(), p)
		require.NoError(t, err)
		whole = *m
	})
	require.Len(t, streamed.Content, len(whole.Content))
	for i := range whole.Content {
		a, b := streamed.Content[i], whole.Content[i]
		require.Equal(t, b.Type, a.Type)
		require.Equal(t, b.Text, a.Text)
		require.Equal(t, b.Thinking, a.Thinking)
		require.Equal(t, b.Signature, a.Signature)
		require.Equal(t, b.Data, a.Data)
		require.Equal(t, []any{b.ID, b.Name}, []any{a.ID, a.Name})
		if len(b.Input) > 0 {
			require.JSONEq(t, string(b.Input), string(a.Input))
		}
		require.Len(t, a.Citations, len(b.Citations))
	}
	require.Equal(t, whole.StopReason, streamed.StopReason)
	require.Equal(t, whole.StopSequence, streamed.StopSequence)
	require.Equal(t, whole.StopDetails.Category, streamed.StopDetails.Category)
	require.Equal(t, whole.ID, streamed.ID)
	require.Equal(t, whole.Usage.OutputTokens, streamed.Usage.OutputTokens)
	require.Equal(t, whole.Usage.InputTokens, streamed.Usage.InputTokens)
	require.Equal(t, whole.Usage.OutputTokensDetails.ThinkingTokens, streamed.Usage.OutputTokensDetails.ThinkingTokens)
	require.Equal(t, whole.Usage.ServerToolUse.WebSearchRequests, streamed.Usage.ServerToolUse.WebSearchRequests)
	return whole
}

func TestAStreamSaysWhatTheBodySays(t *testing.T) {
	thinking := wanting("Think about tides.")
	thinking.Model = "claude-haiku-4-5"
	thinking.Thinking = anthropic.ThinkingConfigParamOfEnabled(1024)
	tools := wanting("What is the weather like?")
	tools.Tools = []anthropic.ToolUnionParam{weatherTool(t)}
	format := wanting("Name a city.")
	require.NoError(t, json.Unmarshal([]byte(`{"format":{"type":"json_schema","schema":`+stepSchema+`}}`), &format.OutputConfig))
	stopped := wanting("Say something.")
	stopped.StopSequences = []string{" the "}
	cut := wanting("Say something long.")
	cut.MaxTokens = 7
	search := wanting("Who won?")
	search.Tools = []anthropic.ToolUnionParam{{OfWebSearchTool20250305: &anthropic.WebSearchTool20250305Param{}}}
	search.ToolChoice = anthropic.ToolChoiceParamOfTool("web_search")
	cited := wanting("")
	cited.Messages = []anthropic.MessageParam{anthropic.NewUserMessage(
		anthropic.ContentBlockParamUnion{OfDocument: &anthropic.DocumentBlockParam{
			Title:     param.NewOpt("Tides"),
			Citations: anthropic.CitationsConfigParam{Enabled: param.NewOpt(true)},
			Source:    anthropic.DocumentBlockParamSourceUnion{OfText: &anthropic.PlainTextSourceParam{Data: "The moon pulls. The sea follows."}},
		}},
		anthropic.NewTextBlock("What pulls?"),
	)}
	for name, c := range map[string]struct {
		params anthropic.MessageNewParams
		check  func(t *testing.T, m anthropic.Message)
	}{
		"text": {wanting("Hello!"), func(t *testing.T, m anthropic.Message) {
			require.Equal(t, anthropic.StopReasonEndTurn, m.StopReason)
		}},
		"thinking": {thinking, func(t *testing.T, m anthropic.Message) {
			require.Len(t, m.Content, 2)
			require.NotEmpty(t, m.Content[0].Thinking)
			require.Greater(t, len(m.Content[0].Signature), 100)
			require.NotEmpty(t, m.Content[1].Text)
		}},
		"a tool": {tools, func(t *testing.T, m anthropic.Message) {
			requireValid(t, citySchema, string(m.Content[0].Input))
			require.Equal(t, "direct", m.Content[0].AsToolUse().Caller.Type)
		}},
		"structured output": {format, func(t *testing.T, m anthropic.Message) {
			requireValid(t, stepSchema, m.Content[0].Text)
		}},
		"a stop sequence": {stopped, func(t *testing.T, m anthropic.Message) {
			require.Equal(t, anthropic.StopReasonStopSequence, m.StopReason)
			require.Equal(t, " the ", m.StopSequence)
			require.NotContains(t, m.Content[0].Text, " the ")
		}},
		"cut off": {cut, func(t *testing.T, m anthropic.Message) {
			require.Equal(t, anthropic.StopReasonMaxTokens, m.StopReason)
			require.EqualValues(t, 7, m.Usage.OutputTokens)
		}},
		"a web search": {search, func(t *testing.T, m anthropic.Message) {
			require.Equal(t, "server_tool_use", string(m.Content[0].Type))
			require.Equal(t, "web_search_tool_result", string(m.Content[1].Type))
			require.Equal(t, m.Content[0].ID, m.Content[1].ToolUseID)
			require.Len(t, m.Content[1].AsWebSearchToolResult().Content.OfWebSearchResultBlockArray, 3)
			require.EqualValues(t, 1, m.Usage.ServerToolUse.WebSearchRequests)
			require.NotEmpty(t, m.Content[len(m.Content)-1].Citations[0].URL)
			require.Equal(t, anthropic.StopReasonEndTurn, m.StopReason)
		}},
		"citations": {cited, func(t *testing.T, m anthropic.Message) {
			last := m.Content[len(m.Content)-1].Citations
			require.Len(t, last, 1)
			require.Equal(t, "The moon pulls.", last[0].CitedText)
			require.Equal(t, "Tides", last[0].DocumentTitle)
			require.EqualValues(t, 15, last[0].EndCharIndex)
		}},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, requireOneAnswer(t, c.params)) })
	}
}

func TestAThoughtGoesBackWithTheToolsResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := officially(mock.StartInMemory(t))
		p := wanting("What is the weather like?")
		p.Model = "claude-haiku-4-5"
		p.Thinking = anthropic.ThinkingConfigParamOfEnabled(1024)
		p.Tools = []anthropic.ToolUnionParam{weatherTool(t)}

		first := accumulated(t, c, p)
		require.Equal(t, []string{"thinking", "tool_use"}, []string{string(first.Content[0].Type), string(first.Content[1].Type)})
		require.Positive(t, first.Usage.OutputTokens)

		p.Messages = append(p.Messages, first.ToParam(), anthropic.NewUserMessage(anthropic.NewToolResultBlock(first.Content[1].ID, "Rain.", false)))
		second, err := c.Messages.New(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, "text", string(second.Content[len(second.Content)-1].Type))

		p.Messages[1].OfAssistant.Content[0].OfThinking.Thinking += " Not mine."
		_, err = c.Messages.New(t.Context(), p)
		require.ErrorContains(t, err, "messages.1.content.0: Invalid `signature` in `thinking` block")
	})
}

// conversation is a scenario that says what each turn answers.
const conversation = `
orrery: 1
name: conversation
profiles: {some: {first-token: 100ms, token-gap: 10ms}}
routes:
  - name: all
    profile: some
    reply:
      template: "{{upper .Text}} ({{len .Messages}})"
      dialogue:
        - {when: {contains: weather}, reply: {tool: {name: get_weather, input: {city: Oslo, days: 2}}}}
        - {when: {tool_result: get_weather}, reply: It rains.}
        - {when: {matches: "^[Bb]ad"}, reply: {refusal: {category: cyber}}}
`

func TestADialogueSaysWhatEachTurnAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(conversation))
		c := officially(srv)
		p := wanting("The weather, please.")
		p.Tools = []anthropic.ToolUnionParam{weatherTool(t)}

		call := accumulated(t, c, p)
		require.JSONEq(t, `{"city":"Oslo","days":2}`, string(call.Content[0].Input))

		p.Messages = append(p.Messages, call.ToParam(), anthropic.NewUserMessage(anthropic.NewToolResultBlock(call.Content[0].ID, "wet", false)))
		require.Equal(t, "It rains.", accumulated(t, c, p).Content[0].Text)

		require.Equal(t, "THANKS (1)", accumulated(t, c, wanting("thanks")).Content[0].Text)

		refused := accumulated(t, c, wanting("Bad things"))
		require.Equal(t, anthropic.StopReasonRefusal, refused.StopReason)
		require.Empty(t, refused.Content)
		require.EqualValues(t, "cyber", refused.StopDetails.Category)
	})
}

func TestScriptedBlocksGoOutAsTheyWereGiven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t)
		c := officially(srv)
		srv.Next(
			mock.Text("I would ").Then(mock.Refusal("bio", "No.")),
			mock.ToolUse("f", nil),
			mock.Thinking("Hm: {a}, \"b\".").Then(mock.ToolUse("f", map[string]string{"q": "a: \"b\", c"})),
		)
		m := accumulated(t, c, wanting("a"))
		require.Equal(t, "I would ", m.Content[0].Text)
		require.Equal(t, anthropic.StopReasonRefusal, m.StopReason)
		require.JSONEq(t, `{}`, string(accumulated(t, c, wanting("b")).Content[0].Input))
		m = accumulated(t, c, wanting("c"))
		require.Equal(t, "Hm: {a}, \"b\".", m.Content[0].Thinking)
		require.JSONEq(t, `{"q":"a: \"b\", c"}`, string(m.Content[1].Input))

		require.PanicsWithValue(t, `orrery: the input of tool "f": 3 is no object`, func() { srv.Next(mock.ToolUse("f", 3)) })
		require.PanicsWithValue(t, `orrery: an error can't be joined to another answer`, func() { srv.Next(mock.Overloaded().Then(mock.Text("a"))) })
	})
}
