package scenario

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// direct is an expression as a function of the facts, which spares the machine's steps and its boxed
// values: the field of the expression's type; of a whole number also the fraction. All are nil when
// something stands in it that only the machine works out.
//
// The machine is the reference: direct gives what it gives. Where a fact isn't of its type direct
// gives up, and the machine says what is wrong.
type direct struct {
	truth    func(*Env) bool
	whole    func(*Env) int
	fraction func(*Env) float64
	words    func(*Env) string
}

// slots numbers the facts that a file's direct expressions read. It doesn't change once the file is loaded.
type slots struct{ of map[string]Slot }

func (s *slots) number(name string) Slot {
	n, ok := s.of[name]
	if !ok {
		n = Slot(len(s.of))
		s.of[name] = n
	}
	return n
}

// direct makes the functions of an expression whose types have been checked.
func (s *slots) direct(n ast.Node) direct {
	switch typeOf(n) {
	case reflect.Bool:
		return direct{truth: s.truth(n)}
	case reflect.Int:
		return direct{whole: s.whole(n), fraction: s.fraction(n)}
	case reflect.Float64:
		return direct{fraction: s.fraction(n)}
	case reflect.String:
		return direct{words: s.words(n)}
	}
	return direct{}
}

func typeOf(n ast.Node) reflect.Kind { return n.Type().Kind() }

// fact reads one.
func fact[T any](s *slots, name string) func(*Env) T {
	at := s.number(name)
	return func(e *Env) T {
		v, ok := e.slots[at].(T)
		if !ok {
			e.strange = true
		}
		return v
	}
}

func constant[T any](v T) func(*Env) T { return func(*Env) T { return v } }

// chosen is a ? b : c.
func chosen[T any](s *slots, n *ast.ConditionalNode, of func(ast.Node) func(*Env) T) func(*Env) T {
	when, then, otherwise := s.truth(n.Cond), of(n.Exp1), of(n.Exp2)
	if when == nil || then == nil || otherwise == nil {
		return nil
	}
	return func(e *Env) T {
		if when(e) {
			return then(e)
		}
		return otherwise(e)
	}
}

func (s *slots) truth(n ast.Node) func(*Env) bool {
	switch n := n.(type) {
	case *ast.BoolNode:
		return constant(n.Value)
	case *ast.IdentifierNode:
		return fact[bool](s, n.Value)
	case *ast.UnaryNode:
		if a := s.truth(n.Node); a != nil && (n.Operator == "not" || n.Operator == "!") {
			return func(e *Env) bool { return !a(e) }
		}
	case *ast.BinaryNode:
		return s.test(n)
	case *ast.ConditionalNode:
		return chosen(s, n, s.truth)
	case *ast.CallNode:
		if name, ok := n.Callee.(*ast.IdentifierNode); ok && name.Value == "older" && len(n.Arguments) == 2 {
			if a, b := s.words(n.Arguments[0]), s.words(n.Arguments[1]); a != nil && b != nil {
				return func(e *Env) bool { return older(a(e), b(e)) }
			}
		}
	}
	return nil
}

// test is two operands and what is asked of them.
func (s *slots) test(n *ast.BinaryNode) func(*Env) bool {
	if n.Operator == "in" {
		return s.member(n)
	}
	a, b := typeOf(n.Left), typeOf(n.Right)
	switch {
	case a == reflect.Bool && b == reflect.Bool:
		return joined(n.Operator, s.truth(n.Left), s.truth(n.Right))
	case a == reflect.String && b == reflect.String:
		return spelled(n.Operator, s.words(n.Left), s.words(n.Right))
	case a == reflect.Int && b == reflect.Int:
		return compared(n.Operator, s.whole(n.Left), s.whole(n.Right))
	case isNumber(a) && isNumber(b):
		return compared(n.Operator, s.fraction(n.Left), s.fraction(n.Right))
	}
	return nil
}

func isNumber(k reflect.Kind) bool { return k == reflect.Int || k == reflect.Float64 }

func joined(op string, a, b func(*Env) bool) func(*Env) bool {
	if a == nil || b == nil {
		return nil
	}
	switch op {
	case "and", "&&":
		return func(e *Env) bool { return a(e) && b(e) }
	case "or", "||":
		return func(e *Env) bool { return a(e) || b(e) }
	case "==":
		return func(e *Env) bool { return a(e) == b(e) }
	case "!=":
		return func(e *Env) bool { return a(e) != b(e) }
	}
	return nil
}

func spelled(op string, a, b func(*Env) string) func(*Env) bool {
	if a == nil || b == nil {
		return nil
	}
	switch op {
	case "contains":
		return func(e *Env) bool { return strings.Contains(a(e), b(e)) }
	case "startsWith":
		return func(e *Env) bool { return strings.HasPrefix(a(e), b(e)) }
	case "endsWith":
		return func(e *Env) bool { return strings.HasSuffix(a(e), b(e)) }
	}
	return compared(op, a, b)
}

func compared[T cmp.Ordered](op string, a, b func(*Env) T) func(*Env) bool {
	if a == nil || b == nil {
		return nil
	}
	switch op {
	case "==":
		return func(e *Env) bool { return a(e) == b(e) }
	case "!=":
		return func(e *Env) bool { return a(e) != b(e) }
	case "<":
		return func(e *Env) bool { return a(e) < b(e) }
	case "<=":
		return func(e *Env) bool { return a(e) <= b(e) }
	case ">":
		return func(e *Env) bool { return a(e) > b(e) }
	case ">=":
		return func(e *Env) bool { return a(e) >= b(e) }
	}
	return nil
}

// member is a whole number in a range, or a text in a list of texts.
func (s *slots) member(n *ast.BinaryNode) func(*Env) bool {
	switch of := n.Right.(type) {
	case *ast.BinaryNode:
		if typeOf(n.Left) != reflect.Int || of.Operator != ".." {
			return nil
		}
		x, low, high := s.whole(n.Left), s.whole(of.Left), s.whole(of.Right)
		_, plainLow := of.Left.(*ast.IntegerNode)
		_, plainHigh := of.Right.(*ast.IntegerNode)
		if x != nil && plainLow && plainHigh {
			return func(e *Env) bool { v := x(e); return v >= low(e) && v <= high(e) }
		}
	case *ast.ArrayNode:
		if typeOf(n.Left) != reflect.String {
			return nil
		}
		var all []string
		for _, one := range of.Nodes {
			if text, ok := one.(*ast.StringNode); ok {
				all = append(all, text.Value)
			}
		}
		if x := s.words(n.Left); x != nil && len(all) == len(of.Nodes) {
			return func(e *Env) bool { return slices.Contains(all, x(e)) }
		}
	}
	return nil
}

func (s *slots) whole(n ast.Node) func(*Env) int {
	if typeOf(n) != reflect.Int {
		return nil
	}
	switch n := n.(type) {
	case *ast.IntegerNode:
		return constant(n.Value)
	case *ast.IdentifierNode:
		return fact[int](s, n.Value)
	case *ast.UnaryNode:
		return negative(n.Operator, s.whole(n.Node))
	case *ast.BinaryNode:
		return calculated(n.Operator, s.whole(n.Left), s.whole(n.Right))
	case *ast.ConditionalNode:
		return chosen(s, n, s.whole)
	}
	return nil
}

// fraction is a number, made one with fractions if it is whole.
func (s *slots) fraction(n ast.Node) func(*Env) float64 {
	if typeOf(n) == reflect.Int {
		if whole := s.whole(n); whole != nil {
			return func(e *Env) float64 { return float64(whole(e)) }
		}
		return nil
	}
	switch n := n.(type) {
	case *ast.FloatNode:
		return constant(n.Value)
	case *ast.IntegerNode:
		return constant(float64(n.Value))
	case *ast.IdentifierNode:
		return fact[float64](s, n.Value)
	case *ast.UnaryNode:
		return negative(n.Operator, s.fraction(n.Node))
	case *ast.BinaryNode:
		if !isNumber(typeOf(n.Left)) || !isNumber(typeOf(n.Right)) {
			return nil
		}
		a, b := s.fraction(n.Left), s.fraction(n.Right)
		if a != nil && b != nil && n.Operator == "/" {
			return func(e *Env) float64 { return a(e) / b(e) }
		}
		return calculated(n.Operator, a, b)
	case *ast.ConditionalNode:
		return chosen(s, n, s.fraction)
	}
	return nil
}

func negative[T int | float64](op string, a func(*Env) T) func(*Env) T {
	if a == nil || op != "-" {
		return nil
	}
	return func(e *Env) T { return -a(e) }
}

func calculated[T int | float64](op string, a, b func(*Env) T) func(*Env) T {
	if a == nil || b == nil {
		return nil
	}
	switch op {
	case "+":
		return func(e *Env) T { return a(e) + b(e) }
	case "-":
		return func(e *Env) T { return a(e) - b(e) }
	case "*":
		return func(e *Env) T { return a(e) * b(e) }
	}
	return nil
}

func (s *slots) words(n ast.Node) func(*Env) string {
	switch n := n.(type) {
	case *ast.StringNode:
		return constant(n.Value)
	case *ast.IdentifierNode:
		return fact[string](s, n.Value)
	case *ast.ConditionalNode:
		return chosen(s, n, s.words)
	case *ast.CallNode:
		if name, ok := n.Callee.(*ast.IdentifierNode); ok && name.Value == "header" && len(n.Arguments) == 1 {
			return s.header(n.Arguments[0])
		}
	}
	return nil
}

func (s *slots) header(name ast.Node) func(*Env) string {
	of, read := s.words(name), fact[func(string) string](s, "header")
	if of == nil {
		return nil
	}
	return func(e *Env) string {
		f := read(e)
		if f == nil {
			return ""
		}
		return f(of(e))
	}
}
