package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Why a wait was in vain.
var (
	// ErrEvicted: too few came to an end, but records were evicted that match, or may have.
	ErrEvicted = errors.New("evicted")
	// ErrNeverCame: too few came to an end, and none that could match was evicted.
	ErrNeverCame = errors.New("never came")
)

// Wait returns the entries that match and are closed, in order of arrival, once there are at least
// n. When ctx ends first it returns those there are, and an error that wraps ctx's error and either
// [ErrEvicted] or [ErrNeverCame]. A record evicted during the wait counts all the same.
func (j *Journal) Wait(ctx context.Context, n int, q Query) ([]Entry, error) {
	w := &waiter{query: q.terms(), wanted: n, enough: make(chan struct{})}
	// First be told, then look: a record that closes in between is seen twice rather than never.
	defer j.listen(w)()
	for _, r := range j.kept() {
		if r.isClosed() {
			w.hear(r, 0)
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
	kept, gone, _ := j.snapshot(q)
	open := 0
	for _, r := range matcher(q.terms()).among(kept) {
		if !r.isClosed() {
			open++
		}
	}
	why := ErrNeverCame
	if gone > 0 {
		why = ErrEvicted
	}
	return fmt.Errorf("%d of %d requests ended (%d under way, %d evicted): %w: %w", got, wanted, open, gone, why, cause)
}

// waiter collects the closed records that one Wait is for. It holds them itself, so eviction
// doesn't take them away.
type waiter struct {
	query  matcher
	wanted int
	enough chan struct{} // closed once there are enough

	mu    sync.Mutex // guards found
	found []*Record  // by sequence
}

// hear takes a closed record that matches, once.
func (w *waiter) hear(r *Record, _ int64) {
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

func (w *waiter) forget(which func(*Record) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	// Enough were there already: that stands.
	if len(w.found) < w.wanted {
		w.found = slices.DeleteFunc(w.found, which)
	}
}

func (w *waiter) all() []*Record {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.found)
}

// UnderWay counts the requests that match and haven't ended, those included whose records are gone.
func (j *Journal) UnderWay(q Query) Count {
	q.Outcome = Open
	return j.Count(q)
}

// Until returns nil once holds does, which it asks at once and again whenever a request ends. When ctx
// ends first it returns its error.
func (j *Journal) Until(ctx context.Context, holds func() bool) error {
	b := make(bell, 1)
	defer j.listen(b)()
	for !holds() {
		select {
		case <-b:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// bell rings when a request ends.
type bell chan struct{}

func (b bell) hear(*Record, int64) {
	select {
	case b <- struct{}{}:
	default:
	}
}

func (b bell) forget(func(*Record) bool) { b.hear(nil, 0) }
