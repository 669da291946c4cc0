package mock

import (
	"path"
	"strings"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Fault is a scenario in which one thing goes wrong that clients are known to break on.
type Fault struct {
	// Name is the scenario's, for [Scenario] or a base URL's /scenarios/NAME.
	Name string
	// Title says what the server does, in a few words; often "", since Symptom is what lists show.
	Title string
	// Symptom is what a developer of the client sees, in one sentence.
	Symptom string
	// About says what the server does, and what a sound client does then.
	About string
	// Rows are the cases of the collection that it comes from, such as B20; nil for one of your own
	// that names none.
	Rows []string
	// File is its path among the scenarios: faults/NAME.yaml.
	File string
}

// Faults lists the built-in faults by name, for table tests. Each also answers when it is not at fault, so a
// test may look at what its client does afterwards.
func Faults() []Fault {
	faults, err := FaultsIn("")
	if err != nil {
		panic("orrery: " + err.Error()) // the built-in files are tested to be sound
	}
	return faults
}

// FaultsIn lists the built-in faults and those in dir, which [ScenarioDir] takes too: its files in a directory
// called faults, at any depth. A file with a built-in's name takes its place. An error names every
// problem of every file.
func FaultsIn(dir string) ([]Fault, error) {
	library, err := Library(dir)
	if err != nil {
		return nil, err
	}
	var faults []Fault
	for _, s := range library.List() {
		if path.Base(path.Dir(s.File)) == "faults" {
			faults = append(faults, fault(s))
		}
	}
	return faults, nil
}

// fault reads the leading comment of a fault's file: the symptom in its first line, the rows in its last.
func fault(s scenario.Info) Fault {
	symptom, about, _ := strings.Cut(s.About, "\n")
	f := Fault{Name: s.Name, Title: s.Title, Symptom: symptom, About: about, File: s.File}
	before, last := "", about
	if i := strings.LastIndexByte(about, '\n'); i >= 0 {
		before, last = about[:i], about[i+1:]
	}
	if rows, ok := strings.CutPrefix(last, "rows:"); ok {
		f.About = before
		for row := range strings.SplitSeq(rows, ",") {
			f.Rows = append(f.Rows, strings.TrimSpace(row))
		}
	}
	f.About = strings.TrimSpace(f.About)
	return f
}
