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

import "sync"

// DefaultLimit is how many bytes a journal keeps unless told otherwise: 256 MB.
const DefaultLimit = 256 << 20

// Journal holds the records of one server in the order in which their requests arrived. Make one
// with [New]; all methods may be called from any goroutine.
type Journal struct {
	limit int64

	mu      sync.Mutex // guards the rest; may not be held while a Decision is asked
	records []*Record  // oldest first; those before oldest are gone
	oldest  int        // index of the oldest record kept
	last    uint64     // sequence of the youngest record
	reset   uint64     // last as it was at Reset
	bytes   int64      // what the records kept cost together
	waiters []*waiter  // replaced, never changed in place
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
	r := &Record{journal: j, arrival: a, header: pack(a.Header), outcome: Open}
	r.arrival.Header = nil
	cost := r.opened()

	j.mu.Lock()
	j.last++
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
	if r.sequence < j.first() {
		return false
	}
	r.cost += cost
	j.bytes += cost
	j.evict()
	return r.sequence >= j.first()
}

// first is the sequence of the oldest record kept, or the next one's when there is none. Records
// go strictly from the oldest on, so whatever lies before it is gone.
func (j *Journal) first() uint64 { return j.last + 1 - uint64(len(j.records)-j.oldest) }

// evict drops the oldest records until the rest fits.
func (j *Journal) evict() {
	for j.bytes > j.limit && j.oldest < len(j.records) {
		j.bytes -= j.records[j.oldest].cost
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
	j.records, j.oldest, j.bytes, j.reset = nil, 0, 0, j.last
	for _, w := range j.waiters {
		w.forget()
	}
}

// Len is the number of requests that have arrived, those whose records are gone included.
func (j *Journal) Len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return int(j.last - j.reset)
}

// Evicted is how many records had to go for the limit's sake.
func (j *Journal) Evicted() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return int(j.first() - 1 - j.reset)
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

func (j *Journal) matching(q Query) []*Record {
	var found []*Record
	for _, r := range j.kept() {
		if q.matches(r) {
			found = append(found, r)
		}
	}
	return found
}

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
