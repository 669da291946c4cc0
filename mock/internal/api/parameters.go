package api

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// checkParameter checks a body field of the scenario's own, in the API's words.
func checkParameter(p scenario.Parameter, v *wire.Value) *wire.Error {
	if fault := parameterFault(p, v); fault != "" {
		return wire.Invalid(p.Name + ": " + fault)
	}
	return nil
}

func parameterFault(p scenario.Parameter, v *wire.Value) string {
	switch p.Type {
	case "boolean":
		if v.Kind() != wire.Bool {
			return "Input should be a valid boolean"
		}
	case "integer", "number":
		return numberFault(p, v)
	default:
		if v.Kind() != wire.String {
			return "Input should be a valid string"
		}
		if len(p.Enum) > 0 && !slices.Contains(p.Enum, v.Text()) {
			return "Input should be " + choices(p.Enum)
		}
	}
	return ""
}

func numberFault(p scenario.Parameter, v *wire.Value) string {
	f, ok := v.Float()
	if !ok {
		return "Input should be a valid " + p.Type
	}
	if _, whole := v.Int(); p.Type == "integer" && !whole {
		return "Input should be a valid integer"
	}
	if p.Minimum != nil && f < *p.Minimum {
		return "Input should be greater than or equal to " + number(*p.Minimum)
	}
	if p.Maximum != nil && f > *p.Maximum {
		return "Input should be less than or equal to " + number(*p.Maximum)
	}
	return ""
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// choices lists values as the API does: 'a', 'b' or 'c'.
func choices(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = "'" + v + "'"
	}
	last := len(quoted) - 1
	if last == 0 {
		return quoted[0]
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
