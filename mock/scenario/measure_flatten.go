package scenario

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/types"
)

// flatten copies an expression over columns and makes each column one name; names collects their types.
// Copying leaves the measure's tree as it was, so that it can still be shown.
func (s *section) flatten(n ast.Node, made *Formula, names types.Map) ast.Node {
	if p := dotted(n); p != nil {
		return s.column(n, p, made, names)
	}
	switch n := n.(type) {
	case *ast.UnaryNode:
		return at(&ast.UnaryNode{Operator: n.Operator, Node: s.flatten(n.Node, made, names)}, n)
	case *ast.BinaryNode:
		return at(&ast.BinaryNode{Operator: n.Operator, Left: s.flatten(n.Left, made, names), Right: s.flatten(n.Right, made, names)}, n)
	case *ast.ConditionalNode:
		return at(&ast.ConditionalNode{
			Cond: s.flatten(n.Cond, made, names), Exp1: s.flatten(n.Exp1, made, names), Exp2: s.flatten(n.Exp2, made, names),
		}, n)
	case *ast.ArrayNode:
		list := &ast.ArrayNode{}
		for _, one := range n.Nodes {
			list.Nodes = append(list.Nodes, s.flatten(one, made, names))
		}
		return at(list, n)
	case *ast.BuiltinNode:
		return s.builtin(n, n.Name, n.Arguments, made, names)
	case *ast.CallNode:
		callee, ok := n.Callee.(*ast.IdentifierNode)
		if ok && callee.Value == "between" && len(n.Arguments) == 3 {
			x := s.flatten(n.Arguments[0], made, names)
			low := at(&ast.BinaryNode{Operator: ">=", Left: x, Right: s.flatten(n.Arguments[1], made, names)}, n)
			high := at(&ast.BinaryNode{Operator: "<=", Left: s.flatten(n.Arguments[0], made, names), Right: s.flatten(n.Arguments[2], made, names)}, n)
			return at(&ast.BinaryNode{Operator: "and", Left: low, Right: high}, n)
		}
		if ok {
			s.fail(n, "", "%s can't stand inside of %s: columns and conditions only", quote(callee.Value), s.name)
		} else {
			s.fail(n, "", "this can't be called")
		}
		return n
	case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode, *ast.BoolNode, *ast.ConstantNode, *ast.NilNode:
		return n
	}
	s.fail(n, "", "this can't stand inside of %s: columns and conditions only", s.name)
	return n
}

func (s *section) builtin(n ast.Node, name string, args []ast.Node, made *Formula, names types.Map) ast.Node {
	plain := []string{"abs", "ceil", "floor", "round", "int", "float", "len", "lower", "upper", "hasPrefix", "hasSuffix"}
	if !slices.Contains(plain, name) {
		s.fail(n, "the functions here are "+strings.Join(plain, ", ")+", between, header", "%s can't stand inside of %s", quote(name), s.name)
		return n
	}
	b := &ast.BuiltinNode{Name: name}
	for _, a := range args {
		b.Arguments = append(b.Arguments, s.flatten(a, made, names))
	}
	return at(b, n)
}

func at(made, from ast.Node) ast.Node {
	made.SetLocation(from.Location())
	return made
}

// column is the column that a path speaks of: steady.gaps.gap_ms, or gap_ms where the workload is known.
func (s *section) column(n ast.Node, p []string, made *Formula, names types.Map) ast.Node {
	if !s.inWindow && len(p) > 1 && p[0] == s.gather.Workload {
		p = p[1:]
		if isPart(p[0]) && len(p) > 1 {
			p = p[1:]
		}
	}
	name := strings.Join(p, ".")
	c, ok := s.made.LookupColumn(name)
	switch {
	case !ok:
		s.unknownColumn(n, name)
		return n
	case s.journal && unkept(c.Name) != "":
		s.fail(n, unkept(c.Name), "a metric can't have the column %s", quote(name))
		return n
	case c.Needs&OfAGap != 0 && !s.gather.Gaps:
		s.fail(n, "write "+s.name+"("+s.gather.Workload+".gaps…", "%s is a column of a workload's gaps", quote(name))
		return n
	case c.Needs&OfAWrite != 0 && !s.gather.Writes:
		s.fail(n, "write "+s.name+"("+s.gather.Workload+".writes…", "%s is a column of a workload's writes", quote(name))
		return n
	}
	if c.Name == "qps" {
		s.language.uses["qps"] = true // or runs wouldn't count it
	}
	made.Columns = append(made.Columns, c.Name)
	names[c.Name] = types.TypeOf(c.zero())
	return at(&ast.IdentifierNode{Value: c.Name}, n)
}

func (s *section) unknownColumn(n ast.Node, name string) {
	var known []string
	for _, c := range Columns() {
		if c.Type != "" && !strings.ContainsAny(c.Name, "(N") {
			known = append(known, c.Name)
		}
	}
	g, member, _ := strings.Cut(name, ".")
	switch {
	case g == "marks":
		s.fail(n, didYouMean(member, unique(s.made.markNames())), "no route or guard sets the mark %s", quote(member))
	case g == "part":
		s.fail(n, didYouMean(member, unique(s.made.partNames())), "no profile has a part %s", quote(member))
	case g == "figures":
		s.fail(n, didYouMean(member, unique(s.made.figureNames())), "the scenario has no figure %s", quote(member))
	case s.inWindow && slices.Contains(s.workloads, g):
		s.fail(n, "write "+member, "inside of windows columns stand alone")
	case g == "usage":
		s.fail(n, didYouMean(member, usageFields()), "%s is no number of a usage", quote(member))
	case strings.HasPrefix(name, "sent.params."):
		var params []string
		for _, p := range s.made.Parameters {
			params = append(params, "sent.params."+p.Name)
		}
		s.fail(n, didYouMean(name, params), "unknown parameter %s", quote(name))
	case g == "params":
		s.fail(n, "write sent."+name, "what was sent is called sent.…")
	case s.gather.Workload != "" && slices.Contains(s.workloads, g):
		s.fail(n, "", "%s is made of the rows of one workload", s.name)
	default:
		s.fail(n, didYouMeanOr(name, known, "orrery facts --columns lists them"), "there is no column %s", quote(name))
	}
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// test makes comparisons of a flattened formula, when it is nothing more.
func (s *section) test(n ast.Node) *Test {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if c, _ := s.made.LookupColumn(n.Value); c.Type == "bool" {
			return &Test{Op: "is", Column: n.Value}
		}
	case *ast.UnaryNode:
		if of := s.test(n.Node); of != nil && (n.Operator == "not" || n.Operator == "!") {
			return &Test{Op: "not", Of: []*Test{of}}
		}
	case *ast.BinaryNode:
		return s.comparison(n)
	}
	return nil
}

func (s *section) comparison(n *ast.BinaryNode) *Test {
	switch n.Operator {
	case "and", "&&", "or", "||":
		left, right := s.test(n.Left), s.test(n.Right)
		if left == nil || right == nil {
			return nil
		}
		op := strings.NewReplacer("&&", "and", "||", "or").Replace(n.Operator)
		return &Test{Op: op, Of: []*Test{left, right}}
	case "==", "!=", "<", "<=", ">", ">=":
	default:
		return nil
	}
	id, ok := n.Left.(*ast.IdentifierNode)
	if !ok {
		return nil
	}
	c, _ := s.made.LookupColumn(id.Value)
	t := &Test{Op: n.Operator, Column: id.Value}
	if text, ok := n.Right.(*ast.StringNode); ok && c.Type == "string" && (t.Op == "==" || t.Op == "!=") {
		t.Text, t.Words = text.Value, true
		return t
	}
	var number bool
	if t.Number, number = s.number(n.Right); number && (c.Type == "int" || c.Type == "float") {
		return t
	}
	return nil
}
