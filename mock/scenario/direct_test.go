package scenario

import (
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/scenarios"
)

func TestDirectExpressionsGiveWhatTheMachineGives(t *testing.T) {
	library, err := NewLibrary(scenarios.FS)
	require.NoError(t, err)
	all, direct := 0, 0
	for _, name := range library.Names() {
		s, err := library.Load(name)
		require.NoError(t, err)
		expressions := expressionsOf(s)
		all += len(expressions)
		direct += compareBoth(t, s, expressions)
	}
	require.Greater(t, all, 100)
	require.Greater(t, direct, all*9/10, "direct ones of %d", all)
}

func TestDirectExpressionsOfEachKindGiveWhatTheMachineGives(t *testing.T) {
	s := must(t, `
orrery: 1
name: test
parameters: {mode: {enum: [strict, balanced], default: strict}, level: {type: integer}, part: {type: number}, on: {type: boolean}}
facts:
  a: stream != params.on or not (params.on == stream) && !stream
  b: messages + 2 * tools - -params.level
  c: messages / tools + params.part * 2 - 0.5
  d: 'b > c ? model : params.mode'
  e: header("x-a") + "" == "" or header(model) startsWith "s" or text endsWith "d" or text contains model
  f: messages in 2..4 and messages not in 3..3 and params.mode in ["strict", "lax"] and tools in 5..1
  g: model < text and model >= "m" or model != path or model <= path or model > "x"
  h: older(sdk.version, "1.2") or older(model, text)
  i: messages == elapsed_ms or messages < 2.5 or elapsed_ms >= messages or elapsed_ms != 1
  j: 'params.on ? messages : tools'
  k: 'params.on ? elapsed_ms : c'
  l: b >= messages and b <= 3 and b != 4 and b == tools
  m: len(betas) > 1 or messages % 3 == 1
  n: -elapsed_ms
  o: between(elapsed_ms, 1, 3) and max(messages, 2) == 2
`)
	expressions := expressionsOf(s)
	require.Len(t, expressions, 15)
	require.Equal(t, 12, compareBoth(t, s, expressions), "all but e, m and o")
}

func TestAFactThatIsNotOfItsTypeIsTheMachinesToReport(t *testing.T) {
	s := must(t, "orrery: 1\nname: test\nfacts: {many: messages > 3}")
	x, e := s.Facts[0].Expr, s.NewEnv()
	e.Set("messages", "four")
	_, err := x.Bool(e)
	require.ErrorContains(t, err, "messages > 3: ")
	e.Set("messages", 4.5)
	holds, err := x.Bool(e)
	require.NoError(t, err)
	require.True(t, holds)
}

func must(t *testing.T, text string) *Scenario {
	t.Helper()
	s, err := Loader{}.Load("test.yaml", []byte(text))
	require.NoError(t, err)
	return s
}

// compareBoth evaluates all expressions both ways under random facts, and counts those that have a
// direct form.
func compareBoth(t *testing.T, s *Scenario, expressions []*Expr) (direct int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	facts := guess(s, expressions, random)
	plain, own := NewEnv(), s.NewEnv()
	for range 500 {
		for name, value := range facts() {
			plain.Set(name, value)
			own.Set(name, value)
		}
		for _, f := range s.Facts {
			v, err := f.Expr.Value(plain)
			require.NoError(t, err)
			plain.Set(f.Name, v)
			own.Set(f.Name, v)
		}
		for _, x := range expressions {
			want, err := x.Value(plain)
			got, gotErr := x.Value(own)
			if !same(want, got) || (err == nil) != (gotErr == nil) {
				require.Equal(t, want, got, x.Source)
				require.Equal(t, err, gotErr, x.Source)
			}
		}
	}
	for _, x := range expressions {
		if d := &x.direct; d.truth != nil || d.whole != nil || d.fraction != nil || d.words != nil {
			direct++
			_, _ = x.Value(own)
			require.False(t, own.strange, x.Source)
		}
	}
	return direct
}

func same(a, b any) bool {
	x, ok := a.(float64)
	y, also := b.(float64)
	if ok && also {
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	}
	return a == b
}

// guess makes random facts, often near the texts and numbers that the expressions name.
func guess(s *Scenario, expressions []*Expr, random *rand.Rand) func() map[string]any {
	words, numbers := []string{"", "strange", "0.37.9", "1.2.3-beta"}, []float64{0, 1, 2, 5}
	for _, x := range expressions {
		for _, m := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(x.Source, -1) {
			words = append(words, m[1], m[1]+" and more")
		}
		for _, m := range regexp.MustCompile(`[0-9]+(\.[0-9]+)?`).FindAllString(x.Source, -1) {
			v, _ := strconv.ParseFloat(m, 64)
			numbers = append(numbers, v-1, v, v+1)
		}
	}
	word := func() string { return words[random.IntN(len(words))] }
	number := func() float64 { return numbers[random.IntN(len(numbers))] }
	like := func(zero any) any {
		switch zero.(type) {
		case string:
			return word()
		case int:
			return int(number())
		case float64:
			return number() + float64(random.IntN(3))/4
		case bool:
			return random.IntN(2) == 0
		case []string:
			return []string{word(), word()}[:random.IntN(3)]
		}
		sent := map[string]string{}
		return func(name string) string {
			if _, ok := sent[name]; !ok {
				sent[name] = word()
			}
			return sent[name]
		}
	}
	return func() map[string]any {
		made := map[string]any{}
		for _, b := range BuiltinFacts() {
			made[b.Name] = like(b.zero())
		}
		for _, p := range s.Parameters {
			made["params."+p.Name] = like(p.Absent())
		}
		for _, q := range s.Queues {
			made[q.BusyFact()] = random.Float64()
		}
		return made
	}
}

// expressionsOf finds all that a scenario holds, wherever they are.
func expressionsOf(s *Scenario) []*Expr {
	var found []*Expr
	seen := map[any]bool{}
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || seen[v.Pointer()] {
				return
			}
			seen[v.Pointer()] = true
			if v.Type() == reflect.TypeFor[*Expr]() {
				found = append(found, (*Expr)(v.UnsafePointer()))
				return
			}
			look(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				look(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				look(v.Index(i))
			}
		case reflect.Map:
			for i := v.MapRange(); i.Next(); {
				look(i.Value())
			}
		}
	}
	look(reflect.ValueOf(s))
	return found
}
