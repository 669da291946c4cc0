package timeline

import "github.com/seed-954e9acd/orrery/mock/internal/wire"

// appendCompletion appends step i as a completion shows it. Not all that a message's stream says
// has a place there.
func (t *Timeline) appendCompletion(dst []byte, i int) []byte {
	switch s := t.steps[i]; s.Kind {
	case Body:
		return wire.AppendCompletion(dst, t.Message)
	case Delta:
		b := &t.Message.Blocks[s.Block]
		if b.Type != "text" || s.Tokens() == 0 {
			return dst
		}
		text := ""
		if s.Part == Given {
			text, _ = b.Piece(int(s.From))
		} else {
			text = b.Span(int(s.From), int(s.To))
		}
		return wire.AppendCompletionDelta(dst, t.Message, text, s.From == 0)
	case MessageDelta:
		return wire.AppendCompletionStop(dst, t.Message)
	case Ping:
		return wire.AppendPing(dst)
	default:
		return dst
	}
}
