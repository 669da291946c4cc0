package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// noting is a scenario whose facts are these expressions.
func noting(expressions map[string]string) string {
	var b strings.Builder
	b.WriteString("facts:\n")
	for name, x := range expressions {
		fmt.Fprintf(&b, "  %s: '%s'\n", name, x)
	}
	return b.String() + quick + all
}

func TestEveryFactOfTheFormatIsRead(t *testing.T) {
	expressions, want := map[string]string{}, map[string]any{}
	for _, f := range scenario.BuiltinFacts() {
		name := strings.ReplaceAll(f.Name, ".", "_") + "_"
		switch {
		case strings.HasPrefix(f.Name, "planned."), strings.HasPrefix(f.Name, "usage."): // known later
			continue
		case f.Name == "utilization": // asks for a queue
			continue
		case f.Type == "function":
			expressions[name], want[name] = f.Name+`("x-none")`, ""
		case f.Type == "strings":
			expressions[name], want[name] = "len("+f.Name+")", 0
		default:
			expressions[name] = f.Name
			want[name] = map[string]any{"string": "", "int": 0, "float": 0.0, "bool": false}[f.Type]
		}
	}
	d := playing(t, noting(expressions)+`
keys: [{name: known, key: k, created: 2024-01-01T00:00:00Z, tier: one}]
phases: {by: count, steps: [{name: only}]}
`).ask()
	require.Equal(t, 200, d.Timeline.Status, message(d))
	for name, zero := range want {
		require.IsType(t, zero, d.Facts()[name], name)
	}
}

func TestFactsSayWhatTheRequestIs(t *testing.T) {
	for _, c := range []struct {
		expression string
		want       any
		changes    []change
	}{
		{`model`, "claude-sonnet-5", nil},
		{`stream`, true, []change{streamed()}},
		{`text`, "what time is it?", []change{saying("what time is it?")}},
		{`system`, "Be brief.", []change{with(`"system":"Be brief."`)}},
		{`input_tokens`, 8, nil},
		{`max_tokens`, 1000, nil},
		{`len(stop_sequences)`, 2, []change{with(`"stop_sequences":["a","b"]`)}},
		{`blocks.text`, 1, nil},
		{`messages`, 1, nil},
		{`header("X-Many")`, "one, two, three", []change{header("X-Many", "one, two"), header("X-Many", "three")}},
		{`header("x-many")`, "One", []change{header("X-Many", "One")}},
		{`header("x-absent")`, "", nil},
		{`header("x-api-key") + header("authorization")`, "[withheld]", []change{header("X-Api-Key", "sk-secret")}},
		{`join(betas, "|")`, "a|b|c", []change{header("Anthropic-Beta", "a, b"), header("Anthropic-Beta", "c")}},
		{`len(betas)`, 0, nil},
		{`client`, "key-b", []change{from("key-b")}},
		{`path + " " + method + " " + protocol`, "/v1/messages POST HTTP/1.1", nil},
		{`hour`, 13, nil},
		{`elapsed_ms`, 0.0, nil},
		{`ordinal`, 1, nil},
	} {
		t.Run(c.expression, func(t *testing.T) {
			d := playing(t, noting(map[string]string{"it": c.expression})).ask(c.changes...)
			require.Equal(t, c.want, d.Facts()["it"])
		})
	}
}

func TestMillisecondsAreMadeFromWholeNanoseconds(t *testing.T) {
	g := playing(t, noting(map[string]string{"it": "elapsed_ms"}))
	g.ask()
	require.Equal(t, 1234.567891, g.ask(at(1_234_567_891)).Facts()["it"])
}

const parameters = `
parameters:
  mode: {enum: [strict, balanced], default: balanced}
  note: {type: string}
  warm: {type: boolean, default: true}
  cold: {type: boolean}
  level: {type: integer, default: 3}
  depth: {type: integer}
  share: {type: number, default: 0.5}
  weight: {type: number}
facts:
  read: params.mode + params.note + string(params.warm) + string(params.cold) + string(params.level + params.depth) + string(params.share + params.weight)
` + quick + all

func TestAParameterIsWhatWasSentElseItsDefaultElseItsTypesZero(t *testing.T) {
	absent := map[string]any{
		"params.mode": "balanced", "params.note": "", "params.warm": true, "params.cold": false,
		"params.level": 3, "params.depth": 0, "params.share": 0.5, "params.weight": 0.0,
	}
	for _, c := range []struct {
		name, sent string
		want       map[string]any
	}{
		{"nothing", "", nil},
		{"a text", `"mode":"strict"`, map[string]any{"params.mode": "strict"}},
		{"false", `"warm":false`, map[string]any{"params.warm": false}},
		{"a whole number", `"level":7`, map[string]any{"params.level": 7}},
		{"a whole number with a point", `"level":7.0`, map[string]any{"params.level": 7}},
		{"a number", `"share":1`, map[string]any{"params.share": 1.0}},
		{"null", `"mode":null,"level":null`, nil},
		{"other types, when validation is off", `"mode":7,"warm":"yes","level":"high","share":true,"note":["a"]`, nil},
		{"a fraction for a whole number", `"level":7.5`, nil},
		{"more than a number can say exactly", `"level":1e300`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var changes []change
			if c.sent != "" {
				changes = append(changes, with(c.sent))
			}
			d := playing(t, parameters).ask(changes...)
			require.Equal(t, 200, d.Timeline.Status, message(d))
			facts := d.Facts()
			for name, value := range absent {
				if sent, ok := c.want[name]; ok {
					value = sent
				}
				require.Equal(t, value, facts[name], name)
			}
		})
	}
}

func TestFactsOfADecisionOutliveTheNextRequest(t *testing.T) {
	g := playing(t, noting(map[string]string{"it": "text"}))
	var first *run.Decision
	for _, text := range []string{"one", "two", "three"} {
		d := g.ask(saying(text))
		if first == nil {
			first = d
		}
	}
	require.Equal(t, map[string]any{"it": "one", "text": "one"}, first.Facts())
}
