package run

import (
	"container/list"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// Most is how many runs a server keeps; the oldest idle one makes room for a new one.
const Most = 1000

// Kept is something of which [Runs] keeps one for each run.
type Kept interface {
	// Idle reports whether nothing is in flight at that time.
	Idle(now time.Time) bool
}

// Runs are a server's runs, by scenario and name (R3), each with whatever belongs to it.
type Runs[R Kept] struct {
	mu   sync.Mutex
	made map[id]*list.Element // of kept[R]
	used *list.List           // the least recently used first

	gone      *lru.Cache[id, struct{}] // those that made room
	forgotten int                      // runs that made room
	refused   int                      // requests for a new one when all were busy
}

// RunCounts says how many runs are kept, and what there was no room for.
type RunCounts struct {
	Kept, Forgotten, Refused int
}

// Counts tells what is kept.
func (s *Runs[R]) Counts() RunCounts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return RunCounts{Kept: len(s.made), Forgotten: s.forgotten, Refused: s.refused}
}

type id struct{ scenario, name string }

type kept[R Kept] struct {
	id
	run R
}

// NewRuns makes an empty set.
func NewRuns[R Kept]() *Runs[R] {
	return &Runs[R]{made: map[id]*list.Element{}, used: list.New(), gone: must(lru.New[id, struct{}](remembered))}
}

// Get returns the run of that scenario and name, made by create on first use. With too many
// runs the longest unused idle one is forgotten; when all are busy a new one is refused (R6).
// Several may create one at once, of which one is kept: to make it may take long.
func (s *Runs[R]) Get(scenario, name string, now time.Time, create func() (R, *wire.Error)) (R, *wire.Error) {
	var none R
	key := id{scenario, name}
	if r, ok := s.Find(scenario, name); ok {
		return r, nil
	}
	r, err := create()
	if err != nil {
		return none, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.made[key]; ok {
		return e.Value.(kept[R]).run, nil
	}
	if len(s.made) >= Most && !s.forgetOne(now) {
		s.refused++
		return none, wire.Own(503, "all 1,000 runs are busy. Wait until one is idle, or use fewer run names.")
	}
	s.made[key] = s.used.PushBack(kept[R]{key, r})
	s.gone.Remove(key)
	return r, nil
}

// Find is the run of that scenario and name, if there is one.
func (s *Runs[R]) Find(scenario, name string) (r R, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.made[id{scenario, name}]
	if !ok {
		return r, false
	}
	s.used.MoveToBack(e)
	return e.Value.(kept[R]).run, true
}

// All are the runs that are kept, the longest unused first.
func (s *Runs[R]) All() []R {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]R, 0, len(s.made))
	for e := s.used.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(kept[R]).run)
	}
	return all
}

// Replace puts another run in the place of the one of that scenario and name, and reports whether
// there was one. Requests under way keep the one they have.
func (s *Runs[R]) Replace(scenario, name string, by R) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.made[id{scenario, name}]
	if ok {
		e.Value = kept[R]{id{scenario, name}, by}
	}
	return ok
}

// Remove takes a run out, and reports whether it was there.
func (s *Runs[R]) Remove(scenario, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.made[id{scenario, name}]
	if ok {
		s.used.Remove(e)
		delete(s.made, id{scenario, name})
	}
	return ok
}

// Forgotten reports whether the run of that scenario and name had to make room since it was last made,
// as far as the last 10,000 of them are known.
func (s *Runs[R]) Forgotten(scenario, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone.Contains(id{scenario, name})
}

func (s *Runs[R]) forgetOne(now time.Time) bool {
	for e := s.used.Front(); e != nil; e = e.Next() {
		if k := e.Value.(kept[R]); k.run.Idle(now) {
			s.used.Remove(e)
			delete(s.made, k.id)
			s.forgotten++
			s.gone.Add(k.id, struct{}{})
			return true
		}
	}
	return false
}
