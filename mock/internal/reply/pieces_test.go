package reply

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func given(b wire.Block) (pieces []string, tokens int) {
	pieces = []string{}
	for i := range b.Pieces {
		text, n := b.Piece(i)
		pieces, tokens = append(pieces, text), tokens+n
	}
	return pieces, tokens
}

func TestPiecesAreTheDeltasAlsoEmptyOnes(t *testing.T) {
	l, q := builtIn(t), talkWith(t, `{"role":"user","content":"Hello"}`, "")
	for _, pieces := range [][]string{{"", `{"x":`, "1}"}, {"{"}, {""}, {}, {`]]`, "é", ""}} {
		for _, kind := range []string{"text", "tool_use"} {
			block := scenario.Block{Type: kind, Pieces: pieces, ToolCall: scenario.ToolCall{Name: "f"}}
			a := composed(t, l, &scenario.Reply{Blocks: []scenario.Block{block, block}}, q)
			require.Len(t, a.Blocks, 2)
			for _, b := range a.Blocks {
				got, tokens := given(b)
				require.Equal(t, pieces, got)
				require.Equal(t, len(b.Ends), tokens, "each token ends in one piece")
			}
		}
	}
}

func TestMaxTokensAndStopSequencesCutPieces(t *testing.T) {
	l := builtIn(t)
	spec := &scenario.Reply{Blocks: []scenario.Block{{Type: "text", Pieces: []string{"One ", "", "two th", "ree four"}}}}
	cut := composed(t, l, spec, talkWith(t, `{"role":"user","content":"Hello"}`, `"stop_sequences":["three"]`))
	pieces, _ := given(cut.Blocks[0])
	require.Equal(t, []string{"One ", "", "two "}, pieces)
	require.Equal(t, "stop_sequence", cut.StopReason)
}

func TestNoBlocksAreAnEmptyAnswer(t *testing.T) {
	a := composed(t, builtIn(t), &scenario.Reply{Blocks: []scenario.Block{}}, talkWith(t, `{"role":"user","content":"Hello"}`, ""))
	require.Empty(t, a.Blocks)
	require.Equal(t, []any{"end_turn", 0}, []any{a.StopReason, a.Output})
}
