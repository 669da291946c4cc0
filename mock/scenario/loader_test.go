package scenario_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

func good(t *testing.T, name string) *scenario.Scenario {
	t.Helper()
	l, err := scenario.NewLibrary(os.DirFS("testdata/good"))
	require.NoError(t, err)
	s, err := l.WithTraces(map[string]string{"evening": "210ms\n190ms\n"}).Load(name)
	require.NoError(t, err)
	return s
}

func routeNames(s *scenario.Scenario) (names []string) {
	for i, r := range s.Routes {
		if r.Index != i {
			return nil
		}
		names = append(names, r.Name)
	}
	return names
}

func TestAChildsRoutesComeFirstOrStandInTheirParentsPlace(t *testing.T) {
	s := good(t, "child")
	require.Equal(t, []string{"ping", "no streaming", "fourth time the same", "too long for the layer", "on the layer", "everything else"}, routeNames(s))
	require.Same(t, s.Profiles["quick"], s.Routes[4].Profile, "taken whole from the child")
	require.Empty(t, s.Routes[4].Headers)
	require.Len(t, s.Guards, 1)
}

func TestMapsMergeDownToATimingPoint(t *testing.T) {
	s := good(t, "child")
	require.Empty(t, s.Title, "a title is each file's own")
	require.Equal(t, uint64(20241022), s.Seed)
	require.Len(t, s.Parameters, 3)
	legacy := s.Profiles["legacy"]
	require.Len(t, legacy.FirstToken.Parts, 3, "from the parent")
	require.Equal(t, int64(1e6), legacy.TokenGap.Parts[0].Table.Max(), "from the child")
	env := facts()
	env.Set("system_tokens", 11)
	for _, f := range s.Facts {
		v, err := f.Expr.Value(env)
		require.NoError(t, err)
		env.Set(f.Name, v)
	}
	require.Equal(t, false, env.Get("fits"), "a parent's route uses the child's fact")
}

func TestAChildsCatchAllMayHideItsParentsRoutes(t *testing.T) {
	_, err := gallery().Load("mine.yaml", []byte("orrery: 1\nname: mine\nextends: zero-plane\nprofiles: {quick: {respond: 0}}\nroutes: [{name: all, profile: quick}]"))
	require.NoError(t, err)
}

func TestFactsAreOrderedByWhatTheyUse(t *testing.T) {
	var names []string
	for _, f := range good(t, "zero-plane").Facts {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"asked_for", "new_enough", "eligible", "fits"}, names)
}

func TestPlacesKeepTheirNamesWhenOtherPartsChange(t *testing.T) {
	s := good(t, "zero-plane")
	require.Contains(t, s.Places, "profiles.legacy.first-token.network")
	require.Contains(t, s.Places, "profiles.zero-plane.respond")
	require.Contains(t, s.Places, "routes.on the layer.marks.warm")
	require.Contains(t, s.Places, "routes.everything else.reply")
	child := good(t, "child")
	require.Equal(t, "profiles.legacy.first-token.network", child.Places[child.Profiles["legacy"].FirstToken.Parts[0].Place])
	require.Equal(t, "routes.ping.reply.tokens", child.Places[child.Routes[0].Reply.TokensPlace])
	seen := map[string]bool{}
	for _, s := range []*scenario.Scenario{good(t, "every-form")} {
		for _, name := range s.Places {
			require.False(t, seen[name], name)
			seen[name] = true
		}
	}
}

func TestAFileSaysWhatItIsAbout(t *testing.T) {
	s := good(t, "zero-plane")
	require.Equal(t, "Zero-Plane: one narrow latency distribution; refuses, downgrades or caches around it.", s.About)
	require.NotEmpty(t, s.Source)
}

func TestLineEndingsAndAByteOrderMarkDoNotMatter(t *testing.T) {
	s, err := scenario.Loader{}.Load("a.yaml", []byte("\ufeff# About.\r\norrery: 1\r\nname: a\r\n"))
	require.NoError(t, err)
	require.Equal(t, "a", s.Name)
	require.Equal(t, "About.", s.About)
}

func TestABlockOfTextMayHaveLongLines(t *testing.T) {
	s := load(t, "orrery: 1\nname: a\ncontradictions:\n  C1: >-\n    "+strings.Repeat("words ", 40)+"\n")
	require.Len(t, s.Contradictions, 1)
}

func TestAFileThatIsTooLongIsRefusedUnread(t *testing.T) {
	_, err := scenario.Loader{}.Load("a.yaml", make([]byte, 1<<20+1))
	require.EqualError(t, err, "a.yaml:1:1: the file has 1048577 bytes; the most is 1048576\n      hint: long replies belong into fixtures")
}

func TestProblemsAreBounded(t *testing.T) {
	text := "orrery: 1\nname: a\n"
	for range 300 {
		text += "x: 1\n"
	}
	_, err := scenario.Loader{}.Load("a.yaml", []byte(text))
	var problems scenario.Problems
	require.ErrorAs(t, err, &problems)
	require.Len(t, problems, 101)
	require.Equal(t, "and 200 more problems from here on", problems[100].Message)
}

func TestASimpleAliasStandsForItsValue(t *testing.T) {
	s := load(t, "orrery: 1\nname: a\nprofiles:\n  p: {respond: &quick 5ms}\n  q: {respond: *quick}\n")
	require.Equal(t, int64(5e6), s.Profiles["q"].Respond.Parts[0].Table.Max())
}
