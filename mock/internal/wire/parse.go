package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how many arrays and objects may lie in one another.
const maxDepth = 200

// parser makes Values out of bytes. It keeps its working memory from one body to the next.
type parser struct {
	input bytes.Buffer
	json  *jsontext.Decoder
	text  string   // the body, which texts without escapes are cut out of
	open  []Member // the members read so far of all containers that aren't closed yet
	peak  int      // the most that open has held for this body
}

// parsers hands out parsers; it is safe for concurrent use.
type parsers struct{ pool sync.Pool }

// parse reads one JSON value that fills body but for white space.
func (ps *parsers) parse(body []byte) (Value, error) {
	p, _ := ps.pool.Get().(*parser)
	if p == nil {
		p = &parser{json: new(jsontext.Decoder)}
	}
	p.text = string(body)
	p.input = *bytes.NewBuffer(body)
	p.json.Reset(&p.input)
	v, err := p.value(0)
	if err == nil {
		err = p.end()
	}
	clear(p.open[:p.peak]) // A pooled parser mustn't hold on to a body.
	p.open, p.peak, p.text, p.input = p.open[:0], 0, "", bytes.Buffer{}
	if cap(p.open) > 1<<10 {
		p.open = nil
	}
	p.json.Reset(&p.input)
	ps.pool.Put(p)
	return v, err
}

func (p *parser) value(depth int) (Value, error) {
	switch kind := p.json.PeekKind(); kind {
	case jsontext.KindBeginArray, jsontext.KindBeginObject:
		return p.container(kind, depth)
	default:
		raw, err := p.json.ReadValue()
		if err != nil {
			return Value{}, err
		}
		switch kind {
		case jsontext.KindNull:
			return Value{}, nil
		case jsontext.KindTrue:
			return Value{kind: Bool, text: "true"}, nil
		case jsontext.KindFalse:
			return Value{kind: Bool, text: "false"}, nil
		case jsontext.KindNumber:
			return Value{kind: Number, text: p.spelling(len(raw))}, nil
		}
		return Value{kind: String, text: p.decoded(raw)}, nil
	}
}

func (p *parser) container(kind jsontext.Kind, depth int) (Value, error) {
	if depth == maxDepth {
		return Value{}, fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	if _, err := p.json.ReadToken(); err != nil {
		return Value{}, err
	}
	v, end := Value{kind: Array}, jsontext.KindEndArray
	if kind == jsontext.KindBeginObject {
		v.kind, end = Object, jsontext.KindEndObject
	}
	base := len(p.open)
	for p.json.PeekKind() != end {
		var m Member
		var err error
		if v.kind == Object {
			raw, err := p.json.ReadValue()
			if err != nil {
				return Value{}, err
			}
			m.Name = p.decoded(raw)
		}
		if m.Value, err = p.value(depth + 1); err != nil {
			return Value{}, err
		}
		p.open = append(p.open, m)
		p.peak = max(p.peak, len(p.open))
	}
	_, err := p.json.ReadToken()
	v.items = append([]Member(nil), p.open[base:]...)
	p.open = p.open[:base]
	return v, err
}

// spelling returns the last n bytes read.
func (p *parser) spelling(n int) string {
	end := int(p.json.InputOffset())
	return p.text[end-n : end]
}

// decoded returns what the JSON string just read says.
func (p *parser) decoded(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		text := p.spelling(len(raw))
		return text[1 : len(text)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, raw) // The decoder has checked it.
	return string(text)
}

// end makes sure that nothing but white space follows.
func (p *parser) end() error {
	_, err := p.json.ReadToken()
	switch {
	case err == io.EOF:
		return nil
	case err == nil:
		return &jsontext.SyntacticError{ByteOffset: p.json.InputOffset() - 1, Err: errors.New("unexpected content after document")}
	}
	return err
}

// explain words a parsing error as the API does: what, and where, counted in characters.
func explain(body []byte, err error) string {
	var at *jsontext.SyntacticError
	if !errors.As(err, &at) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return "unexpected end of data" + place(body, len(body))
		}
		return err.Error()
	}
	offset := min(max(int(at.ByteOffset), 0), len(body))
	what := at.Err.Error()
	switch {
	case errors.Is(at.Err, io.ErrUnexpectedEOF):
		what, offset = "unexpected end of data", len(body)
	case errors.Is(at.Err, jsontext.ErrDuplicateName):
		what = fmt.Sprintf("duplicate name %q in an object", at.JSONPointer.LastToken())
	case strings.Contains(what, "surrogate"):
		what = "no low surrogate in string"
	}
	return what + place(body, offset)
}

func place(body []byte, offset int) string {
	before := body[:offset]
	line := bytes.Count(before, []byte{'\n'}) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf(": line %d column %d (char %d)", line, column, utf8.RuneCount(before))
}
