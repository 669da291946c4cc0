package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Query says which entries are meant; a field that is zero says nothing.
type Query struct {
	Scenario, Run, Route string
	Mark                 string // a mark that the entry carries
	Model                string // as the request asked for it
	Status               int
	Outcome              Outcome
}

// Why a wait was in vain.
var (
	// ErrEvicted: too few came to an end, but records had been evicted that may have been theirs.
	ErrEvicted = errors.New("evicted")
	// ErrNeverCame: too few came to an end, and nothing had been evicted.
	ErrNeverCame = errors.New("never came")
)

// Wait returns the entries that match and are closed, in order of arrival, once there are at least
// n. When ctx ends first it returns those there are, and an error that wraps ctx's error and either
// [ErrEvicted] or [ErrNeverCame]. A record evicted during the wait counts all the same.
func (j *Journal) Wait(ctx context.Context, n int, q Query) ([]Entry, error) {
	w := &waiter{query: q, wanted: n, enough: make(chan struct{})}
	// First be told, then look: a record that closes in between is seen twice rather than never.
	j.mu.Lock()
	j.waiters = append(slices.Clone(j.waiters), w)
	kept := append([]*Record(nil), j.records[j.oldest:]...)
	j.mu.Unlock()
	defer func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.waiters = slices.DeleteFunc(slices.Clone(j.waiters), func(other *waiter) bool { return other == w })
	}()
	for _, r := range kept {
		if r.isClosed() {
			w.offer(r)
		}
	}
	if n > 0 {
		select {
		case <-w.enough:
		case <-ctx.Done():
		}
	}
	found := entries(w.all())
	if len(found) >= n {
		return found, nil
	}
	return found, j.inVain(ctx.Err(), n, len(found), q)
}

// inVain is the error of a wait that ctx ended.
func (j *Journal) inVain(cause error, wanted, got int, q Query) error {
	open := 0
	for _, r := range j.matching(q) {
		if !r.isClosed() {
			open++
		}
	}
	why, evicted := ErrNeverCame, j.Evicted()
	if evicted > 0 {
		why = ErrEvicted
	}
	return fmt.Errorf("%d of %d requests ended (%d under way, %d of %d records evicted): %w: %w",
		got, wanted, open, evicted, j.Len(), why, cause)
}

// waiter collects the closed records that one Wait is for. It holds them itself, so eviction
// doesn't take them away.
type waiter struct {
	query  Query
	wanted int
	enough chan struct{} // closed once there are enough

	mu    sync.Mutex // guards found
	found []*Record  // by sequence
}

// offer takes a closed record that matches, once.
func (w *waiter) offer(r *Record) {
	if !w.query.matches(r) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	i, known := slices.BinarySearchFunc(w.found, r, func(a, b *Record) int {
		return int(int64(a.sequence - b.sequence))
	})
	if known {
		return
	}
	w.found = slices.Insert(w.found, i, r)
	if len(w.found) == w.wanted {
		close(w.enough)
	}
}

func (w *waiter) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	// Enough were there already: that stands.
	if len(w.found) < w.wanted {
		w.found = nil
	}
}

func (w *waiter) all() []*Record {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.found)
}

// matches asks what is cheap first.
func (q Query) matches(r *Record) bool {
	if q == (Query{}) {
		return true
	}
	if q.Scenario != "" && q.Scenario != r.arrival.Scenario || q.Run != "" && q.Run != r.arrival.Run {
		return false
	}
	r.mu.Lock()
	outcome, d, body := r.outcome, r.decision, r.body
	r.mu.Unlock()
	if q.Outcome != "" && q.Outcome != outcome {
		return false
	}
	if q.Status != 0 || q.Route != "" || q.Mark != "" {
		if d == nil ||
			q.Status != 0 && q.Status != d.Status() ||
			q.Route != "" && q.Route != d.Route() ||
			q.Mark != "" && !d.Marks()[q.Mark] {
			return false
		}
	}
	return q.Model == "" || asksFor(body, q.Model)
}
