package scenario

import (
	"maps"
	"slices"
	"time"
)

// Model is a model of the scenario's own. What isn't given is that of Like, else of the API's model
// of its id, else of the API's newest.
type Model struct {
	ID        string
	Like      string    // an API's model
	Alias     string    // a shorter id for it
	Name      string    // for people
	Created   time.Time // zero: not given
	Window    int       // tokens of prompt and answer together; 0: not given
	MaxOutput int       // most tokens of one answer; 0: not given
	Lifecycle string    // active, deprecated or retired; "": not given
}

// models takes over the scenario's own models, sorted by id.
func (b *builder) models() {
	for _, id := range slices.Sorted(maps.Keys(b.doc.Models)) {
		m := b.doc.Models[id]
		if m.at == nil || m.at.kind != mapping {
			continue
		}
		at := b.doc.at.child("models").keyOf(id)
		if !preloadable(id) {
			b.at(at, "", "a model's id is 1 to 100 letters, digits, -, _ and .")
		}
		made := Model{ID: id, Lifecycle: m.Lifecycle.or("")}
		if m.Like != nil {
			made.Like = m.Like.text
			if known := b.loader.Models; known != nil && made.Like != "" && !slices.Contains(known, made.Like) {
				b.at(m.Like.at, didYouMean(made.Like, known), "the API has no model %s", quote(made.Like))
			}
		}
		if m.Alias != nil {
			made.Alias = m.Alias.text
		}
		if m.Name != nil {
			made.Name = m.Name.text
		}
		if m.Created != nil {
			made.Created = m.Created.value
		}
		m.Window.set(&made.Window)
		m.MaxOutput.set(&made.MaxOutput)
		b.made.Models = append(b.made.Models, made)
	}
}
