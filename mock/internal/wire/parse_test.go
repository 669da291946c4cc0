package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBadJSONSaysWhatAndWhere(t *testing.T) {
	for _, c := range []struct{ body, what string }{
		{``, "unexpected end of data: line 1 column 1 (char 0)"},
		{" \n", "unexpected end of data: line 2 column 1 (char 2)"},
		{`{"a":`, "unexpected end of data: line 1 column 6 (char 5)"},
		{`{"a":"x`, "unexpected end of data: line 1 column 8 (char 7)"},
		{"{\n  \"é\": nul}", "invalid character '}' in literal null (expecting 'l'): line 2 column 11 (char 12)"},
		{`{} {}`, "unexpected content after document: line 1 column 4 (char 3)"},
		{`{}]`, "invalid character ']' at start of value: line 1 column 3 (char 2)"},
		{`{"a":1,"a":2}`, `duplicate name "a" in an object: line 1 column 8 (char 7)`},
		{`{"a":1,"\u0061":2}`, `duplicate name "a" in an object: line 1 column 8 (char 7)`},
		{`{"a":"\ud83d"}`, "no low surrogate in string: line 1 column 7 (char 6)"},
		{`{"a":01}`, "invalid character '1' after object value (expecting ',' or '}'): line 1 column 7 (char 6)"},
		{"{\"a\":\"\xff\"}", "invalid UTF-8: line 1 column 7 (char 6)"},
		{strings.Repeat("[", 201) + strings.Repeat("]", 201), "nested deeper than 200 levels"},
	} {
		_, problem := NewReader().Read([]byte(c.body), ReadOptions{})
		require.Equal(t, NotJSON(c.what), problem, c.body)
	}
	for _, body := range []string{`[]`, `4`, `"x"`, `null`} {
		_, problem := NewReader().Read([]byte(body), ReadOptions{Validation: Off})
		require.Equal(t, NotObject(), problem)
	}
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	require.Equal(t, deep, string(parsed(t, deep).Append(nil)))
}

func TestParsersCanBeSharedAndForgetWhatTheyRead(t *testing.T) {
	var ps parsers
	for i := range 100 {
		t.Run("at once", func(t *testing.T) {
			t.Parallel()
			body := fmt.Sprintf(`{"n":[%d,{"s":"\t%d"}]}`, i, i)
			v, err := ps.parse([]byte(body))
			require.NoError(t, err)
			require.Equal(t, body, string(v.Append(nil)))
			_, err = ps.parse([]byte(`{"n":[1,2,`))
			require.Error(t, err)
		})
	}
}

func BenchmarkParse(b *testing.B) {
	var ps parsers
	body := []byte(smallBody)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ps.parse(body); err != nil {
			b.Fatal(err)
		}
	}
}
