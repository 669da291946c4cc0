package api

import (
	"errors"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/store"
)

const (
	// preloadedAge is how long ago preloaded objects were made: so that their batches have ended.
	preloadedAge     = 12 * time.Hour
	preloadedRequest = `preloaded {"model":"claude-haiku-4-5","max_tokens":16,"messages":[{"role":"user","content":"Hello"}]}` + "\n"
	preloadedText    = "This file was there from the start.\n"
	preloadedSkill   = "---\nname: preloaded\ndescription: Was there from the start.\n---\n"
)

// preload leaves with a run what its scenario says that clients find there. What can't be kept is
// logged and missing.
func (s *Service) preload(r *run.Run) *run.Run {
	p := r.Scenario().Preload
	if p == nil {
		return r
	}
	l := preloading{s.Store, r.Scenario().Name + "/" + r.Name(), s.Clock.Now().Add(-preloadedAge)}
	var failed error
	for _, id := range p.Batches {
		failed = errors.Join(failed, l.batch(id))
	}
	for _, id := range p.Files {
		failed = errors.Join(failed, l.file(id, r.Scenario().API.Downloadable))
	}
	for _, skill := range p.Skills {
		failed = errors.Join(failed, l.skill(skill.ID, skill.Version))
	}
	if failed != nil && s.Logger != nil {
		s.Logger.Error("preloading", slog.String("run", l.scope), slog.String("error", failed.Error()))
	}
	return r
}

// preloading leaves objects in a scope, unless an earlier process did.
type preloading struct {
	store *store.Store
	scope string
	at    time.Time
}

func (l preloading) batch(id string) error {
	if _, ok := l.store.Batches.Get(l.scope, id); ok {
		return nil
	}
	b := store.Batch{Scope: l.scope, ID: id, Created: l.at, Requests: 1}
	return l.keep(&b.Number, &b.Blob, text(preloadedRequest), func() error { return l.store.Batches.Put(b) })
}

func (l preloading) file(id string, downloadable bool) error {
	if _, ok := l.store.Files.Get(l.scope, id); ok {
		return nil
	}
	f := store.File{Scope: l.scope, ID: id, Name: id + ".txt", MIME: "text/plain", Created: l.at, Downloadable: downloadable}
	return l.keep(&f.Number, &f.Blob, text(preloadedText), func() error { return l.store.Files.Put(f) })
}

func (l preloading) skill(id, version string) error {
	if _, ok := l.store.Skills.Get(l.scope, id); ok {
		return nil
	}
	made := bundle{files: []bundled{{"preloaded/SKILL.md", []byte(preloadedSkill)}}}
	v := store.SkillVersion{ID: version, Created: l.at, Name: "preloaded", Description: "Was there from the start.", Directory: "preloaded"}
	return l.keep(&v.Number, &v.Blob, made.archive, func() error {
		return l.store.Skills.Put(store.Skill{
			Scope: l.scope, Number: v.Number, ID: id, Title: id, Created: l.at, Updated: l.at, Versions: []store.SkillVersion{v},
		})
	})
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.Copy(w, strings.NewReader(s))
		return err
	}
}

// keep fills in a record's number and blob, and puts it.
func (l preloading) keep(number *uint64, blob *store.Blob, write func(io.Writer) error, put func() error) (err error) {
	if *number, err = l.store.Number(); err != nil {
		return err
	}
	if *blob, err = l.store.Write(maxBundle, write); err != nil {
		return err
	}
	if err := put(); err != nil {
		l.store.Discard(*blob)
		return err
	}
	return nil
}
