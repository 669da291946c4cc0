package wire

import "strconv"

// AppendTextDelta appends the event that carries a piece of the text block at index.
func AppendTextDelta(dst []byte, index int, text string, pad int) []byte {
	return appendDelta(dst, index, `"text_delta","text":`, text, pad)
}

// AppendPiece appends the event that carries a piece of the block at index, in the delta of the
// block's type: text, thought or partial JSON. An empty piece is an empty delta.
func AppendPiece(dst []byte, m *Message, index int, piece string, pad int) []byte {
	switch b := &m.Blocks[index]; {
	case b.Type == "thinking":
		return appendDelta(dst, index, `"thinking_delta","thinking":`, piece, pad)
	case b.IsCall():
		return appendDelta(dst, index, `"input_json_delta","partial_json":`, piece, pad)
	}
	return AppendTextDelta(dst, index, piece, pad)
}

// AppendSignatureDelta appends the event that ends the thinking block at index.
func AppendSignatureDelta(dst []byte, m *Message, index, pad int) []byte {
	return appendDelta(dst, index, `"signature_delta","signature":`, m.Blocks[index].Signature, pad)
}

// AppendCitationDelta appends the event that carries a citation of the text block at index.
func AppendCitationDelta(dst []byte, m *Message, index, citation, pad int) []byte {
	dst = appendDeltaHead(dst, index)
	dst = append(dst, `"citations_delta","citation":`...)
	dst = m.Blocks[index].Citations[citation].append(dst)
	return appendEnd(append(dst, '}'), pad)
}

func appendDelta(dst []byte, index int, kind, piece string, pad int) []byte {
	dst = appendDeltaHead(dst, index)
	dst = append(dst, kind...)
	dst = appendString(dst, piece)
	return appendEnd(append(dst, '}'), pad)
}

func appendDeltaHead(dst []byte, index int) []byte {
	dst = append(dst, "event: content_block_delta\ndata: "+`{"type":"content_block_delta","index":`...)
	dst = strconv.AppendInt(dst, int64(index), 10)
	return append(dst, `,"delta":{"type":`...)
}
