package mock_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tree is a repository as its files' texts by slash-separated path. Rules read nothing else, so
// a broken sample is a map literal.
type tree map[string]string

// rule is one house rule. Its check returns what breaks it, one line each.
type rule struct {
	name  string
	check func(tree) []string
	// needs is a path that must be there, so that a rule can't hold for want of anything to look at.
	needs string
	// broken are samples that the check must refuse, each for the reason that is its key.
	broken map[string]tree
	// fine are samples that come close and must pass.
	fine map[string]tree
}

func TestHouseRulesHold(t *testing.T) {
	if raceDetector {
		t.Skip("it reads files, one after the other")
	}
	repository := readRepository(t)
	for _, r := range slices.Concat(importRules(), sourceRules(), treeRules(), readmeRules()) {
		t.Run(r.name, func(t *testing.T) {
			require.NotEmpty(t, r.broken, "a rule without a broken sample proves nothing")
			for why, sample := range r.broken {
				require.NotEmpty(t, r.check(sample), "the rule lets this pass: %s", why)
			}
			for why, sample := range r.fine {
				require.Empty(t, r.check(sample), "the rule refuses this: %s", why)
			}
			require.True(t, repository.has(r.needs), "nothing matches %s: the rule has nothing to look at", r.needs)
			require.Empty(t, strings.Join(r.check(repository), "\n"))
		})
	}
}

// readRepository reads what is committed or about to be: ignored files don't count.
func readRepository(t *testing.T) tree {
	t.Helper()
	root := ".."
	list, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	require.NoError(t, err, "house rules are checked in a git checkout")
	files := tree{}
	for name := range strings.SplitSeq(strings.Trim(string(list), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		require.NoError(t, err)
		files[name] = string(text)
	}
	return files
}

// has reports whether a file matches pattern, as path.Match understands it.
func (t tree) has(pattern string) bool {
	return len(t.matching(pattern)) > 0
}

// matching lists the files that match pattern, sorted.
func (t tree) matching(pattern string) []string {
	var names []string
	for name := range t {
		if ok, err := path.Match(pattern, name); err == nil && ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// paths lists every file, sorted, so that problems come in a stable order.
func (t tree) paths() []string {
	names := make([]string, 0, len(t))
	for name := range t {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// source is one parsed Go file.
type source struct {
	path string
	*ast.File
	set *token.FileSet
}

// dir is the package's directory.
func (s source) dir() string { return path.Dir(s.path) }

// test reports whether only tests compile it.
func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

// at says where a node stands.
func (s source) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.path, s.set.Position(n.Pos()).Line)
}

// imports lists the paths that the file imports.
func (s source) imports() []string {
	var paths []string
	for _, spec := range s.Imports {
		paths = append(paths, strings.Trim(spec.Path.Value, `"`))
	}
	return paths
}

// name is what the file calls the package at importPath, "" when it doesn't import it.
func (s source) name(importPath string) string {
	for _, spec := range s.Imports {
		if strings.Trim(spec.Path.Value, `"`) != importPath {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(importPath)
	}
	return ""
}

// sources parses the Go files. One that doesn't parse is a problem for the compiler, not for a rule,
// so it is left as far as it could be read. Files below testdata are nobody's source.
func (t tree) sources() []source {
	var all []source
	for _, name := range t.paths() {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") {
			continue
		}
		set := token.NewFileSet()
		file, _ := parser.ParseFile(set, name, t[name], parser.ParseComments)
		if file != nil {
			all = append(all, source{path: name, File: file, set: set})
		}
	}
	return all
}

// eachSource makes a check of whole trees from a check of one file.
func eachSource(check func(source) []string) func(tree) []string {
	return func(t tree) []string {
		var problems []string
		for _, s := range t.sources() {
			problems = append(problems, check(s)...)
		}
		return problems
	}
}
