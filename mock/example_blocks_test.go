package mock_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/seed-954e9acd/orrery/mock"
)

// answerTo starts a server that gives this answer and asks it, with one tool on offer.
func answerTo(question string, scripted mock.Answer) *anthropic.Message {
	h := must(mock.New())
	h.Next(scripted)
	srv := httptest.NewServer(h)
	defer srv.Close()
	client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey("any"), option.WithMaxRetries(0))
	return must(client.Messages.New(context.Background(), anthropic.MessageNewParams{
		Model: "claude-sonnet-5", MaxTokens: 500,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(question))},
		Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
			Name: "get_weather", InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{"city": map[string]any{"type": "string"}}},
		}}},
	}))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func ExampleToolUse() {
	m := answerTo("Weather in Oslo?", mock.ToolUse("get_weather", map[string]any{"city": "Oslo"}))
	var input struct{ City string }
	fmt.Println(m.StopReason, m.Content[0].Name, json.Unmarshal(m.Content[0].Input, &input), input.City)
	// Output: tool_use get_weather <nil> Oslo
}

func ExampleThinking() {
	m := answerTo("What moves the sea?", mock.Thinking("The moon pulls.").Then(mock.Text("Tides.")))
	fmt.Println(m.Content[0].Thinking, m.Content[1].Text, m.StopReason)
	// Output: The moon pulls. Tides. end_turn
}

func ExampleBlocks() {
	m := answerTo("Weather in Oslo and Rome?", mock.Blocks(
		mock.Text("I'll look at both."),
		mock.ToolUse("get_weather", map[string]any{"city": "Oslo"}),
		mock.ToolUse("get_weather", map[string]any{"city": "Rome"}),
	))
	for _, b := range m.Content {
		fmt.Println(b.Type, b.Text+string(b.Input))
	}
	// Output:
	// text I'll look at both.
	// tool_use {"city":"Oslo"}
	// tool_use {"city":"Rome"}
}

func ExampleRefusal() {
	m := answerTo("Something bad?", mock.Refusal("cyber", "It would do harm."))
	fmt.Println(m.StopReason, len(m.Content), m.StopDetails.Category, m.StopDetails.Explanation)
	// Output: refusal 0 cyber It would do harm.
}
