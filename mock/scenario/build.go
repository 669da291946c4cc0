package scenario

import (
	"fmt"
	"iter"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/expr-lang/expr/types"
)

// builder turns a decoded file into a Scenario.
type builder struct {
	*language
	loader Loader
	doc    *scenarioFile
	made   *Scenario
	next   bool // only an outcome is compiled; all that draws has one place
}

var (
	plainName  = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
	identifier = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`)
)

func (b *builder) build() *Scenario {
	doc := b.doc
	b.made = &Scenario{
		Name: doc.Name.or(""), Title: doc.Title.or(""), Profiles: map[string]*Profile{},
		API: API{Validation: "strict", Models: "any", Padding: true}, Places: []string{NextPlace},
	}
	if doc.Name != nil && doc.Name.text != "" {
		b.checkName(doc.Name.at, "a scenario's name")
	}
	if doc.Seed != nil {
		b.made.Seed = doc.Seed.value
	}
	b.parameters()
	b.capacities()
	b.phases()
	b.clock()
	b.made.Limits = b.limits(doc.Limits, nil)
	b.cache()
	b.preload()
	b.upload()
	b.freeze()
	b.models()
	b.keys()
	b.facts()
	b.profiles()
	b.routes()
	b.guards()
	b.made.Figures = b.figures(doc.Figures, doc.at.child("figures"), "figures.")
	b.made.Warnings = b.warnings(doc.Warn)
	if a := doc.API; a != nil {
		b.made.API.Validation = a.Validation.or("strict")
		b.made.API.Models = a.Models.or("any")
		if a.Padding != nil {
			b.made.API.Padding = a.Padding.value
		}
		b.made.API.Downloadable = a.Downloadable != nil && a.Downloadable.value
		b.paths(a)
		if a.CDNHeaders != nil {
			b.made.API.CDNHeaders = a.CDNHeaders.value
		}
	}
	b.metrics()
	b.contradictions()
	b.workloads()
	b.claims()
	b.made.speech = b.language
	b.made.uses, b.made.slots = b.language.uses, b.language.slots
	return b.made
}

// paths takes the further paths of endpoints.
func (b *builder) paths(a *apiFile) {
	for path, of := range a.Paths {
		if !strings.HasPrefix(path, "/v1/") {
			b.at(a.at.child("paths").keyOf(path), "for example /v1/completions", "a path begins with /v1/")
			continue
		}
		if b.made.API.Paths == nil {
			b.made.API.Paths = map[string]string{}
		}
		b.made.API.Paths[path] = of.text
	}
}

// place registers something that draws and returns its number.
func (b *builder) place(name string) int {
	if b.next {
		return 0
	}
	b.made.Places = append(b.made.Places, name)
	return len(b.made.Places) - 1
}

func (b *builder) at(n *node, hint, format string, args ...any) {
	b.report.at(n, hint, format, args...)
}

func (b *builder) checkName(n *node, what string) {
	if !plainName.MatchString(n.text) {
		b.at(n, "use a to z, 0 to 9, - and _", "%s can't be %s", what, quote(n.text))
	}
}

// checkTitle checks the name of a route, guard or mark, which people write as prose.
func (b *builder) checkTitle(n *node, what string) {
	if n.text == "" || len(n.text) > 100 || strings.ContainsFunc(n.text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		b.at(n, "", "%s is 1 to 100 printable characters", what)
	}
}

// ordered goes through a map of the file in the order it is written.
func ordered[T any](m map[string]T, at *node) iter.Seq2[*node, T] {
	return func(yield func(*node, T) bool) {
		if at == nil {
			return
		}
		for _, p := range at.pairs {
			if v, ok := m[p.key.text]; ok && !p.value.poisoned() && !yield(p.key, v) {
				return
			}
		}
	}
}

// facts compiles the file's facts, each after those it uses.
func (b *builder) facts() {
	at := b.doc.at.child("facts")
	formulas := map[string]*formula{}
	builtin := map[string]bool{}
	for _, f := range BuiltinFacts() {
		builtin[f.Name] = true
	}
	for key, e := range ordered(b.doc.Facts, at) {
		name := key.text
		switch {
		case !identifier.MatchString(name):
			b.at(key, "use letters, digits and _, for example `asked_for`", "a fact can't be called %s", quote(name))
		case builtin[name] || slices.Contains(reservedWords(), name) || slices.Contains(allowedFunctions(), name), slices.Contains(ownFunctions(), name):
			b.at(key, "choose another name", "%s has a meaning already", quote(name))
		case e.at != nil:
			b.own = append(b.own, name)
		}
	}
	for key, e := range ordered(b.doc.Facts, at) {
		if e.at == nil || !slices.Contains(b.own, key.text) {
			continue
		}
		f := b.parse(e.at, e.text, 0)
		if f != nil && f.planned {
			b.tooEarly(f)
			f = nil
		}
		formulas[key.text] = f
		b.broken[key.text] = f == nil
	}
	for _, name := range b.own {
		b.fact(name, formulas, nil)
	}
}

// fact compiles a fact and, before it, those it uses; users are the facts on the way here.
func (b *builder) fact(name string, formulas map[string]*formula, users []string) {
	f := formulas[name]
	if f == nil || b.names[name] != nil || b.broken[name] {
		return
	}
	if at := slices.Index(users, name); at >= 0 {
		b.at(f.n, "", "the fact %s uses itself: %s", quote(name), strings.Join(append(users[at:], name), " → "))
		b.broken[name] = true
		return
	}
	for _, used := range f.uses {
		b.fact(used, formulas, append(slices.Clone(users), name))
	}
	if b.broken[name] {
		return
	}
	x := b.finish(f, wantValue)
	if x == nil {
		b.broken[name] = true
		return
	}
	b.names[name] = types.TypeOf(reflect.Zero(f.given).Interface())
	b.made.Facts = append(b.made.Facts, Fact{Name: name, Expr: x})
}

// condition compiles an optional condition.
func (b *builder) condition(e *expression) *Expr {
	if e == nil || e.at == nil || strings.TrimSpace(e.text) == "" {
		return nil
	}
	return b.compile(e.at, e.text, 0, wantBool)
}

// guardName is a guard's name, or its number when it has none.
func guardName(g *guardFile, index int) string {
	return g.Name.or(fmt.Sprint(index + 1))
}
