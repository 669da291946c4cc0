package scenario

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// Env holds the facts of one request, by name, as expressions see them. One goroutine at a time
// may use it; it can be filled anew for the next request.
type Env struct {
	values  map[string]any
	machine vm.VM
}

// NewEnv makes an empty Env. It must hold every fact of [BuiltinFacts] that the scenario
// [Scenario.Uses], params.NAME of each parameter, and the file's own facts in their order.
func NewEnv() *Env {
	return &Env{values: make(map[string]any, 64), machine: vm.VM{MemoryBudget: memoryBudget}}
}

// memoryBudget bounds what one evaluation may allocate, in the expression machine's units (roughly values).
const memoryBudget = 10_000

// Set gives a fact its value. The name is as [BuiltinFacts] has it ("blocks.image"), the value
// of the Go type stated there.
func (e *Env) Set(name string, v any) { e.values[name] = v }

// Get returns a fact's value, nil when it was not set.
func (e *Env) Get(name string) any { return e.values[name] }

// Expr is a compiled expression of the file.
type Expr struct {
	Source  string
	program *vm.Program
}

// Value evaluates the expression: a bool, int, float64 or string.
func (x *Expr) Value(e *Env) (any, error) {
	v, err := e.machine.Run(x.program, e.values)
	if err != nil {
		return nil, x.failed(err)
	}
	return v, nil
}

// Bool evaluates a condition.
func (x *Expr) Bool(e *Env) (bool, error) {
	v, err := e.machine.Run(x.program, e.values)
	if err != nil {
		return false, x.failed(err)
	}
	b, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("%s: gives %T, not a bool", x.Source, v)
	}
	return b, nil
}

// Int evaluates an expression that the file uses as a whole number.
func (x *Expr) Int(e *Env) (int, error) {
	v, err := e.machine.Run(x.program, e.values)
	if err != nil {
		return 0, x.failed(err)
	}
	n, ok := v.(int)
	if !ok {
		return 0, fmt.Errorf("%s: gives %T, not a whole number", x.Source, v)
	}
	return n, nil
}

// Float evaluates an expression that the file uses as a number.
func (x *Expr) Float(e *Env) (float64, error) {
	v, err := e.machine.Run(x.program, e.values)
	if err != nil {
		return 0, x.failed(err)
	}
	switch v := v.(type) {
	case int:
		return float64(v), nil
	case float64:
		return v, nil
	}
	return 0, fmt.Errorf("%s: gives %T, not a number", x.Source, v)
}

func (x *Expr) failed(err error) error {
	var located *file.Error
	if errors.As(err, &located) {
		return fmt.Errorf("%s: %s", x.Source, located.Message)
	}
	return fmt.Errorf("%s: %w", x.Source, err)
}

// Template is text with ${EXPR} in it.
type Template struct {
	parts []templatePart
}

type templatePart struct {
	text string
	expr *Expr
}

// Text is a template without expressions: it renders as it stands.
func Text(s string) Template { return Template{parts: []templatePart{{text: s}}} }

// Constant returns the text of a template that has no expressions; ok is false for others.
func (t Template) Constant() (text string, ok bool) {
	switch {
	case len(t.parts) == 0:
		return "", true
	case len(t.parts) == 1 && t.parts[0].expr == nil:
		return t.parts[0].text, true
	}
	return "", false
}

// Text renders the template. Numbers are written in their shortest form.
func (t Template) Text(e *Env) (string, error) {
	if s, ok := t.Constant(); ok {
		return s, nil
	}
	var b strings.Builder
	for _, part := range t.parts {
		if part.expr == nil {
			b.WriteString(part.text)
			continue
		}
		v, err := part.expr.Value(e)
		if err != nil {
			return "", err
		}
		switch v := v.(type) {
		case string:
			b.WriteString(v)
		case int:
			b.WriteString(strconv.Itoa(v))
		case float64:
			b.WriteString(strconv.FormatFloat(v, 'f', -1, 64))
		default:
			fmt.Fprint(&b, v)
		}
	}
	return b.String(), nil
}
