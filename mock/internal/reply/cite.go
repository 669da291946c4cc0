package reply

import (
	"strings"
	"unicode/utf8"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// mostCited is how many sources an answer cites.
const mostCited = 4

// citations cites the documents and search results of the request that allow it. An own text of
// the scenario's cites nothing.
func (c *composer) citations() []wire.Citation {
	if c.Request.Blocks.Document+c.Request.Blocks.SearchResult == 0 || c.Spec.Own() || outputSchema(c.Request) != nil {
		return nil
	}
	s := sources{files: c.Request.FileTexts}
	for _, m := range elements(c.Request.Body.Get("messages")) {
		s.look(m.Get("content"))
	}
	return s.cited[:min(len(s.cited), mostCited)]
}

// sources numbers the documents and search results of a request.
type sources struct {
	documents, results int
	cited              []wire.Citation
	files              map[string]string // the texts of text files, by id
}

func (s *sources) look(content *wire.Value) {
	for _, block := range elements(content) {
		allowed := block.Get("citations").Get("enabled").Bool()
		switch block.Get("type").Text() {
		case "document":
			if allowed {
				s.document(block)
			}
			s.documents++
		case "search_result":
			if allowed {
				s.cited = append(s.cited, wire.Citation{
					Type: "search_result_location", Cited: textOf(block.Get("content")), Index: s.results, End: 1,
					Source: block.Get("source").Text(), Title: block.Get("title").Text(),
				})
			}
			s.results++
		case "tool_result":
			s.look(block.Get("content"))
		}
	}
}

func (s *sources) document(block *wire.Value) {
	cited := wire.Citation{Index: s.documents, Title: block.Get("title").Text()}
	source := block.Get("source")
	kind, text := source.Get("type").Text(), source.Get("data").Text()
	if kind == "file" {
		cited.FileID = source.Get("file_id").Text()
		var is bool
		if text, is = s.files[cited.FileID]; is {
			kind = "text"
		}
	}
	switch kind {
	case "text":
		cited.Type, cited.Cited = "char_location", sentence(text)
		cited.End = utf8.RuneCountInString(cited.Cited)
	case "content":
		cited.Type, cited.Cited, cited.End = "content_block_location", textOf(source.Get("content")), 1
	default: // a PDF, whose text isn't known
		cited.Type, cited.Cited, cited.Start, cited.End = "page_location", "Page 1", 1, 2
	}
	s.cited = append(s.cited, cited)
}

// textOf is a content's text, of several blocks the first one's.
func textOf(content *wire.Value) string {
	if content.Kind() == wire.String {
		return content.Text()
	}
	for _, block := range elements(content) {
		if t := block.Get("text"); t.Kind() == wire.String {
			return t.Text()
		}
	}
	return ""
}

// sentence is a text's first sentence, or the start of a long one.
func sentence(s string) string {
	const most = 300
	if i := strings.IndexAny(s, ".!?。\n"); i >= 0 && i < most {
		_, n := utf8.DecodeRuneInString(s[i:])
		return s[:i+n]
	}
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}

// citing cuts a text in two, the second of which cites: the first of its sources in its middle, the
// others at its end.
func citing(b wire.Block, cited []wire.Citation) []wire.Block {
	half := len(b.Ends) / 2
	for i := half; i > 0; i-- {
		if strings.ContainsRune(".!?。", lastRune(b.Span(0, i))) {
			half = i
			break
		}
	}
	rest := after(b, half)
	rest.Citations = cited
	for i := range cited {
		cited[i].After = len(rest.Ends)
	}
	cited[0].After = (len(rest.Ends) + 1) / 2
	if half == 0 {
		return []wire.Block{rest}
	}
	return []wire.Block{take(b, half), rest}
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
