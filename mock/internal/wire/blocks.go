package wire

import "encoding/json"

// appendBlock appends the block at index whole, as a body shows it.
func appendBlock(dst []byte, m *Message, index int) []byte {
	b := &m.Blocks[index]
	switch {
	case b.Raw != nil:
		return append(dst, b.Raw...)
	case b.Type == "thinking":
		dst = append(dst, `{"type":"thinking","thinking":`...)
		dst = appendString(dst, b.Text)
		dst = append(dst, `,"signature":`...)
		dst = appendString(dst, b.Signature)
		return append(dst, '}')
	case b.Type == "redacted_thinking":
		return appendRedacted(dst, b)
	case b.IsCall():
		dst = appendCall(dst, b)
		start := len(dst)
		dst = appendInput(dst, b.Text)
		if b.Pieces != nil && !json.Valid(dst[start:]) {
			dst = append(dst[:start], '{', '}')
		}
		return appendCaller(dst, m)
	}
	dst = appendTextHead(dst, b, b.Text)
	if len(b.Citations) > 0 {
		dst = append(dst, `,"citations":[`...)
		for i := range b.Citations {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = b.Citations[i].append(dst)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// appendOpening appends the block at index as content_block_start shows it: empty, but for what
// has no deltas.
func appendOpening(dst []byte, m *Message, index int) []byte {
	b := &m.Blocks[index]
	switch {
	case b.Raw != nil:
		return append(dst, b.Raw...)
	case b.Type == "thinking":
		return append(dst, `{"type":"thinking","thinking":"","signature":""}`...)
	case b.Type == "redacted_thinking":
		return appendRedacted(dst, b)
	case b.IsCall():
		dst = append(appendCall(dst, b), `{}`...)
		return appendCaller(dst, m)
	}
	dst = appendTextHead(dst, b, "")
	if len(b.Citations) > 0 {
		dst = append(dst, `,"citations":[]`...)
	}
	return append(dst, '}')
}

// IsCall reports whether the block calls a tool, so that its text is the tool's input.
func (b *Block) IsCall() bool { return b.Type == "tool_use" || b.Type == "server_tool_use" }

// Deltas reports whether content_block_delta events follow the block's start.
func (b *Block) Deltas() bool { return b.Raw == nil && b.Type != "redacted_thinking" }

func appendTextHead(dst []byte, b *Block, text string) []byte {
	dst = append(dst, `{"type":`...)
	dst = appendString(dst, b.Type)
	dst = append(dst, `,"text":`...)
	return appendString(dst, text)
}

func appendRedacted(dst []byte, b *Block) []byte {
	dst = append(dst, `{"type":"redacted_thinking","data":`...)
	dst = appendString(dst, b.Signature)
	return append(dst, '}')
}

func appendCall(dst []byte, b *Block) []byte {
	dst = append(dst, `{"type":`...)
	dst = appendString(dst, b.Type)
	dst = append(dst, `,"id":`...)
	dst = appendString(dst, b.ID)
	dst = append(dst, `,"name":`...)
	dst = appendString(dst, b.Name)
	return append(dst, `,"input":`...)
}

func appendCaller(dst []byte, m *Message) []byte {
	if m.Generation == Newer {
		dst = append(dst, `,"caller":{"type":"direct"}`...)
	}
	return append(dst, '}')
}

// appendInput appends a tool's input, which is an object, as compact JSON. Of one that was cut off
// it takes what is surely whole: the members that another follows.
func appendInput(dst []byte, text string) []byte {
	start := len(dst)
	whole := start // up to here all is well, once what is open is closed
	var open []byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '"':
			n := stringLen(text[i:])
			dst = append(dst, text[i:i+n]...)
			i += n - 1
			continue
		case ',':
			whole = len(dst)
		}
		dst = append(dst, c)
		switch c {
		case '{', '[':
			open = append(open, c+2) // the bracket that closes it
			whole = len(dst)
		case '}', ']':
			open = open[:max(len(open)-1, 0)]
			whole = len(dst)
		}
	}
	dst = dst[:whole]
	for i := len(open) - 1; i >= 0; i-- {
		dst = append(dst, open[i])
	}
	if len(dst) == start {
		return append(dst, '{', '}')
	}
	return dst
}

// stringLen is the length of the JSON string that s begins with, or of s if it doesn't end.
func stringLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}
