package journal

import (
	"context"
	"iter"
	"sync"
)

// What a follower holds at most: beyond either, entries are dropped. A single record may be larger.
const (
	followedRecords = 1024
	followedBytes   = 8 << 20
)

// Follower gets the entries that close from its making on, in the order in which they close.
type Follower struct {
	query matcher
	stop  func()
	more  chan struct{} // holds one: there may be something

	mu      sync.Mutex // guards the rest
	held    []heard
	bytes   int64
	dropped int
}

type heard struct {
	record *Record
	cost   int64
}

// Follow makes a follower, which must be closed.
func (j *Journal) Follow(q Query) *Follower {
	f := &Follower{query: q.terms(), more: make(chan struct{}, 1)}
	f.stop = j.listen(f)
	return f
}

// Close ends it. It may be called more than once.
func (f *Follower) Close() { f.stop() }

// Dropped is how many matching entries are lost because the reader was slow, for it holds 1,024 or 8 MB
// of them, whichever is less, or skipped them.
func (f *Follower) Dropped() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dropped
}

// Skip drops what is there to be yielded.
func (f *Follower) Skip() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dropped += len(f.held)
	f.held, f.bytes = nil, 0
}

// Held is how many entries are there to be yielded.
func (f *Follower) Held() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.held)
}

// Entries yields each entry as it closes, until ctx ends or the loop is left.
func (f *Follower) Entries(ctx context.Context) iter.Seq[Entry] {
	return follow(ctx, f, (*Record).entry)
}

// Summaries are Entries in short.
func (f *Follower) Summaries(ctx context.Context) iter.Seq[Summary] {
	return follow(ctx, f, (*Record).summary)
}

func follow[T any](ctx context.Context, f *Follower, as func(*Record) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			r := f.next()
			if r == nil {
				select {
				case <-f.more:
					continue
				case <-ctx.Done():
					return
				}
			}
			if ctx.Err() != nil || !yield(as(r)) {
				return
			}
		}
	}
}

func (f *Follower) next() *Record {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.held) == 0 {
		return nil
	}
	first := f.held[0]
	f.held[0] = heard{}
	f.held = f.held[1:]
	f.bytes -= first.cost
	return first.record
}

func (f *Follower) hear(r *Record, cost int64) {
	if !f.query.matches(r) {
		return
	}
	f.mu.Lock()
	if len(f.held) > 0 && (len(f.held) >= followedRecords || f.bytes+cost > followedBytes) {
		f.dropped++
		f.mu.Unlock()
		return
	}
	f.held = append(f.held, heard{r, cost})
	f.bytes += cost
	f.mu.Unlock()
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// forget changes nothing: what has been on its way is still told.
func (f *Follower) forget(func(*Record) bool) {}
