package reply

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/fixtures"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

func open(t testing.TB, files map[string]string) *Library {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, said := range files {
		fsys["replies/"+name+".md"] = &fstest.MapFile{Data: []byte(said)}
	}
	l, err := Open(fsys)
	require.NoError(t, err)
	return l
}

func builtIn(t testing.TB) *Library {
	t.Helper()
	l, err := Open(fixtures.FS)
	require.NoError(t, err)
	return l
}

func TestAFixtureIsAPlainTextInAKnownLanguage(t *testing.T) {
	files, err := fs.Glob(fixtures.FS, "replies/*.md")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 30)
	languages := strings.Fields("ar de el en es fr he hi it ja ko pl pt ru tr zh")
	spoken := map[string]bool{}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			b, err := fs.ReadFile(fixtures.FS, file)
			require.NoError(t, err)
			said := string(b)
			require.True(t, utf8.ValidString(said))
			body, ok := strings.CutSuffix(said, "\n")
			require.True(t, ok, "a file ends with a line end")
			require.NotEmpty(t, body)
			require.Equal(t, strings.TrimSpace(body), body, "no blank line at either end")
			require.NotContains(t, said, "\r")
			require.NotContains(t, said, "\n\n\n")
			require.NotContains(t, said, "\ufeff")
			require.False(t, strings.HasPrefix(said, "---"), "no front matter")
			for _, line := range strings.Split(body, "\n") {
				require.Equal(t, strings.TrimRight(line, " \t"), line)
			}
			language, topic, _ := strings.Cut(strings.TrimPrefix(file, "replies/"), "-")
			require.Contains(t, languages, language)
			require.NotEmpty(t, strings.TrimSuffix(topic, ".md"))
			spoken[language] = true
			tokens := wire.CountTokens(body)
			require.LessOrEqual(t, tokens, 500)
			if file != "replies/en-hello.md" {
				require.GreaterOrEqual(t, tokens, 60)
			}
		})
	}
	require.Len(t, spoken, len(languages), "each language has a text")
}

func TestALibraryKnowsItsFixturesByName(t *testing.T) {
	l := open(t, map[string]string{"b": "two", "a": "one"})
	require.Equal(t, []string{"a", "b"}, l.Names())
	require.True(t, l.Has("a"))
	require.False(t, l.Has("c"))
	l.Names()[0] = "z"
	require.Equal(t, []string{"a", "b"}, l.Names())
	require.True(t, slices.IsSorted(builtIn(t).Names()))
	require.True(t, builtIn(t).Has("en-harbour"))
}

func TestABadFixtureIsNamed(t *testing.T) {
	for said, message := range map[string]string{
		" \n":     "replies/x.md is empty",
		"a\xff\n": "replies/x.md is not UTF-8",
	} {
		_, err := Open(fstest.MapFS{"replies/x.md": &fstest.MapFile{Data: []byte(said)}})
		require.EqualError(t, err, message)
	}
	_, err := Open(fstest.MapFS{})
	require.EqualError(t, err, "no replies/*.md among the fixtures")
}
