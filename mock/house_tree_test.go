package mock_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// longest is how many lines a program's file may have.
const longest = 400

func treeRules() []rule {
	long := strings.Repeat("//\n", longest+1)
	return []rule{
		{
			name:  "no file of code is too long",
			check: checkLength,
			needs: "mock/*.go",
			broken: map[string]tree{
				"a Go file":  {"mock/mock.go": long},
				"a test":     {"mock/mock_test.go": long},
				"JavaScript": {"fixtures/clients/js/a.test.mjs": long},
				"the script": {".ci/run": long},
			},
			fine: map[string]tree{
				"one that just fits": {"mock/mock.go": long[3:]},
				"a text":             {"fixtures/replies/en-long.md": long},
			},
		},
		{
			name:  "a scenario's first line says what it shows",
			check: checkFirstLine,
			needs: "scenarios/*.yaml",
			broken: map[string]tree{
				"no comment":       {"scenarios/a.yaml": "orrery: 1\nname: a\n"},
				"an empty comment": {"scenarios/a.yaml": "#\norrery: 1\n"},
				"one word":         {"scenarios/a.yaml": "# Zio.\norrery: 1\n"},
				"another name":     {"scenarios/a.yml": "# What it shows, well said.\norrery: 1\n"},
			},
			fine: map[string]tree{"a sentence": {"scenarios/a.yaml": "# One narrow latency distribution.\n"}},
		},
		{
			name:  "every test that a claim names is there",
			check: checkShownBy,
			needs: "scenarios/*.yaml",
			broken: map[string]tree{
				"a test of another name": {"scenarios/a.yaml": "    shown_by: TestThis\n", "mock/a_test.go": "func TestThisAndThat(t *testing.T) {"},
				"one in a comment":       {"scenarios/a.yaml": "    shown_by: TestThis\n", "mock/a_test.go": "// func TestThis(t *testing.T) {"},
			},
			fine: map[string]tree{
				"a test":     {"scenarios/a.yaml": "    shown_by: TestThis\n", "fixtures/a/a_test.go": "package a\nfunc TestThis(t *testing.T) {"},
				"a scenario": {"scenarios/a.yaml": "    shown_by: another\n"},
			},
		},
		{
			name:  "every fixture is in the program",
			check: checkFixtures,
			needs: "fixtures/replies/*",
			broken: map[string]tree{
				"a name that the pattern misses": {"fixtures/embed.go": "package fixtures\n//go:embed replies/*.md\nvar FS embed.FS", "fixtures/replies/a.txt": "x"},
				"a directory below":              {"fixtures/embed.go": "package fixtures\n//go:embed replies/*.md\nvar FS embed.FS", "fixtures/replies/en/a.md": "x"},
				"a trace of another kind":        {"fixtures/embed.go": "package fixtures\n//go:embed replies/*.md\n//go:embed traces/*.txt\nvar FS embed.FS", "fixtures/traces/a.csv": "1ms"},
				"an empty text":                  {"fixtures/embed.go": "package fixtures\n//go:embed replies/*.md\nvar FS embed.FS", "fixtures/replies/a.md": "\n"},
			},
			fine: map[string]tree{"a text": {"fixtures/embed.go": "package fixtures\n//go:embed replies/*.md\nvar FS embed.FS", "fixtures/replies/a.md": "x"}},
		},
		{
			name:  "the top level holds what it must and no more",
			check: checkTop,
			needs: "go.mod",
			broken: map[string]tree{
				"a file":      {"notes.txt": ""},
				"a directory": {"internal/a.go": ""},
				"a binary":    {"orrery": ""},
			},
			fine: map[string]tree{"dot-files": {".ci/run": "", ".dockerignore": "", "LICENSE": ""}},
		},
		{
			name:  "nothing names the place where it was written",
			check: checkPlaces,
			needs: "README.md",
			broken: map[string]tree{
				"the folder of briefs":    {"README.md": "see sha" + "red/DESIGN.md"},
				"a path of a machine":     {"mock/a.go": "// /wo" + "rk/main"},
				"a home directory":        {"mock/a.go": "// /ro" + "ot/go"},
				"a registry's host":       {"fixtures/clients/js/package-lock.json": "registry.npm" + "js.org"},
				"a module proxy's host":   {"README.md": "proxy.gol" + "ang.org"},
				"Debian's host":           {".ci/run": "deb.deb" + "ian.org"},
				"the engine, outside .ci": {"README.md": "offline-" + "engine"},
			},
			fine: map[string]tree{
				"the engine in .ci/run": {".ci/run": "../sha" + "red/docker/offline-" + "engine"},
				"words like them":       {"README.md": "they shared a network; go.sum; golang.org/x/time"},
			},
		},
		{
			name:  "the README's last section names every direct dependency",
			check: checkDependencies,
			needs: "README.md",
			broken: map[string]tree{
				"one left out":     {"go.mod": "require example.com/a v1.0.0\n", "README.md": "# x\n## Built on\n[b](https://example.com/b)\n"},
				"one of a block":   {"go.mod": "require (\n\texample.com/a v1.0.0\n\texample.com/b v1.0.0\n)\n", "README.md": "# x\n## Built on\nexample.com/a\n"},
				"named above only": {"go.mod": "require example.com/a v1.0.0\n", "README.md": "# x\nexample.com/a\n## Built on\nnothing\n"},
				"a longer name":    {"go.mod": "require example.com/a v1.0.0\n", "README.md": "## Built on\nexample.com/a-b\n"},
				"a tool":           {"go.mod": "tool example.com/a/cmd/b\nrequire example.com/a v1.0.0 // indirect\n", "README.md": "## Built on\nnothing\n"},
			},
			fine: map[string]tree{
				"all named":      {"go.mod": "require (\n\texample.com/a v1.0.0\n\texample.com/c v1.0.0 // indirect\n)\n", "README.md": "## Built on\n`example.com/a`, well kept\n"},
				"a major of one": {"go.mod": "require example.com/a/v5 v5.0.0\n", "README.md": "## Built on\n[a](https://example.com/a/v5)\n"},
			},
		},
	}
}

// checkShownBy looks for the tests by which scenarios say that a claim is shown.
func checkShownBy(t tree) []string {
	tests := map[string]bool{}
	for _, name := range t.paths() {
		if strings.HasSuffix(name, "_test.go") {
			for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(t[name], -1) {
				tests[found[1]] = true
			}
		}
	}
	var problems []string
	for _, name := range t.paths() {
		if path.Ext(name) != ".yaml" || !strings.HasPrefix(name, "scenarios/") {
			continue
		}
		for _, found := range regexp.MustCompile(`\bshown_by: (Test\w+)`).FindAllStringSubmatch(t[name], -1) {
			if !tests[found[1]] {
				problems = append(problems, fmt.Sprintf("%s is shown by %s, and there is no such test", name, found[1]))
			}
		}
	}
	return problems
}

func checkLength(t tree) []string {
	var problems []string
	for _, name := range t.paths() {
		code := slices.Contains([]string{".go", ".mjs", ".js", ".sh"}, path.Ext(name)) || name == ".ci/run"
		if lines := strings.Count(t[name], "\n"); code && lines > longest {
			problems = append(problems, fmt.Sprintf("%s has %d lines, more than %d", name, lines, longest))
		}
	}
	return problems
}

func checkFirstLine(t tree) []string {
	var problems []string
	for _, name := range t.paths() {
		if path.Dir(name) != "scenarios" || path.Ext(name) == ".go" {
			continue
		}
		first, _, _ := strings.Cut(t[name], "\n")
		said, comment := strings.CutPrefix(first, "# ")
		if path.Ext(name) != ".yaml" || !comment || len(strings.Fields(said)) < 3 {
			problems = append(problems, name+" doesn't begin with a comment that says what it shows")
		}
	}
	return problems
}

func checkFixtures(t tree) []string {
	var patterns []string
	for line := range strings.SplitSeq(t["fixtures/embed.go"], "\n") {
		if words, ok := strings.CutPrefix(line, "//go:embed "); ok {
			patterns = append(patterns, strings.Fields(words)...)
		}
	}
	var problems []string
	for _, name := range t.paths() {
		file, ok := strings.CutPrefix(name, "fixtures/")
		if !ok || !strings.HasPrefix(file, "replies/") && !strings.HasPrefix(file, "traces/") {
			continue
		}
		embedded := slices.ContainsFunc(patterns, func(p string) bool {
			match, err := path.Match(p, file)
			return err == nil && match
		})
		if !embedded || strings.TrimSpace(t[name]) == "" {
			problems = append(problems, name+" is of no use to the program")
		}
	}
	return problems
}

func checkTop(t tree) []string {
	may := []string{"cmd", "mock", "scenarios", "fixtures", "go.mod", "go.sum", "docker-compose.yml", "README.md", "LICENSE"}
	var problems []string
	for _, name := range t.paths() {
		top, _, _ := strings.Cut(name, "/")
		if !slices.Contains(may, top) && !strings.HasPrefix(top, ".") {
			problems = append(problems, name+" doesn't belong at the top level")
		}
	}
	return problems
}

// checkPlaces keeps out what holds on one machine only. Each pattern is written so that it
// doesn't match itself.
func checkPlaces(t tree) []string {
	engine := regexp.MustCompile(`(\.\./shared[/]docker/)?offline-engin[e]`)
	places := regexp.MustCompile(`\bshared[/]|/wor[k]/|/roo[t]/|\.librar[y]|registry\.npmj[s]|(proxy|sum)\.golan[g]|deb\.debia[n]|offline-engin[e]|DEVELOPER[S]\.md`)
	var problems []string
	for _, name := range t.paths() {
		text := t[name]
		if name == ".ci/run" {
			text = engine.ReplaceAllString(text, "")
		}
		for i, line := range strings.Split(text, "\n") {
			if found := places.FindString(line); found != "" {
				problems = append(problems, fmt.Sprintf("%s:%d mentions %s", name, i+1, found))
			}
		}
	}
	return problems
}

func checkDependencies(t tree) []string {
	sections := regexp.MustCompile(`(?m)^## `).Split(t["README.md"], -1)
	last := sections[len(sections)-1]
	var problems []string
	for _, dependency := range directDependencies(t["go.mod"]) {
		named := regexp.MustCompile(regexp.QuoteMeta(dependency) + `(\W*$|[^\w/.-]|[.,)]\s)`)
		if !named.MatchString(last) {
			problems = append(problems, "the README's last section doesn't name "+dependency)
		}
	}
	return problems
}

// directDependencies lists the modules that a go.mod requires for its own packages and tools.
func directDependencies(mod string) []string {
	var modules, tools []string
	for line := range strings.SplitSeq(mod, "\n") {
		words := strings.Fields(line)
		if len(words) > 1 && words[0] == "tool" {
			tools = append(tools, words[1])
		}
		if len(words) > 0 && words[0] == "require" {
			words = words[1:]
		}
		if len(words) >= 2 && strings.HasPrefix(words[1], "v") && strings.Contains(words[0], ".") {
			modules = append(modules, strings.Join(words, " "))
		}
	}
	var direct []string
	for _, m := range modules {
		name, rest, _ := strings.Cut(m, " ")
		tool := slices.ContainsFunc(tools, func(t string) bool { return strings.HasPrefix(t, name+"/") })
		if tool || !strings.Contains(rest, "// indirect") {
			direct = append(direct, name)
		}
	}
	return direct
}

func TestEveryBuiltInScenarioLoadsClean(t *testing.T) {
	files, err := filepath.Glob("../scenarios/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		_, err := mock.New(mock.ScenarioFile(file))
		require.NoError(t, err)
		_, err = mock.New(mock.Scenario(strings.TrimSuffix(filepath.Base(file), ".yaml")))
		require.NoError(t, err, "a built-in scenario goes by its file's name")
	}

	broken := filepath.Join(t.TempDir(), "broken.yaml")
	require.NoError(t, os.WriteFile(broken, []byte("# One that must not load.\norrery: 1\nname: broken\nrouts: []\n"), 0o600))
	_, err = mock.New(mock.ScenarioFile(broken))
	require.Error(t, err)
}
