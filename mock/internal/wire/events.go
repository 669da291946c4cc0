package wire

import "strconv"

// AppendMessage appends the body of a non-streamed answer.
func AppendMessage(dst []byte, m *Message) []byte {
	dst = appendHead(dst, m)
	dst = append(dst, `"content":[`...)
	for i := range m.Blocks {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendBlock(dst, m, i)
	}
	dst = append(dst, `],`...)
	dst = appendStop(dst, m, m.StopReason, m.StopSequence)
	dst = append(dst, `,"usage":`...)
	dst = appendUsage(dst, m, max(m.Usage.Output, 1), m.Generation == Newer)
	return append(dst, '}')
}

// AppendMessageStart appends the event that opens a stream: the message without its content, and
// with a small first output count. Like all Append functions with a pad it puts so many spaces,
// 0 to 15, before the last brace of the data line, as the API does.
func AppendMessageStart(dst []byte, m *Message, pad int) []byte {
	dst = append(dst, "event: message_start\ndata: "+`{"type":"message_start","message":`...)
	dst = appendHead(dst, m)
	dst = append(dst, `"content":[],`...)
	dst = appendStop(dst, m, "", "")
	dst = append(dst, `,"usage":`...)
	dst = appendUsage(dst, m, max(min(m.Usage.First, m.Usage.Output), 1), false)
	dst = append(dst, '}')
	return appendEnd(dst, pad)
}

// AppendBlockStart appends the event that opens the block at index, which is still empty
// unless it has no deltas.
func AppendBlockStart(dst []byte, m *Message, index, pad int) []byte {
	dst = append(dst, "event: content_block_start\ndata: "+`{"type":"content_block_start","index":`...)
	dst = strconv.AppendInt(dst, int64(index), 10)
	dst = append(dst, `,"content_block":`...)
	dst = appendOpening(dst, m, index)
	return appendEnd(dst, pad)
}

// AppendBlockStop appends the event that closes the block at index.
func AppendBlockStop(dst []byte, index, pad int) []byte {
	dst = append(dst, "event: content_block_stop\ndata: "+`{"type":"content_block_stop","index":`...)
	dst = strconv.AppendInt(dst, int64(index), 10)
	return appendEnd(dst, pad)
}

// AppendPing appends a ping: the one event with a space after its colon and without padding.
func AppendPing(dst []byte) []byte {
	return append(dst, "event: ping\ndata: "+`{"type": "ping"}`+"\n\n"...)
}

// AppendMessageDelta appends the event that says why the message stopped and what it cost.
func AppendMessageDelta(dst []byte, m *Message, pad int) []byte {
	dst = append(dst, "event: message_delta\ndata: "+`{"type":"message_delta","delta":{`...)
	dst = appendStop(dst, m, m.StopReason, m.StopSequence)
	dst = append(dst, `},"usage":{`...)
	if m.Generation == Newer {
		dst = appendInputs(dst, &m.Usage)
		dst = append(dst, ',')
	}
	dst = appendNumber(dst, `"output_tokens":`, max(m.Usage.Output, 1))
	if m.Generation == Newer {
		dst = appendDetails(dst, &m.Usage)
	}
	dst = append(dst, '}')
	return appendEnd(dst, pad)
}

// AppendMessageStop appends the event that ends a stream.
func AppendMessageStop(dst []byte, pad int) []byte {
	dst = append(dst, "event: message_stop\ndata: "+`{"type":"message_stop"`...)
	return appendEnd(dst, pad)
}

// AppendErrorEvent appends an error in the middle of a stream, after which the body ends. The
// requestID is the one of the response's header.
func AppendErrorEvent(dst []byte, errorType, message, requestID string, pad int) []byte {
	dst = append(dst, "event: error\ndata: "+`{"type":"error","error":{"details":null,"type":`...)
	dst = appendString(dst, errorType)
	dst = append(dst, `,"message":`...)
	dst = appendString(dst, message)
	dst = append(dst, `},"request_id":`...)
	dst = appendString(dst, requestID)
	return appendEnd(dst, pad)
}

// AppendCount appends the answer of count_tokens.
func AppendCount(dst []byte, n int) []byte {
	return append(appendNumber(dst, `{"input_tokens":`, n), '}')
}

// appendHead appends an open message up to its content.
func appendHead(dst []byte, m *Message) []byte {
	dst = append(dst, `{"model":`...)
	dst = appendString(dst, m.Model)
	dst = append(dst, `,"id":`...)
	dst = appendString(dst, m.ID)
	return append(dst, `,"type":"message","role":"assistant",`...)
}

func appendStop(dst []byte, m *Message, reason, sequence string) []byte {
	dst = append(dst, `"stop_reason":`...)
	dst = appendStringOrNull(dst, reason)
	dst = append(dst, `,"stop_sequence":`...)
	dst = appendStringOrNull(dst, sequence)
	switch {
	case m.Generation != Newer:
	case m.Refusal == nil || reason == "":
		dst = append(dst, `,"stop_details":null`...)
	default:
		dst = append(dst, `,"stop_details":{"type":"refusal","category":`...)
		dst = appendStringOrNull(dst, m.Refusal.Category)
		dst = append(dst, `,"explanation":`...)
		dst = appendStringOrNull(dst, m.Refusal.Explanation)
		dst = append(dst, '}')
	}
	return dst
}

func appendUsage(dst []byte, m *Message, output int, details bool) []byte {
	u := &m.Usage
	dst = append(dst, '{')
	dst = appendInputs(dst, u)
	dst = appendNumber(dst, `,"cache_creation":{"ephemeral_5m_input_tokens":`, u.CacheCreation5m)
	dst = appendNumber(dst, `,"ephemeral_1h_input_tokens":`, u.CacheCreation1h)
	dst = appendNumber(dst, `},"output_tokens":`, output)
	if details {
		dst = appendDetails(dst, u)
	}
	tier := u.ServiceTier
	if tier == "" {
		tier = "standard"
	}
	dst = append(dst, `,"service_tier":`...)
	dst = appendString(dst, tier)
	geo := u.InferenceGeo
	if geo == "" {
		geo = m.Generation.InferenceGeo()
	}
	dst = append(dst, `,"inference_geo":`...)
	dst = appendString(dst, geo)
	return append(dst, '}')
}

func appendInputs(dst []byte, u *Usage) []byte {
	dst = appendNumber(dst, `"input_tokens":`, u.Input)
	dst = appendNumber(dst, `,"cache_creation_input_tokens":`, u.CacheCreation)
	return appendNumber(dst, `,"cache_read_input_tokens":`, u.CacheRead)
}

func appendDetails(dst []byte, u *Usage) []byte {
	dst = appendNumber(dst, `,"output_tokens_details":{"thinking_tokens":`, u.Thinking)
	dst = append(dst, '}')
	if !u.ServerTools {
		return dst
	}
	dst = appendNumber(dst, `,"server_tool_use":{"web_search_requests":`, u.WebSearches)
	dst = appendNumber(dst, `,"web_fetch_requests":`, u.WebFetches)
	return append(dst, '}')
}

func appendNumber(dst []byte, key string, n int) []byte {
	return strconv.AppendInt(append(dst, key...), int64(n), 10)
}

// appendEnd closes the data line's object and ends the event.
func appendEnd(dst []byte, pad int) []byte {
	const spaces = "               "
	dst = append(dst, spaces[:pad]...)
	return append(dst, "}\n\n"...)
}
