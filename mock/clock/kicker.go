package clock

import (
	"container/heap"
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// alarm ends the sleep of the scheduler's poller at an instant. Instants are in ns since the
// alarm's start. Setting it again moves it.
type alarm interface {
	set(at int64)
	off()
	close()
}

// kicker has the alarm go off just after the earliest instant that is waited for. Every wait is a
// plain timer's: without a kick, with a late one or with one too many it ends as it would anyway.
type kicker struct {
	start time.Time // of the alarm
	next  atomic.Int64
	lead  atomic.Int64 // see wait; dontSpin while many wait
	spins bool

	mu      sync.Mutex // guards what follows, and the alarm
	alarm   alarm      // nil when closed
	wishes  wishes
	last    int64 // when it went off last
	gap     int64 // between two kicks
	earlier int64 // no kick before, when the machine was found busy
	learned int64 // the lead, kept while many wait
}

// wish is a kick that a wait would like. It stays among the wishes until its instant has passed
// and somebody else is woken, or until the wait is broken off.
type wish struct {
	at    int64
	place int // among the wishes, from 1; 0 when it isn't there
}

const (
	never = math.MaxInt64

	// A timer is due only after its instant has passed, and is set a moment after the time was read.
	pastDue = 1000

	shortestGap = 200_000
	longestGap  = 1_600_000
	busyLate    = 500_000    // what is late by so much in spite of a kick shows that the machine is busy
	plainLate   = 1_100_000  // how late a timer may be without one
	busyPause   = 50_000_000 // how long none is tried when rarer kicks are late too

	dontSpin    = -1
	few         = 32 // as long as no more wait, each may spin
	longestLead = 80_000
)

func newKicker(a alarm, start time.Time) *kicker {
	k := &kicker{alarm: a, start: start, gap: shortestGap, last: -longestGap}
	k.next.Store(never)
	k.lead.Store(dontSpin)
	return k
}

func (k *kicker) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.alarm != nil {
		k.alarm.close()
		k.alarm = nil
		k.next.Store(never)
	}
}

// wait waits until t, which lies ahead of now. The timer is set to end a little before, by as much
// as waking takes on this machine, and the rest is spun.
func (k *kicker) wait(ctx context.Context, w *Waiter, now, t time.Time) error {
	since, lead := int64(now.Sub(k.start)), max(k.lead.Load(), 0)
	due := int64(t.Sub(k.start)) - lead
	if d := due - since; d > 0 {
		w.set(time.Duration(d))
		if w.wish == nil {
			w.wish = &wish{}
		}
		k.add(w.wish, due, since)
		err := w.fired(ctx)
		woken := int64(time.Since(k.start))
		if err != nil {
			k.drop(w.wish, woken)
			return err
		}
		k.woken(due, woken)
	}
	for lead > 0 && time.Now().Before(t) {
	}
	return nil
}

// add makes a wish for an instant, or none when another is at the wishes: to be queued up behind a
// thread that the kernel has taken off its processor would cost more than a kick is worth.
func (k *kicker) add(w *wish, at, now int64) {
	if !k.mu.TryLock() {
		return
	}
	defer k.mu.Unlock()
	w.at = at
	if w.place > 0 {
		heap.Fix(&k.wishes, w.place-1)
	} else {
		heap.Push(&k.wishes, w)
	}
	k.forget(now)
	k.aim()
}

// drop takes a wish back.
func (k *kicker) drop(w *wish, now int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if w.place > 0 {
		heap.Remove(&k.wishes, w.place-1)
	}
	k.forget(now)
	k.aim()
}

// woken is told by each wait that has ended. The first after a kick aims the next one.
func (k *kicker) woken(due, now int64) {
	if now < k.next.Load() && k.lead.Load() == dontSpin {
		return
	}
	if !k.mu.TryLock() {
		return // whoever has it aims
	}
	defer k.mu.Unlock()
	k.learn(now - due)
	if kick := k.next.Load(); kick <= now {
		k.last = kick
		if due <= kick { // it was meant for this wait, too
			k.judge(now, max(now-kick, now-due-k.gap-plainLate))
		}
	}
	k.forget(now)
	k.aim()
}

// judge tells by a lateness that a kick should have spared, whether more of them would help. The
// way back to frequent kicks is slower than the way to rare ones.
func (k *kicker) judge(now, late int64) {
	switch {
	case late <= busyLate:
		k.gap = max(k.gap-k.gap/8, shortestGap)
	case k.gap < longestGap:
		k.gap = min(2*k.gap, longestGap)
	default:
		k.earlier = now + busyPause
	}
}

// forget drops the wishes whose instants have passed: their timers are due.
func (k *kicker) forget(now int64) {
	for len(k.wishes) > 0 && k.wishes[0].at <= now {
		heap.Pop(&k.wishes)
	}
	if lead := k.leadNow(); lead != k.lead.Load() {
		k.lead.Store(lead)
	}
}

func (k *kicker) leadNow() int64 {
	if k.spins && len(k.wishes) <= few {
		return k.learned
	}
	return dontSpin
}

// aim sets the alarm for the earliest wish.
func (k *kicker) aim() {
	if k.alarm == nil {
		return
	}
	next := int64(never)
	if len(k.wishes) > 0 {
		next = max(k.wishes[0].at+pastDue, k.last+k.gap, k.earlier)
	}
	if next == k.next.Load() {
		return
	}
	k.next.Store(next)
	if next == never {
		k.alarm.off()
	} else {
		k.alarm.set(next)
	}
}

// learn moves the lead towards the time that most wakes take: up by four when one took longer,
// down by one when it took less, so that four of five are in time.
func (k *kicker) learn(took int64) {
	const step = 500
	if took > k.learned {
		k.learned = min(k.learned+4*step, longestLead)
	} else {
		k.learned = max(k.learned-step, 0)
	}
}

// wishes is a heap, earliest first.
type wishes []*wish

func (h wishes) Len() int           { return len(h) }
func (h wishes) Less(i, j int) bool { return h[i].at < h[j].at }

func (h wishes) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i+1, j+1
}

func (h *wishes) Push(x any) {
	w := x.(*wish)
	*h = append(*h, w)
	w.place = len(*h)
}

func (h *wishes) Pop() any {
	old := *h
	last := old[len(old)-1]
	last.place = 0
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}
