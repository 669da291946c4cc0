package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Library finds scenarios by name, in layers: a later layer's file wins over an earlier one's. (R31)
// It never changes, so anyone may use it at once.
type Library struct {
	entries    map[string]entry
	overridden []string
	fixtures   []string
	models     []string
	hasFixture func(string) bool
	traces     map[string]string
}

type entry struct {
	Info
	source  []byte
	layer   int
	extends string // "" when it extends none
}

// Info is what lists show of a scenario.
type Info struct {
	Name, Title string
	// About is the file's leading comment: what the scenario shows.
	About string
	// File is its path within its layer.
	File string
}

// UnknownError is a scenario name that no layer has.
type UnknownError struct {
	Name string
	// Near holds the names that it may have meant, nearest first.
	Near []string
}

// Unknown is the error for a name that is none of those known.
func Unknown(name string, known []string) *UnknownError {
	return &UnknownError{Name: name, Near: near(name, known)}
}

func (e *UnknownError) Error() string {
	if len(e.Near) == 0 {
		return fmt.Sprintf("there is no scenario %q", e.Name)
	}
	return fmt.Sprintf("there is no scenario %q; did you mean %s?", e.Name, oneOf(e.Near))
}

// NewLibrary reads all *.yaml files of the layers, at any depth. The name in a file must be the file's
// name without .yaml. Files that can't be read at all give [Problems]; the rest of what is wrong with a file
// comes with Load.
func NewLibrary(layers ...fs.FS) (*Library, error) {
	l := &Library{entries: map[string]entry{}}
	r := &report{}
	for i, layer := range layers {
		err := fs.WalkDir(layer, ".", func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path.Ext(file) != ".yaml" {
				return err
			}
			source, err := fs.ReadFile(layer, file)
			if err != nil {
				return err
			}
			l.add(r, i, file, source)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("reading scenarios: %w", err)
		}
	}
	if len(r.problems) > 0 {
		return nil, r.problems.sorted()
	}
	slices.Sort(l.overridden)
	return l, nil
}

func (l *Library) add(r *report, layer int, file string, source []byte) {
	root := read(r, file, source)
	if root == nil || root.poisoned() {
		return
	}
	e := entry{Info: Info{File: file, About: about(source)}, source: source, layer: layer}
	stem := strings.TrimSuffix(path.Base(file), ".yaml")
	name := root.child("name")
	switch {
	case name == nil:
		checkHead(r, root)
		return
	case name.text != stem:
		r.at(name, "write `name: "+stem+"` or rename the file", "the file %s holds a scenario of another name, %s", quote(path.Base(file)), quote(name.text))
		return
	}
	e.Name = name.text
	if title := root.child("title"); title != nil {
		e.Title = title.text
	}
	if extends := root.child("extends"); extends != nil {
		e.extends = extends.text
	}
	switch other, taken := l.entries[e.Name]; {
	case taken && other.layer == layer:
		r.at(name, "", "%s holds a scenario of this name, too", other.File)
	case taken && !slices.Contains(l.overridden, e.Name):
		l.overridden = append(l.overridden, e.Name)
	}
	l.entries[e.Name] = e
}

// WithFixtures returns a library that knows which reply fixtures there are; without it any name is taken.
func (l *Library) WithFixtures(names []string) *Library {
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[name] = true
	}
	made := *l
	made.fixtures = slices.Sorted(maps.Keys(known))
	made.hasFixture = func(name string) bool { return known[name] }
	return &made
}

// WithModels returns a library that knows the API's models; without it any name is taken.
func (l *Library) WithModels(ids []string) *Library {
	made := *l
	made.models = slices.Clone(ids)
	return &made
}

// WithTraces returns a library that has these recorded traces by name, one value a line.
func (l *Library) WithTraces(traces map[string]string) *Library {
	made := *l
	made.traces = maps.Clone(traces)
	return &made
}

// Names lists the scenarios, sorted.
func (l *Library) Names() []string { return slices.Sorted(maps.Keys(l.entries)) }

// List returns what lists show, sorted by name.
func (l *Library) List() []Info {
	var infos []Info
	for _, name := range l.Names() {
		infos = append(infos, l.entries[name].Info)
	}
	return infos
}

// Overridden lists the scenarios that a later layer has put in place of an earlier one's, sorted.
func (l *Library) Overridden() []string { return slices.Clone(l.overridden) }

// Load compiles a scenario by name. The error is an [*UnknownError] or [Problems].
func (l *Library) Load(name string) (*Scenario, error) {
	e, ok := l.entries[name]
	if !ok {
		return nil, Unknown(name, l.Names())
	}
	return l.loader().Load(e.File, e.source)
}

// Check compiles what stands above the lowest layer, and whatever extends it. The error is [Problems]: those of all
// files. The lowest layer's other files are taken to be right.
func (l *Library) Check() error {
	var all Problems
	for _, name := range l.Names() {
		if !l.above(name, maxParents) {
			continue
		}
		var problems Problems
		if _, err := l.Load(name); errors.As(err, &problems) {
			all = append(all, problems...)
		} else if err != nil {
			return err
		}
	}
	if len(all) > 0 {
		return all.sorted()
	}
	return nil
}

// above reports whether a scenario, or one of so many that it extends, stands above the lowest layer.
func (l *Library) above(name string, parents int) bool {
	e, ok := l.entries[name]
	if !ok || e.layer > 0 {
		return ok
	}
	return parents > 0 && e.extends != "" && l.above(e.extends, parents-1)
}

// LoadText compiles a scenario that stands in no file; name is what problems call it.
func (l *Library) LoadText(name string, source []byte) (*Scenario, error) {
	return l.loader().Load(name, source)
}

// LoadFile compiles a file that need not be in the library. What it extends must be there, or lie
// beside the file as NAME.yaml. The error is an [fs.PathError] or [Problems].
func (l *Library) LoadFile(file string) (*Scenario, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	loader := l.loader()
	known := loader.Find
	loader.Find = func(name string) (string, []byte, bool) {
		if found, source, ok := known(name); ok {
			return found, source, true
		}
		beside := filepath.Join(filepath.Dir(file), name+".yaml")
		if strings.ContainsAny(name, `/\`) {
			return "", nil, false
		}
		source, err := os.ReadFile(beside)
		return beside, source, err == nil
	}
	return loader.Load(file, source)
}

func (l *Library) loader() Loader {
	return Loader{
		Find: func(name string) (string, []byte, bool) {
			e, ok := l.entries[name]
			return e.File, e.source, ok
		},
		Names: l.Names(), HasFixture: l.hasFixture, Fixtures: l.fixtures, Models: l.models,
		Trace: func(name string) (string, bool) {
			text, ok := l.traces[name]
			return text, ok
		},
		Traces: slices.Sorted(maps.Keys(l.traces)),
	}
}
