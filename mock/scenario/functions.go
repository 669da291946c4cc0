package scenario

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
)

// ownFunctions are the functions of ours. All but those of dates depend on their arguments alone.
func ownFunctions() []string {
	return append([]string{"between", "number", "older"}, dateFunctions()...)
}

func defineFunctions(c *conf.Config) {
	defineDates(c)
	// It is written as two comparisons before types are checked.
	c.Functions["between"] = &builtin.Function{Name: "between", Types: []reflect.Type{reflect.TypeFor[func(x, a, b float64) bool]()}}
	c.Functions["number"] = &builtin.Function{
		Name: "number", Types: []reflect.Type{reflect.TypeFor[func(text string) float64]()},
		Func: func(args ...any) (any, error) { return numberOf(args[0].(string)), nil },
	}
	c.Functions["older"] = &builtin.Function{
		Name: "older", Types: []reflect.Type{reflect.TypeFor[func(a, b string) bool]()},
		Func: func(args ...any) (any, error) { return older(args[0].(string), args[1].(string)), nil },
	}
}

var numberForm = regexp.MustCompile(`^[+-]?[0-9]{1,40}(\.[0-9]{1,40})?$`)

// numberOf is the number that a text says, in plain decimals; 0 when it says none.
func numberOf(text string) float64 {
	text = strings.TrimSpace(text)
	if !numberForm.MatchString(text) {
		return 0
	}
	v, _ := strconv.ParseFloat(text, 64)
	return v
}

// older reports whether version a came before version b: 0.37.9 before 0.38.0, and 0.38.0-beta.1
// or 0.38.0b1 before 0.38.0. A text that starts with no number is no version, and never older.
func older(a, b string) bool {
	x, preX := versionOf(a)
	y, preY := versionOf(b)
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	for len(x) < len(y) {
		x = append(x, 0)
	}
	for len(y) < len(x) {
		y = append(y, 0)
	}
	if order := slices.Compare(x, y); order != 0 {
		return order < 0
	}
	return preX && !preY
}

// versionOf reads the numbers that a version starts with, and says whether a pre-release's name
// follows. What stands behind a + is a build's and counts for nothing.
func versionOf(text string) (numbers []uint64, pre bool) {
	text, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "v"), "+")
	for len(numbers) < 8 {
		end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
		if end < 0 {
			end = len(text)
		}
		n, err := strconv.ParseUint(text[:end], 10, 64)
		if err != nil {
			break
		}
		numbers = append(numbers, n)
		text = text[end:]
		if !strings.HasPrefix(text, ".") {
			break
		}
		text = text[1:]
	}
	return numbers, text != ""
}

// pattern checks that what stands behind `matches` is a text: it is compiled once, when the file
// is loaded, and no client may send one.
func (l *lookup) pattern(b *ast.BinaryNode) {
	if _, constant := b.Right.(*ast.StringNode); b.Operator == "matches" && !constant {
		l.fail(b, `for example text matches "[0-9]"`, "behind `matches` stands a pattern in quotes")
	}
}

// phase checks that phase is compared with the name of a phase.
func (l *lookup) phase(b *ast.BinaryNode) {
	if b.Operator != "==" && b.Operator != "!=" && b.Operator != "in" && b.Operator != "not in" {
		return
	}
	for _, sides := range [][2]ast.Node{{b.Left, b.Right}, {b.Right, b.Left}} {
		if name, ok := sides[0].(*ast.IdentifierNode); !ok || name.Value != "phase" {
			continue
		}
		names := []ast.Node{sides[1]}
		if several, ok := sides[1].(*ast.ArrayNode); ok {
			names = several.Nodes
		}
		for _, n := range names {
			if s, ok := n.(*ast.StringNode); ok && l.phaseNames != nil && !slices.Contains(l.phaseNames, s.Value) {
				l.fail(n, didYouMean(s.Value, l.phaseNames), "there is no phase %s", quote(s.Value))
			}
		}
	}
}

// declared checks that the file has what a fact is about.
func (l *lookup) declared(node *ast.IdentifierNode) bool {
	switch {
	case node.Value == "phase" && l.phaseNames == nil:
		l.fail(node, "declare them under `phases`", "the file has no phases")
	case group(node.Value) == "key" && !l.keyed:
		l.fail(node, "declare them under `keys`", "the file has no keys")
	default:
		return true
	}
	return false
}

func functionsHint() string {
	return "the functions are header, " + strings.Join(append(ownFunctions(), allowedFunctions()...), ", ")
}
