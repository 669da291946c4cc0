package claim_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/fixtures"
	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
	"github.com/seed-954e9acd/orrery/scenarios"
)

// edit is a change to a scenario's file, of a text that occurs once, and the claims that must fail by it.
type edit struct {
	why, old, new string
	fails         []string
}

// falsify makes each of the edits on a built-in scenario, by itself, and expects that the claims
// written down for it fail and no others.
func falsify(t *testing.T, name string, edits ...edit) {
	t.Helper()
	if testing.Short() {
		t.Skip("it plays the scenario once for each edit")
	}
	source, err := scenarios.FS.ReadFile(name + ".yaml")
	require.NoError(t, err)
	require.Empty(t, failing(t, name, string(source)), "the scenario as it is")
	for _, e := range edits {
		t.Run(name+" "+e.why, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(string(source), e.old), "the text to change must occur once: %s", e.old)
			require.Equal(t, e.fails, failing(t, name, strings.Replace(string(source), e.old, e.new, 1)))
		})
	}
}

// failing lists the claims that fail, each once and sorted, when the scenario's file holds this text.
func failing(t *testing.T, name, source string) (ids []string) {
	t.Helper()
	library, err := scenario.NewLibrary(scenarios.FS, fstest.MapFS{name + ".yaml": {Data: []byte(source)}})
	require.NoError(t, err)
	s, err := library.WithTraces(traces(t)).Load(name)
	require.NoError(t, err)
	for _, v := range verify(t, claim.Options{}, s) {
		if v.Verdict == claim.Fail {
			ids = append(ids, v.Claim)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func traces(t *testing.T) map[string]string {
	t.Helper()
	files, err := fs.Glob(fixtures.FS, "traces/*.txt")
	require.NoError(t, err)
	all := map[string]string{}
	for _, file := range files {
		text, err := fs.ReadFile(fixtures.FS, file)
		require.NoError(t, err)
		all[strings.TrimSuffix(path.Base(file), ".txt")] = string(text)
	}
	return all
}
