package run

// Marked reports whether the mark of that name is set.
func (d *Decision) Marked(name string) bool {
	for i := range d.marks {
		if d.marks[i].name == name && d.marks[i].set {
			return true
		}
	}
	return false
}

// Phase is the run's phase at the request's arrival, "" without phases.
func (d *Decision) Phase() string {
	return d.run.scenario.Phases.At(d.snapshot.Elapsed, d.Ordinal)
}
