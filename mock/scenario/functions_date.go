package scenario

import (
	"fmt"
	"math"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
)

// dateFunctions give the date so many seconds after the request's arrival, each in a form of its own.
// They are the forms that a retry-after or a reset is sent in.
func dateFunctions() []string { return []string{"http_date", "rfc850_date", "rfc3339"} }

// arrival is the fact that dates count from. An expression's call gets it as a second argument.
const arrival = "arrived_unix_ns"

// defineDates declares the functions with that second argument.
func defineDates(c *conf.Config) {
	for _, name := range dateFunctions() {
		c.Functions[name] = &builtin.Function{
			Name: name, Types: []reflect.Type{reflect.TypeFor[func(seconds, arrived int) string](), reflect.TypeFor[func(seconds float64, arrived int) string]()},
			Func: func(args ...any) (any, error) {
				seconds, whole := args[0].(int)
				if !whole {
					return dated(name, args[0].(float64), args[1].(int))
				}
				return dated(name, float64(seconds), args[1].(int))
			},
		}
	}
}

// flattenDate hands a date function the arrival that it counts from.
func flattenDate(node *ast.CallNode) {
	callee, ok := node.Callee.(*ast.IdentifierNode)
	if !ok || !slices.Contains(dateFunctions(), callee.Value) || len(node.Arguments) != 1 {
		return
	}
	arrived := &ast.IdentifierNode{Value: arrival}
	arrived.SetLocation(callee.Location())
	node.Arguments = append(node.Arguments, arrived)
}

// date checks what a date function was given.
func (l *lookup) date(callee *ast.IdentifierNode, node *ast.CallNode) {
	if len(node.Arguments) == 2 {
		if from, ok := node.Arguments[1].(*ast.IdentifierNode); ok && from.Value == arrival && from.Location() == callee.Location() {
			return
		}
	}
	l.fail(callee, "for example "+callee.Value+"(5), five seconds after the request's arrival", "%s takes one value, the seconds from arrival", callee.Value)
}

// dated writes a date. Years beyond 9999 have no form, and what is no number is no date.
func dated(form string, seconds float64, arrivedNS int) (string, error) {
	const most = 250_000_000_000 // seconds; about 7900 years
	if !(math.Abs(seconds) <= most) {
		return "", fmt.Errorf("%s: %v seconds from arrival is no date", form, seconds)
	}
	whole := math.Floor(seconds)
	at := time.Unix(int64(whole), int64((seconds-whole)*1e9)).Add(time.Duration(arrivedNS)).UTC()
	if at.Year() < 1 || at.Year() > 9999 {
		return "", fmt.Errorf("%s: %v seconds from arrival is no date", form, seconds)
	}
	switch form {
	case "http_date":
		return at.Format(http.TimeFormat), nil
	case "rfc850_date":
		return at.Format("Monday, 02-Jan-06 15:04:05 GMT"), nil
	}
	return at.Format(time.RFC3339), nil
}
