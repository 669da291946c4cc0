package scenario

import (
	"slices"
	"strings"
)

// Loader turns files into scenarios. It reads nothing itself: Find gives it the parents.
type Loader struct {
	// Find returns a scenario's file by name, for extends. Nil: there are none.
	Find func(name string) (file string, source []byte, ok bool)
	// Names lists what Find knows, for near misses.
	Names []string
	// HasFixture reports whether a reply fixture exists. Nil: any name is taken.
	HasFixture func(name string) bool
	// Fixtures lists the reply fixtures, for near misses.
	Fixtures []string
	// Models lists the API's models. Nil: any name is taken.
	Models []string
	// Trace returns the text of a recorded trace by name, one value a line. Nil: there are none.
	Trace func(name string) (text string, ok bool)
	// Traces lists what Trace knows, for near misses.
	Traces []string
}

// maxParents bounds the length of a chain of extends.
const maxParents = 8

// Load reads, merges, checks and compiles a file. A file that isn't right gives [Problems],
// all of them at once.
func (l Loader) Load(file string, text []byte) (*Scenario, error) {
	r := &report{}
	root := l.family(r, file, text, nil)
	if root == nil || root.poisoned() {
		return nil, r.problems.sorted()
	}
	var doc scenarioFile
	d := &decoder{report: r}
	d.into(root, valueOf(&doc), "a scenario")
	b := &builder{loader: l, doc: &doc, language: newLanguage(r)}
	s := b.build()
	if len(r.problems) > 0 {
		return nil, r.problems.sorted()
	}
	s.File, s.Source, s.About = file, text, about(text)
	return s, nil
}

// family reads a file and its parents and merges them; children are the names on the way here, its own last.
func (l Loader) family(r *report, file string, text []byte, children []string) *node {
	root := read(r, file, text)
	if root == nil || root.poisoned() {
		return nil
	}
	checkHead(r, root)
	checkRoutes(r, root)
	extends := root.child("extends")
	if extends == nil || extends.kind != words {
		return root
	}
	if name := root.child("name"); name != nil && len(children) == 0 {
		children = append(children, name.text)
	}
	if at := slices.Index(children, extends.text); at >= 0 {
		r.at(extends, "", "%s extends itself: %s", quote(extends.text), strings.Join(append(children[at:], extends.text), " → "))
		return root
	}
	if len(children) > maxParents {
		r.at(extends, "", "more than %d scenarios extend one another", maxParents)
		return root
	}
	var parent *node
	if l.Find != nil {
		if parentFile, source, ok := l.Find(extends.text); ok {
			if parent = l.family(r, parentFile, source, append(children, extends.text)); parent == nil {
				return root
			}
		}
	}
	if parent == nil {
		r.at(extends, didYouMean(extends.text, l.Names), "there is no scenario %s to extend", quote(extends.text))
		return root
	}
	return merge(parent, root)
}

// checkHead looks for what each file must say itself, also a parent.
func checkHead(r *report, root *node) {
	if root.child("orrery") == nil {
		r.at(root, "start the file with `orrery: 1`", "the format's version is missing")
	}
	if root.child("name") == nil {
		r.at(root, "for example `name: my-scenario`", "the scenario has no name")
	}
}

// about is a file's leading comment, without its marks.
func about(text []byte) string {
	var lines []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		comment, ok := strings.CutPrefix(line, "#")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimSpace(comment))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
