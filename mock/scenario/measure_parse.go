package scenario

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/parser"
)

var percentileName = regexp.MustCompile(`^p([0-9]{1,2})([0-9]{0,5})$`)

// gatherers are the functions that gather over rows, beside the percentiles.
func gatherers() []string {
	return []string{
		"median", "min", "max", "mean", "sigma", "sum", "share", "count", "rate", "span", "value", "first", "distinct",
		"windows", "slope", "utilization", "gpu_seconds",
	}
}

// measurer compiles the measure of one claim.
type measurer struct {
	*language
	*formula
	made      *Scenario
	workloads []string
	gathered  []*Gather
	inWindow  bool
	journal   bool // a metric's: the rows are the journal's
	failed    bool
}

// measure compiles a measure of workloads; nil when there was a problem.
func (b *builder) measure(n *node, text string) *Measure {
	return b.measureOf(n, text, measurer{made: b.made, workloads: b.workloadNames()})
}

func (b *builder) measureOf(n *node, text string, m measurer) *Measure {
	f := &formula{n: n, text: text, config: b.config()}
	for _, name := range append(gatherers(), "ratio") {
		f.config.Functions[name] = &builtin.Function{Name: name}
	}
	switch {
	case strings.TrimSpace(text) == "":
		return nil
	case len(text) > maxExpression:
		b.at(n, "", "the measure has %d bytes; the most is %d", len(text), maxExpression)
		return nil
	}
	if !b.guarded(f, func() error {
		tree, err := parser.ParseWithConfig(text, f.config)
		f.tree = tree
		return err
	}) {
		return nil
	}
	m.language, m.formula = b.language, f
	root, kind := m.term(f.tree.Node)
	if m.failed {
		return nil
	}
	if kind != "number" {
		b.inside(f, 0, "for example share("+m.example()+", duration_ms > 185)", "a measure is a number, this is true or false")
		return nil
	}
	if len(m.gathered) == 0 {
		b.inside(f, 0, "for example p99("+m.example()+".duration_ms)", "the measure measures nothing: no workload occurs in it")
		return nil
	}
	return &Measure{Source: text, Gathered: m.gathered, root: root}
}

func (m *measurer) fail(n ast.Node, hint, format string, args ...any) (term, string) {
	m.failed = true
	m.inside(m.formula, n.Location().From, hint, format, args...)
	return term{}, ""
}

// term compiles the arithmetic around what is gathered. Its kind is number or bool, "" after a problem.
func (m *measurer) term(n ast.Node) (t term, kind string) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return term{op: "number", number: float64(n.Value)}, "number"
	case *ast.FloatNode:
		return term{op: "number", number: n.Value}, "number"
	case *ast.UnaryNode:
		return m.unary(n)
	case *ast.BinaryNode:
		return m.binary(n)
	case *ast.BuiltinNode:
		if n.Name == "abs" && len(n.Arguments) == 1 {
			return m.calculation(n, "abs", n.Arguments)
		}
		return m.fail(n, "", "%s can't stand around what is measured", quote(n.Name))
	case *ast.CallNode:
		callee, ok := n.Callee.(*ast.IdentifierNode)
		if !ok {
			return m.fail(n, "for example p99(steady.duration_ms)", "this is no function of a measure")
		}
		return m.call(n, callee.Value)
	case *ast.IdentifierNode, *ast.MemberNode, *ast.ChainNode:
		hint := "for example p99(" + m.example() + ".duration_ms)"
		if m.inWindow {
			hint = "for example p99(duration_ms)"
		}
		return m.fail(n, hint, "a column has many values: say what is made of them")
	}
	return m.fail(n, "", "a measure is arithmetic over functions such as p99(…), this is something else")
}

// example is the name of a workload for hints.
func (m *measurer) example() string {
	if m.journal {
		return JournalWorkload
	}
	if len(m.made.Workloads) > 0 {
		return m.made.Workloads[0].Name
	}
	return "steady"
}

func (m *measurer) unary(n *ast.UnaryNode) (term, string) {
	t, kind := m.term(n.Node)
	switch {
	case kind == "":
		return t, kind
	case n.Operator == "-" && kind == "number":
		return term{op: "neg", args: []term{t}}, kind
	case (n.Operator == "not" || n.Operator == "!") && kind == "bool":
		return term{op: "not", args: []term{t}}, kind
	}
	return m.fail(n, "", "`%s` can't stand here", n.Operator)
}

func (m *measurer) binary(n *ast.BinaryNode) (term, string) {
	op, want, gives := n.Operator, "number", "number"
	switch op {
	case "+", "-", "*", "/":
	case "==", "!=", "<", "<=", ">", ">=":
		gives = "bool"
	case "and", "&&":
		op, want, gives = "and", "bool", "bool"
	case "or", "||":
		op, want, gives = "or", "bool", "bool"
	default:
		return m.fail(n, "", "`%s` can't stand in a measure", op)
	}
	left, a := m.term(n.Left)
	right, b := m.term(n.Right)
	switch {
	case a == "" || b == "":
		return term{}, ""
	case a != want || b != want:
		return m.fail(n, "", "`%s` can't stand between these two", n.Operator)
	}
	return term{op: op, args: []term{left, right}}, gives
}

// calculation is a function of numbers that have been gathered.
func (m *measurer) calculation(n ast.Node, op string, args []ast.Node) (term, string) {
	t := term{op: op}
	for _, a := range args {
		arg, kind := m.term(a)
		switch kind {
		case "":
			return term{}, ""
		case "bool":
			return m.fail(a, "", "%s takes numbers", op)
		}
		t.args = append(t.args, arg)
	}
	return t, "number"
}

func (m *measurer) call(n *ast.CallNode, name string) (term, string) {
	switch {
	case name == "ratio":
		if len(n.Arguments) != 2 {
			return m.fail(n, "for example ratio(p99(a.duration_ms), p50(a.duration_ms))", "ratio takes two numbers")
		}
		return m.calculation(n, name, n.Arguments)
	case (name == "min" || name == "max") && len(n.Arguments) > 1 && m.arithmetic(n.Arguments[0]):
		return m.calculation(n, name, n.Arguments)
	case percentileName.MatchString(name), slices.Contains(gatherers(), name):
		return m.gather(n, name)
	case name == "between":
		return m.fail(n, "write x >= a and x <= b", "between can't stand around what is measured")
	}
	known := append(gatherers(), "p50", "p90", "p95", "p99", "p999", "ratio", "abs")
	for i := range m.made.Metrics {
		of := &m.made.Metrics[i]
		switch {
		case m.journal: // one metric can't be made of others
		case of.Name == name:
			return m.metric(n, of)
		default:
			known = append(known, of.Name)
		}
	}
	return m.fail(n, didYouMeanOr(name, known, "the functions are p50, p95, p99, p999 and so on, "+strings.Join(known[:len(gatherers())], ", ")+", ratio, abs"),
		"there is no function %s to measure with", quote(name))
}

func didYouMeanOr(name string, known []string, other string) string {
	if close := near(name, known); len(close) > 0 {
		return "did you mean " + oneOf(close) + "?"
	}
	return other
}

// arithmetic tells whether an argument is a number already, and no column.
func (m *measurer) arithmetic(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return true
	case *ast.CallNode:
		callee, ok := n.Callee.(*ast.IdentifierNode)
		return ok && callee.Value != "header"
	case *ast.BinaryNode:
		return m.arithmetic(n.Left) && m.arithmetic(n.Right)
	case *ast.UnaryNode:
		return m.arithmetic(n.Node)
	}
	return false
}

// quantile is the place of a percentile by its function's name: p50, p999 (99.9), p100.
func quantile(name string) ([2]uint64, bool) {
	if name == "p100" {
		return [2]uint64{1, 1}, true
	}
	d := percentileName.FindStringSubmatch(name)
	if d == nil {
		return [2]uint64{}, false
	}
	part, _ := strconv.ParseUint(d[1]+d[2], 10, 64)
	whole := uint64(100)
	for range d[2] {
		whole *= 10
	}
	return [2]uint64{part, whole}, true
}

// gather compiles one call over rows.
func (m *measurer) gather(n *ast.CallNode, name string) (term, string) {
	g := &Gather{Name: name}
	args := n.Arguments
	if q, ok := quantile(name); ok {
		g.Name, g.Quantile = "percentile", q
	} else if name == "median" {
		g.Name, g.Quantile = "percentile", [2]uint64{1, 2}
	}
	if name == "slope" {
		return m.slope(n, g)
	}
	s := &section{measurer: m, gather: g, call: n, name: name}
	if !m.inWindow {
		if len(args) == 0 {
			return m.fail(n, "for example p99("+m.example()+".duration_ms)", "%s says no workload", name)
		}
		if !s.workload(args[0]) {
			return term{}, ""
		}
	}
	if !s.arguments(args) || m.failed {
		return term{}, ""
	}
	m.gathered = append(m.gathered, g)
	return term{op: "gather", index: len(m.gathered) - 1}, "number"
}

// slope compiles slope(p99(w.duration_ms), sent.rate, 50, 200).
func (m *measurer) slope(n *ast.CallNode, g *Gather) (term, string) {
	const form = "slope(p99(steady.duration_ms), sent.rate, 50, 200)"
	if m.inWindow || len(n.Arguments) != 4 {
		return m.fail(n, "for example "+form, "slope takes a measure, a column, and from where to where")
	}
	inner := &measurer{language: m.language, formula: m.formula, made: m.made, workloads: m.workloads, journal: m.journal}
	root, kind := inner.term(n.Arguments[0])
	if inner.failed {
		m.failed = true
		return term{}, ""
	}
	if kind != "number" || len(inner.gathered) == 0 || slices.ContainsFunc(inner.gathered, func(one *Gather) bool {
		return one.Inner != nil || one.Name == "utilization" || one.Name == "gpu_seconds" || one.Workload != inner.gathered[0].Workload
	}) {
		return m.fail(n.Arguments[0], "for example "+form, "slope follows figures of one workload, such as p99(…)")
	}
	g.Workload, g.Gaps, g.Writes = inner.gathered[0].Workload, inner.gathered[0].Gaps, inner.gathered[0].Writes
	g.Inner = &Measure{Source: m.source(n.Arguments[0]), Gathered: inner.gathered, root: root}
	g.By = m.section(g, n).formula(n.Arguments[1], "number")
	low, ok := m.number(n.Arguments[2])
	high, fine := m.number(n.Arguments[3])
	if m.failed {
		return term{}, ""
	}
	if !ok || !fine || low >= high {
		return m.fail(n, "for example "+form, "slope goes from one plain number to a greater one")
	}
	g.Low, g.High = low, high
	m.gathered = append(m.gathered, g)
	return term{op: "gather", index: len(m.gathered) - 1}, "number"
}

func (m *measurer) section(g *Gather, n *ast.CallNode) *section {
	return &section{measurer: m, gather: g, call: n, name: g.Name}
}

func (m *measurer) number(n ast.Node) (float64, bool) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return float64(n.Value), true
	case *ast.FloatNode:
		return n.Value, true
	case *ast.UnaryNode:
		v, ok := m.number(n.Node)
		return -v, ok && n.Operator == "-"
	}
	return 0, false
}

// source is a part of the measure's text, for people.
func (m *measurer) source(n ast.Node) string { return n.String() }

// kindOf names a Go type as columns do.
func kindOf(t reflect.Type) string {
	if t == nil {
		return ""
	}
	switch t.Kind() {
	case reflect.Int, reflect.Float64:
		return "number"
	case reflect.Bool:
		return "bool"
	case reflect.String:
		return "text"
	}
	return fmt.Sprint(t)
}
