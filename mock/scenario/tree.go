package scenario

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// kind is what a node of a file is.
type kind int

const (
	nothing kind = iota // no value, or null
	boolean
	number
	words
	mapping
	list
)

func (k kind) String() string {
	return [...]string{"empty", "true or false", "a number", "text", "a map", "a list"}[k]
}

// node is one value of a file with its place; trees of nodes are merged before they are decoded.
type node struct {
	kind      kind
	src       *source
	line, col int
	text      string // a scalar as it is written, without quotes
	plain     bool   // a scalar without quotes
	pairs     []pair
	items     []*node
	// hurt: a key of this map was refused, so what seems to be missing may just be misspelt.
	hurt bool
}

type pair struct {
	key, value *node
}

// child returns the value under a key; nil when there is none.
func (n *node) child(key string) *node {
	if n == nil {
		return nil
	}
	for _, p := range n.pairs {
		if p.key.text == key {
			return p.value
		}
	}
	return nil
}

// planter turns the YAML library's tree into nodes.
type planter struct {
	*report
	src     *source
	anchors map[string]*node
}

func (p *planter) node(k kind, t *token.Token) *node {
	n := &node{kind: k, src: p.src, line: 1, col: 1}
	if t != nil && t.Position != nil {
		n.line, n.col = t.Position.Line, t.Position.Column
	}
	return n
}

func (p *planter) scalar(k kind, t *token.Token) *node {
	n := p.node(k, t)
	n.text = t.Value
	n.plain = t.Type != token.SingleQuoteType && t.Type != token.DoubleQuoteType
	return n
}

func (p *planter) plant(n ast.Node) *node {
	switch n := n.(type) {
	case nil:
		return p.node(nothing, nil)
	case *ast.NullNode:
		return p.scalar(nothing, n.Token)
	case *ast.BoolNode:
		return p.scalar(boolean, n.Token)
	case *ast.IntegerNode:
		return p.scalar(number, n.Token)
	case *ast.FloatNode:
		return p.scalar(number, n.Token)
	case *ast.StringNode:
		return p.scalar(words, n.Token)
	case *ast.InfinityNode:
		return p.scalar(words, n.Token)
	case *ast.NanNode:
		return p.scalar(words, n.Token)
	case *ast.LiteralNode:
		t := p.node(words, n.Start)
		t.text = n.Value.Value
		return t
	case *ast.MappingNode:
		return p.mapping(n.Start, n.IsFlowStyle, n.Values)
	case *ast.MappingValueNode:
		return p.mapping(n.Key.GetToken(), false, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		l := p.node(list, n.Start)
		for _, v := range n.Values {
			l.items = append(l.items, p.plant(v))
		}
		return l
	case *ast.AnchorNode:
		return p.anchor(n)
	case *ast.AliasNode:
		return p.alias(n)
	case *ast.TagNode:
		t := p.node(words, n.Start)
		p.at(t, tagHint(p.src.rest(t.line, t.col)), "%s is a YAML tag, and tags have no meaning here", n.Start.Value)
		return p.poisoned(t)
	default:
		t := p.node(words, n.GetToken())
		p.at(t, "", "this kind of YAML (%s) has no meaning here", strings.ToLower(n.Type().YAMLName()))
		return p.poisoned(t)
	}
}

// poisoned stands for a value that a problem was already reported for: nothing more is said about it.
func (p *planter) poisoned(n *node) *node {
	n.kind = -1
	return n
}

func (n *node) poisoned() bool { return n.kind < 0 }

// tagHint helps with `when: !stream`, which YAML reads as a tag.
func tagHint(rest string) string {
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "!!") || strings.ContainsAny(rest, ",}]#") {
		return "remove it, or put the value in quotes"
	}
	return fmt.Sprintf("quote it: %q", rest)
}

func (p *planter) mapping(start *token.Token, flow bool, values []*ast.MappingValueNode) *node {
	m := p.node(mapping, start)
	if !flow && len(values) > 0 {
		m = p.node(mapping, values[0].Key.GetToken())
	}
	seen := map[string]*node{}
	for _, v := range values {
		key := p.key(v.Key)
		if key == nil {
			m.hurt = true
			continue
		}
		if first := seen[key.text]; first != nil {
			p.at(key, "keep one of the two", "%s is given twice; the first is in line %d", quote(key.text), first.line)
			continue
		}
		seen[key.text] = key
		value := p.plant(v.Value)
		if value.kind == nothing && value.text == "" {
			value.line, value.col = key.line, key.col
		}
		m.hurt = m.hurt || value.poisoned()
		m.pairs = append(m.pairs, pair{key, value})
	}
	return m
}

func (p *planter) key(n ast.MapKeyNode) *node {
	t := n.GetToken()
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return p.scalar(words, t)
	case *ast.MergeKeyNode:
		p.at(p.node(words, t), "write the keys out, or inherit them with `extends`", "merge keys (<<) are not read")
	default:
		p.at(p.node(words, t), "a key is a plain word", "this can't be a key")
	}
	return nil
}

func (p *planter) anchor(n *ast.AnchorNode) *node {
	value := p.plant(n.Value)
	name := n.Name.GetToken().Value
	if value.kind == mapping || value.kind == list {
		p.at(p.node(words, n.Start), "repeat the value, or use `like` or `extends`", "&%s names a whole block; only single values can be named", name)
		p.poisoned(value)
	}
	p.anchors[name] = value
	return value
}

func (p *planter) alias(n *ast.AliasNode) *node {
	at := p.node(words, n.Start)
	t := n.Value.GetToken()
	value := p.anchors[t.Value]
	if value == nil {
		p.at(at, "text that starts with * needs quotes", "*%s stands for nothing: there is no &%s before it", t.Value, t.Value)
		return p.poisoned(at)
	}
	same := *value
	same.line, same.col = at.line, at.col
	return &same
}

// rest is a line's text from a column on.
func (s *source) rest(line, col int) string {
	r := []rune(s.line(line))
	if col < 1 || col > len(r) {
		return ""
	}
	return string(r[col-1:])
}

// quote shows a word of the file inside a message, cut when it is long.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
