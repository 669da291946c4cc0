package journal

import (
	"cmp"
	"slices"
)

// Near is an entry that fails a query, and why.
type Near struct {
	Entry  Entry
	Misses []string // "status is 200, not 429"
}

// Nearest are the n kept entries that fail the fewest of the query's conditions, none for one that
// matches; the youngest first among equals. Those of other runs come last.
func (j *Journal) Nearest(q Query, n int) []Near {
	type miss struct {
		record *Record
		failed int
	}
	terms := q.terms()
	var all []miss
	var v view
	for _, r := range j.kept() {
		v.at(r)
		m := miss{record: r}
		for i := range terms {
			if terms[i].holds(&v) {
				continue
			}
			m.failed++
			if terms[i].name == "scenario" || terms[i].name == "run" {
				m.failed += len(terms)
			}
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b miss) int {
		return cmp.Or(cmp.Compare(a.failed, b.failed), cmp.Compare(b.record.sequence, a.record.sequence))
	})
	var near []Near
	for _, m := range all[:min(n, len(all))] {
		v.at(m.record)
		one := Near{Entry: m.record.entry()}
		for _, t := range terms {
			if !t.holds(&v) {
				one.Misses = append(one.Misses, t.name+" is "+cmp.Or(t.is(&v), "not known")+", not "+t.want)
			}
		}
		near = append(near, one)
	}
	return near
}
