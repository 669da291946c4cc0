package claim

import (
	"context"
	"slices"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

// lateness is by how much things were late.
type lateness []time.Duration

// most is how late 99 of 100 were at most.
func (l lateness) most() time.Duration {
	if len(l) == 0 {
		return 0
	}
	slices.Sort(l)
	return l[max(rank(99, 100, uint64(len(l))), 1)-1]
}

func (l lateness) worst() time.Duration {
	if len(l) == 0 {
		return 0
	}
	return slices.Max(l)
}

// ticks are looks at the clock while a workload is driven. They tell how late this machine wakes
// whoever waits, for a timer as for an answer, which no answer's own time tells.
type ticks struct{ lateness }

// tickPeriod costs a machine little, and is short beside the pauses that matter.
const tickPeriod = 2 * time.Millisecond

// run looks until the context ends.
func (t *ticks) run(ctx context.Context, c clock.Clock) {
	waiter := clock.Waiter{Clock: c}
	for at := c.Now().Add(tickPeriod); waiter.WaitUntil(ctx, at) == nil; at = at.Add(tickPeriod) {
		late := c.Now().Sub(at)
		t.lateness = append(t.lateness, late)
		// Those that a pause has swallowed were each late by less.
		for at = at.Add(tickPeriod); late > tickPeriod; at = at.Add(tickPeriod) {
			late -= tickPeriod
			t.lateness = append(t.lateness, late)
		}
		at = at.Add(-tickPeriod)
	}
}
