package claim

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
)

// event is something that happens at an instant, an offset from the start.
type event struct {
	at       time.Duration
	number   uint64 // keeps the order of what happens at one instant
	kind     eventKind
	from     *source       // of begins
	unit     *unit         // of sends and leaves
	decision *run.Decision // of leaves
	since    time.Duration // of leaves: when the request arrived
}

type eventKind uint8

const (
	begins eventKind = iota // a source's next unit
	sends                   // a unit's next request
	leaves                  // a client before the end of its answer
)

// events is a heap, the earliest first. It is our own because container/heap boxes every event.
type events []event

func (e events) before(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].number < e[j].number
}

func (e *events) push(one event) {
	*e = append(*e, one)
	h := *e
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if !h.before(i, parent) {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

func (e *events) pop() event {
	h := *e
	first, last := h[0], len(h)-1
	h[0], h[last] = h[last], event{}
	h = h[:last]
	*e = h
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if h.before(child, least) {
				least = child
			}
		}
		if least == i {
			return first
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

func (m *simulation) push(at time.Duration, e event) {
	m.made++
	e.at, e.number = at, m.made
	m.events.push(e)
}
