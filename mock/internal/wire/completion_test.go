package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

func TestACompletionsPromptIsAConversation(t *testing.T) {
	r, problem := wire.NewCompletions().Read([]byte(`{"model":"claude-2.1","max_tokens_to_sample":7,"stream":true,
		"stop_sequences":["x"],"prompt":"Be brief.\n\nHuman: hi\n\nAssistant: hello\n\nHuman: how?\n\nAssistant:"}`),
		wire.ReadOptions{Version: wire.Version2023})
	require.Nil(t, problem)
	require.Equal(t, "Be brief.", r.System)
	require.Equal(t, []string{"user hi", "assistant hello", "user how?"}, turns(r)[:3])
	require.Equal(t, "how?", r.LastUserText())
	require.Equal(t, 7, r.MaxTokens)
	require.Equal(t, []string{"x"}, r.StopSequences)
	require.True(t, r.Stream)
	require.Positive(t, r.InputTokens)
}

func turns(r *wire.Request) (all []string) {
	for _, turn := range r.Messages {
		all = append(all, turn.Role+" "+turn.Content[0].Text)
	}
	return all
}

func TestFaultsOfACompletionAreTheTablesFirst(t *testing.T) {
	const prompt = `"prompt":"\n\nHuman: hi\n\nAssistant:"`
	for body, message := range map[string]string{
		`{`:                         "The request body is not valid JSON: unexpected end of data: line 1 column 2 (char 1)",
		`[]`:                        "Input should be an object",
		`{}`:                        "model: Field required",
		`{"model":"m"}`:             "prompt: Field required",
		`{"model":"m","prompt":""}`: "prompt: String should have at least 1 character",
		`{"model":"m","prompt":"hi","max_tokens_to_sample":1}`:                    `prompt must start with "\n\nHuman:" turn after an optional system prompt`,
		`{"model":"m","prompt":"\n\nHuman: hi","max_tokens_to_sample":1}`:         `prompt must end with "\n\nAssistant:" turn`,
		`{"model":"m",` + prompt + `}`:                                            "max_tokens_to_sample: Field required",
		`{"model":"m",` + prompt + `,"max_tokens_to_sample":0}`:                   "max_tokens_to_sample: Input should be greater than or equal to 1",
		`{"model":"m",` + prompt + `,"max_tokens_to_sample":1,"max_tokens":1}`:    "max_tokens: Extra inputs are not permitted",
		`{"model":"m",` + prompt + `,"max_tokens_to_sample":1,"temperature":1.5}`: "temperature: range: 0..1",
		`{"model":"m",` + prompt + `,"max_tokens_to_sample":1,"stream":1}`:        "stream: Input should be a valid boolean",
	} {
		_, problem := wire.NewCompletions().Read([]byte(body), wire.ReadOptions{Version: wire.Version2023})
		require.NotNil(t, problem, body)
		require.Equal(t, message, problem.Message, body)
	}
	r, problem := wire.NewCompletions().Read([]byte(`{"model":"m","prompt":"hi"}`), wire.ReadOptions{Validation: wire.Warn})
	require.Nil(t, problem)
	require.Len(t, r.Warnings, 1)
	_, problem = wire.NewCompletions().Read([]byte(`{"model":"m"}`), wire.ReadOptions{Validation: wire.Off})
	require.Equal(t, "prompt: Field required", problem.Message, "a prompt there has to be")
	_, problem = wire.NewCompletions().Read([]byte(`{"model":"claude-2.1",`+prompt+`,"max_tokens_to_sample":1}`), wire.ReadOptions{Listed: true})
	require.Equal(t, 404, problem.Status, "a retired one")
}

func TestACompletionIsWrittenAsTheAPIDid(t *testing.T) {
	m := &wire.Message{ID: "msg_01abc", Model: "claude-2.1", Blocks: []wire.Block{{Type: "text", Text: "hi you"}}, StopReason: "end_turn"}
	require.JSONEq(t, `{"type":"completion","id":"compl_01abc","completion":" hi you","stop_reason":"stop_sequence","model":"claude-2.1"}`,
		string(wire.AppendCompletion(nil, m)))
	require.Equal(t, "event: completion\ndata: "+
		`{"type":"completion","id":"compl_01abc","completion":" hi","stop_reason":null,"model":"claude-2.1"}`+"\n\n",
		string(wire.AppendCompletionDelta(nil, m, "hi", true)))
	m.StopReason = "max_tokens"
	require.Equal(t, "event: completion\ndata: "+
		`{"type":"completion","id":"compl_01abc","completion":"","stop_reason":"max_tokens","model":"claude-2.1"}`+"\n\n",
		string(wire.AppendCompletionStop(nil, m)))
}
