package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// load compiles a file given as text and expects no problems.
func load(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Loader{}.Load("test.yaml", []byte(text))
	require.NoError(t, err)
	return s
}

// facts is an Env in which every built-in fact has a value of its type.
func facts() *scenario.Env {
	env := scenario.NewEnv()
	for _, f := range scenario.BuiltinFacts() {
		switch f.Type {
		case "string":
			env.Set(f.Name, "some "+f.Name)
		case "int":
			env.Set(f.Name, 5)
		case "float":
			env.Set(f.Name, 186.5)
		case "bool":
			env.Set(f.Name, true)
		case "strings":
			env.Set(f.Name, []string{"a", "b"})
		case "function":
			env.Set(f.Name, func(name string) string { return "value of " + name })
		}
	}
	return env
}

const frame = `
orrery: 1
name: test
parameters:
  mode: {enum: [strict, balanced], default: strict}
  level: {type: integer}
  part: {type: number}
  on: {type: boolean}
facts:
  busy: concurrency > 3
profiles:
  p: {respond: 1ms}
`

func TestAConditionSeesFactsParametersAndTheFilesOwnFacts(t *testing.T) {
	for condition, want := range map[string]bool{
		`stream`:                              true,
		`not stream`:                          false,
		`busy and params.mode == "strict"`:    true,
		`params["mode"] == "strict"`:          true,
		`params.level >= 2`:                   true,
		`params.part > 0.4`:                   true,
		`params.on`:                           false,
		`header("x-a") == "value of X-A"`:     true,
		`between(messages, 5, 9)`:             true,
		`between(messages, 1, 5)`:             true,
		`between(elapsed_ms, 0, 186.4)`:       false,
		`between(messages + 1, 1, 5)`:         false,
		`messages in 1..5`:                    true,
		`hour not in 1..5`:                    false,
		`messages in [1, 2]`:                  false,
		`"a" in betas`:                        true,
		`len(betas) == 2`:                     true,
		`any(betas, # == "b")`:                true,
		`betas[0] == "a"`:                     true,
		`model startsWith "some"`:             true,
		`text matches "^some t.xt$"`:          true,
		`lower(upper(model)) == model`:        true,
		`blocks.image * 2 == 10`:              true,
		`connection.requests == ordinal`:      true,
		`max(messages, 9) == 9`:               true,
		`messages / 2 == 2.5`:                 true,
		`int(elapsed_ms) % 2 == 0`:            true,
		`(stream ? model_date : 0) == 5`:      true,
		`elapsed_ms == 186.5 or repeats == 0`: true,
		`client_qps + qps == 10`:              true,
	} {
		t.Run(condition, func(t *testing.T) {
			s := load(t, frame+"routes: [{name: r, profile: p, when: '"+condition+"'}]")
			env := facts()
			env.Set("params.mode", "strict")
			env.Set("params.level", 2)
			env.Set("params.part", 0.5)
			env.Set("params.on", false)
			for _, f := range s.Facts {
				v, err := f.Expr.Value(env)
				require.NoError(t, err)
				env.Set(f.Name, v)
			}
			got, err := s.Routes[0].When.Bool(env)
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}

func TestANumberIsAWholeOneWhereTheFileNeedsIt(t *testing.T) {
	s := load(t, frame+"routes: [{name: r, profile: p, usage: {input_tokens: 7, output_tokens: 'input_tokens * 2'}}]")
	for i, want := range []int{7, 10} {
		n, err := s.Routes[0].Usage[i].Value.Int(facts())
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	s = load(t, frame+"  q: {respond: 1ms, load: {by: 'elapsed_ms + 1', at: {0: 1}}}\n  r: {respond: 1ms, load: {by: qps, at: {0: 1}}}")
	f, err := s.Profiles["q"].Load.By.Float(facts())
	require.NoError(t, err)
	require.InDelta(t, 187.5, f, 0)
	f, err = s.Profiles["r"].Load.By.Float(facts())
	require.NoError(t, err)
	require.InDelta(t, 5, f, 0)
}

func TestAFactThatWasNeverSetIsAnErrorAndNotAPanic(t *testing.T) {
	s := load(t, frame+"routes: [{name: r, profile: p, when: messages > 3}]")
	_, err := s.Routes[0].When.Bool(scenario.NewEnv())
	require.ErrorContains(t, err, "messages > 3")
	require.NotContains(t, err.Error(), "\n")
}

func TestATemplateRendersEveryTypeAndKeepsItsText(t *testing.T) {
	for source, want := range map[string]string{
		`plain`:                                "plain",
		``:                                     "",
		`${model} asked`:                       "some model asked",
		`<${messages}|${elapsed_ms}>`:          "<5|186.5>",
		`${stream} $${stream} $5`:              "true ${stream} $5",
		`${"}" + model}`:                       "}some model",
		`${stream ? "yes {}" : "no"}`:          "yes {}",
		`é${model}`:                            "ésome model",
		`${header("a")}${header("b")}`:         "value of Avalue of B",
		`${messages > 3 ? "" : "not so many"}`: "",
	} {
		t.Run(source, func(t *testing.T) {
			s := load(t, frame+"routes: [{name: r, profile: p, headers: {x: '"+source+"'}}]")
			value := s.Routes[0].Headers[0].Value
			got, err := value.Text(facts())
			require.NoError(t, err)
			require.Equal(t, want, got)
			constant, ok := value.Constant()
			require.Equal(t, !strings.Contains(strings.ReplaceAll(source, "$$", ""), "${"), ok)
			if ok {
				require.Equal(t, want, constant)
			}
		})
	}
}

func TestUsesNamesWhatExpressionsRead(t *testing.T) {
	s := load(t, frame+`  q: {respond: 1ms, load: {by: client_qps, at: {0: 1}}}
routes:
  - {name: r, profile: p, when: 'blocks.image > 0 and params.mode == "strict"', headers: {x: "${hour}"}, marks: {m: planned.ttft_ms > 1}, usage: {input_tokens: tools}}
`)
	for _, name := range []string{"concurrency", "client_qps", "blocks.image", "blocks", "params.mode", "params", "hour", "planned", "tools"} {
		require.True(t, s.Uses(name), name)
	}
	for _, name := range []string{"busy", "qps", "blocks.text", "params.level", "text"} {
		require.False(t, s.Uses(name), name)
	}
}

func TestBuiltinFactsAreDocumentedAndUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range scenario.BuiltinFacts() {
		require.False(t, seen[f.Name], f.Name)
		seen[f.Name] = true
		require.NotEmpty(t, f.Doc, f.Name)
		require.Contains(t, []string{"string", "int", "float", "bool", "strings", "function"}, f.Type)
	}
}

// The most an expression of a route costs: four facts, one of them a parameter.
func BenchmarkCondition(b *testing.B) {
	s := load(b, frame+`  q: {respond: 1ms}
routes:
  - {name: r, profile: p, when: 'busy and stream and params.mode == "strict" and repeats >= 4'}
`)
	env := facts()
	env.Set("busy", true)
	env.Set("params.mode", "strict")
	b.ReportAllocs()
	for b.Loop() {
		if ok, err := s.Routes[0].When.Bool(env); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
