package run

import (
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

// inFlight is how many requests have arrived and are planned to end after now (R17). Instants count
// from the run's first request.
func (l *load) inFlight(now time.Duration) int {
	for len(l.ends) > 0 && l.ends[0].at <= now {
		l.ends.remove(0)
	}
	return len(l.ends)
}

// enter puts a request in flight until its planned end.
func (l *load) enter(ordinal uint64, until time.Duration) {
	l.ends = append(l.ends, end{until, ordinal})
	l.ends.up(len(l.ends) - 1)
}

// leave takes a request out before its planned end.
func (l *load) leave(ordinal uint64) {
	for i, e := range l.ends {
		if e.ordinal == ordinal {
			l.ends.remove(i)
			return
		}
	}
}

type end struct {
	at      time.Duration
	ordinal uint64
}

// ends is a heap with the earliest planned end on top. It is our own because container/heap boxes
// whatever comes and goes, and each request does both.
type ends []end

func (e *ends) remove(i int) {
	h := *e
	last := len(h) - 1
	h[i] = h[last]
	*e = h[:last]
	if i < last {
		(*e).up((*e).down(i))
	}
}

// up moves an element to where no parent is later, and down to where no child is earlier.
func (e ends) up(i int) {
	moved := e[i]
	for i > 0 {
		parent := (i - 1) / 2
		if e[parent].at <= moved.at {
			break
		}
		e[i] = e[parent]
		i = parent
	}
	e[i] = moved
}

func (e ends) down(i int) int {
	moved := e[i]
	for {
		child := 2*i + 1
		if child >= len(e) {
			break
		}
		if child+1 < len(e) && e[child+1].at < e[child].at {
			child++
		}
		if moved.at <= e[child].at {
			break
		}
		e[i] = e[child]
		i = child
	}
	e[i] = moved
	return i
}
