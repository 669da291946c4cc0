package wire

// Message is an answer before it is bytes: what is said, and how it is cut into tokens.
type Message struct {
	ID           string // msg_01…
	Model        string
	Blocks       []Block
	StopReason   string // end_turn, max_tokens, stop_sequence, …
	StopSequence string // the matched one; "" is written as null
	Usage        Usage
	// Generation selects the shape that this model's answers have (stop_details and the like).
	Generation Generation
}

// Block is one content block. Ends are the byte offsets in Text at which its tokens end, from
// Base on: token i is Text[Ends[i-1]-Base : Ends[i]-Base], so that a reply can be a window of a
// longer text whose tokens were cut once. The first token starts at 0.
type Block struct {
	Type string // text
	Text string
	Ends []uint32
	Base uint32
}

// Tokens is the number of tokens in the block.
func (b *Block) Tokens() int { return len(b.Ends) }

// Span is the text of the tokens from i up to but not including j; 0 ≤ i ≤ j ≤ Tokens.
func (b *Block) Span(i, j int) string {
	if i == j {
		return ""
	}
	start := uint32(0)
	if i > 0 {
		start = b.Ends[i-1] - b.Base
	}
	return b.Text[start : b.Ends[j-1]-b.Base]
}
