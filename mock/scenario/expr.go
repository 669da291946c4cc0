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
	slots   []any
	of      *slots          // of the scenario it was made for, whose facts come first; nil: none
	more    map[string]Slot // of the other facts
	strange bool            // whether a direct expression met a fact that isn't of its type

	values  map[string]any // those of the expression that the machine runs
	machine vm.VM
}

// Slot is where an Env keeps a fact.
type Slot int

// NewEnv makes an empty Env for expressions of any scenario. Those of one are quicker in its own,
// which [Scenario.NewEnv] makes, and give the same.
func NewEnv() *Env {
	return &Env{more: map[string]Slot{}, values: map[string]any{}, machine: vm.VM{MemoryBudget: memoryBudget}}
}

// NewEnv makes an empty Env. It must hold every fact of [BuiltinFacts] that the scenario
// [Scenario.Uses], params.NAME of each parameter, and the file's own facts in their order.
func (s *Scenario) NewEnv() *Env {
	e := NewEnv()
	e.of, e.slots = s.slots, make([]any, len(s.slots.of))
	return e
}

// memoryBudget bounds what one evaluation may allocate, in the expression machine's units (roughly values).
const memoryBudget = 10_000

// Slot is the place of a fact of that name, as [BuiltinFacts] has it ("blocks.image").
func (e *Env) Slot(name string) Slot {
	at, ok := e.find(name)
	if !ok {
		at = Slot(len(e.slots))
		e.more[name], e.slots = at, append(e.slots, nil)
	}
	return at
}

func (e *Env) find(name string) (at Slot, ok bool) {
	if e.of != nil {
		if at, ok = e.of.of[name]; ok {
			return at, true
		}
	}
	at, ok = e.more[name]
	return at, ok
}

// Put gives the fact at a place its value, of the Go type that [BuiltinFacts] states.
func (e *Env) Put(at Slot, v any) { e.slots[at] = v }

// Set is Put at the place of that name.
func (e *Env) Set(name string, v any) { e.Put(e.Slot(name), v) }

// Get returns a fact's value, nil when it was not set.
func (e *Env) Get(name string) any {
	if at, ok := e.find(name); ok {
		return e.slots[at]
	}
	return nil
}

// Expr is a compiled expression of the file.
type Expr struct {
	Source  string
	program *vm.Program
	reads   []string // the names in it
	of      *slots   // whose numbers direct goes by
	direct  direct
}

// directly tells whether the Env is one that the expression's direct form can read.
func (x *Expr) directly(e *Env) bool {
	e.strange = false
	return e.of == x.of
}

// run has the machine work it out.
func (x *Expr) run(e *Env) (any, error) {
	for _, name := range x.reads {
		e.values[name] = e.Get(name)
	}
	v, err := e.machine.Run(x.program, e.values)
	if err != nil {
		return nil, x.failed(err)
	}
	return v, nil
}

// Value evaluates the expression: a bool, int, float64 or string.
func (x *Expr) Value(e *Env) (any, error) {
	if x.directly(e) {
		var v any
		switch d := &x.direct; {
		case d.truth != nil:
			v = d.truth(e)
		case d.whole != nil:
			v = d.whole(e)
		case d.fraction != nil:
			v = d.fraction(e)
		case d.words != nil:
			v = d.words(e)
		}
		if v != nil && !e.strange {
			return v, nil
		}
	}
	return x.run(e)
}

// Bool evaluates a condition.
func (x *Expr) Bool(e *Env) (bool, error) {
	if x.direct.truth != nil && x.directly(e) {
		if holds := x.direct.truth(e); !e.strange {
			return holds, nil
		}
	}
	v, err := x.run(e)
	if err != nil {
		return false, err
	}
	b, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("%s: gives %T, not a bool", x.Source, v)
	}
	return b, nil
}

// Int evaluates an expression that the file uses as a whole number.
func (x *Expr) Int(e *Env) (int, error) {
	if x.direct.whole != nil && x.directly(e) {
		if n := x.direct.whole(e); !e.strange {
			return n, nil
		}
	}
	v, err := x.run(e)
	if err != nil {
		return 0, err
	}
	n, ok := v.(int)
	if !ok {
		return 0, fmt.Errorf("%s: gives %T, not a whole number", x.Source, v)
	}
	return n, nil
}

// Float evaluates an expression that the file uses as a number.
func (x *Expr) Float(e *Env) (float64, error) {
	if x.direct.fraction != nil && x.directly(e) {
		if n := x.direct.fraction(e); !e.strange {
			return n, nil
		}
	}
	v, err := x.run(e)
	if err != nil {
		return 0, err
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
