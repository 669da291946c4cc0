package run

import (
	"container/heap"
	"time"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// load is what is in flight and how fast requests come.
type load struct {
	ends ends
	// rates says whether the scenario asks for qps or client_qps, which cost more to keep.
	rates    bool
	arrivals []arrival // of the last second, oldest first
	clients  map[string]int
}

type arrival struct {
	at     time.Time
	client string
}

func newLoad(s *scenario.Scenario) load {
	return load{rates: s.Uses("qps") || s.Uses("client_qps"), clients: map[string]int{}}
}

// rate is how many requests came in the last second, from all and from this client (R18), this
// one included.
func (l *load) rate(now time.Time, client string) (qps, clientQPS int) {
	if !l.rates {
		return 0, 0
	}
	for len(l.arrivals) > 0 && now.Sub(l.arrivals[0].at) >= time.Second {
		old := l.arrivals[0].client
		if l.clients[old]--; l.clients[old] == 0 {
			delete(l.clients, old)
		}
		l.arrivals = l.arrivals[1:]
	}
	l.arrivals = append(l.arrivals, arrival{now, client})
	l.clients[client]++
	return len(l.arrivals), l.clients[client]
}

// inFlight is how many requests have arrived and are planned to end after now (R17).
func (l *load) inFlight(now time.Time) int {
	for len(l.ends) > 0 && !l.ends[0].at.After(now) {
		heap.Pop(&l.ends)
	}
	return len(l.ends)
}

// enter puts a request in flight until its planned end.
func (l *load) enter(ordinal uint64, until time.Time) {
	heap.Push(&l.ends, end{until, ordinal})
}

// leave takes a request out before its planned end.
func (l *load) leave(ordinal uint64) {
	for i, e := range l.ends {
		if e.ordinal == ordinal {
			heap.Remove(&l.ends, i)
			return
		}
	}
}

type end struct {
	at      time.Time
	ordinal uint64
}

// ends is a heap with the earliest planned end on top.
type ends []end

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i].at.Before(e[j].at) }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(end)) }
func (e *ends) Pop() any {
	old := *e
	last := old[len(old)-1]
	*e = old[:len(old)-1]
	return last
}
