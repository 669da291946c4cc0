package run

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// date is what date it is in the run at an instant of its clock.
func (r *Run) date(now time.Time) time.Time {
	if r.scenario.Starts.IsZero() {
		return now.UTC()
	}
	return r.scenario.Starts.Add(max(now.Sub(r.started), 0))
}

// Date is what date it was in the run when the request arrived; zero when that is the real one.
func (d *Decision) Date() time.Time {
	if d.run.scenario.Starts.IsZero() {
		return time.Time{}
	}
	return d.run.scenario.Starts.Add(d.snapshot.Elapsed)
}

// remembering adds the facts that need what the run knows beside the request and the snapshot.
func (r *Run) remembering() {
	for _, b := range scenario.BuiltinFacts() {
		if !r.scenario.Uses(b.Name) {
			continue
		}
		read := r.readsRun(b.Name)
		if read == nil {
			read = r.memory.reading(b.Name)
		}
		if read != nil {
			r.facts.reads(b.Name, read)
		}
	}
}

// readsRun says how a fact of the calendar or the keys is read.
func (r *Run) readsRun(name string) func(*Query, *Snapshot) any {
	if read := r.readsCalendar(name); read != nil {
		return read
	}
	return r.readsKey(name)
}

// lend sets the facts that a scripted outcome reads and the scenario doesn't.
func (r *Run) lend(d *Decision, q *Query, names []string) {
	for _, name := range names {
		read := reading(name)
		if read == nil {
			read = r.readsRun(name)
		}
		if read != nil {
			r.facts.env.Set(name, read(q, &d.snapshot))
		}
	}
}

func (r *Run) readsCalendar(name string) func(*Query, *Snapshot) any {
	switch name {
	case "phase":
		return func(_ *Query, s *Snapshot) any { return r.scenario.Phases.At(s.Elapsed, s.Ordinal) }
	case "hour":
		return func(q *Query, _ *Snapshot) any { return r.date(q.Arrived).Hour() }
	case "now_unix_s":
		return func(q *Query, _ *Snapshot) any { return int(r.date(q.Arrived).Unix()) }
	}
	return nil
}

func (r *Run) readsKey(name string) func(*Query, *Snapshot) any {
	read := func(of func(scenario.Key) any) func(*Query, *Snapshot) any {
		return func(q *Query, _ *Snapshot) any { return of(r.scenario.Key(q.Key)) }
	}
	switch name {
	case "key.name":
		return read(func(k scenario.Key) any { return k.Name })
	case "key.tier":
		return read(func(k scenario.Key) any { return k.Tier })
	case "key.created":
		return read(func(k scenario.Key) any {
			if k.Created.IsZero() {
				return ""
			}
			return k.Created.Format(time.RFC3339)
		})
	case "key.created_unix":
		return read(func(k scenario.Key) any {
			if k.Created.IsZero() {
				return 0
			}
			return int(k.Created.Unix())
		})
	}
	return nil
}
