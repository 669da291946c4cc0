// Package journal keeps what was asked, what was planned, and what was sent and when. It is what a
// test asserts on: a plan is the same on every machine, however busy.
//
// It is bounded in bytes, for the whole server: when it is full the oldest record goes, even one
// whose request is still under way. Counts outlive the records. API keys are never kept, only the
// fingerprint that the server hands over.
//
//	last := srv.Journal().Last()
//	require.Equal(t, last.Planned(), last.Actual())
package journal

import (
	"slices"
	"sync"
	"sync/atomic"
)

// DefaultLimit is how many bytes a journal keeps unless told otherwise: 256 MB.
const DefaultLimit = 256 << 20

// Journal holds the records of one server in the order in which their requests arrived. Make one
// with [New]; all methods may be called from any goroutine.
type Journal struct {
	limit int64

	mu      sync.Mutex // guards the rest
	records []*Record  // oldest first; those before oldest are gone
	oldest  int        // index of the oldest record kept
	last    uint64     // sequence of the youngest record
	reset   uint64     // last as it was at Reset
	arrived int        // since then, but for what was cleared
	evicted int        // likewise
	bytes   int64      // what the records kept cost together
	gone    tallies    // what was evicted
	hearers []hearer   // replaced, never changed in place

	file atomic.Pointer[File] // nil: none
}

// hearer is told of every record that closes, by the goroutine that closes it.
type hearer interface {
	hear(r *Record, cost int64)
	// forget drops what it holds of those records.
	forget(which func(*Record) bool)
}

func (j *Journal) listen(h hearer) (stop func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.hearers = append(slices.Clone(j.hearers), h)
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.hearers = slices.DeleteFunc(slices.Clone(j.hearers), func(other hearer) bool { return other == h })
	}
}

// New returns an empty journal that keeps limit bytes, counting bodies, headers, steps and a
// share for each record; 0 or less means [DefaultLimit].
func New(limit int64) *Journal {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &Journal{limit: limit}
}

// Open begins the record of a request that has arrived. Requests count as arrived in the order of
// their calls. Of the headers it keeps a copy, in which the values of X-Api-Key, Authorization,
// Proxy-Authorization and Cookie are "[withheld]".
func (j *Journal) Open(a Arrival) *Record {
	r := &Record{journal: j, arrival: a.told(), header: pack(a.Header), lines: headLines(a.Head), outcome: Open, attempt: attemptOf(a.Header)}
	cost := r.opened()

	j.mu.Lock()
	j.last++
	j.arrived++
	r.sequence = j.last
	r.cost = cost
	j.records = append(j.records, r)
	j.bytes += cost
	j.evict()
	j.mu.Unlock()
	return r
}

// charge adds to what a record costs, and reports whether the record is still kept.
func (j *Journal) charge(r *Record, cost int64) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.gone {
		return false
	}
	r.cost += cost
	j.bytes += cost
	j.evict()
	return !r.gone
}

// evict drops the oldest records until the rest fits.
func (j *Journal) evict() {
	for j.bytes > j.limit && j.oldest < len(j.records) {
		r := j.records[j.oldest]
		j.bytes -= r.cost
		r.gone = true
		j.evicted++
		j.gone.take(r)
		j.records[j.oldest] = nil
		j.oldest++
	}
	// Room at the front is taken back once it is half of all, so that each record is moved once at
	// most on the average.
	if j.oldest > 64 && j.oldest > len(j.records)/2 {
		kept := copy(j.records, j.records[j.oldest:])
		clear(j.records[kept:])
		j.records, j.oldest = j.records[:kept], 0
	}
}

// Reset forgets all records and counts. Requests under way go on and leave no trace; whoever is in
// Wait goes on waiting, for requests that arrive from here on. Sequence numbers go on too.
func (j *Journal) Reset() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range j.records[j.oldest:] {
		r.gone = true
	}
	j.records, j.oldest, j.bytes, j.reset = nil, 0, 0, j.last
	j.arrived, j.evicted = 0, 0
	j.gone.forget()
	for _, h := range j.hearers {
		h.forget(func(*Record) bool { return true })
	}
}

// Clear is Reset for one run; all others keep what they have. Only counts beyond [MostCounters],
// which nobody can tell apart, stay.
func (j *Journal) Clear(scenario, run string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	theirs := func(r *Record) bool { return r.arrival.Scenario == scenario && r.arrival.Run == run }
	kept := make([]*Record, 0, len(j.records)-j.oldest)
	for _, r := range j.records[j.oldest:] {
		if !theirs(r) {
			kept = append(kept, r)
			continue
		}
		r.gone, r.cleared = true, true
		j.bytes -= r.cost
		j.arrived--
	}
	j.records, j.oldest = kept, 0
	gone := j.gone.clear(scenario, run)
	j.arrived, j.evicted = j.arrived-gone, j.evicted-gone
	for _, h := range j.hearers {
		h.forget(theirs)
	}
}

// Len is the number of requests that have arrived, those whose records are gone included.
func (j *Journal) Len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.arrived
}

// Evicted is how many records had to go for the limit's sake.
func (j *Journal) Evicted() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.evicted
}

// Last is the request that arrived last (R48); the zero Entry when there is none.
func (j *Journal) Last() Entry {
	j.mu.Lock()
	if j.oldest == len(j.records) {
		j.mu.Unlock()
		return Entry{}
	}
	r := j.records[len(j.records)-1]
	j.mu.Unlock()
	return r.entry()
}

// All is every entry kept, in order of arrival.
func (j *Journal) All() []Entry { return j.Find(Query{}) }

// Find is every entry kept that matches, in order of arrival.
func (j *Journal) Find(q Query) []Entry { return entries(j.matching(q)) }

// Page is the first n entries kept that match, in order of arrival, and whether there are more. The
// next page is that of the query with After set to the last one's sequence.
func (j *Journal) Page(q Query, n int) (page []Entry, more bool) { return j.Entries(q, Part{Most: n}) }

// Filter is every entry kept for which keep says so, in order of arrival. Find is cheaper where a
// [Query] can say it.
func (j *Journal) Filter(keep func(Entry) bool) []Entry {
	var found []Entry
	for _, r := range j.kept() {
		if e := r.entry(); keep(e) {
			found = append(found, e)
		}
	}
	return found
}

func (j *Journal) kept() []*Record {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]*Record(nil), j.records[j.oldest:]...)
}

func (j *Journal) matching(q Query) []*Record { return matcher(q.terms()).among(j.kept()) }

func entries(records []*Record) []Entry {
	if len(records) == 0 {
		return nil
	}
	out := make([]Entry, len(records))
	for i, r := range records {
		out[i] = r.entry()
	}
	return out
}
