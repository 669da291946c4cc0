package wire

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func cut(text string) []string {
	var tokens []string
	from := uint32(0)
	for _, end := range TokenEnds(nil, text) {
		tokens = append(tokens, text[from:end])
		from = end
	}
	return tokens
}

func TestTextIsCutAsTheRuleSays(t *testing.T) {
	for name, tokens := range map[string][]string{
		"a word takes the space before it":              {"The", " tide", " turns"},
		"a long word is several tokens":                 {" misund", "erst", "andi", "ng"},
		"a long word without a space starts shorter":    {"unde", "rsta", "ndin", "g"},
		"letters in two bytes weigh two":                {" при", "ве", "т"},
		"a letter that would not fit is not cut":        {" abcde", "éf"},
		"a mark belongs to the letters behind it":       {"don", "'t", " (see", ")", "\n", "fmt", ".Prin", "tln"},
		"a curly apostrophe does too":                   {"don", "’t"},
		"marks run up to four bytes":                    {"----", "--", " ```", "\n"},
		"a mark that would not fit begins the next":     {"!!", "—!", "—", "—x"},
		"digits come in threes":                         {" 202", "6", "-", "11", "-", "29"},
		"every ideograph, kana and syllable is one":     {"茶", "は", "한", "，", "。"},
		"a pictograph keeps its tone and joiner":        {"👍🏽", " 👩‍", "🚀", "❤️"},
		"a flag is one token, half a flag too":          {"🇩🇪", "🇫🇷", "🇯"},
		"a keycap belongs to its digit":                 {"1️⃣", " a"},
		"an extender alone is a token":                  {"\ufe0f", "a"},
		"line ends run":                                 {"a", "\n\n", "b", "\r\n", "\t\t", "x"},
		"the last of many spaces belongs to what comes": {"a", "   ", " b", "  "},
		"spaces before a line end stay together":        {"a", "  ", "\n"},
		"spaces run to sixteen":                         {strings.Repeat(" ", 16), "   ", " x"},
		"a byte that is not UTF-8 is one":               {"a", "\xff", "\xe4", "\xbd", "b"},
		"a space does not take a broken byte":           {" ", "\x80"},
		"arrows are one each":                           {" →", "→"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Join(tokens, "")
			require.Equal(t, tokens, cut(text))
			require.Equal(t, len(tokens), CountTokens(text))
		})
	}
	require.Zero(t, NextToken(""))
	require.Zero(t, CountTokens(""))
	require.Empty(t, TokenEnds(nil, ""))
}

// requireSound checks what everybody relies on: the three functions agree, and a cut at a token's
// end changes nothing on either side.
func requireSound(t *testing.T, text string) {
	t.Helper()
	valid := utf8.ValidString(text)
	ends := TokenEnds(nil, text)
	from := 0
	for i, end := range ends {
		token := text[from:end]
		switch before, after := text[:end], text[end:]; {
		case token == "" || len(token) > 48:
			t.Fatalf("%q has the token %q", text, token)
		case valid && !utf8.ValidString(token):
			t.Fatalf("%q is cut within a character at %q", text, token)
		case len(ends) > 300: // the rest takes quadratic time
		case CountTokens(before) != i+1 || !slices.Equal(ends[:i+1], TokenEnds(nil, before)):
			t.Fatalf("%q before %q is cut into %q", before, after, cut(before))
		case CountTokens(after) != len(ends)-i-1:
			t.Fatalf("%q after %q is cut into %q", after, before, cut(after))
		}
		from = int(end)
	}
	if from != len(text) || CountTokens(text) != len(ends) {
		t.Fatalf("%q counts as %d and is cut into %q", text, CountTokens(text), cut(text))
	}
}

// alphabet has a member of every class and both ends of the ranges that the rule names.
func alphabet() []string {
	return []string{
		" ", " ", "  ", "\n", "\r", "\t", "a", "Z", "abcdefgh", "'", ".", "(", "--", "0", "123", "\x00", "\x7f",
		"é", "ß", "ü", "«", "\u00a0", "я", "ש", "م", "ह", "ि", "ก", "’", "—", "…", "\u200d", "\u2028", "€", "→", "☃", "\ufe0f",
		"\u20e3", "\u3000", "茶", "の", "한", "\ud7a3", "，", "\ufffd", "👍", "🏽", "🇩", "🇪", "𠮷", "\U000e0067", "\U000e0100",
		"\x80", "\xc2", "\xe4\xbd", "\xed\xa0\x80", "\xf0\x9f", "\xf4\x90\x80\x80", "\xff", "\xe3\x81", "\xe5",
	}
}

func TestEveryCutAtATokensEndChangesNothing(t *testing.T) {
	parts := alphabet()
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				requireSound(t, a+b+c)
				long := a + b + c + " the tide turns"
				if CountTokens(long) != len(TokenEnds(nil, long)) {
					t.Fatalf("%q counts as %d and is cut into %q", long, CountTokens(long), cut(long))
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var b strings.Builder
		for range random.IntN(40) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		requireSound(t, b.String())
	}
}

func FuzzTokens(f *testing.F) {
	for _, part := range alphabet() {
		f.Add(part)
	}
	f.Add(english + chinese + emoji + code + digits)
	f.Fuzz(requireSound)
}

const (
	english = `The harbour wakes before the town does. By five the first boats are back, low in the water, and the gulls ` +
		`have already opened the argument that will last until noon. Nobody hurries; the work was done in the dark. `
	german = `Am frühen Morgen gehört der Wochenmarkt den Händlern, die ihre Stände aufbauen und sich über die Straße ` +
		`hinweg begrüßen. Später kommen die Kundinnen mit ihren Körben, prüfen die Kartoffeln und fragen nach Äpfeln. `
	french  = `Le boulanger se lève à trois heures, quand la ville dort encore. Il allume le four, pèse la farine et l'eau, puis il attend que la pâte respire. `
	chinese = `清晨的茶馆里，老人们围坐在木桌旁，慢慢地喝着热茶，谈论昨天的天气和今天的菜价。窗外下着小雨，没有人着急离开。`
	russian = `Утром над рекой стоит туман, и лодки кажутся нарисованными. Рыбак молча пьёт чай и смотрит на воду. `
	emoji   = "Party 🎉🎂 at 8! 👩‍🚀👍🏽 Bring 🍕 and 🇩🇪🇫🇷 flags ❤️‍🔥 😀😃😄 "
	digits  = "3.14159265358979 2026-11-29 17:45:00 1,000,000 "
	code    = `func (l *Library) Names() []string {
	names := make([]string, 0, len(l.replies))
	for i := range l.replies {
		names = append(names, l.replies[i].name)
	}
	return names
}
`
)

func TestAnEnglishTokenHasAboutFourCharactersAndOthersFewer(t *testing.T) {
	for _, c := range []struct {
		name, text string
		low, high  float64
	}{
		{"English", english, 3.9, 4.3},
		{"German", german, 3.5, 4.1},
		{"French", french, 3.5, 4},
		{"Chinese", chinese, 0.9, 1.1},
		{"Russian", russian, 1.9, 2.7},
		{"code", code, 2.6, 3.4},
		{"digits", digits, 1.4, 2.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			ratio := float64(utf8.RuneCountInString(c.text)) / float64(CountTokens(c.text))
			t.Logf("%.2f %q", ratio, cut(c.text))
			require.GreaterOrEqual(t, ratio, c.low)
			require.LessOrEqual(t, ratio, c.high)
		})
	}
}

func BenchmarkCountTokens(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"english", english}, {"german", german}, {"chinese", chinese}, {"russian", russian}, {"digits", digits}, {"emoji", emoji}, {"code", code},
	} {
		text := strings.Repeat(c.text, 1+64<<10/len(c.text))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				CountTokens(text)
			}
		})
	}
}
