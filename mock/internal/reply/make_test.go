package reply

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

const plenty = 1 << 20

// made is what a reply says that names its fixtures and asks for no more than a text.
func made(l *Library, spec *scenario.Reply, choice, length latency.U, maxTokens int, stops []string) ended {
	return end(l.whole(spec, spec.Fixtures, choice, length), maxTokens, stops)
}

// requireTrue checks that what is said is cut as the token rule cuts it.
func requireTrue(t *testing.T, said ended) {
	t.Helper()
	b := said.Block
	require.Equal(t, "text", b.Type)
	require.Equal(t, wire.CountTokens(b.Text), said.Output, "%q", b.Text)
	ends := []uint32{}
	for _, e := range b.Ends {
		ends = append(ends, e-b.Base)
	}
	require.Equal(t, wire.TokenEnds([]uint32{}, b.Text), ends, "%q", b.Text)
	require.Equal(t, b.Text, b.Span(0, b.Tokens()))
}

func fraction(f float64) latency.U { return latency.U(f * float64(latency.Whole)) }

func TestAFixtureIsSaidWhole(t *testing.T) {
	l := builtIn(t)
	for _, name := range l.Names() {
		said := made(l, &scenario.Reply{Fixtures: []string{name}}, 0, 0, plenty, nil)
		requireTrue(t, said)
		require.Equal(t, "end_turn", said.StopReason)
		require.Empty(t, said.StopSequence)
	}
	said := made(l, &scenario.Reply{Fixtures: []string{"en-hello"}}, 0, 0, plenty, nil)
	require.Equal(t, "Hi! How can I help?", said.Block.Text)
	require.Less(t, said.Output, 10)
}

func TestTheDrawTakesEachFixtureEquallyOften(t *testing.T) {
	l := open(t, map[string]string{"a": "A", "b": "B", "c": "C", "d": "D"})
	said := func(names []string, choice latency.U) string {
		return made(l, &scenario.Reply{Fixtures: names}, choice, 0, plenty, nil).Block.Text
	}
	for choice, want := range map[latency.U]string{0: "A", 249_999_999: "A", 250_000_000: "B", 750_000_000: "D", latency.Whole - 1: "D"} {
		require.Equal(t, want, said(nil, choice))
	}
	require.Equal(t, "D", said([]string{"d", "b"}, fraction(0.49)))
	require.Equal(t, "B", said([]string{"d", "b"}, fraction(0.5)))
	require.PanicsWithValue(t, `reply: no fixture "e": loading the scenario should have said so`, func() { said([]string{"e"}, 0) })
}

func TestAReplyHasTheLengthThatTheDrawGives(t *testing.T) {
	l := builtIn(t)
	spec := &scenario.Reply{Fixtures: []string{"en-hello"}, Tokens: scenario.Range{Min: 100, Max: 199}}
	for length, want := range map[latency.U]int{0: 100, fraction(0.505): 150, latency.Whole - 1: 199} {
		said := made(l, spec, 0, length, plenty, nil)
		requireTrue(t, said)
		require.Equal(t, want, said.Output)
		require.Equal(t, "end_turn", said.StopReason)
		require.True(t, strings.HasPrefix(said.Block.Text, "Hi! How can I help?\n\n"), said.Block.Text)
	}
}

func TestALongReplyGoesOnWithTheNextFixturesAndRoundAgain(t *testing.T) {
	l := open(t, map[string]string{"a": "One.\n", "b": "Two."})
	for n, want := range map[int]string{
		1: "Two", 2: "Two.", 4: "Two.\n\nOne", 14: "Two.\n\nOne.\n\nTwo.\n\nOne.\n\nTwo.",
	} {
		said := made(l, &scenario.Reply{Fixtures: []string{"b"}, Tokens: scenario.Range{Min: n, Max: n}}, 0, 0, plenty, nil)
		requireTrue(t, said)
		require.Equal(t, want, said.Block.Text)
	}
	long := made(builtIn(t), &scenario.Reply{Tokens: scenario.Range{Min: 64_000, Max: 64_000}}, fraction(0.9), 0, plenty, nil)
	require.Equal(t, 64_000, long.Output)
	require.Equal(t, 64_000, wire.CountTokens(long.Block.Text))
}

func TestAScenariosOwnTextIsSaidAsItStands(t *testing.T) {
	l := builtIn(t)
	for _, own := range []string{"x", " \n two  lines\n\n", "茶\xff", strings.Repeat("a long one. ", 1000)} {
		for range 2 {
			said := made(l, &scenario.Reply{Text: own}, 0, 0, plenty, nil)
			requireTrue(t, said)
			require.Equal(t, own, said.Block.Text)
		}
	}
}

func TestAScenariosOwnTextIsCutOrRepeatedToItsLength(t *testing.T) {
	l := builtIn(t)
	for own, want := range map[string]string{
		"One two three four five six seven.": "One two three four five six",
		"Yes.":                               "Yes.\n\nYes.\n\n",
		"\n":                                 strings.Repeat("\n", 48),
	} {
		spec := &scenario.Reply{Text: own, Tokens: scenario.Range{Min: 2, Max: 6}}
		said := made(l, spec, 0, latency.Whole-1, plenty, nil)
		requireTrue(t, said)
		require.Equal(t, want, said.Block.Text)
		require.Equal(t, 2, made(l, spec, 0, 0, plenty, nil).Output)
	}
}

func TestMaxTokensCutsAtATokensEnd(t *testing.T) {
	l := builtIn(t)
	spec := &scenario.Reply{Text: "One two three"}
	for limit, want := range map[int]ended{
		0: {StopReason: "max_tokens"},
		1: {Output: 1, StopReason: "max_tokens"},
		2: {Output: 2, StopReason: "max_tokens"},
		3: {Output: 3, StopReason: "end_turn"},
		4: {Output: 3, StopReason: "end_turn"},
	} {
		said := made(l, spec, 0, 0, limit, nil)
		requireTrue(t, said)
		require.Equal(t, strings.Join([]string{"One", " two", " three"}[:want.Output], ""), said.Block.Text)
		said.Block = wire.Block{}
		require.Equal(t, want, said)
	}
}

func TestAStopSequenceEndsTheTextBeforeIt(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		stops []string
		limit int
		said  string
		stop  string
		why   string
	}{
		"none is met":                        {"One two three", []string{"four"}, 9, "One two three", "", "end_turn"},
		"at a token's end":                   {"One two three", []string{" three"}, 9, "One two", " three", "stop_sequence"},
		"within a token":                     {"One two three", []string{"ree"}, 9, "One two th", "ree", "stop_sequence"},
		"across tokens":                      {"One two three", []string{"e t"}, 9, "On", "e t", "stop_sequence"},
		"at the beginning":                   {"One two three", []string{"One"}, 9, "", "One", "stop_sequence"},
		"the earliest of several":            {"One two three", []string{"three", "two"}, 9, "One ", "two", "stop_sequence"},
		"the one that is complete first":     {"abcdef", []string{"bcde", "cd"}, 9, "ab", "cd", "stop_sequence"},
		"the longer of two that end as one":  {"abcdef", []string{"cd", "bcd"}, 9, "a", "bcd", "stop_sequence"},
		"one that max_tokens would have hid": {"One two three", []string{"three"}, 2, "One two", "", "max_tokens"},
		"one right at max_tokens":            {"One two three", []string{"two"}, 2, "One ", "two", "stop_sequence"},
		"between spaces":                     {"One    two", []string{" two"}, 9, "One   ", " two", "stop_sequence"},
		"behind the last of many spaces":     {"One    two", []string{"two"}, 9, "One    ", "two", "stop_sequence"},
		"an ideograph":                       {"喝一杯茶吧。", []string{"茶"}, 9, "喝一杯", "茶", "stop_sequence"},
		"an empty one is not met":            {"One", []string{""}, 9, "One", "", "end_turn"},
	} {
		t.Run(name, func(t *testing.T) {
			said := made(builtIn(t), &scenario.Reply{Text: c.text}, 0, 0, c.limit, c.stops)
			requireTrue(t, said)
			require.Equal(t, c.said, said.Block.Text)
			require.Equal(t, c.stop, said.StopSequence)
			require.Equal(t, c.why, said.StopReason)
		})
	}
}

func TestWhateverIsSaidIsCountedAsItIsCut(t *testing.T) {
	l := builtIn(t)
	random := rand.New(rand.NewPCG(3, 4))
	corpus := []rune(l.corpus.text)
	for range 3000 {
		least := 1 + random.IntN(600)
		spec := &scenario.Reply{Tokens: scenario.Range{Min: least, Max: least + random.IntN(300)}}
		if random.IntN(3) == 0 {
			spec.Tokens = scenario.Range{}
		}
		var stops []string
		for range random.IntN(4) {
			at := random.IntN(len(corpus) - 5)
			stops = append(stops, string(corpus[at:at+1+random.IntN(4)]))
		}
		limit := random.IntN(700)
		choice := latency.U(random.Uint32N(uint32(latency.Whole)))
		length := latency.U(random.Uint32N(uint32(latency.Whole)))
		said := made(l, spec, choice, length, limit, stops)
		requireTrue(t, said)
		require.LessOrEqual(t, said.Output, limit)
		for _, stop := range stops {
			require.NotContains(t, said.Block.Text, stop)
		}
		if said.StopReason == "stop_sequence" {
			require.Contains(t, stops, said.StopSequence)
			require.True(t, slices.Contains(stops, said.StopSequence))
		}
		require.Equal(t, said, made(l, spec, choice, length, limit, stops))
	}
}

func TestTheLibraryKeepsABoundedNumberOfOwnTexts(t *testing.T) {
	l := builtIn(t)
	for i := range 50 {
		own := strings.Repeat("abc ", 100_000) + string(rune('a'+i))
		require.Equal(t, own, made(l, &scenario.Reply{Text: own}, 0, 0, plenty, nil).Block.Text)
		require.LessOrEqual(t, l.own.bytes, ownLimit)
	}
}

func TestAUsualReplyAllocatesNothing(t *testing.T) {
	l := builtIn(t)
	for _, spec := range []*scenario.Reply{
		{}, {Fixtures: []string{"zh-tea", "en-tides"}}, {Tokens: scenario.Range{Min: 50, Max: 900}}, {Text: "as it stands"},
	} {
		made(l, spec, 0, 0, plenty, nil)
		require.Zero(t, testing.AllocsPerRun(100, func() { made(l, spec, fraction(0.7), fraction(0.3), 64, []string{"\x00"}) }))
	}
}

func BenchmarkMake(b *testing.B) {
	l := builtIn(b)
	for _, c := range []struct {
		name string
		spec *scenario.Reply
	}{
		{"any", &scenario.Reply{}},
		{"named", &scenario.Reply{Fixtures: []string{"zh-tea", "en-tides"}}},
		{"length", &scenario.Reply{Tokens: scenario.Range{Min: 50, Max: 900}}},
		{"text", &scenario.Reply{Text: strings.Repeat("as it stands ", 20)}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				made(l, c.spec, fraction(0.7), fraction(0.3), 1000, nil)
			}
		})
	}
}
