package wire

// Citation says where a piece of a text block comes from.
type Citation struct {
	// Type is char_location, page_location, content_block_location, search_result_location or
	// web_search_result_location.
	Type string
	// After is how many of the block's tokens come before it in a stream.
	After int
	// Cited is the text that is quoted; Title the source's, "" is written as null.
	Cited, Title string
	// Index is the number of the document or search result in the request, from 0.
	Index int
	// Start and End are characters, pages (from 1) or blocks; End is behind the last.
	Start, End int
	// Source is a search result's source, or a web search result's address.
	Source string
	// FileID is the file that a document is; "" is written as null.
	FileID string
	// Encrypted is a web search result's encrypted_index.
	Encrypted string
}

func (c *Citation) append(dst []byte) []byte {
	dst = append(dst, `{"type":`...)
	dst = appendString(dst, c.Type)
	dst = append(dst, `,"cited_text":`...)
	dst = appendString(dst, c.Cited)
	switch c.Type {
	case "web_search_result_location":
		dst = append(dst, `,"url":`...)
		dst = appendString(dst, c.Source)
		dst = append(dst, `,"title":`...)
		dst = appendStringOrNull(dst, c.Title)
		dst = append(dst, `,"encrypted_index":`...)
		dst = appendString(dst, c.Encrypted)
	case "search_result_location":
		dst = append(dst, `,"source":`...)
		dst = appendString(dst, c.Source)
		dst = append(dst, `,"title":`...)
		dst = appendStringOrNull(dst, c.Title)
		dst = appendNumber(dst, `,"search_result_index":`, c.Index)
		dst = c.span(dst, `,"start_block_index":`, `,"end_block_index":`)
	default:
		dst = appendNumber(dst, `,"document_index":`, c.Index)
		dst = append(dst, `,"document_title":`...)
		dst = appendStringOrNull(dst, c.Title)
		switch c.Type {
		case "page_location":
			dst = c.span(dst, `,"start_page_number":`, `,"end_page_number":`)
		case "content_block_location":
			dst = c.span(dst, `,"start_block_index":`, `,"end_block_index":`)
		default:
			dst = c.span(dst, `,"start_char_index":`, `,"end_char_index":`)
		}
		dst = append(dst, `,"file_id":`...)
		dst = appendStringOrNull(dst, c.FileID)
	}
	return append(dst, '}')
}

func (c *Citation) span(dst []byte, start, end string) []byte {
	return appendNumber(appendNumber(dst, start, c.Start), end, c.End)
}
