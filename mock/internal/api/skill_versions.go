package api

import (
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/store"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// version keeps a bundle as a version.
func (x *exchange) version(b *bundle) (store.SkillVersion, error) {
	v := store.SkillVersion{Created: x.query.Arrived, Name: b.name, Description: b.description, Directory: b.directory}
	seed, number, err := x.number()
	if err != nil {
		return v, err
	}
	v.Number, v.ID = number, wire.SkillVersionID(seed, number)
	v.Blob, err = x.service.Store.Write(2*maxBundle, b.archive)
	return v, err
}

func (x *exchange) createVersion() *run.Decision {
	s, problem := x.skill()
	if problem == nil && isVendors(s) {
		problem = wire.Invalid("Skill " + s.ID + " cannot be changed.")
	}
	if problem != nil {
		return x.refuse(problem)
	}
	bundle, problem := x.bundle()
	if bundle == nil {
		return x.refuse(problem)
	}
	v, err := x.version(bundle)
	if err != nil {
		return x.refuse(x.unkept(err, maxBundle))
	}
	s, found, err := x.service.Store.Skills.Change(s.Scope, s.ID, func(s store.Skill) (store.Skill, error) {
		if n := len(s.Versions); n > 0 && !v.Created.After(s.Versions[n-1].Created) {
			v.Created = s.Versions[n-1].Created.Add(time.Microsecond) // the older shape tells versions by their time
		}
		s.Versions = append(slices.Clone(s.Versions), v)
		s.Updated = v.Created
		return s, nil
	})
	if err != nil || !found {
		x.service.Store.Discard(v.Blob)
		if err != nil {
			return x.refuse(x.unkept(err, maxBundle))
		}
		return x.refuse(wire.UnknownSkill(chi.URLParam(x.r, "skill")))
	}
	return x.answer(x.viewVersion(s)(v))
}

func (x *exchange) listVersions() *run.Decision {
	s, problem := x.skill()
	if problem != nil {
		return x.refuse(problem)
	}
	newest := slices.Clone(s.Versions)
	slices.Reverse(newest)
	page, next, problem := pageByToken(newest, func(v store.SkillVersion) uint64 { return v.Number }, x.r.URL.Query(), x.lax())
	if problem != nil {
		return x.refuse(problem)
	}
	return x.skillPage(each(page, x.viewVersion(s)), next)
}

// skillVersion finds the version that the path names, by its id, its time or as the latest.
func (x *exchange) skillVersion() (store.Skill, store.SkillVersion, *wire.Error) {
	s, problem := x.skill()
	if problem != nil {
		return s, store.SkillVersion{}, problem
	}
	asked := chi.URLParam(x.r, "version")
	for i := len(s.Versions) - 1; i >= 0; i-- {
		if v := s.Versions[i]; asked == v.ID || asked == epoch(v) || asked == "latest" && x.r.Method == "GET" {
			return s, v, nil
		}
	}
	return s, store.SkillVersion{}, wire.UnknownSkillVersion(s.ID, asked)
}

func (x *exchange) getVersion() *run.Decision {
	s, v, problem := x.skillVersion()
	if problem != nil {
		return x.refuse(problem)
	}
	return x.answer(x.viewVersion(s)(v))
}

func (x *exchange) deleteVersion() *run.Decision {
	s, v, problem := x.skillVersion()
	if problem == nil && isVendors(s) {
		problem = wire.Invalid("Skill " + s.ID + " cannot be changed.")
	}
	if problem != nil {
		return x.refuse(problem)
	}
	gone := false
	_, _, err := x.service.Store.Skills.Change(s.Scope, s.ID, func(s store.Skill) (store.Skill, error) {
		kept := slices.DeleteFunc(slices.Clone(s.Versions), func(other store.SkillVersion) bool { return other.ID == v.ID })
		gone = len(kept) < len(s.Versions)
		s.Versions, s.Updated = kept, x.query.Arrived
		return s, nil
	})
	switch {
	case err != nil:
		return x.refuse(x.unkept(err, maxBundle))
	case !gone:
		return x.refuse(wire.UnknownSkillVersion(s.ID, v.ID))
	}
	x.service.Store.Discard(v.Blob)
	return x.answer(deleted{x.nameOf(s, v), "skill_version_deleted"})
}

func (x *exchange) versionContent() *run.Decision {
	s, v, problem := x.skillVersion()
	if problem == nil && isVendors(s) {
		problem = wire.Invalid("Skill " + s.ID + " cannot be downloaded.")
	}
	if problem != nil {
		return x.refuse(problem)
	}
	return x.download(v.Blob, "application/zip")
}
