package scenario_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
	"github.com/seed-954e9acd/orrery/scenarios"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestEveryBuiltInScenarioLoads(t *testing.T) {
	l, err := scenario.NewLibrary(scenarios.FS)
	require.NoError(t, err)
	require.NotEmpty(t, l.Names())
	for _, name := range l.Names() {
		s, err := l.Load(name)
		require.NoError(t, err, name)
		require.Equal(t, name, s.Name)
	}
}

func TestALaterLayerWinsAndIsNamed(t *testing.T) {
	l, err := scenario.NewLibrary(
		fstest.MapFS{"a.yaml": file("orrery: 1\nname: a\ntitle: built in"), "deep/b.yaml": file("# About b,\n# in two lines.\norrery: 1\nname: b"), "notes.txt": file("x")},
		fstest.MapFS{"mine/a.yaml": file("orrery: 1\nname: a\ntitle: mine"), "c.yaml": file("orrery: 1\nname: c\nextends: a")},
	)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c"}, l.Names())
	require.Equal(t, []string{"a"}, l.Overridden())
	require.Equal(t, []scenario.Info{
		{Name: "a", Title: "mine", File: "mine/a.yaml"},
		{Name: "b", About: "About b,\nin two lines.", File: "deep/b.yaml"},
		{Name: "c", File: "c.yaml"},
	}, l.List())
	s, err := l.Load("a")
	require.NoError(t, err)
	require.Equal(t, "mine", s.Title)
	require.Equal(t, "mine/a.yaml", s.File)
}

func TestAnUnknownScenarioNamesTheNearOnes(t *testing.T) {
	l, err := scenario.NewLibrary(fstest.MapFS{"zero-plane.yaml": file("orrery: 1\nname: zero-plane"), "zio.yaml": file("orrery: 1\nname: zio")})
	require.NoError(t, err)
	_, err = l.Load("zero-plan")
	var unknown *scenario.UnknownError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, []string{"zero-plane"}, unknown.Near)
	require.EqualError(t, err, "there is no scenario \"zero-plan\"; did you mean `zero-plane`?")
	_, err = l.Load("quite-another")
	require.EqualError(t, err, `there is no scenario "quite-another"`)
}

func TestALibraryRefusesFilesItCouldNotFindAgain(t *testing.T) {
	for message, layer := range map[string]fstest.MapFS{
		`the file "a.yaml" holds a scenario of another name, "b"`: {"a.yaml": file("orrery: 1\nname: b")},
		"the scenario has no name":                                {"a.yaml": file("orrery: 1")},
		"the file is empty":                                       {"a.yaml": file("")},
		"not valid YAML":                                          {"a.yaml": file("{")},
		"x/a.yaml holds a scenario of this name, too":             {"x/a.yaml": file("orrery: 1\nname: a"), "y/a.yaml": file("orrery: 1\nname: a")},
	} {
		_, err := scenario.NewLibrary(layer)
		var problems scenario.Problems
		require.ErrorAs(t, err, &problems, message)
		require.ErrorContains(t, err, message)
	}
}

func TestAFileOutsideTheLibraryExtendsWhatIsInside(t *testing.T) {
	l, err := scenario.NewLibrary(os.DirFS("testdata/good"))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "mine.yaml")
	require.NoError(t, os.WriteFile(path, []byte("orrery: 1\nname: any-name\nextends: zero-plane\n"), 0o600))
	s, err := l.LoadFile(path)
	require.NoError(t, err)
	require.Equal(t, path, s.File)
	require.Len(t, s.Routes, 5)
	_, err = l.LoadFile(path + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestALibraryWithFixturesChecksReplies(t *testing.T) {
	const text = "orrery: 1\nname: a\nprofiles: {p: {respond: 0}}\nroutes: [{name: r, profile: p, reply: {fixture: storry}}]"
	l, err := scenario.NewLibrary(fstest.MapFS{"a.yaml": file(text)})
	require.NoError(t, err)
	_, err = l.Load("a")
	require.NoError(t, err)
	_, err = l.WithFixtures([]string{"tale", "story"}).Load("a")
	require.ErrorContains(t, err, "did you mean `story`?")
	_, err = l.WithFixtures([]string{"storry"}).Load("a")
	require.NoError(t, err)
}

func TestOnlyWhatStandsAboveTheLowestLayerIsChecked(t *testing.T) {
	const route = "\nroutes: [{name: all, error: {status: 42}}]"
	built := fstest.MapFS{
		"broken.yaml": file("orrery: 1\nname: broken" + route), "base.yaml": file("orrery: 1\nname: base"),
		"child.yaml": file("orrery: 1\nname: child\nextends: base\ntitel: x"),
	}
	check := func(own fstest.MapFS) error {
		l, err := scenario.NewLibrary(built, own)
		require.NoError(t, err)
		return l.Check()
	}
	require.NoError(t, check(fstest.MapFS{"mine.yaml": file("orrery: 1\nname: mine\nextends: base")}))

	var problems scenario.Problems
	require.ErrorAs(t, check(fstest.MapFS{
		"patchy.yaml": file("orrery: 1\nname: patchy" + route),
		"heir.yaml":   file("orrery: 1\nname: heir\nextends: patchy"),
		"other.yaml":  file("orrery: 1\nname: other\nsed: 1"),
	}), &problems)
	require.Len(t, problems, 2, "each once: %v", problems)
	require.Equal(t, []string{"other.yaml", "patchy.yaml"}, []string{problems[0].File, problems[1].File})

	require.ErrorAs(t, check(fstest.MapFS{"base.yaml": file("orrery: 1\nname: base\ntitle: mine")}), &problems)
	require.Equal(t, "child.yaml", problems[0].File, "it extends one that is overridden")
}
