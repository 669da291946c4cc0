package scenario

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/optimizer"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
)

const (
	maxExpression = 4000 // bytes
	maxNodes      = 500
)

// want is what an expression must give.
type want int

const (
	wantBool want = iota
	wantInt
	wantNumber
	wantValue // any of bool, int, float and string
)

// language compiles the expressions of one file.
type language struct {
	*report
	// names holds every known name with its type: dotted ones whole, as params.strictness.
	names types.Map
	// slots says where direct expressions find their facts.
	slots *slots
	// params lists the file's parameters, own its facts.
	params, own []string
	// broken names have a problem of their own; nothing is said about what uses them.
	broken map[string]bool
	uses   map[string]bool
	// phaseNames lists the file's phases, nil when it has none; keyed tells whether it has keys.
	phaseNames []string
	keyed      bool
}

func newLanguage(r *report) *language {
	l := &language{report: r, slots: &slots{map[string]Slot{}}, names: types.Map{}, broken: map[string]bool{}, uses: map[string]bool{}}
	for _, f := range BuiltinFacts() {
		l.names[f.Name] = types.TypeOf(f.zero())
	}
	return l
}

// formula is an expression on its way from text to program.
type formula struct {
	n      *node
	offset int // where it starts in its node's text, in characters
	text   string
	config *conf.Config
	tree   *parser.Tree
	// uses lists the names that occur, sorted; planned tells whether planned.* or usage.* is among them.
	uses      []string
	planned   bool
	plannedAt int          // where the first of them stands
	given     reflect.Type // what it gives; known once it is finished
}

func (l *language) config() *conf.Config {
	c := conf.CreateNew()
	c.MaxNodes = maxNodes
	c.WithEnv(l.names)
	allowed := allowedFunctions()
	for name := range c.Builtins {
		if !slices.Contains(allowed, name) {
			c.Disabled[name] = true
			delete(c.Builtins, name)
		}
	}
	defineFunctions(c)
	return c
}

// parse reads an expression and looks up its names; nil when there was a problem.
func (l *language) parse(n *node, text string, offset int) *formula {
	f := &formula{n: n, text: text, offset: offset, config: l.config()}
	switch {
	case strings.TrimSpace(text) == "":
		return nil // said when it was decoded
	case len(text) > maxExpression:
		l.at(n, "name parts of it under `facts`", "the expression has %d bytes; the most is %d", len(text), maxExpression)
		return nil
	}
	if !l.guarded(f, func() error {
		tree, err := parser.ParseWithConfig(text, f.config)
		f.tree = tree
		return err
	}) {
		return nil
	}
	ast.Walk(&f.tree.Node, flatten{})
	var v variables
	if ast.Walk(&f.tree.Node, &v); v.found != nil {
		l.inside(f, v.found.Location().From, "name parts of it under `facts`", "an expression has no variables")
		return nil
	}
	look := &lookup{language: l, formula: f}
	ast.Walk(&f.tree.Node, look)
	if look.failed {
		return nil
	}
	slices.Sort(f.uses)
	f.uses = slices.Compact(f.uses)
	return f
}

// finish checks an expression's types and compiles it; nil when there was a problem.
func (l *language) finish(f *formula, w want) *Expr {
	if f == nil {
		return nil
	}
	for _, name := range f.uses {
		if l.broken[name] {
			return nil
		}
	}
	x := &Expr{Source: f.text, reads: f.uses, of: l.slots}
	f.config.WithEnv(l.names) // facts have been added since
	checked := l.guarded(f, func() (err error) {
		f.given, err = checker.Check(f.tree, f.config)
		return err
	})
	if !checked || !l.fits(f, f.given, w) {
		return nil
	}
	trap := &traps{}
	ast.Walk(&f.tree.Node, trap)
	if trap.found != nil {
		l.inside(f, trap.found.Location().From, trap.hint, "%s", trap.what)
		return nil
	}
	x.direct = l.slots.direct(f.tree.Node) // of what the checker has typed; the optimizer may lose a type
	if !l.guarded(f, func() (err error) {
		if err = optimizer.Optimize(&f.tree.Node, f.config); err == nil {
			x.program, err = compiler.Compile(f.tree, f.config)
		}
		return err
	}) {
		return nil
	}
	for _, name := range f.uses {
		if slices.Contains(l.own, name) {
			continue
		}
		l.uses[name] = true
		if g := group(name); g != "" {
			l.uses[g] = true
		}
	}
	return x
}

// compile is parse and finish, for expressions that may not speak of the plan.
func (l *language) compile(n *node, text string, offset int, w want) *Expr {
	f := l.parse(n, text, offset)
	if f != nil && f.planned {
		l.tooEarly(f)
		return nil
	}
	return l.finish(f, w)
}

// compileLate is parse and finish, for expressions that may.
func (l *language) compileLate(n *node, text string, offset int, w want) *Expr {
	return l.finish(l.parse(n, text, offset), w)
}

func (l *language) tooEarly(f *formula) {
	l.inside(f, f.plannedAt, "", "planned.* and usage.* are known only once the plan is made: a guard's `when`, marks, figures and warnings may use them, nothing else")
}

func (l *language) fits(f *formula, given reflect.Type, w want) bool {
	k := given.Kind()
	name := map[reflect.Kind]string{reflect.Bool: "a bool", reflect.Int: "a whole number", reflect.Float64: "a fraction", reflect.String: "text", reflect.Interface: "a value of no fixed type"}[k]
	fixed := name != "" && k != reflect.Interface
	if name == "" {
		name = "something else"
	}
	switch {
	case w == wantBool && k != reflect.Bool:
		l.inside(f, 0, "compare it with something, for example messages > 3", "a condition must be true or false, this gives %s", name)
	case w == wantInt && k == reflect.Float64:
		l.inside(f, 0, "write int(…) around it", "this must give a whole number, it gives a fraction")
	case w == wantInt && k != reflect.Int, w == wantNumber && k != reflect.Int && k != reflect.Float64:
		l.inside(f, 0, "", "this must give a number, it gives %s", name)
	case !fixed:
		l.inside(f, 0, "", "an expression gives a bool, a number or text, this gives %s", name)
	default:
		return true
	}
	return false
}

// guarded runs one step of the expression library and reports its error at its place.
func (l *language) guarded(f *formula, step func() error) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			l.inside(f, 0, "", "this expression can't be read: %v", r)
			ok = false
		}
	}()
	err := step()
	if err == nil {
		return true
	}
	var located *file.Error
	if errors.As(err, &located) {
		message, hint := plainWords(located.Message, f)
		l.inside(f, located.From, hint, "%s", message)
		return false
	}
	l.inside(f, 0, "", "%s", err)
	return false
}

// inside reports a problem at a character of an expression.
func (l *language) inside(f *formula, from int, hint, format string, args ...any) {
	n := *f.n
	at := f.offset + from
	rest := n.src.rest(n.line, n.col)
	switch {
	case n.plain && strings.HasPrefix(rest, n.text):
		n.col += at
	case !n.plain && len(rest) > 0 && strings.HasPrefix(rest[1:], n.text):
		n.col += 1 + at
	}
	l.problems = append(l.problems, n.src.problem(n.line, n.col, fmt.Sprintf(format, args...), hint))
}
