package api

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/store"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// preload lays out what the scenario has the clients of a run find, when the run is made.
func (s *Service) preload(r *session) *session {
	p := r.Scenario().Preload
	if p == nil {
		return r
	}
	s.preloading.Lock()
	defer s.preloading.Unlock()
	if err := s.layOut(scopeOf(r), p, s.Clock.Now().UTC()); err != nil && s.Logger != nil {
		s.Logger.Error("what the scenario preloads can't be kept", "run", scopeOf(r), "cause", err)
	}
	return r
}

func (s *Service) layOut(scope string, p *scenario.Preload, now time.Time) error {
	before := now.Add(-2 * batchLife) // so that all batches have ended
	for _, id := range p.Batches {
		const request = `only {"model":"claude-sonnet-5","max_tokens":100,"messages":[{"role":"user","content":"Hello"}]}` + "\n"
		err := lay(s, s.Store.Batches, scope, id, request, func(n uint64, b store.Blob) store.Batch {
			return store.Batch{
				Scope: scope, Number: n, ID: id, Created: before, Requests: 1, Blob: b,
				Header: map[string][]string{"Anthropic-Version": {wire.Version2023}},
			}
		})
		if err != nil {
			return err
		}
	}
	for _, id := range p.Files {
		err := lay(s, s.Store.Files, scope, id, "This file was there from the start.\n", func(n uint64, b store.Blob) store.File {
			return store.File{
				Scope: scope, Number: n, ID: id, Name: id + ".txt", MIME: "text/plain", Created: before, Downloadable: true, Blob: b,
			}
		})
		if err != nil {
			return err
		}
	}
	for _, skill := range p.Skills {
		made := bundle{name: "preloaded", description: "A skill that was there before.", directory: skill.ID}
		made.files = []bundled{{skill.ID + "/SKILL.md", fmt.Appendf(nil, "---\nname: %s\ndescription: %s\n---\n", made.name, made.description)}}
		archive := new(bytes.Buffer)
		if err := made.archive(archive); err != nil {
			return err
		}
		err := lay(s, s.Store.Skills, scope, skill.ID, archive.String(), func(n uint64, b store.Blob) store.Skill {
			return store.Skill{
				Scope: scope, Number: n, ID: skill.ID, Title: skill.ID, Created: before, Updated: before,
				Versions: []store.SkillVersion{{
					Number: n, ID: skill.Version, Created: before, Name: made.name, Description: made.description, Directory: made.directory, Blob: b,
				}},
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lay keeps a record with these contents unless there is one of its id.
func lay[T store.Record](s *Service, on *store.Shelf[T], scope, id, contents string, record func(uint64, store.Blob) T) error {
	if _, there := on.Get(scope, id); there {
		return nil
	}
	n, err := s.Store.Number()
	if err != nil {
		return err
	}
	blob, err := s.Store.Write(int64(len(contents)), func(w io.Writer) error {
		_, err := io.WriteString(w, contents)
		return err
	})
	if err != nil {
		return err
	}
	if err := on.Put(record(n, blob)); err != nil {
		s.Store.Discard(blob)
		return err
	}
	return nil
}
