package run

import (
	"container/list"
	"sync"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// Most is how many runs a server keeps; the oldest idle one makes room for a new one.
const Most = 1000

// Runs are a server's runs, by scenario and name (R3).
type Runs struct {
	mu   sync.Mutex
	made map[id]*list.Element // of *Run
	used *list.List           // the least recently used first
}

type id struct{ scenario, name string }

// NewRuns makes an empty set.
func NewRuns() *Runs {
	return &Runs{made: map[id]*list.Element{}, used: list.New()}
}

// Get returns the run of that scenario and name, made by create on first use. With too many
// runs the longest unused idle one is forgotten; when all are busy a new one is refused (R6).
// Several may create one at once, of which one is kept: to make it may take long.
func (s *Runs) Get(scenario, name string, now time.Time, create func() (*Run, *wire.Error)) (*Run, *wire.Error) {
	key := id{scenario, name}
	if r := s.find(key); r != nil {
		return r, nil
	}
	r, err := create()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.made[key]; ok {
		return e.Value.(*Run), nil
	}
	if len(s.made) >= Most && !s.forgetOne(now) {
		return nil, wire.Own(503, "all 1,000 runs are busy. Wait until one is idle, or use fewer run names.")
	}
	s.made[key] = s.used.PushBack(r)
	return r, nil
}

func (s *Runs) find(key id) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.made[key]
	if !ok {
		return nil
	}
	s.used.MoveToBack(e)
	return e.Value.(*Run)
}

func (s *Runs) forgetOne(now time.Time) bool {
	for e := s.used.Front(); e != nil; e = e.Next() {
		r := e.Value.(*Run)
		if r.Idle(now) {
			s.used.Remove(e)
			delete(s.made, id{r.scenario.Name, r.name})
			return true
		}
	}
	return false
}
