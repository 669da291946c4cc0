package scenario_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

var update = flag.Bool("update", false, "write the gallery's messages anew")

// gallery is a loader that knows the good and the bad files of testdata.
func gallery() scenario.Loader {
	fixtures := []string{"story", "one", "two"}
	return scenario.Loader{
		Find: func(name string) (string, []byte, bool) {
			for _, dir := range []string{"bad", "good"} {
				if source, err := os.ReadFile(filepath.Join("testdata", dir, name+".yaml")); err == nil {
					return name + ".yaml", source, true
				}
			}
			return "", nil, false
		},
		Names:      []string{"messages", "zio"},
		HasFixture: func(name string) bool { return name == "story" || name == "one" || name == "two" },
		Fixtures:   fixtures,
		Models:     []string{"claude-sonnet-5"},
		Trace: func(name string) (string, bool) {
			text, ok := map[string]string{"evening": "# two\n210ms\n\n190ms\r\n", "broken": "# one\n210ms\n  190 ms\n", "hollow": "# nothing\n"}[name]
			return text, ok
		},
		Traces: []string{"evening", "broken", "hollow"},
	}
}

func TestEveryBadFileGivesItsMessage(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	require.NoError(t, err)
	require.Greater(t, len(files), 45, "the gallery is missing")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			_, err = gallery().Load(name+".yaml", source)
			var problems scenario.Problems
			require.ErrorAs(t, err, &problems)
			require.NotEmpty(t, problems)
			got := problems.Error() + "\n"
			expected := strings.TrimSuffix(file, ".yaml") + ".txt"
			if *update {
				require.NoError(t, os.WriteFile(expected, []byte(got), 0o644))
			}
			want, err := os.ReadFile(expected)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

func TestEveryMessageOfTheGalleryBelongsToAFile(t *testing.T) {
	texts, err := filepath.Glob("testdata/bad/*.txt")
	require.NoError(t, err)
	for _, text := range texts {
		require.FileExists(t, strings.TrimSuffix(text, ".txt")+".yaml")
	}
}
