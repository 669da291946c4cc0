package scenario

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// flatten rewrites an expression before its types are checked: params.x becomes one name, which a
// map of facts gives without reflection, between(x, a, b) two comparisons, and a header's name is
// spelled as net/http keeps it.
type flatten struct{}

func (flatten) Visit(n *ast.Node) {
	switch node := (*n).(type) {
	case *ast.ChainNode:
		if name, ok := node.Node.(*ast.IdentifierNode); ok && group(name.Value) != "" {
			ast.Patch(n, &ast.IdentifierNode{Value: name.Value})
		}
	case *ast.MemberNode:
		of, ok := node.Node.(*ast.IdentifierNode)
		name, constant := node.Property.(*ast.StringNode)
		if ok && constant && isGroup(of.Value) {
			ast.Patch(n, &ast.IdentifierNode{Value: of.Value + "." + name.Value})
			(*n).SetLocation(of.Location())
		}
	case *ast.CallNode:
		callee, ok := node.Callee.(*ast.IdentifierNode)
		if ok && callee.Value == utilization {
			flattenUtilization(n, node)
			return
		}
		flattenDate(node)
		if ok && callee.Value == "header" && len(node.Arguments) == 1 {
			if name, constant := node.Arguments[0].(*ast.StringNode); constant {
				name.Value = http.CanonicalHeaderKey(name.Value)
			}
		}
		if ok && callee.Value == "between" && len(node.Arguments) == 3 {
			x, low, high := node.Arguments[0], node.Arguments[1], node.Arguments[2]
			from := &ast.BinaryNode{Operator: ">=", Left: x, Right: low}
			from.SetLocation(node.Location())
			to := &ast.BinaryNode{Operator: "<=", Left: x, Right: high}
			to.SetLocation(node.Location())
			ast.Patch(n, &ast.BinaryNode{Operator: "and", Left: from, Right: to})
		}
	}
}

func isGroup(name string) bool {
	return slices.Contains([]string{"params", "blocks", "connection", "key", "cache", "sdk", "repeats_of", "planned", "usage"}, name)
}

// lookup checks every name of an expression and refuses what isn't bounded or has no use here.
type lookup struct {
	*language
	*formula
	failed bool
}

func (l *lookup) fail(n ast.Node, hint, format string, args ...any) {
	l.failed = true
	l.inside(l.formula, n.Location().From, hint, format, args...)
}

// Visit sees children before their parents.
func (l *lookup) Visit(n *ast.Node) {
	switch node := (*n).(type) {
	case *ast.IdentifierNode:
		l.name(node)
	case *ast.CallNode:
		callee, ok := node.Callee.(*ast.IdentifierNode)
		switch {
		case ok && callee.Value == "header":
		case ok && callee.Value == "between":
			l.fail(node, "", "between takes three values: between(x, a, b)")
		case ok && slices.Contains(dateFunctions(), callee.Value):
			l.date(callee, node)
		case !ok && !l.failed:
			l.fail(node, "", "only functions can be called")
		}
	case *ast.BuiltinNode:
		if !slices.Contains(allowedFunctions(), node.Name) {
			l.fail(node, functionsHint(), "unknown function %s", quote(node.Name))
		}
		if slices.ContainsFunc(node.Arguments, loops) {
			l.fail(node, "", "a loop inside a loop (%s) is not allowed", node.Name)
		}
	case *ast.BinaryNode:
		l.pattern(node)
		l.phase(node)
		if node.Operator == "in" || node.Operator == "not in" {
			if r, ok := node.Right.(*ast.BinaryNode); ok && r.Operator == ".." {
				return
			}
		}
		for _, side := range []ast.Node{node.Left, node.Right} {
			l.bareRange(side)
		}
	case *ast.UnaryNode:
		l.bareRange(node.Node)
	}
	if b, ok := (*n).(*ast.BuiltinNode); ok {
		for _, a := range b.Arguments {
			l.bareRange(a)
		}
	}
}

func (l *lookup) bareRange(n ast.Node) {
	if r, ok := n.(*ast.BinaryNode); ok && r.Operator == ".." {
		l.fail(r, "", "a range a..b stands only behind `in`")
	}
}

// variables finds `let`, and several expressions in a row.
type variables struct{ found ast.Node }

func (v *variables) Visit(n *ast.Node) {
	switch (*n).(type) {
	case *ast.VariableDeclaratorNode, *ast.SequenceNode:
		v.found = *n
	}
}

// loops tells whether a part of an expression runs over a list.
func loops(n ast.Node) bool {
	p, ok := n.(*ast.PredicateNode)
	if !ok {
		return false
	}
	found := &loopFinder{}
	ast.Walk(&p.Node, found)
	return found.found
}

type loopFinder struct{ found bool }

func (l *loopFinder) Visit(n *ast.Node) {
	if _, ok := (*n).(*ast.PredicateNode); ok {
		l.found = true
	}
}

func (l *lookup) name(node *ast.IdentifierNode) {
	name := node.Value
	if name == utilization { // a right call of it has become another name
		l.fail(node, "", "utilization takes the name of a profile in quotes: utilization(\"legacy\")")
		return
	}
	l.formula.uses = append(l.formula.uses, name)
	if g := group(name); g == "planned" || g == "usage" {
		if !l.planned {
			l.plannedAt = node.Location().From
		}
		l.planned = true
	}
	if !l.declared(node) || l.names[name] != nil || l.broken[name] || slices.Contains(ownFunctions(), name) || slices.Contains(l.own, name) {
		return
	}
	known := slices.Sorted(maps.Keys(l.names))
	known = append(known, l.own...)
	slices.Sort(known)
	known = slices.Compact(known)
	switch g := group(name); {
	case g == "params" && len(l.params) == 0:
		l.fail(node, "declare it under `parameters`", "unknown parameter %s: the file has no parameters", quote(name))
	case g == "params":
		l.fail(node, didYouMean(name, l.params), "unknown parameter %s", quote(name))
	case g == utilization:
		l.noUtilization(node)
	case g != "":
		l.fail(node, didYouMean(name, members(known, g)), "unknown fact %s", quote(name))
	case isGroup(name):
		l.fail(node, "write "+name+".NAME", "%s is a group of facts, not a fact", quote(name))
	case slices.Contains(allowedFunctions(), name):
		l.fail(node, "write "+name+"(…)", "%s is a function", quote(name))
	default:
		hint := ""
		candidates := append(slices.DeleteFunc(known, func(k string) bool { return group(k) != "" }), allowedFunctions()...)
		if close := near(name, candidates); len(close) > 0 {
			hint = "did you mean " + oneOf(close) + "?"
		} else if slices.Contains([]string{"now", "date", "duration", "timezone"}, name) {
			hint = "no clock can be read here; use `hour` or `elapsed_ms`"
		} else if len(l.params) > 0 && slices.Contains(l.params, "params."+name) {
			hint = "did you mean `params." + name + "`?"
		} else if strings.Contains(l.text, name+"(") {
			hint = functionsHint()
		} else {
			hint = "text needs quotes; facts of your own go under `facts`"
		}
		l.fail(node, hint, "unknown fact or function %s", quote(name))
	}
}

func members(names []string, g string) []string {
	var found []string
	for _, name := range names {
		if strings.HasPrefix(name, g+".") {
			found = append(found, name)
		}
	}
	return found
}

// traps finds what types allow and no one means. It runs after types are known.
type traps struct {
	found      ast.Node
	what, hint string
}

func (f *traps) Visit(n *ast.Node) {
	if f.found != nil {
		return
	}
	if m, ok := (*n).(*ast.BuiltinNode); ok && (m.Name == "max" || m.Name == "min") && mixed(m.Arguments) {
		// The result would have the first one's type by its check, and another when it runs.
		f.found, f.what, f.hint = m, m.Name+" can't mix a whole number with fractions behind it", "write float(…) around the first"
		return
	}
	b, ok := (*n).(*ast.BinaryNode)
	if !ok || b.Operator != "in" && b.Operator != "not in" {
		return
	}
	r, ok := b.Right.(*ast.BinaryNode)
	if ok && r.Operator == ".." && b.Left.Type() != nil && b.Left.Type().Kind() == reflect.Float64 {
		f.found, f.what, f.hint = b, "a fraction is never in a range of whole numbers, so this is always false", "write between(x, a, b)"
	}
}

func mixed(args []ast.Node) bool {
	kind := func(n ast.Node) reflect.Kind {
		if n.Type() == nil {
			return reflect.Invalid
		}
		return n.Type().Kind()
	}
	return len(args) > 0 && kind(args[0]) == reflect.Int && slices.ContainsFunc(args, func(a ast.Node) bool { return kind(a) != reflect.Int })
}
