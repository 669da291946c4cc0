package scenario

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	maxSize  = 1 << 20 // bytes of a file
	maxDepth = 24      // levels of nesting
	// maxIndent bounds block nesting, for each level stands further right than the one around it.
	maxIndent = 100
	// The parser's time grows with the square of a map's keys.
	maxKeys   = 10_000
	maxTokens = 100_000
)

// read parses a file into nodes. What the YAML library can't be trusted with (size, depth, odd
// bytes) is refused before. The result is nil when there is nothing to go on with.
func read(r *report, file string, text []byte) *node {
	return readAs(r, file, text, documentWords{what: "a scenario file", empty: "the file is empty", start: "start with `orrery: 1` and `name:`"})
}

// documentWords are how problems speak of a text.
type documentWords struct{ what, empty, start string }

func readAs(r *report, file string, text []byte, say documentWords) *node {
	src := newSource(file, "")
	refuse := func(line, col int, hint, format string, args ...any) *node {
		r.problems = append(r.problems, src.problem(line, col, fmt.Sprintf(format, args...), hint))
		return nil
	}
	if len(text) > maxSize {
		return refuse(1, 1, "long replies belong into fixtures", "the file has %d bytes; the most is %d", len(text), maxSize)
	}
	plain := strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n")
	src = newSource(file, strings.ToValidUTF8(plain, "\ufffd"))
	for i, line := range strings.Split(plain, "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		switch tab := strings.IndexByte(indent, '\t'); {
		case !utf8.ValidString(line):
			return refuse(i+1, firstBadRune(line), "save the file as UTF-8", "this byte is not UTF-8")
		case strings.IndexFunc(line, isControl) >= 0:
			at := strings.IndexFunc(line, isControl)
			return refuse(i+1, utf8.RuneCountInString(line[:at])+1, "remove it", "a control character (%U) stands here", []rune(line[at:])[0])
		case tab >= 0 && strings.TrimSpace(line) != "":
			return refuse(i+1, tab+1, "indent with spaces", "a tab stands in the indentation")
		}
	}
	tokens := lexer.Tokenize(plain)
	if t := tooMany(tokens); t != nil {
		return refuse(t.Position.Line, t.Position.Column, "split the file; `extends` joins files", "the file has more than %d keys or %d words", maxKeys, maxTokens)
	}
	if t := tooDeep(tokens); t != nil {
		return refuse(t.Position.Line, t.Position.Column, "", "this is nested more than %d levels deep", maxDepth)
	}
	doc, problem := parse(src, tokens)
	if problem != nil {
		r.problems = append(r.problems, *problem)
		return nil
	}
	if doc == nil {
		return refuse(1, 1, say.start, "%s", say.empty)
	}
	p := &planter{report: r, src: src, anchors: map[string]*node{}}
	root := p.plant(doc)
	if root.kind != mapping && !root.poisoned() {
		r.at(root, say.start, "%s is a map of keys, this is %s", say.what, root.kind)
		return nil
	}
	return root
}

// parse has the tokens parsed and returns the one document's body, nil when it is empty.
func parse(src *source, tokens token.Tokens) (body ast.Node, problem *Problem) {
	fail := func(t *token.Token, hint, message string) *Problem {
		line, col := 1, 1
		if t != nil && t.Position != nil {
			line, col = t.Position.Line, t.Position.Column
		}
		p := src.problem(line, col, message, hint)
		return &p
	}
	// The library panics on some broken files.
	defer func() {
		if recover() != nil {
			body, problem = nil, fail(nil, "", "this is not valid YAML")
		}
	}()
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var syntax interface {
			GetToken() *token.Token
			GetMessage() string
		}
		if errors.As(err, &syntax) {
			return nil, fail(syntax.GetToken(), syntaxHint(syntax.GetMessage(), src, syntax.GetToken()), "not valid YAML: "+syntax.GetMessage())
		}
		return nil, fail(nil, "", "not valid YAML: "+err.Error())
	}
	for _, doc := range file.Docs {
		switch doc.Body.(type) {
		case nil, *ast.CommentGroupNode:
			continue
		case *ast.DirectiveNode:
			return nil, fail(doc.Body.GetToken(), "remove the line", "YAML directives (%) have no meaning here")
		}
		if body != nil {
			at := doc.Start
			if at == nil {
				at = doc.Body.GetToken()
			}
			return nil, fail(at, "put each scenario into a file of its own", "a second document starts here")
		}
		body = doc.Body
	}
	return body, nil
}

func syntaxHint(message string, src *source, at *token.Token) string {
	line := ""
	if at != nil && at.Position != nil {
		line = src.line(at.Position.Line)
	}
	switch {
	case strings.Contains(line, ": !"):
		return "a value that starts with `!` needs quotes; in a condition write `not stream`"
	case strings.Contains(line, "${"):
		return "text with ${…} in it needs quotes inside { }"
	case strings.Contains(message, "mapping value is not allowed"), strings.Contains(message, "non-map value"), strings.Contains(message, "unexpected key name"), strings.Contains(message, "not allowed in this context"):
		return "check the indentation; text with `: `, `{` or `#` in it needs quotes"
	case strings.Contains(message, "reserved character"):
		return "text that starts with `@` or a backtick needs quotes"
	case strings.Contains(message, "must be specified"), strings.Contains(message, "could not find"):
		return "something opened here is never closed: `{`, `[`, or a comma is missing"
	}
	return ""
}

func isControl(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == 0x7f }

func firstBadRune(line string) int {
	n := 1
	for i, r := range line {
		if r == utf8.RuneError && !strings.HasPrefix(line[i:], "\ufffd") {
			return n
		}
		n++
	}
	return n
}

// tooMany returns the token at which a file becomes too much for the parser.
func tooMany(tokens token.Tokens) *token.Token {
	keys := 0
	for i, t := range tokens {
		if t.Type == token.MappingValueType {
			keys++
		}
		if (keys > maxKeys || i > maxTokens) && t.Position != nil {
			return t
		}
	}
	return nil
}

// tooDeep returns the first token that is nested too deeply for the parser, which recurses.
func tooDeep(tokens token.Tokens) *token.Token {
	brackets, line, opened := 0, 0, 0
	block := false // the token before opened a block of text, whose position is no indentation
	for _, t := range tokens {
		text := block
		block = t.Type == token.FoldedType || t.Type == token.LiteralType
		if t.Position == nil {
			continue
		}
		if t.Position.Line != line {
			line, opened = t.Position.Line, 0
			if t.Position.Column > maxIndent && brackets == 0 && t.Type != token.CommentType && !text {
				return t
			}
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			brackets++
		case token.MappingEndType, token.SequenceEndType:
			brackets = max(0, brackets-1)
		case token.SequenceEntryType, token.MappingKeyType, token.AnchorType, token.TagType, token.AliasType, token.DirectiveType:
			opened++
		}
		if brackets > maxDepth || opened > maxDepth {
			return t
		}
	}
	return nil
}
