package scenario

import (
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/optimizer"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
)

// section compiles the arguments of one gathering call.
type section struct {
	*measurer
	gather *Gather
	call   *ast.CallNode
	name   string // as it is written
}

// dotted is what a chain of dots says: steady.usage.input_tokens; nil for anything else.
func dotted(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.ChainNode:
		return dotted(n.Node)
	case *ast.IdentifierNode:
		return []string{n.Value}
	case *ast.MemberNode:
		name, ok := n.Property.(*ast.StringNode)
		if of := dotted(n.Node); ok && of != nil {
			return append(of, name.Value)
		}
	case *ast.CallNode:
		of := dotted(n.Callee)
		if len(of) > 0 && of[len(of)-1] == "header" && len(n.Arguments) == 1 {
			if name, ok := n.Arguments[0].(*ast.StringNode); ok {
				return append(of[:len(of)-1], headerColumn+strings.ToLower(name.Value))
			}
		}
	}
	return nil
}

// workload finds the workload that the first argument speaks of.
func (s *section) workload(n ast.Node) bool {
	var found []string
	var nodes []ast.Node
	walkPaths(n, func(n ast.Node, p []string) { found, nodes = append(found, p[0]), append(nodes, n) })
	if len(found) == 0 {
		s.fail(n, "for example p99("+s.example()+".duration_ms)", "%s says no workload", s.name)
		return false
	}
	for i, name := range found {
		if !slices.Contains(s.workloads, name) {
			hint := didYouMean(name, s.workloads)
			if name == JournalWorkload {
				hint = "a claim measures a workload; metrics measure the journal"
			}
			s.fail(root(nodes[i]), hint, "there is no workload %s", quote(name))
			return false
		}
		if name != found[0] {
			s.fail(root(nodes[i]), "", "%s is made of the rows of one workload, these are %s and %s", s.name, quote(found[0]), quote(name))
			return false
		}
	}
	s.gather.Workload = found[0]
	if s.journal && s.name == "utilization" {
		s.fail(s.call, "", "utilization can't be had of the journal, which doesn't know when a run's slots were idle")
		return false
	}
	walkPaths(n, func(_ ast.Node, p []string) {
		s.gather.Gaps = s.gather.Gaps || len(p) > 1 && p[1] == "gaps"
		s.gather.Writes = s.gather.Writes || len(p) > 1 && p[1] == "writes"
	})
	if s.journal && s.gather.Writes {
		s.fail(n, "measure requests or gaps", "the journal knows no writes")
		return false
	}
	if s.gather.Gaps && s.gather.Writes {
		s.fail(n, "measure them one by one", "%s is made of rows of one kind, these are gaps and writes", s.name)
		return false
	}
	return true
}

// walkPaths calls f with the longest paths in an expression.
func walkPaths(n ast.Node, f func(ast.Node, []string)) {
	if p := dotted(n); p != nil {
		f(n, p)
		return
	}
	switch n := n.(type) {
	case *ast.UnaryNode:
		walkPaths(n.Node, f)
	case *ast.BinaryNode:
		walkPaths(n.Left, f)
		walkPaths(n.Right, f)
	case *ast.CallNode:
		for _, a := range n.Arguments {
			walkPaths(a, f)
		}
	case *ast.BuiltinNode:
		for _, a := range n.Arguments {
			walkPaths(a, f)
		}
	case *ast.ConditionalNode:
		walkPaths(n.Cond, f)
		walkPaths(n.Exp1, f)
		walkPaths(n.Exp2, f)
	}
}

// root is the first name of a chain of dots, whose place is that of the chain.
func root(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.ChainNode:
		return root(n.Node)
	case *ast.MemberNode:
		return root(n.Node)
	case *ast.CallNode:
		return root(n.Callee)
	}
	return n
}

// alone tells whether an argument is nothing but the workload, its gaps or its writes.
func (s *section) alone(n ast.Node) bool {
	p := dotted(n)
	return len(p) == 1 || len(p) == 2 && isPart(p[1])
}

// isPart tells whether a workload's rows are asked for by parts of each answer.
func isPart(name string) bool { return name == "gaps" || name == "writes" }

// arguments compiles what comes between the brackets.
func (s *section) arguments(args []ast.Node) bool {
	if s.inWindow {
		return s.ofWindow(args)
	}
	g, first, rest := s.gather, args[0], args[1:]
	switch s.name {
	case "share", "count", "rate", "span":
		if !s.alone(first) {
			s.fail(first, "write "+s.name+"("+g.Workload+", CONDITION)", "%s counts rows, so its first argument is the workload alone", s.name)
			return false
		}
		return s.conditions(rest)
	case "utilization", "gpu_seconds":
		return s.ofSlots(first, rest)
	case "windows":
		return s.windows(first, rest)
	case "value":
		return s.value(first, rest)
	}
	if s.alone(first) {
		s.fail(first, "for example "+s.name+"("+g.Workload+".duration_ms)", "%s needs a column", s.name)
		return false
	}
	if s.name == "first" {
		g.Name, g.N = "value", 1
	}
	if g.Of = s.formula(first, s.wants()); g.Of == nil {
		return false
	}
	return s.condition(rest, 1)
}

// wants is the type of the values that the function takes.
func (s *section) wants() string {
	if s.name == "distinct" {
		return ""
	}
	return "number"
}

// ofWindow compiles the arguments of a function inside of windows, where the rows are at hand.
func (s *section) ofWindow(args []ast.Node) bool {
	switch s.name {
	case "share", "count":
		return s.conditions(args)
	case "min", "max", "mean", "sigma", "sum", "median", "distinct":
	default:
		if s.gather.Name != "percentile" {
			s.fail(s.call, "", "%s can't stand inside of windows", s.name)
			return false
		}
	}
	if len(args) == 0 {
		s.fail(s.call, "for example "+s.name+"(duration_ms)", "%s needs a column", s.name)
		return false
	}
	if s.gather.Of = s.formula(args[0], s.wants()); s.gather.Of == nil {
		return false
	}
	return s.condition(args[1:], 1)
}

// conditions compiles (CONDITION, AMONG) of a share, at most one condition of the others.
func (s *section) conditions(rest []ast.Node) bool {
	if s.name != "share" {
		return s.condition(rest, 1)
	}
	if len(rest) == 0 {
		s.fail(s.call, "for example share(steady, status == 429)", "share says no condition")
		return false
	}
	if len(rest) == 2 {
		if s.gather.Among = s.formula(rest[1], "bool"); s.gather.Among == nil {
			return false
		}
	}
	return s.condition(rest, 2)
}

func (s *section) condition(rest []ast.Node, most int) bool {
	if len(rest) > most {
		s.fail(rest[most], "join conditions with `and`", "%s has too many arguments", s.name)
		return false
	}
	if len(rest) == 0 {
		return true
	}
	s.gather.When = s.formula(rest[0], "bool")
	return s.gather.When != nil
}

func (s *section) ofSlots(first ast.Node, rest []ast.Node) bool {
	if len(dotted(first)) != 1 || len(rest) > 1 {
		s.fail(s.call, "for example "+s.name+"("+s.gather.Workload+", \"legacy\")", "%s takes a workload and may name a profile", s.name)
		return false
	}
	if len(rest) == 0 {
		return true
	}
	name, ok := rest[0].(*ast.StringNode)
	if !ok || s.made.Profiles[name.Value] == nil {
		var names []string
		for p := range s.made.Profiles {
			names = append(names, p)
		}
		hint := "write its name in quotes"
		if ok {
			slices.Sort(names)
			hint = didYouMean(name.Value, names)
		}
		s.fail(rest[0], hint, "this is no profile's name")
		return false
	}
	s.gather.Profile = name.Value
	return true
}

// value compiles value(w, 3, ttft_ms): the third row's.
func (s *section) value(first ast.Node, rest []ast.Node) bool {
	n, ok := 0, false
	if len(rest) == 2 {
		if number, isNumber := rest[0].(*ast.IntegerNode); isNumber && number.Value > 0 {
			n, ok = number.Value, true
		}
	}
	if !ok || !s.alone(first) {
		s.fail(s.call, "for example value(steady, 3, ttft_ms)", "value takes a workload, the number of a row from 1, and a column")
		return false
	}
	s.gather.N = n
	s.gather.Of = s.formula(rest[1], "number")
	return s.gather.Of != nil
}

// windows compiles windows(w, 100, p95(duration_ms) <= 295): the share of windows in which it holds.
func (s *section) windows(first ast.Node, rest []ast.Node) bool {
	const form = "windows(steady, 100, p95(duration_ms) <= 295)"
	ok := false
	if len(rest) == 2 && s.alone(first) {
		if number, isNumber := rest[0].(*ast.IntegerNode); isNumber && number.Value > 0 && number.Value <= 1_000_000 {
			s.gather.N, ok = number.Value, true
		}
	}
	if !ok {
		s.fail(s.call, "for example "+form, "windows takes a workload, how many rows a window has, and what must hold in it")
		return false
	}
	inner := &measurer{language: s.language, formula: s.measurer.formula, made: s.made, workloads: s.workloads, inWindow: true, journal: s.journal}
	root, kind := inner.term(rest[1])
	if inner.failed {
		s.failed = true
		return false
	}
	if kind != "bool" || len(inner.gathered) == 0 {
		s.fail(rest[1], "for example "+form, "what must hold in a window is a comparison of figures such as p95(duration_ms)")
		return false
	}
	s.gather.Inner = &Measure{Source: s.source(rest[1]), Gathered: inner.gathered, root: root}
	return true
}

// formula compiles an expression over columns; nil after a problem. want is number, bool or "".
func (s *section) formula(n ast.Node, want string) *Formula {
	made := &Formula{Source: s.source(n)}
	names := types.Map{}
	node := s.flatten(n, made, names)
	if s.failed {
		return nil
	}
	config := s.rowConfig(names)
	f := &formula{n: s.n, text: s.text, offset: s.offset, config: config, tree: &parser.Tree{Node: node, Source: s.tree.Source}}
	if id, ok := node.(*ast.IdentifierNode); ok {
		made.Plain = id.Value
	}
	made.Test = s.test(node)
	var given reflect.Type
	if !s.guarded(f, func() (err error) {
		given, err = checker.Check(f.tree, config)
		return err
	}) {
		s.failed = true
		return nil
	}
	kind := kindOf(given)
	switch {
	case want == "bool" && kind != "bool":
		s.fail(n, "compare it with something, for example status == 429", "a condition must be true or false")
		return nil
	case want == "number" && kind == "text":
		s.fail(n, "count rows with share(…) or count(…)", "%s is made of numbers, this is text", s.name)
		return nil
	}
	trap := &traps{}
	ast.Walk(&f.tree.Node, trap)
	if trap.found != nil {
		s.fail(trap.found, trap.hint, "%s", trap.what)
		return nil
	}
	if !s.guarded(f, func() (err error) {
		if err = optimizer.Optimize(&f.tree.Node, config); err == nil {
			made.program, err = compiler.Compile(f.tree, config)
		}
		return err
	}) {
		s.failed = true
		return nil
	}
	slices.Sort(made.Columns)
	made.Columns = slices.Compact(made.Columns)
	return made
}

func (s *section) rowConfig(names types.Map) *conf.Config {
	c := s.language.config()
	c.WithEnv(names)
	return c
}
