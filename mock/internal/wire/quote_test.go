package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

// requireQuoted checks a quoted string against another encoder, and that it comes back whole.
func requireQuoted(t *testing.T, s string) {
	t.Helper()
	got := appendString([]byte("x"), s)
	want, err := jsontext.AppendQuote(nil, s)
	require.Equal(t, utf8.ValidString(s), err == nil)
	require.Equal(t, "x"+string(want), string(got))

	var back string
	require.NoError(t, json.Unmarshal(got[1:], &back))
	want2 := []rune(s) // each broken byte becomes one U+FFFD here too
	require.Equal(t, string(want2), back)
}

func TestEveryStringComesBackWhole(t *testing.T) {
	for c := range 256 {
		requireQuoted(t, string([]byte{byte(c)}))
		requireQuoted(t, "ab"+string([]byte{byte(c)})+"茶"+string([]byte{byte(c)}))
	}
	for _, s := range alphabet() {
		requireQuoted(t, s)
	}
	requireQuoted(t, english+chinese+emoji+code+digits)
}

func TestOnlyWhatJSONDemandsIsEscaped(t *testing.T) {
	require.Equal(t, "\"<b>&\u2028\u2029\x7f/é茶😀\"", string(appendString(nil, "<b>&\u2028\u2029\x7f/é茶😀")))
	require.Equal(t, `"\"\\\b\f\n\r\t\u0000\u001f"`, string(appendString(nil, "\"\\\b\f\n\r\t\x00\x1f")))
	require.Equal(t, "null", string(appendStringOrNull(nil, "")))
}

func FuzzQuote(f *testing.F) {
	for _, s := range alphabet() {
		f.Add(s)
	}
	f.Fuzz(requireQuoted)
}

func BenchmarkQuote(b *testing.B) {
	for _, c := range []struct{ name, text string }{{"english", english}, {"chinese", chinese}} {
		text := strings.Repeat(c.text, 10)
		b.Run(c.name, func(b *testing.B) {
			dst := make([]byte, 0, 2*len(text))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				appendString(dst, text)
			}
		})
	}
}
