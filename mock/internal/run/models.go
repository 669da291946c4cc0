package run

import (
	"cmp"
	"slices"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Models is a scenario's table of models, newest first: the API's, with its own in their place or
// beside them.
func Models(s *scenario.Scenario) []wire.Model {
	table := wire.Models()
	if len(s.Models) == 0 {
		return table
	}
	for _, own := range s.Models {
		m := wire.ModelLike(cmp.Or(own.Like, own.ID), own.ID)
		m.Alias, m.Name = cmp.Or(own.Alias, m.Alias), cmp.Or(own.Name, m.Name)
		m.Window, m.MaxOutput = cmp.Or(own.Window, m.Window), cmp.Or(own.MaxOutput, m.MaxOutput)
		m.Lifecycle = cmp.Or(own.Lifecycle, m.Lifecycle)
		if !own.Created.IsZero() {
			year, month, day := own.Created.UTC().Date()
			m.Created = year*10000 + int(month)*100 + day
		}
		table = slices.DeleteFunc(table, func(other wire.Model) bool { return other.ID == m.ID })
		for i := range table {
			if table[i].Alias == m.Alias {
				table[i].Alias = "" // it is the scenario's now
			}
		}
		table = append(table, m)
	}
	slices.SortStableFunc(table, func(a, b wire.Model) int { return cmp.Compare(b.Created, a.Created) })
	return table
}
