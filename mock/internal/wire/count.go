package wire

// What a request costs in tokens, beside those of its texts. The API's own counts can't be known
// without its tokenizer; these make a lone "hi" come to 8, as it does there.
const (
	perRequest  = 3
	perMessage  = 4
	perImage    = 1600 // the most; and for one whose size isn't known
	perDocument = 1500 // one whose text isn't known, such as an address; a page of a PDF
)

// The size of an image in tokens (imageTokens).
const (
	longEdge       = 1568 // pixels
	pixelsPerToken = 750
)

// counter reads the messages and counts as it goes. The rule for input tokens, the same for usage
// and for count_tokens, is the sum of
//
//   - 3 for the request, and 4 for each message;
//   - the tokens (CountTokens) of every text: system prompt, text blocks, thinking, tool results,
//     search results with their source and title, and documents given as text or content;
//   - the tokens of compact JSON: each tool's definition, and of a tool_use its name and input,
//     and the content of a server tool's result;
//   - for each image that lies in the request, width times height in pixels over 750, after scaling
//     it down to 1,568 pixels on its longer side; at most, and for any other, 1,600;
//   - for each PDF that lies in the request 1,500 a page; for any other document 1,500;
//   - a file counts as if it lay in the request.
type counter struct {
	scope  *scope
	tokens int
	blocks BlockCounts
	buf    []byte

	fileTexts map[string]string // by the file's id
}

func (c *counter) text(s string) { c.tokens += CountTokens(s) }

// json counts a value as compact JSON, and returns that.
func (c *counter) json(v *Value) string {
	c.buf = v.Append(c.buf[:0])
	s := string(c.buf)
	c.text(s)
	return s
}

func (c *counter) turns(messages *Value) []Turn {
	list := messages.Members()
	n := 0
	for i := range list {
		n += max(1, len(list[i].Value.Get("content").Members()))
	}
	all := make([]Content, 0, n) // of every turn, so that there is one allocation for them
	turns := make([]Turn, len(list))
	for i := range list {
		c.tokens += perMessage
		start := len(all)
		switch content := list[i].Value.Get("content"); content.Kind() {
		case String:
			c.blocks.Text++
			c.text(content.text)
			all = append(all, Content{Type: "text", Text: content.text})
		case Array:
			for j := range content.items {
				all = append(all, c.block(&content.items[j].Value))
			}
		}
		turns[i] = Turn{Role: list[i].Value.Get("role").Text(), Content: all[start:len(all):len(all)]}
	}
	return turns
}

func (c *counter) block(v *Value) Content {
	content := Content{Type: v.Get("type").Text()}
	switch content.Type {
	case "text":
		c.blocks.Text++
		content.Text = v.Get("text").Text()
		c.text(content.Text)
	case "image":
		c.blocks.Image++
		c.tokens += c.image(v.Get("source"))
	case "document":
		c.blocks.Document++
		content.Text = c.document(v.Get("source"))
	case "search_result":
		c.blocks.SearchResult++
		c.text(v.Get("source").Text())
		c.text(v.Get("title").Text())
		content.Text = c.inner(v.Get("content"))
	case "tool_use", "server_tool_use":
		c.blocks.ToolUse++
		content.ID, content.Name = v.Get("id").Text(), v.Get("name").Text()
		c.text(content.Name)
		content.Input = c.json(v.Get("input"))
	case "tool_result":
		c.blocks.ToolResult++
		content.ID = v.Get("tool_use_id").Text()
		content.Text = c.inner(v.Get("content"))
	case "thinking":
		c.blocks.Thinking++
		content.Text = v.Get("thinking").Text()
		c.text(content.Text)
	case "redacted_thinking":
		c.blocks.Thinking++
	default:
		if result := v.Get("content"); result != nil {
			content.ID = v.Get("tool_use_id").Text()
			c.json(result)
		}
	}
	return content
}

func (c *counter) document(source *Value) string {
	switch source.Get("type").Text() {
	case "text":
		text := source.Get("data").Text()
		c.text(text)
		return text
	case "content":
		return c.inner(source.Get("content"))
	case "file":
		return c.file(source)
	}
	pages := 1
	if source.Get("media_type").Text() == "application/pdf" {
		pages = max(c.scope.look(source, false).pages, 1)
	}
	c.tokens += pages * perDocument
	return ""
}

func (c *counter) file(source *Value) string {
	m, _ := c.scope.lookAtFile(source, false)
	if m.said != "text/plain" {
		c.tokens += max(m.pages, 1) * perDocument
		return ""
	}
	if c.fileTexts == nil {
		c.fileTexts = map[string]string{}
	}
	c.fileTexts[source.Get("file_id").Text()] = m.text
	c.text(m.text)
	return m.text
}

func (c *counter) image(source *Value) int {
	switch source.Get("type").Text() {
	case "base64":
	case "file":
		m, _ := c.scope.lookAtFile(source, true)
		return imageTokens(m.width, m.height)
	default:
		return perImage
	}
	m := c.scope.look(source, false)
	return imageTokens(m.width, m.height)
}

// imageTokens is what an image of that many pixels counts; 0 for a size that isn't known.
func imageTokens(width, height int) int {
	long := max(width, height)
	if long == 0 {
		return perImage
	}
	if long > longEdge {
		width, height = max(width*longEdge/long, 1), max(height*longEdge/long, 1)
	}
	return min((width*height+pixelsPerToken-1)/pixelsPerToken, perImage)
}

// inner counts a content inside of a block and returns its text.
func (c *counter) inner(content *Value) string {
	if content.Kind() == String {
		c.text(content.text)
		return content.text
	}
	var joined lines
	for i := range content.Members() {
		block := c.block(&content.items[i].Value)
		if block.Type == "text" {
			joined.add(block.Text)
		}
	}
	return joined.String()
}
