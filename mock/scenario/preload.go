package scenario

import "strings"

// Preload is what the clients of each run find, as if they had left it there before.
type Preload struct {
	Batches []string // ids of batches that have ended, each with one request
	Files   []string // ids of small text files
	Skills  []PreloadedSkill
	Models  []string // names of models that can be asked for one by one, but aren't listed
}

// PreloadedSkill is a skill with one version.
type PreloadedSkill struct{ ID, Version string }

// preload takes over what a run starts with.
func (b *builder) preload() {
	p := b.doc.Preload
	if p == nil || p.at == nil || p.at.kind != mapping {
		return
	}
	b.made.Preload = &Preload{
		Batches: b.preloaded(p.Batches), Files: b.preloaded(p.Files), Models: b.preloaded(p.Models),
	}
	for _, entry := range p.Skills {
		if entry.at.kind != words {
			continue // which has been said
		}
		id, version, _ := strings.Cut(entry.text, "/")
		if !preloadable(id) || !preloadable(version) {
			b.at(entry.at, "for example skill_1/skillver_1", "a skill is written as its id, a slash, and the id of its version")
			continue
		}
		b.made.Preload.Skills = append(b.made.Preload.Skills, PreloadedSkill{id, version})
	}
}

func (b *builder) preloaded(ids []label) []string {
	var made []string
	for _, id := range ids {
		if id.at.kind != words {
			continue // which has been said
		}
		if !preloadable(id.text) {
			b.at(id.at, "", "an id is 1 to 100 letters, digits, -, _ and .")
			continue
		}
		made = append(made, id.text)
	}
	return made
}

func preloadable(id string) bool {
	return id != "" && len(id) <= 100 && !strings.ContainsFunc(id, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
	})
}
