package scenario_test

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// FuzzLoad looks for files that make the loader panic, or report nonsense.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/good/*.yaml", "testdata/bad/*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, file := range files {
			source, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(source)
		}
	}
	loader := gallery()
	f.Fuzz(func(t *testing.T, source []byte) {
		s, err := loader.Load("fuzz.yaml", source)
		if err == nil {
			require.NotNil(t, s)
			require.NotEmpty(t, s.Name)
			for _, r := range s.Routes {
				require.True(t, r.Profile != nil || r.Error != nil || r.HTTP != nil || r.Never || r.Endpoint != "")
				require.Equal(t, r.Error == nil && r.HTTP == nil && r.Endpoint == "", r.Reply != nil)
			}
			return
		}
		require.Nil(t, s)
		var problems scenario.Problems
		require.True(t, errors.As(err, &problems), "%T", err)
		require.NotEmpty(t, problems)
		require.True(t, slices.IsSortedFunc(problems, func(a, b scenario.Problem) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		}))
		lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(string(source), "\ufeff"), "\r\n", "\n"), "\n")
		for _, p := range problems {
			require.NotEmpty(t, p.Message)
			require.NotEmpty(t, p.Error())
			if p.File != "fuzz.yaml" || len(source) > 1<<20 {
				continue
			}
			require.True(t, 1 <= p.Line && p.Line <= len(lines), "line %d of %d", p.Line, len(lines))
			width := utf8.RuneCountInString(strings.ToValidUTF8(lines[p.Line-1], "\ufffd"))
			require.True(t, 1 <= p.Column && p.Column <= width+1, "column %d of %d", p.Column, width)
		}
	})
}
