package mock_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

func sourceRules() []rule {
	return []rule{
		{
			name:  "only the clock package reads or waits for the time",
			check: eachSource(checkTime),
			needs: "mock/clock/*.go",
			broken: map[string]tree{
				"a reading":         {"mock/mock.go": `package mock; import "time"; func f() { time.Now() }`},
				"by another name":   {"mock/mock.go": `package mock; import clock "time"; func f() { clock.Since(clock.Time{}) }`},
				"as a value":        {"cmd/orrery/main.go": `package main; import "time"; func f() func() time.Time { return time.Now }`},
				"a timer":           {"mock/internal/play/play.go": `package play; import "time"; func f() { <-time.NewTimer(1).C }`},
				"imported by a dot": {"mock/mock.go": `package mock; import . "time"; func f() { Now() }`},
			},
			fine: map[string]tree{
				"the clock itself":    {"mock/clock/clock.go": `package clock; import "time"; func f() { time.Now() }`},
				"durations":           {"mock/mock.go": `package mock; import "time"; const d = 2 * time.Second`},
				"a test's time.Now":   {"mock/mock_test.go": `package mock; import "time"; func f() { time.Now() }`},
				"another thing's Now": {"mock/mock.go": `package mock; func f(clock interface{ Now() int }) { clock.Now() }`},
			},
		},
		{
			name:  "no test sleeps on a real clock",
			check: eachSource(checkSleep),
			needs: "mock/*_test.go",
			broken: map[string]tree{
				"a sleep": {"mock/mock_test.go": `package mock; import "time"; func f() { time.Sleep(time.Second) }`},
			},
			fine: map[string]tree{
				"a time-out":      {"mock/mock_test.go": `package mock; import "time"; func f() { <-time.After(1) }`},
				"in virtual time": {"mock/mock_test.go": `package mock; import ("testing/synctest"; "time"); func f() { synctest.Test(nil, nil); time.Sleep(1) }`},
			},
		},
		{
			name:   "no init",
			check:  eachSource(checkInit),
			needs:  "mock/*.go",
			broken: map[string]tree{"an init": {"mock/mock.go": `package mock; func init() {}`}},
			fine:   map[string]tree{"a method": {"mock/mock.go": `package mock; type a struct{}; func (a) init() {}`}},
		},
		{
			name:  "no package variable can change",
			check: checkVariables,
			needs: "mock/*.go",
			broken: map[string]tree{
				"a number":              {"mock/mock.go": `package mock; var n int`},
				"a map":                 {"mock/mock.go": `package mock; var m = map[string]int{}`},
				"a slice":               {"mock/mock.go": `package mock; var s = []string{"a"}`},
				"a channel":             {"mock/mock.go": `package mock; var c = make(chan int)`},
				"a pool":                {"mock/mock.go": `package mock; import "sync"; var p = sync.Pool{}`},
				"a once":                {"mock/mock.go": `package mock; import "sync"; var o sync.Once`},
				"a once of a function":  {"mock/mock.go": `package mock; import "sync"; var o = sync.OnceValue(func() int { return 1 })`},
				"a timer":               {"mock/mock.go": `package mock; import "time"; var t = time.NewTimer(1)`},
				"a pointer":             {"mock/mock.go": `package mock; var p = &struct{}{}`},
				"a function":            {"mock/mock.go": `package mock; var now = func() int { return 1 }`},
				"an embedded slice":     {"mock/mock.go": "package mock; import _ \"embed\"\n//go:embed a.txt\nvar a []byte"},
				"an array of slices":    {"mock/mock.go": `package mock; var a = [...][]int{{1}}`},
				"an array written to":   {"mock/mock.go": `package mock; var a = [...]int{1}; func f() { a[0]++ }`},
				"an error written to":   {"mock/mock.go": `package mock; import "errors"; var err = errors.New("x"); func f() { err = nil }`},
				"an array let out":      {"mock/mock.go": `package mock; var a = [...]int{1}; func f() *int { return &a[0] }`},
				"an array let out by a": {"mock/mock.go": `package mock; var a = [...]int{1}; func f() []int { return a[:] }`},
				"the second of a group": {"mock/mock.go": `package mock; import "errors"; var (e = errors.New("x"); m = map[int]int{})`},
				"written in other file": {"mock/a.go": `package mock; import "errors"; var e = errors.New("x")`, "mock/b.go": `package mock; func f() { e = nil }`},
			},
			fine: map[string]tree{
				"an embedded file system": {"mock/mock.go": `package mock; import "embed"; var FS embed.FS`},
				"an embedded text":        {"mock/mock.go": "package mock; import _ \"embed\"\n//go:embed a.txt\nvar a string"},
				"an error":                {"mock/mock.go": `package mock; import "errors"; var err = errors.New("x")`},
				"a wrapped error":         {"mock/mock.go": `package mock; import "fmt"; var err = fmt.Errorf("x: %w", other)`},
				"a regular expression":    {"mock/mock.go": `package mock; import "regexp"; var re = regexp.MustCompile("x")`},
				"an interface check":      {"mock/mock.go": `package mock; var _ error = (*e)(nil)`},
				"an array":                {"mock/mock.go": `package mock; var a = [...]int{1}`},
				"an array of arrays":      {"mock/mock.go": `package mock; var a = [2][2]byte{{1}}`},
				"a local variable":        {"mock/mock.go": `package mock; func f() { var n int; n++ }`},
				"a test's flag":           {"mock/mock_test.go": `package mock; import "flag"; var update = flag.Bool("update", false, "")`},
			},
		},
		{
			name:  "one package comment each",
			check: checkComments,
			needs: "mock/*.go",
			broken: map[string]tree{
				"none":                {"mock/mock.go": "package mock", "mock/options.go": "package mock"},
				"two":                 {"mock/mock.go": "// Package mock serves.\npackage mock", "mock/options.go": "// Package mock has options.\npackage mock"},
				"only in a test":      {"mock/mock.go": "package mock", "mock/mock_test.go": "// Package mock serves.\npackage mock"},
				"a second in a test":  {"mock/mock.go": "// Package mock serves.\npackage mock", "mock/mock_test.go": "// Package mock tests.\npackage mock_test"},
				"none among tests":    {"fixtures/clients/curl_test.go": "package clients"},
				"a comment at a gap":  {"mock/mock.go": "// Package mock serves.\n\npackage mock"},
				"one that says a lot": {"mock/mock.go": "// Helpers.\npackage mock"},
			},
			fine: map[string]tree{
				"one":           {"mock/mock.go": "// Package mock serves.\npackage mock", "mock/options.go": "package mock"},
				"a command":     {"cmd/orrery/main.go": "// Command orrery serves.\npackage main"},
				"a build line":  {"mock/mock.go": "// Package mock serves.\npackage mock", "mock/mock_linux.go": "//go:build linux\n\npackage mock"},
				"of tests only": {"fixtures/clients/curl_test.go": "// Package clients tests.\npackage clients"},
			},
		},
	}
}

// checkTime refuses what reads the machine's clock or waits for it. Tests may read it.
func checkTime(s source) []string {
	if s.test() || s.dir() == "mock/clock" {
		return nil
	}
	return usesOfTime(s, "Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick")
}

// checkSleep believes a file that uses synctest: there a sleep costs nothing and is exact.
func checkSleep(s source) []string {
	if !s.test() || s.name("testing/synctest") != "" {
		return nil
	}
	return usesOfTime(s, "Sleep")
}

func usesOfTime(s source, names ...string) []string {
	called := s.name("time")
	if called == "." {
		return []string{s.path + " imports time by a dot, which hides its uses"}
	}
	var problems []string
	ast.Inspect(s.File, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && called != "" && x.Name == called && slices.Contains(names, sel.Sel.Name) {
			problems = append(problems, s.at(sel)+" uses time."+sel.Sel.Name)
		}
		return true
	})
	return problems
}

func checkInit(s source) []string {
	var problems []string
	for _, d := range s.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			problems = append(problems, s.at(f)+" declares init")
		}
	}
	return problems
}

// checkVariables lets a package keep a variable only when nothing can change it: its kind holds
// nothing mutable, and no statement of the package writes to it or takes its address.
func checkVariables(t tree) []string {
	var problems []string
	kept := map[string][]string{} // names by directory
	for _, s := range t.sources() {
		if s.test() {
			continue
		}
		for _, d := range s.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR {
				continue
			}
			for _, spec := range group.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, name := range spec.Names {
					switch {
					case name.Name == "_":
					case spec.Values == nil && (isName(spec.Type, "embed.FS") || embedded(group) && isIdent(spec.Type, "string")),
						i < len(spec.Values) && constant(spec.Values[i]):
						kept[s.dir()] = append(kept[s.dir()], name.Name)
					default:
						problems = append(problems, s.at(name)+" declares "+name.Name)
					}
				}
			}
		}
	}
	for _, s := range t.sources() {
		if !s.test() {
			problems = append(problems, writes(s, kept[s.dir()])...)
		}
	}
	return problems
}

// constant reports whether a value can't be changed through the variable that holds it.
func constant(value ast.Expr) bool {
	switch v := value.(type) {
	case *ast.CallExpr:
		return isName(v.Fun, "errors.New") || isName(v.Fun, "fmt.Errorf") || isName(v.Fun, "regexp.MustCompile")
	case *ast.CompositeLit:
		return plainArray(v.Type)
	}
	return false
}

func plainArray(kind ast.Expr) bool {
	array, ok := kind.(*ast.ArrayType)
	if !ok || array.Len == nil {
		return false
	}
	if _, named := array.Elt.(*ast.Ident); named {
		return true
	}
	return plainArray(array.Elt)
}

// embedded reports whether the compiler fills the variable from a file.
func embedded(group *ast.GenDecl) bool {
	return group.Doc != nil && slices.ContainsFunc(group.Doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:embed ")
	})
}

func isIdent(e ast.Expr, name string) bool {
	x, ok := e.(*ast.Ident)
	return ok && x.Name == name
}

// isName reports whether e is the qualified name, such as errors.New.
func isName(e ast.Expr, qualified string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name+"."+sel.Sel.Name == qualified
}

// writes finds the statements that could change one of names. A local variable of the same name
// is taken for the package's: give it another name.
func writes(s source, names []string) []string {
	var problems []string
	touch := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.IndexExpr:
				e = x.X
			case *ast.SelectorExpr:
				e = x.X
			case *ast.ParenExpr:
				e = x.X
			case *ast.Ident:
				if slices.Contains(names, x.Name) {
					problems = append(problems, fmt.Sprintf("%s may change %s", s.at(x), x.Name))
				}
				return
			default:
				return
			}
		}
	}
	ast.Inspect(s.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					touch(e)
				}
			}
		case *ast.IncDecStmt:
			touch(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				touch(n.X)
			}
		case *ast.SliceExpr:
			touch(n.X)
		}
		return true
	})
	return problems
}

// checkComments wants one package comment in each directory: in a file that is no test where
// there is one.
func checkComments(t tree) []string {
	type count struct{ code, codeComments, testComments int }
	counts := map[string]*count{}
	var problems []string
	for _, s := range t.sources() {
		c := counts[s.dir()]
		if c == nil {
			c = &count{}
			counts[s.dir()] = c
		}
		if !s.test() {
			c.code++
		}
		if s.Doc == nil {
			continue
		}
		if s.test() {
			c.testComments++
		} else {
			c.codeComments++
		}
		want := "Package " + s.Name.Name + " "
		if s.Name.Name == "main" {
			want = "Command " + path.Base(s.dir()) + " "
		}
		if !strings.HasPrefix(s.Doc.Text(), want) {
			problems = append(problems, fmt.Sprintf("%s: its package comment doesn't begin with %q", s.path, want))
		}
	}
	for dir, c := range counts {
		if c.code > 0 && (c.codeComments != 1 || c.testComments != 0) || c.code == 0 && c.testComments != 1 {
			problems = append(problems, fmt.Sprintf("%s has %d package comments and %d in tests", dir, c.codeComments, c.testComments))
		}
	}
	slices.Sort(problems)
	return problems
}
