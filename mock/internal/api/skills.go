package api

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/store"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// oldSkills is the beta value that asks for the older shapes: versions are numbers, a source is a word.
const oldSkills = "skills-2025-10-02"

// skillView is a skill as a client sees it.
type skillView struct {
	Type            string      `json:"type"`
	ID              string      `json:"id"`
	DisplayName     string      `json:"display_name"`
	LatestVersionID string      `json:"latest_version_id"`
	Source          skillSource `json:"source"`
	CreatedAt       *string     `json:"created_at"`
	UpdatedAt       *string     `json:"updated_at"`
}

type skillSource struct {
	Type string `json:"type"`
}

// oldSkillView is the same in the older shape.
type oldSkillView struct {
	Type          string  `json:"type"`
	ID            string  `json:"id"`
	DisplayTitle  string  `json:"display_title"`
	LatestVersion string  `json:"latest_version"`
	Source        string  `json:"source"`
	CreatedAt     *string `json:"created_at"`
	UpdatedAt     *string `json:"updated_at"`
}

type versionView struct {
	Type        string  `json:"type"`
	ID          string  `json:"id"`
	SkillID     string  `json:"skill_id"`
	Name        string  `json:"name"`
	Description string  `json:"description"`
	CreatedAt   *string `json:"created_at"`
}

type oldVersionView struct {
	versionView
	Directory string `json:"directory"`
	Version   string `json:"version"`
}

// vendors are the skills that the API has of itself. They have no contents here.
func vendors() []store.Skill {
	made := time.Date(2025, 10, 13, 0, 0, 0, 0, time.UTC)
	var all []store.Skill
	for i, name := range []string{"xlsx", "pptx", "pdf", "docx"} {
		all = append(all, store.Skill{
			ID: name, Title: name, Created: made, Updated: made, Number: uint64(4 - i),
			Versions: []store.SkillVersion{{ID: "20251013", Number: 1, Created: made, Name: name, Description: "Makes and reads " + name + " files.", Directory: name}},
		})
	}
	return all
}

func isVendors(s store.Skill) bool { return s.Scope == "" }

func sourceOf(s store.Skill) string {
	if isVendors(s) {
		return "anthropic"
	}
	return "custom"
}

// old reports whether the client wants the older shapes.
func (x *exchange) old() bool { return x.hasBeta(oldSkills) }

func (x *exchange) viewSkill(s store.Skill) any {
	latest := ""
	if n := len(s.Versions); n > 0 {
		latest = x.nameOf(s, s.Versions[n-1])
	}
	if x.old() {
		return oldSkillView{"skill", s.ID, s.Title, latest, sourceOf(s), stamp(s.Created), stamp(s.Updated)}
	}
	return skillView{"skill", s.ID, s.Title, latest, skillSource{sourceOf(s)}, stamp(s.Created), stamp(s.Updated)}
}

// nameOf is what the client calls a version: by its id or, in the older shape, by its time in
// microseconds, which for the vendor's is its date.
func (x *exchange) nameOf(s store.Skill, v store.SkillVersion) string {
	if x.old() && !isVendors(s) {
		return epoch(v)
	}
	return v.ID
}

func epoch(v store.SkillVersion) string { return strconv.FormatInt(v.Created.UnixMicro(), 10) }

func (x *exchange) viewVersion(s store.Skill) func(store.SkillVersion) any {
	return func(v store.SkillVersion) any {
		view := versionView{"skill_version", v.ID, s.ID, v.Name, v.Description, stamp(v.Created)}
		if x.old() {
			return oldVersionView{view, v.Directory, x.nameOf(s, v)}
		}
		return view
	}
}

func (x *exchange) createSkill() *run.Decision {
	if x.problem != nil {
		return x.refuse(x.problem)
	}
	bundle, problem := x.bundle()
	if bundle == nil {
		return x.refuse(problem)
	}
	s := store.Skill{Scope: x.scope(), Created: x.query.Arrived, Updated: x.query.Arrived, Title: cmp.Or(bundle.title, bundle.name, "Skill")}
	seed, number, err := x.number()
	if err == nil {
		s.Number, s.ID = number, wire.SkillID(seed, number)
		var v store.SkillVersion
		if v, err = x.version(bundle); err == nil {
			s.Versions = []store.SkillVersion{v}
			if err = x.service.Store.Skills.Put(s); err == nil {
				return x.answer(x.viewSkill(s))
			}
			x.service.Store.Discard(v.Blob)
		}
	}
	return x.refuse(x.unkept(err, maxBundle))
}

func (x *exchange) listSkills() *run.Decision {
	if x.problem != nil {
		return x.refuse(x.problem)
	}
	query := x.r.URL.Query()
	all := append(x.service.Store.Skills.List(x.scope()), vendors()...)
	for i := range all { // the vendor's come last, whatever the numbers
		if !isVendors(all[i]) {
			all[i].Number += uint64(len(vendors()))
		}
	}
	if source := query.Get("source"); source != "" {
		if !slices.Contains([]string{"custom", "anthropic", "anthropic_example", "plugin"}, source) && !x.lax() {
			return x.refuse(wire.Invalid("source: Input should be 'custom', 'anthropic', 'anthropic_example' or 'plugin'"))
		}
		all = slices.DeleteFunc(all, func(s store.Skill) bool { return sourceOf(s) != source })
	}
	page, next, problem := pageByToken(all, func(s store.Skill) uint64 { return s.Number }, query, x.lax())
	if problem != nil {
		return x.refuse(problem)
	}
	return x.skillPage(each(page, x.viewSkill), next)
}

// skillPage is a page of one of the skills' lists, in the shape that the client wants.
func (x *exchange) skillPage(views []any, next *string) *run.Decision {
	if x.old() {
		return x.answer(oldTokenPage[any]{views, next != nil, next})
	}
	return x.answer(tokenPage[any]{views, next})
}

// skill finds the skill that the path names.
func (x *exchange) skill() (store.Skill, *wire.Error) {
	if x.problem != nil {
		return store.Skill{}, x.problem
	}
	id := chi.URLParam(x.r, "skill")
	if s, ok := x.service.Store.Skills.Get(x.scope(), id); ok {
		return s, nil
	}
	for _, s := range vendors() {
		if s.ID == id {
			return s, nil
		}
	}
	return store.Skill{}, wire.UnknownSkill(id)
}

func (x *exchange) getSkill() *run.Decision {
	s, problem := x.skill()
	if problem != nil {
		return x.refuse(problem)
	}
	return x.answer(x.viewSkill(s))
}

// deleteSkill deletes a skill; in the older shape its versions have to go first.
func (x *exchange) deleteSkill() *run.Decision {
	s, problem := x.skill()
	switch {
	case problem == nil && isVendors(s):
		problem = wire.Invalid("Skill " + s.ID + " cannot be deleted.")
	case problem == nil && x.old() && len(s.Versions) > 0:
		problem = wire.SkillHasVersions(s.ID)
	}
	if problem != nil {
		return x.refuse(problem)
	}
	found, err := x.service.Store.Skills.Delete(s.Scope, s.ID)
	switch {
	case err != nil:
		return x.refuse(x.unkept(err, maxBundle))
	case !found:
		return x.refuse(wire.UnknownSkill(s.ID))
	}
	return x.answer(deleted{s.ID, "skill_deleted"})
}
