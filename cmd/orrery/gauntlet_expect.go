package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/seed-954e9acd/orrery/mock"
)

// expectation is what a fault is expected to come to: an object of the file of --expect. Other members, such as
// those of an encounter, say nothing.
type expectation struct {
	Fault string `json:"fault"`
	Ended string `json:"ended"`
	// Attempts is nil when their number isn't compared. That of a command that hung depends on the moment at
	// which it was killed.
	Attempts *int `json:"attempts,omitempty"`
}

// expectations are a file's, by the fault's name.
type expectations map[string]expectation

// expectations reads the file of --expect. One that isn't there is empty when it is to be written.
func (g *course) expectations() (expectations, error) {
	found := expectations{}
	if g.expect == "" {
		return found, nil
	}
	text, err := os.ReadFile(g.expect)
	switch {
	case errors.Is(err, fs.ErrNotExist) && g.update:
		return found, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("can't read the expected outcomes: %w; --update writes the file", err)
	case err != nil:
		return nil, fmt.Errorf("can't read the expected outcomes: %w", err)
	}
	var list []expectation
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s holds no outcomes, which are a JSON array of objects with fault, ended and attempts: %w; --update with a new name writes such a file", g.expect, err)
	}
	known := []string{endedWell, endedBadly, endedHung, endedUnmet}
	for i, e := range list {
		_, twice := found[e.Fault]
		switch {
		case e.Fault == "":
			return nil, fmt.Errorf("%s: outcome %d names no fault", g.expect, i+1)
		case twice:
			return nil, fmt.Errorf("%s: %s stands there twice; remove one", g.expect, e.Fault)
		case !slices.Contains(known, e.Ended):
			return nil, fmt.Errorf("%s: %s: ended is %q; use one of %s", g.expect, e.Fault, e.Ended, strings.Join(known, ", "))
		}
		found[e.Fault] = e
	}
	return found, nil
}

// compare notes at each encounter what is other than expected, and returns a sentence for each expected fault
// that there is no more.
func (x expectations) compare(met []encounter, all []mock.Fault, file string) (gone []string) {
	for i := range met {
		e := &met[i]
		was, known := x[e.Fault]
		is := expectation{Ended: e.Ended, Attempts: &e.Attempts}
		switch {
		case !known:
			e.Change = "not in " + file + "; --update adds it"
		case was.Ended == e.Ended && (was.Attempts == nil || e.Ended == endedHung || *was.Attempts == e.Attempts):
		default:
			e.Change = "was " + was.String() + ", is " + is.String()
		}
	}
	for _, was := range x.sorted() {
		if !slices.ContainsFunc(all, func(f mock.Fault) bool { return f.Name == was.Fault }) {
			gone = append(gone, fmt.Sprintf("%s is in %s, and there is no such fault; --update removes it", was.Fault, file))
		}
	}
	return gone
}

func (e expectation) String() string {
	if e.Attempts == nil {
		return e.Ended
	}
	return fmt.Sprintf("%s after %s", e.Ended, counted(*e.Attempts, "attempt"))
}

// counted is a number of things, in words.
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// update writes the file. Faults that weren't met keep their outcome, those that there are no more lose it, and
// an entry without attempts stays without.
func (x expectations) update(met []encounter, all []mock.Fault, file string) error {
	for _, e := range met {
		is := expectation{Fault: e.Fault, Ended: e.Ended, Attempts: &e.Attempts}
		if was, known := x[e.Fault]; e.Ended == endedHung || known && was.Attempts == nil && was.Ended != endedHung {
			is.Attempts = nil
		}
		x[e.Fault] = is
	}
	list := slices.DeleteFunc(x.sorted(), func(e expectation) bool {
		return !slices.ContainsFunc(all, func(f mock.Fault) bool { return f.Name == e.Fault })
	})
	// One line for each, so that a change is one line of a diff.
	var text bytes.Buffer
	text.WriteString("[\n")
	for i, e := range list {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		text.WriteString("  ")
		text.Write(line)
		if i < len(list)-1 {
			text.WriteByte(',')
		}
		text.WriteByte('\n')
	}
	text.WriteString("]\n")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		return fmt.Errorf("can't write the expected outcomes: %w", err)
	}
	return nil
}

func (x expectations) sorted() []expectation {
	var list []expectation
	for _, e := range x {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b expectation) int { return strings.Compare(a.Fault, b.Fault) })
	return list
}
