package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// The bounds on drafts.
const (
	mostDrafts    = 16
	mostDraftText = 256 << 10
)

// draftMark stands in a draft's name behind its scenario's, where no file's name can have it.
const draftMark = "@draft-"

// drafts are scenarios that were sent as text, to be tried: in memory only, beside the files' own, under
// names of their own. Beyond the bound the one that was used longest ago goes, with its runs.
type drafts struct {
	parts *lru.Cache[string, *part]

	mu   sync.Mutex // guards the rest, and that a text is taken once
	made uint64
}

func newDrafts(gone func(name string)) *drafts {
	d := &drafts{}
	d.parts, _ = lru.NewWithEvict(mostDrafts, func(name string, _ *part) { gone(name) }) // which can't fail with a size
	return d
}

// keep takes a scenario under a name of its own, or finds that its text was taken already.
func (d *drafts) keep(s *scenario.Scenario) (kept *part, known bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range d.parts.Keys() {
		if p, ok := d.parts.Peek(name); ok && bytes.Equal(p.Source, s.Source) {
			d.parts.Get(name) // which makes it the youngest
			return p, true
		}
	}
	d.made++
	renamed := *s
	renamed.Name = fmt.Sprintf("%s%s%d", s.Name, draftMark, d.made)
	renamed.File = ""
	p := newPart(&renamed)
	d.parts.Add(renamed.Name, p)
	return p, false
}

// all are the drafts, sorted by name.
func (d *drafts) all() []*part {
	all := d.parts.Values()
	slices.SortFunc(all, func(a, b *part) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// draftOf is the name of the scenario that a draft is of; ok is false for a scenario that is none.
func draftOf(name string) (of string, ok bool) {
	of, _, ok = strings.Cut(name, draftMark)
	return of, ok
}

// toldProblem is one thing that is wrong with a draft.
type toldProblem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
	Excerpt string `json:"excerpt"`
	Says    string `json:"says"` // all of it, as orrery check prints it
}

// draftFile is what problems call a draft.
const draftFile = "draft.yaml"

// tryScenario takes a scenario that isn't in any file. It may extend the scenarios that can be named, and reads
// nothing else.
func (s *Service) tryScenario(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostDraftText))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "", "the scenario can't be read, or has more than 256 KB")
		return
	}
	loaded, err := s.Scenarios().LoadText(draftFile, text)
	if err != nil {
		tellProblems(w, err)
		return
	}
	kept, known := s.drafts.keep(loaded)
	status := http.StatusCreated
	if known {
		status = http.StatusOK
	}
	tell(w, status, map[string]string{"scenario": kept.Name, "of": loaded.Name, "title": kept.Title, "base": basePath(kept.Name)})
}

// tellProblems says all that is wrong with a draft, and where. It is what was asked for, and so no error.
func tellProblems(w http.ResponseWriter, err error) {
	var problems scenario.Problems
	if !errors.As(err, &problems) {
		refuse(w, http.StatusUnprocessableEntity, "", err.Error())
		return
	}
	told := struct {
		Detail   string        `json:"detail"`
		Problems []toldProblem `json:"problems"`
	}{Detail: problems.Error()}
	for _, p := range problems {
		told.Problems = append(told.Problems, toldProblem{p.File, p.Line, p.Column, p.Message, p.Hint, p.Excerpt, p.Error()})
	}
	tell(w, http.StatusOK, told)
}

// forgetRuns drops a draft's runs when it goes.
func (s *Service) forgetRuns(of string) {
	for _, one := range s.runs.All() {
		if one.Scenario().Name == of {
			s.runs.Remove(of, one.Name())
			one.letGo()
		}
	}
}
