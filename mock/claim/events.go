package claim

import (
	"container/heap"
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

// events is a heap, the earliest first.
type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].number < e[j].number
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	last := old[len(old)-1]
	old[len(old)-1] = event{}
	*e = old[:len(old)-1]
	return last
}

func (m *simulation) push(at time.Duration, e event) {
	m.made++
	e.at, e.number = at, m.made
	heap.Push(&m.events, e)
}
