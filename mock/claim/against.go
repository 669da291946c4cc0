package claim

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Outlook is what is known of a measurement in real time before it begins.
type Outlook struct {
	// Takes is how long it takes; up to a third more when the machine is so busy that some is played again.
	Takes time.Duration
	// Requests is how many are sent, without those that only warm up.
	Requests int
	// Workloads are played; Shortened of them send less than the file says; Skipped aren't played, for
	// no check would be answered.
	Workloads, Shortened, Skipped int
}

// mostTogether is up to how many plain requests a second variants of workloads are played at the same
// time: as many as one alone may be. One that is heavier is played alone.
const mostTogether = 500

// playedAgain is which part of the time may go on what is played again, for the machine was late.
const playedAgain = 3

// weight is the variant's part of mostTogether.
func (p *part) weight() int64 { return int64(min(max(p.heft, 1), mostTogether)) }

// turn is one variant of a workload that waits to be played.
type turn struct {
	*job
	part
	variant int
	whole   time.Duration // that all variants of the workload take
}

// against plays the workloads against the target and returns what was gathered, beside what the
// simulation says.
func against(ctx context.Context, scenarios []*scenario.Scenario, jobs []*job, replies *reply.Library, o Options) (*rehearsal, error) {
	r, err := rehearse(ctx, scenarios, jobs, replies, o)
	if err != nil {
		return nil, err
	}
	checks := checksOf(scenarios)
	var queue []turn
	out := Outlook{}
	for _, j := range jobs {
		j.gathered = nil
		s := r.sizes[j]
		if !r.worth(j, checks) {
			out.Skipped++
			continue
		}
		j.begun, j.played = clock.Real().Now(), make([]*drive, len(s.parts))
		for i, p := range s.parts {
			queue = append(queue, turn{j, p, i, s.takes})
		}
		out.Requests += s.requests
		out.Workloads++
		if s.cut {
			out.Shortened++
		}
	}
	order(queue)
	out.Takes = takes(queue)
	if o.Outlook != nil {
		o.Outlook(out)
	}
	var again atomic.Int64
	again.Store(int64(out.Takes) / playedAgain)
	group, driving := errgroup.WithContext(ctx)
	together := semaphore.NewWeighted(mostTogether)
	for _, t := range queue {
		if together.Acquire(driving, t.weight()) != nil {
			break
		}
		group.Go(func() error {
			defer together.Release(t.weight())
			return t.play(driving, o, &again, clock.Real())
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, j := range jobs {
		j.gather(o)
	}
	return r, context.Cause(ctx)
}

// order puts those that are played alone first, then the longest, so that none is left over.
func order(queue []turn) {
	slices.SortStableFunc(queue, func(a, b turn) int {
		if alone := a.weight() == mostTogether; alone != (b.weight() == mostTogether) {
			if alone {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.takes, a.takes)
	})
}

// takes is how long the queue takes when each is played as soon as there is room for it.
func takes(queue []turn) time.Duration {
	type playing struct {
		ends   time.Duration
		weight int64
	}
	var now, last time.Duration
	var under []playing
	room := int64(mostTogether)
	for _, t := range queue {
		for room < t.weight() {
			now = slices.MinFunc(under, func(a, b playing) int { return cmp.Compare(a.ends, b.ends) }).ends
			under = slices.DeleteFunc(under, func(p playing) bool {
				if p.ends <= now {
					room += p.weight
				}
				return p.ends <= now
			})
		}
		room -= t.weight()
		under = append(under, playing{now + t.takes, t.weight()})
		last = max(last, now+t.takes)
	}
	return last
}
