package api

import (
	"time"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// The last minutes, as slots of time.
const (
	slotLength = 2 * time.Second
	slotsKept  = 150
	// mostSlotRoutes bounds what one slot holds; further routes are counted together.
	mostSlotRoutes = 64
)

// window counts what happened in the last minutes, by slot and route.
type window struct{ slots [slotsKept]slot }

type slot struct {
	number int64 // since 1970
	routes map[routeName]*happened
}

// routeName names a route. The zero one stands for those beyond the bound.
type routeName struct{ scenario, route string }

// happened is what happened on a route within a slot.
type happened struct {
	started, ended          int
	underWay, busy, waiting time.Duration // of all requests together
	queues                  bool          // it has slots of a queue
	ttft, duration          spread
}

func (h *happened) merge(other *happened) {
	h.started, h.ended = h.started+other.started, h.ended+other.ended
	h.underWay, h.busy, h.waiting = h.underWay+other.underWay, h.busy+other.busy, h.waiting+other.waiting
	h.queues = h.queues || other.queues
	h.ttft.merge(other.ttft)
	h.duration.merge(other.duration)
}

func slotAt(t time.Time) int64 { return t.UnixMilli() / slotLength.Milliseconds() }

func beginOf(number int64) time.Time { return time.UnixMilli(number * slotLength.Milliseconds()) }

// routes are what the slot of that number has; nil when it has nothing, or is gone.
func (w *window) routes(number int64) map[routeName]*happened {
	if s := &w.slots[number%slotsKept]; s.number == number {
		return s.routes
	}
	return nil
}

// at is where what happened at an instant is counted; nil when it is too long ago.
func (w *window) at(number int64, name routeName) *happened {
	s := &w.slots[number%slotsKept]
	switch {
	case s.number > number:
		return nil
	case s.number < number || s.routes == nil:
		*s = slot{number, map[routeName]*happened{}}
	}
	if s.routes[name] == nil {
		if len(s.routes) >= mostSlotRoutes {
			name = routeName{}
		}
		if s.routes[name] == nil {
			s.routes[name] = &happened{}
		}
	}
	return s.routes[name]
}

// add counts a request, as far as it has come by now. A run's own clock may be ahead of that: then it
// counts as having come now.
func (w *window) add(g journal.Glance, now time.Time) {
	name := routeName{g.Scenario, g.Route}
	oldest := slotAt(now) - slotsKept + 1
	arrived, ended := earlier(g.Arrived, now), now
	if g.Outcome != journal.Open {
		ended = earlier(arrived.Add(g.Ended), now)
	}
	event := func(t time.Time, count func(*happened)) {
		if number := slotAt(t); number >= oldest {
			if h := w.at(number, name); h != nil {
				count(h)
			}
		}
	}
	event(arrived, func(h *happened) { h.started++ })
	if g.TTFT >= 0 {
		event(earlier(arrived.Add(g.TTFT), now), func(h *happened) { h.ttft.add(g.TTFT) })
	}
	if g.Outcome != journal.Open {
		event(ended, func(h *happened) {
			h.ended++
			if g.Outcome == journal.Complete {
				h.duration.add(g.Ended)
			}
		})
	}
	w.lasted(name, oldest, arrived, ended, func(h *happened, d time.Duration) { h.underWay += d })
	if g.Queued < 0 {
		return
	}
	served, free := earlier(arrived.Add(g.Queued), ended), ended
	if g.Outcome != journal.Open {
		free = earlier(arrived.Add(g.Released), now)
	}
	w.lasted(name, oldest, arrived, served, func(h *happened, d time.Duration) { h.waiting, h.queues = h.waiting+d, true })
	w.lasted(name, oldest, served, free, func(h *happened, d time.Duration) { h.busy, h.queues = h.busy+d, true })
}

// lasted counts a stretch of time in every slot that it is a part of.
func (w *window) lasted(name routeName, oldest int64, from, to time.Time, count func(*happened, time.Duration)) {
	for number := max(slotAt(from), oldest); number <= slotAt(to); number++ {
		begin := beginOf(number)
		d := earlier(to, begin.Add(slotLength)).Sub(later(from, begin))
		if h := w.at(number, name); h != nil && d > 0 {
			count(h, d)
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
