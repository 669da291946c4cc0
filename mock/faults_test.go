package mock_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

func TestFaultsAreTheFilesOfTheirFolderByName(t *testing.T) {
	files, err := filepath.Glob("../scenarios/faults/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var want, got []string
	for _, file := range files {
		want = append(want, strings.TrimSuffix(filepath.Base(file), ".yaml"))
	}
	for _, f := range mock.Faults() {
		got = append(got, f.Name)
		require.Equal(t, "faults/"+f.Name+".yaml", f.File)
	}
	slices.Sort(want)
	require.Equal(t, want, got)
	require.Equal(t, mock.Faults(), mock.Faults(), "the order doesn't change")
}

func TestEveryFaultLoadsAndSaysWhatAClientMeets(t *testing.T) {
	library, err := mock.Library("")
	require.NoError(t, err)
	sentence := regexp.MustCompile(`^["\w].*[.!?]$`)
	row := regexp.MustCompile(`^B\d+$`)
	symptoms := map[string]string{}
	for _, f := range mock.Faults() {
		_, err := library.Load(f.Name)
		require.NoError(t, err)
		require.Regexp(t, sentence, f.Symptom, f.Name)
		require.Greater(t, len(strings.Fields(f.Symptom)), 3, "%s: %s", f.Name, f.Symptom)
		require.Empty(t, symptoms[f.Symptom], "%s has the same symptom", f.Name)
		symptoms[f.Symptom] = f.Name
		require.Regexp(t, `(?s)^[/\w].*\.$`, f.About, "%s says what the server does and what a sound client does", f.Name)
		require.NotEmpty(t, f.Rows, "%s: the leading comment ends with a line such as `# rows: B20, B21`", f.Name)
		for _, name := range f.Rows {
			require.Regexp(t, row, name, f.Name)
		}
	}
}

func TestFaultsOfOnesOwnStandBesideTheBuiltInOnes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("deep/faults/own.yaml", "# It breaks.\n#\n# The server breaks.\n# A sound client mends it.\n# rows: B1,B2\norrery: 1\nname: own\ntitle: Mine\nextends: instant\n")
	write("faults/bare.yaml", "orrery: 1\nname: bare\nextends: instant\n")
	first := mock.Faults()[0].Name
	write("faults/"+first+".yaml", "# Mine now.\norrery: 1\nname: "+first+"\nextends: instant\n")
	write("good.yaml", "# Not a fault at all.\norrery: 1\nname: good\nextends: instant\n")

	all, err := mock.FaultsIn(dir)
	require.NoError(t, err)
	require.Len(t, all, len(mock.Faults())+2)
	found := map[string]mock.Fault{}
	for _, f := range all {
		found[f.Name] = f
	}
	require.Equal(t, mock.Fault{Name: "own", Title: "Mine", Symptom: "It breaks.", About: "The server breaks.\nA sound client mends it.",
		Rows: []string{"B1", "B2"}, File: "deep/faults/own.yaml"}, found["own"])
	require.Equal(t, mock.Fault{Name: "bare", File: "faults/bare.yaml"}, found["bare"])
	require.Equal(t, "Mine now.", found[first].Symptom)
	require.NotContains(t, found, "good")

	_, err = mock.FaultsIn(filepath.Join(dir, "nowhere"))
	require.ErrorContains(t, err, "nowhere")
}
