package timeline_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
)

func blockOf(kind, text string) wire.Block {
	return wire.Block{Type: kind, Text: text, Ends: wire.TokenEnds(nil, text)}
}

// everything is a message with a block of every kind.
func everything() *wire.Message {
	call := blockOf("tool_use", `{"city": "Zürich", "days": [1, 2, 3], "note": "bring an umbrella"}`)
	call.ID, call.Name = "toolu_01", "f"
	thought := blockOf("thinking", "The moon pulls.")
	thought.Signature = "c2ln"
	cited := blockOf("text", "One two three four.")
	cited.Citations = []wire.Citation{{Type: "char_location", After: 2, Cited: "a"}, {Type: "char_location", After: 5, Cited: "b"}}
	return &wire.Message{ID: "msg_01", Model: "m", StopReason: "tool_use", Usage: wire.Usage{Output: 40}, Blocks: []wire.Block{
		thought,
		{Type: "redacted_thinking", Signature: "ZGF0YQ=="},
		{Type: "thinking", Signature: "aGlkZGVu"},
		cited,
		{Type: "server_tool_use", ID: "srvtoolu_01", Name: "web_search"},
		{Type: "raw", Raw: []byte(`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_01","content":[]}`)},
		call,
	}}
}

// paced gives every gap its own length, so that a lost or doubled one shows.
func paced(t *testing.T) timeline.Delays {
	t.Helper()
	gaps := make([]int64, 200)
	for i := range gaps {
		gaps[i] = int64(time.Duration(i+1) * ms)
	}
	trace, err := latency.NewTrace(gaps)
	require.NoError(t, err)
	d := delays()
	d.FirstToken, d.Gap = 100*ms, (&latency.Component{Trace: trace}).Values(0)
	return d
}

type event struct {
	Type  string
	Index int
	Block json.RawMessage `json:"content_block"`
	Delta struct {
		Type, Text, Thinking, Signature string
		PartialJSON                     string `json:"partial_json"`
		Citation                        struct {
			CitedText string `json:"cited_text"`
		}
	}
	due time.Duration
}

func events(t *testing.T, made *timeline.Timeline) []event {
	t.Helper()
	var all []event
	for i := range made.Len() {
		if s := made.Step(i); s.Kind.IsEvent() && s.Kind != timeline.Ping {
			_, data, _ := strings.Cut(string(made.Append(nil, i)), "data: ")
			e := event{due: s.Due}
			require.NoError(t, json.Unmarshal([]byte(data), &e), data)
			all = append(all, e)
		}
	}
	return all
}

func TestEveryBlockHasTheAPIsDeltas(t *testing.T) {
	var told []string
	for _, e := range events(t, timeline.Stream(everything(), paced(t), timeline.Look{})) {
		what := strings.TrimPrefix(e.Type, "content_block_")
		switch what {
		case "start":
			what += " " + string(e.Block)
		case "delta":
			d := e.Delta
			what = strings.TrimSuffix(d.Type, "_delta") + " " + d.Text + d.Thinking + d.Signature + d.PartialJSON + d.Citation.CitedText
		}
		told = append(told, what)
	}
	require.Equal(t, []string{
		"message_start",
		`start {"type":"thinking","thinking":"","signature":""}`, "thinking The", "thinking  moon", "thinking  pulls", "thinking .", "signature c2ln", "stop",
		`start {"type":"redacted_thinking","data":"ZGF0YQ=="}`, "stop",
		`start {"type":"thinking","thinking":"","signature":""}`, "signature aGlkZGVu", "stop",
		`start {"type":"text","text":"","citations":[]}`, "text One", "text  two", "citations a", "text  three", "text  four", "text .", "citations b", "stop",
		`start {"type":"server_tool_use","id":"srvtoolu_01","name":"web_search","input":{},"caller":{"type":"direct"}}`, "input_json ", "stop",
		`start {"type":"web_search_tool_result","tool_use_id":"srvtoolu_01","content":[]}`, "stop",
		`start {"type":"tool_use","id":"toolu_01","name":"f","input":{},"caller":{"type":"direct"}}`, "input_json ",
	}, told[:len(told)-len(inputPieces(t))-3])
	require.Equal(t, []string{"stop", "message_delta", "message_stop"}, told[len(told)-3:])
}

func inputPieces(t *testing.T) []string {
	t.Helper()
	var pieces []string
	for _, e := range events(t, timeline.Stream(everything(), paced(t), timeline.Look{})) {
		if e.Index == 6 && e.Delta.PartialJSON != "" {
			pieces = append(pieces, e.Delta.PartialJSON)
		}
	}
	return pieces
}

func TestAToolsInputComesInPiecesOfTwoToFifteenCharacters(t *testing.T) {
	pieces := inputPieces(t)
	require.Equal(t, everything().Blocks[6].Text, strings.Join(pieces, ""))
	for i, p := range pieces {
		n := utf8.RuneCountInString(p)
		require.True(t, n >= 2 || i == len(pieces)-1, p)
		require.LessOrEqual(t, n, 15)
		require.True(t, utf8.ValidString(p))
	}
	d := paced(t)
	d.TokensMin, d.TokensMax = 9, 9
	for _, e := range events(t, timeline.Stream(everything(), d, timeline.Look{})) {
		require.LessOrEqual(t, utf8.RuneCountInString(e.Delta.PartialJSON), 15)
	}
}

func TestAGapLiesBetweenAnyTwoDeltasWhicheverTheirBlocks(t *testing.T) {
	made := timeline.Stream(everything(), paced(t), timeline.Look{})
	var at []time.Duration
	for i := range made.Len() {
		if s := made.Step(i); s.Kind == timeline.Delta {
			at = append(at, s.Due)
		}
	}
	require.Equal(t, 100*ms, at[0])
	for i := 1; i < len(at); i++ {
		require.Equal(t, time.Duration(i)*ms, at[i]-at[i-1])
	}
	require.Equal(t, 100*ms, made.TTFT(), "a thought is content")
	require.Equal(t, made.Duration(), timeline.Whole(everything(), paced(t), timeline.Look{}).Duration(), "R39")
}

func TestBlocksOfEveryKindAreSpreadOverAWholeAnswersTime(t *testing.T) {
	d := delays()
	d.Respond = time.Second
	made := timeline.Stream(everything(), d, timeline.Look{})
	require.Equal(t, time.Second, made.Duration())
	before := time.Duration(0)
	for i := range made.Len() {
		require.GreaterOrEqual(t, made.Step(i).Due, before)
		before = made.Step(i).Due
	}
}

func TestAMessageWithoutBlocksIsStartAndEnd(t *testing.T) {
	made := timeline.Stream(&wire.Message{StopReason: "refusal", Refusal: &wire.Refusal{}}, delays(), timeline.Look{})
	require.Equal(t, []step{{"head", 0, 0}, {"message_start", 0, 0}, {"message_delta", 0, 0}, {"message_stop", 0, 0}, {"end", 0, 0}}, steps(made))
}
