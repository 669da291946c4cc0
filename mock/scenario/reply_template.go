package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	texttemplate "text/template"
	syntax "text/template/parse"
)

// maxRendered is how many bytes a reply's template may give.
const maxRendered = 1 << 20

// ReplyTemplate is a text with actions of Go's text/template over an [Asked]. The functions are
// upper, lower, trim, join, len, tokens and json, and no others.
type ReplyTemplate struct{ text *texttemplate.Template }

// Asked is what a reply's template sees of a request.
type Asked struct {
	Model, System string
	Text          string // of the last user turn
	Messages      []AskedMessage
	Tools         []string // their names
	MaxTokens     int
	Ordinal       uint64
	Stream        bool
}

// AskedMessage is one message of a request.
type AskedMessage struct {
	Role, Text string
}

// newReplyTemplate parses a template and tries it, so that a field that there isn't shows at once.
func newReplyTemplate(text string) (*ReplyTemplate, error) {
	t, err := texttemplate.New("reply").Funcs(replyFunctions(nil)).Parse(text)
	if err != nil {
		return nil, plainTemplateError(err)
	}
	if err := checkTemplate(t); err != nil {
		return nil, err
	}
	made := &ReplyTemplate{t}
	sample := Asked{Model: "m", Text: "t", Messages: []AskedMessage{{Role: "user", Text: "t"}}, Tools: []string{"f"}, MaxTokens: 1, Ordinal: 1}
	for _, asked := range []Asked{sample, {}} {
		if _, err := made.Render(asked, func(string) int { return 0 }); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// Render gives the reply's text; tokens counts the tokens of a text. It fails when the text gets
// longer than 1 MiB.
func (t *ReplyTemplate) Render(asked Asked, tokens func(string) int) (string, error) {
	own, err := t.text.Clone()
	if err != nil {
		return "", err
	}
	var b bounded
	if err := own.Funcs(replyFunctions(tokens)).Execute(&b, asked); err != nil {
		return "", plainTemplateError(err)
	}
	return b.String(), nil
}

func replyFunctions(tokens func(string) int) texttemplate.FuncMap {
	return texttemplate.FuncMap{
		"upper": strings.ToUpper, "lower": strings.ToLower, "trim": strings.TrimSpace,
		"join":   func(separator string, list []string) string { return strings.Join(list, separator) },
		"tokens": tokens,
		"json": func(v any) (string, error) {
			var b strings.Builder
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			err := e.Encode(v)
			return strings.TrimSuffix(b.String(), "\n"), err
		},
	}
}

// checkTemplate refuses the functions and templates that text/template has of its own: they could
// go on for ever.
func checkTemplate(t *texttemplate.Template) error {
	if len(t.Templates()) > 1 {
		return errors.New("it can't define other templates")
	}
	if t.Tree == nil {
		return nil
	}
	return checkNodes(t.Tree.Root, 0)
}

func checkNodes(n syntax.Node, loops int) error {
	branch := func(b *syntax.BranchNode, loops int) error {
		return errors.Join(checkNodes(b.Pipe, loops), checkNodes(b.List, loops), checkNodes(b.ElseList, loops))
	}
	switch n := n.(type) {
	case *syntax.ListNode:
		if n == nil {
			return nil
		}
		for _, one := range n.Nodes {
			if err := checkNodes(one, loops); err != nil {
				return err
			}
		}
	case *syntax.ActionNode:
		return checkNodes(n.Pipe, loops)
	case *syntax.PipeNode:
		for _, command := range n.Cmds {
			for _, arg := range command.Args {
				if err := checkNodes(arg, loops); err != nil {
					return err
				}
			}
		}
	case *syntax.ChainNode:
		return checkNodes(n.Node, loops)
	case *syntax.IdentifierNode:
		if _, own := replyFunctions(nil)[n.Ident]; !own && n.Ident != "len" {
			names := []string{"len"}
			for name := range replyFunctions(nil) {
				names = append(names, name)
			}
			slices.Sort(names)
			return fmt.Errorf("there is no function %s; there are %s", n.Ident, strings.Join(names, ", "))
		}
	case *syntax.IfNode:
		return branch(&n.BranchNode, loops)
	case *syntax.WithNode:
		return branch(&n.BranchNode, loops)
	case *syntax.RangeNode:
		if loops == 2 {
			return errors.New("it has more than two loops in one another")
		}
		return branch(&n.BranchNode, loops+1)
	case *syntax.TemplateNode:
		return errors.New("it can't call other templates")
	}
	return nil
}

// plainTemplateError leaves out the name that the template has among the program's.
func plainTemplateError(err error) error {
	var failed texttemplate.ExecError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	message := strings.Replace(err.Error(), `executing "reply" at `, "", 1)
	for _, prefix := range []string{"template: reply:", "template: "} {
		if rest, ok := strings.CutPrefix(message, prefix); ok {
			return fmt.Errorf("line %s", rest)
		}
	}
	return err
}

// bounded is a text of at most maxRendered bytes.
type bounded struct{ strings.Builder }

var errTooLong = fmt.Errorf("the reply is longer than %d bytes", maxRendered)

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxRendered {
		return 0, errTooLong
	}
	return b.Builder.Write(p)
}

var _ io.Writer = (*bounded)(nil)
