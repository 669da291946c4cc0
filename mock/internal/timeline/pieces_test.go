package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

func TestGivenPiecesAreOneDeltaEach(t *testing.T) {
	call := blockOf("tool_use", `{"x": "aé"}]`)
	call.ID, call.Name, call.Pieces = "toolu_01", "f", []uint32{0, 8, 8, 13}
	none := blockOf("tool_use", "")
	none.Pieces = []uint32{}
	m := &wire.Message{ID: "msg_01", Model: "m", Blocks: []wire.Block{call, none}}
	d := paced(t)
	d.TokensMin, d.TokensMax = 3, 3
	line := timeline.Stream(m, d, timeline.Look{})
	var got []string
	tokens := 0
	var last timeline.Step
	for i := range line.Len() {
		if s := line.Step(i); s.Kind == timeline.Delta {
			require.Equal(t, timeline.Given, s.Part)
			require.Greater(t, s.Due, last.Due)
			last, tokens = s, tokens+s.Tokens()
		}
	}
	for _, e := range events(t, line) {
		if e.Type == "content_block_delta" {
			got = append(got, e.Delta.PartialJSON)
		}
	}
	require.Equal(t, []string{"", `{"x": "a`, "", `é"}]`}, got)
	require.Equal(t, call.Tokens(), tokens)
}

func TestInputThatIsNoJSONLeavesABodyThatIs(t *testing.T) {
	call := blockOf("tool_use", "]]")
	call.Pieces = []uint32{2}
	m := &wire.Message{ID: "msg_01", Model: "m", Blocks: []wire.Block{call}}
	require.Contains(t, string(wire.AppendMessage(nil, m)), `"input":{}`)
}
