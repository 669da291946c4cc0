package wire

// Message is an answer before it is bytes: what is said, and how it is cut into tokens.
type Message struct {
	ID           string // msg_01…
	Model        string
	Blocks       []Block
	StopReason   string // end_turn, max_tokens, stop_sequence, …
	StopSequence string // the matched one; "" is written as null
	Usage        Usage
	Refusal      *Refusal // why the model refused, else nil
	// Generation selects the shape that this model's answers have (stop_details and the like).
	Generation Generation
}

// Refusal is the stop_details of an answer that stopped with "refusal". An empty text is null.
type Refusal struct {
	Category    string // cyber, bio, frontier_llm, reasoning_extraction or general_harms
	Explanation string
}

// Block is one content block. Ends are the byte offsets in Text at which its tokens end, from
// Base on: token i is Text[Ends[i-1]-Base : Ends[i]-Base], so that a reply can be a window of a
// longer text whose tokens were cut once. The first token starts at 0.
type Block struct {
	Type string // text, thinking, redacted_thinking, tool_use, server_tool_use, or that of Raw
	// Text is what the deltas spell out: the text, the thought, or a tool's input as the model
	// writes JSON, with spaces after : and , and perhaps cut off.
	Text string
	Ends []uint32
	Base uint32
	// Unseen is how many output tokens the block costs beside those of Text: a tool's name, a
	// thought that isn't shown.
	Unseen    int
	ID, Name  string     // of tool_use and server_tool_use
	Signature string     // of thinking; of redacted_thinking its data
	Citations []Citation // of text, in order of After
	Raw       []byte     // the whole block as JSON, in place of all else: a server tool's result
	// Pieces are the byte offsets in Text at which the block's deltas end, when these are given one by
	// one, also empty ones; nil when they aren't. The input of a call may then be no JSON.
	Pieces []uint32
}

// Tokens is the number of tokens in the block.
func (b *Block) Tokens() int { return len(b.Ends) }

// Piece is the text of delta i of [Block.Pieces], and how many of the block's tokens end in it.
func (b *Block) Piece(i int) (text string, tokens int) {
	from, to := uint32(0), b.Pieces[i]
	if i > 0 {
		from = b.Pieces[i-1]
	}
	for _, end := range b.Ends {
		if end -= b.Base; end > from && end <= to {
			tokens++
		}
	}
	return b.Text[from:to], tokens
}

// Cost is how many output tokens the block counts for.
func (b *Block) Cost() int { return len(b.Ends) + b.Unseen }

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
