package timeline_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
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

// randomMessage has up to six blocks of any kind.
func randomMessage(r *rand.Rand) *wire.Message {
	texts := []string{"", "a", "The moon pulls, and the sea follows.", "一二三 🎉\n\"quoted\"", `{"a": "é\\", "list": [1, 2, {"b": null}]}`}
	m := &wire.Message{ID: "msg_01", Model: "m", StopReason: "end_turn", Usage: wire.Usage{Output: 9}}
	for range r.IntN(7) {
		b := blockOf([]string{"text", "thinking", "tool_use", "server_tool_use", "redacted_thinking"}[r.IntN(5)], texts[r.IntN(len(texts))])
		switch b.Type {
		case "text":
			for range r.IntN(3) {
				b.Citations = append(b.Citations, wire.Citation{Type: "char_location", After: r.IntN(b.Tokens() + 2), Cited: "c"})
			}
			slices.SortFunc(b.Citations, func(x, y wire.Citation) int { return x.After - y.After })
		case "thinking":
			b.Signature = []string{"", "c2ln"}[r.IntN(2)]
		case "redacted_thinking":
			b = wire.Block{Type: b.Type, Signature: "ZA=="}
		}
		m.Blocks = append(m.Blocks, b)
	}
	return m
}

func TestJoinedDeltasAreTheBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		m, d := randomMessage(random), paced(t)
		d.TokensMin = 1 + random.IntN(3)
		d.TokensMax = d.TokensMin + random.IntN(4)
		d.PingEvery = time.Duration(random.IntN(2)) * 3 * ms
		joined, cited, signed := make([]string, len(m.Blocks)), make([]int, len(m.Blocks)), make([]string, len(m.Blocks))
		open := -1
		for _, e := range events(t, timeline.Stream(m, d, timeline.Look{Padded: true, Padding: latency.NewPlace(1, "p")})) {
			switch e.Type {
			case "content_block_start":
				require.Equal(t, open+1, e.Index)
				open = e.Index
			case "content_block_delta", "content_block_stop":
				require.Equal(t, open, e.Index)
			}
			if e.Delta.Type != "" {
				joined[e.Index] += e.Delta.Text + e.Delta.Thinking + e.Delta.PartialJSON
				signed[e.Index] += e.Delta.Signature
			}
			if e.Delta.Type == "citations_delta" {
				cited[e.Index]++
			}
		}
		for i, b := range m.Blocks {
			require.Equal(t, b.Text, joined[i])
			require.Len(t, b.Citations, cited[i])
			if b.Type == "thinking" {
				require.Equal(t, b.Signature, signed[i])
			}
		}
		require.Equal(t, timeline.Stream(m, d, timeline.Look{}).Duration(), timeline.Whole(m, d, timeline.Look{}).Duration(), "R39")
	}
}
