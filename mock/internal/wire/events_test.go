package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func greeting() *Message {
	return &Message{
		ID:         "msg_01Xk3bQpT9vLmN4sRz7WcYhJ",
		Model:      "claude-sonnet-5",
		Blocks:     []Block{{Type: "text", Text: "Hi there", Ends: []uint32{2, 8}}},
		StopReason: "end_turn",
		Usage:      Usage{Input: 12, Output: 10, First: 2},
	}
}

func TestANewerModelsStreamIsWrittenAsRecorded(t *testing.T) {
	m := greeting()
	b := AppendMessageStart(nil, m, 3)
	b = AppendBlockStart(b, m, 0, 7)
	b = AppendPing(b)
	b = AppendTextDelta(b, 0, "Hi", 2)
	b = AppendTextDelta(b, 0, " there, \"you\"", 12)
	b = AppendBlockStop(b, 0, 1)
	b = AppendMessageDelta(b, m, 5)
	b = AppendMessageStop(b, 15)
	require.Equal(t, strings.ReplaceAll(`event: message_start
data: {"type":"message_start","message":{"model":"claude-sonnet-5","id":"msg_01Xk3bQpT9vLmN4sRz7WcYhJ","type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":2,"service_tier":"standard","inference_geo":"global"}}···}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}·······}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}··}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" there, \"you\""}············}

event: content_block_stop
data: {"type":"content_block_stop","index":0·}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,"stop_details":null},"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":10,"output_tokens_details":{"thinking_tokens":0}}·····}

event: message_stop
data: {"type":"message_stop"···············}

`, "·", " "), string(b))
}

func TestAnOlderModelsStreamLacksWhatCameLater(t *testing.T) {
	m := greeting()
	m.Generation = Older
	m.StopReason, m.StopSequence = "stop_sequence", "\n\n"
	require.Equal(t, `event: message_start
data: {"type":"message_start","message":{"model":"claude-sonnet-5","id":"msg_01Xk3bQpT9vLmN4sRz7WcYhJ","type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":2,"service_tier":"standard","inference_geo":"not_available"}}}

`, string(AppendMessageStart(nil, m, 0)))
	require.Equal(t, `event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"\n\n"},"usage":{"output_tokens":10}}

`, string(AppendMessageDelta(nil, m, 0)))
}

func TestAWholeAnswerHasTheRecordedKeysInOrder(t *testing.T) {
	m := greeting()
	m.Usage = Usage{
		Input: 1, CacheCreation: 7, CacheRead: 4, CacheCreation5m: 5, CacheCreation1h: 2,
		Output: 6, Thinking: 3, First: 2, ServiceTier: "priority", InferenceGeo: "us",
	}
	require.Equal(t, `{"model":"claude-sonnet-5","id":"msg_01Xk3bQpT9vLmN4sRz7WcYhJ","type":"message","role":"assistant",`+
		`"content":[{"type":"text","text":"Hi there"}],"stop_reason":"end_turn","stop_sequence":null,"stop_details":null,`+
		`"usage":{"input_tokens":1,"cache_creation_input_tokens":7,"cache_read_input_tokens":4,`+
		`"cache_creation":{"ephemeral_5m_input_tokens":5,"ephemeral_1h_input_tokens":2},"output_tokens":6,`+
		`"output_tokens_details":{"thinking_tokens":3},"service_tier":"priority","inference_geo":"us"}}`,
		string(AppendMessage(nil, m)))

	m.Generation = Older
	m.Blocks = nil
	m.Usage = Usage{}
	require.Equal(t, `{"model":"claude-sonnet-5","id":"msg_01Xk3bQpT9vLmN4sRz7WcYhJ","type":"message","role":"assistant",`+
		`"content":[],"stop_reason":"end_turn","stop_sequence":null,`+
		`"usage":{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,`+
		`"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":1,`+
		`"service_tier":"standard","inference_geo":"not_available"}}`,
		string(AppendMessage(nil, m)))
}

func TestTheFirstOutputCountIsAtLeastOneAndNeverAboveTheLast(t *testing.T) {
	for _, c := range []struct{ first, output, shown int }{{7, 100, 7}, {7, 3, 3}, {0, 100, 1}, {7, 0, 1}} {
		m := greeting()
		m.Usage.First, m.Usage.Output = c.first, c.output
		_, data, _ := strings.Cut(string(AppendMessageStart(nil, m, 0)), "data: ")
		var event struct {
			Message struct {
				Usage struct {
					OutputTokens int `json:"output_tokens"`
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(data), &event))
		require.Equal(t, c.shown, event.Message.Usage.OutputTokens)
	}
}

func TestAnErrorInAStreamNamesItsRequest(t *testing.T) {
	require.Equal(t, `event: error
data: {"type":"error","error":{"details":null,"type":"overloaded_error","message":"Over \"loaded\""},"request_id":"req_011C1"  }

`, string(AppendErrorEvent(nil, "overloaded_error", `Over "loaded"`, "req_011C1", 2)))
}

func TestACountIsOneNumber(t *testing.T) {
	require.Equal(t, `{"input_tokens":14}`, string(AppendCount(nil, 14)))
}

func TestASpanIsTheTextOfItsTokens(t *testing.T) {
	whole := "Hi there, you"
	ends := TokenEnds(nil, whole)
	window := Block{Type: "text", Text: whole[ends[0]:ends[3]], Ends: ends[1:4], Base: ends[0]}
	require.Equal(t, 3, window.Tokens())
	require.Equal(t, window.Text, window.Span(0, 3))
	require.Equal(t, ",", window.Span(1, 2))
	require.Empty(t, window.Span(2, 2))
}

func TestAppendingAllocatesNothing(t *testing.T) {
	m := greeting()
	m.Blocks[0].Text = english + emoji
	dst := make([]byte, 0, 16<<10)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		b := AppendMessage(dst, m)
		b = AppendMessageStart(b, m, 3)
		b = AppendBlockStart(b, m, 0, 15)
		b = AppendTextDelta(b, 0, m.Blocks[0].Text, 1)
		b = AppendBlockStop(b, 0, 0)
		b = AppendMessageDelta(b, m, 0)
		b = AppendMessageStop(b, 0)
		b = AppendErrorEvent(b, "api_error", "Internal server error", "req_011C", 0)
		AppendCount(AppendPing(b), 1<<30)
	}))
}

func BenchmarkTextDelta(b *testing.B) {
	dst := make([]byte, 0, 1024)
	for b.Loop() {
		AppendTextDelta(dst, 0, " harbour", 7)
	}
}

func BenchmarkMessage(b *testing.B) {
	m := greeting()
	m.Blocks[0].Text = english
	dst := make([]byte, 0, 4096)
	for b.Loop() {
		AppendMessage(dst, m)
	}
}
