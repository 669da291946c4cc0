package journal

import (
	"fmt"
	"strconv"
)

// MostCounters bounds the counters that go on when records are evicted. Beyond it what is new is
// counted together with everything else that is, and counts that need it are no longer exact.
const MostCounters = 10_000

// Count says how many requests match a query.
type Count struct {
	// Seen is how many have arrived. When the count isn't exact it is the most that it can be, and Kept
	// the least.
	Seen int `json:"seen"`
	Kept int `json:"kept"`
	// Evicted is how many of Seen have lost their records to the journal's limit.
	Evicted int `json:"evicted"`
	// Exact is false when records were evicted that may have matched: of those the journal knows only
	// scenario, run, route, status, outcome and marks, each on its own.
	Exact bool `json:"exact"`
}

// String is 3, or 12 (9 evicted), or 3 to 12 (9 evicted may have matched).
func (c Count) String() string {
	switch {
	case !c.Exact:
		return fmt.Sprintf("%d to %d (%d evicted may have matched)", c.Kept, c.Seen, c.Evicted)
	case c.Evicted > 0:
		return fmt.Sprintf("%d (%d evicted)", c.Seen, c.Evicted)
	default:
		return strconv.Itoa(c.Seen)
	}
}

// Never reports whether no request can have matched: none is kept, and none that was evicted could
// have.
func (c Count) Never() bool { return c.Seen == 0 }

// Count counts the requests that match, those included whose records are gone.
func (j *Journal) Count(q Query) Count {
	kept, gone, exact := j.snapshot(q)
	n := len(matcher(q.terms()).among(kept))
	return Count{Seen: n + gone, Kept: n, Evicted: gone, Exact: exact}
}

// snapshot is the records kept, and how many of the evicted ones match.
func (j *Journal) snapshot(q Query) (kept []*Record, gone int, exact bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	gone, exact = j.gone.count(q)
	return append([]*Record(nil), j.records[j.oldest:]...), gone, exact
}

// tallies count what was evicted, by run. The journal guards them.
type tallies struct {
	by     map[runID]*tally
	others *tally // of runs beyond the bound
	keys   int
}

type runID struct{ scenario, run string }

// tally counts the evicted records of one run.
type tally struct {
	all, open int
	facts     map[fact]int
	unnamed   [factKinds]int // beyond the bound
	cleared   bool
}

type fact struct {
	kind  factKind
	value string
}

type factKind uint8

const (
	ofRoute factKind = iota
	ofStatus
	ofOutcome
	ofMark
	factKinds
)

func newTally() *tally { return &tally{facts: map[fact]int{}} }

// of is the tally of a run, made when there is none.
func (t *tallies) of(scenario, run string) *tally {
	id := runID{scenario, run}
	if one := t.by[id]; one != nil {
		return one
	}
	if t.keys >= MostCounters {
		if t.others == nil {
			t.others = newTally()
		}
		return t.others
	}
	if t.by == nil {
		t.by = map[runID]*tally{}
	}
	t.keys++
	t.by[id] = newTally()
	return t.by[id]
}

func (t *tallies) add(to *tally, kind factKind, value string) {
	f := fact{kind, value}
	if _, known := to.facts[f]; !known {
		if t.keys >= MostCounters {
			to.unnamed[kind]++
			return
		}
		t.keys++
	}
	to.facts[f]++
}

func (t *tallies) decided(to *tally, d Decision) {
	if to.cleared {
		return
	}
	if route := d.Route(); route != "" {
		t.add(to, ofRoute, route)
	}
	t.add(to, ofStatus, strconv.Itoa(d.Status()))
	for name, is := range d.Marks() {
		if is {
			t.add(to, ofMark, name)
		}
	}
}

func (t *tallies) ended(to *tally, o Outcome) {
	if to.cleared {
		return
	}
	to.open--
	t.add(to, ofOutcome, string(o))
}

// take counts a record that goes.
func (t *tallies) take(r *Record) {
	to := t.of(r.arrival.Scenario, r.arrival.Run)
	to.all++
	to.open++
	r.mu.Lock()
	r.tally = to
	d, closed, o := r.decision, r.closed, r.outcome
	r.mu.Unlock()
	if d != nil {
		t.decided(to, d)
	}
	if closed {
		t.ended(to, o)
	}
}

// clear forgets one run.
func (t *tallies) clear(scenario, run string) (gone int) {
	id := runID{scenario, run}
	one := t.by[id]
	if one == nil {
		return 0
	}
	one.cleared = true
	delete(t.by, id)
	t.keys -= 1 + len(one.facts)
	return one.all
}

// forget drops all counts.
func (t *tallies) forget() {
	for _, one := range t.by {
		one.cleared = true
	}
	if t.others != nil {
		t.others.cleared = true
	}
	*t = tallies{}
}

// each calls see for all tallies that may hold what the query asks for.
func (t *tallies) each(q Query, see func(*tally)) {
	if q.Scenario != "" && q.Run != "" {
		if one := t.by[runID{q.Scenario, q.Run}]; one != nil {
			see(one)
		}
	} else {
		for id, one := range t.by {
			if (q.Scenario == "" || q.Scenario == id.scenario) && (q.Run == "" || q.Run == id.run) {
				see(one)
			}
		}
	}
	if t.others != nil {
		see(t.others)
	}
}

// count is how many of the evicted records match at the most, and whether it is just as many.
func (t *tallies) count(q Query) (most int, exact bool) {
	exact = true
	t.each(q, func(one *tally) {
		n, sure := one.count(q)
		if one == t.others && (q.Scenario != "" || q.Run != "") {
			sure = false
		}
		most += n
		exact = exact && (sure || n == 0)
	})
	return most, exact
}

// count is the least of its counters: where all but one of the conditions hold for every record, it
// is exact.
func (t *tally) count(q Query) (most int, exact bool) {
	most = t.all
	narrowing := 0
	exact = q.countable()
	narrow := func(n, unnamed int) {
		n += unnamed
		exact = exact && unnamed == 0
		if n < t.all {
			narrowing++
		}
		most = min(most, n)
	}
	if q.Route != "" {
		narrow(t.facts[fact{ofRoute, q.Route}], t.unnamed[ofRoute])
	}
	if q.Mark != "" {
		narrow(t.facts[fact{ofMark, q.Mark}], t.unnamed[ofMark])
	}
	if q.Outcome == Open {
		narrow(t.open, 0)
	} else if q.Outcome != "" {
		narrow(t.facts[fact{ofOutcome, string(q.Outcome)}], t.unnamed[ofOutcome])
	}
	if q.Status != 0 || q.ranged() {
		narrow(t.statuses(q), t.unnamed[ofStatus])
	}
	return most, exact && narrowing <= 1
}

func (t *tally) statuses(q Query) int {
	n := 0
	for f, count := range t.facts {
		if f.kind != ofStatus {
			continue
		}
		status, _ := strconv.Atoi(f.value) // we wrote it
		if (q.Status == 0 || q.Status == status) && (!q.ranged() || q.inRange(status)) {
			n += count
		}
	}
	return n
}

// countable reports whether the query asks for nothing but what is counted.
func (q Query) countable() bool {
	q.Scenario, q.Run, q.Route, q.Mark, q.Outcome = "", "", "", "", ""
	q.Status, q.StatusFrom, q.StatusTo = 0, 0, 0
	return len(q.terms()) == 0
}
