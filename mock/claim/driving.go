package claim

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/probe"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// mostPlays is how often a variant is played, each time in a fresh run, when the machine was late.
const mostPlays = 3

// play plays the variant, again when the machine was late and there is time: of its own, and
// of what is left for all, in which a light one counts for its part of the machine. The play in which it was
// late by the least is kept, whatever came of it.
func (t *turn) play(ctx context.Context, o Options, again *atomic.Int64, c clock.Clock) error {
	o.Requests = cmp.Or(t.most, o.Requests)
	ends := c.Now().Add(time.Duration(float64(o.time()) * float64(t.takes) / float64(max(t.whole, 1))))
	for try := range mostPlays {
		variants, err := t.variants(o) // anew, for a play uses them up
		if err != nil {
			return err
		}
		d := &drive{traffic: variants[t.variant], target: o.Target, client: o.Client, header: t.names(t.variant, try), clock: c, progress: o.Progress}
		if t.heft > sureHeft {
			d.wanted = t.part.wanted
		}
		if try > 0 {
			d.progress = func(int) {}
		}
		err = d.play(ctx)
		if errors.As(err, &d.undriven) {
			t.played[t.variant] = d
			return nil
		}
		if err != nil {
			return t.fail(err)
		}
		if best := t.played[t.variant]; best == nil || d.late == "" || best.late != "" && d.lateness < best.lateness {
			t.played[t.variant] = d
		}
		if d.late == "" || c.Now().Add(t.takes).After(ends) || again.Add(-int64(t.takes)*t.weight()/mostTogether) < 0 {
			break
		}
	}
	return nil
}

// gather tells the gatherers of what was kept of all variants.
func (j *job) gather(o Options) {
	if j.played == nil {
		return
	}
	o.Requests = cmp.Or(j.most, o.Requests)
	g := newGathering(j.scenario, j.planned(o))
	for _, spec := range j.wanted {
		if hidden(spec) != "" {
			j.gathered = append(j.gathered, nil)
			continue
		}
		j.gathered = append(j.gathered, g.of(spec))
	}
	for _, d := range j.played {
		if d.undriven != "" {
			j.reason, j.gathered = string(d.undriven), nil
			return
		}
		j.late = cmp.Or(j.late, d.late)
		j.worst, j.rate = max(j.worst, d.worst), max(j.rate, d.rate)
		d.gather = g
		d.account()
	}
}

// fromSending reckons a result's times from when it was sent, in place of when it should have been:
// what lies between is the machine's, whose lag was found small.
func fromSending(r *probe.Result) *probe.Result {
	lag, now := r.Lag(), *r
	now.Planned += lag
	now.Duration -= lag
	if r.FirstToken != probe.Never {
		now.FirstToken -= lag
	}
	return &now
}

// account tells the gatherers of the measured requests, in the order of sending.
func (d *drive) account() {
	d.gather.fresh()
	clients := 0
	for _, s := range d.sources {
		clients += s.clients
	}
	slices.SortStableFunc(d.shots, func(a, b *shot) int { return cmp.Compare(a.result.Planned, b.result.Planned) })
	for _, one := range d.shots {
		if !one.unit.measured {
			continue
		}
		r := fromSending(one.result)
		made := row{
			seen: received{r}, sent: one.unit.template, rate: one.unit.rate, clients: clients, elapsed: r.Planned - d.shots[0].result.Planned,
			ended: r.Duration, status: r.Status, try: one.try, left: r.Outcome == probe.Left || r.Outcome == probe.TimedOut,
			answered: r.Outcome == probe.Answered,
		}
		if made.answered {
			made.has |= scenario.Answered
		}
		if made.left {
			made.has |= scenario.Left
		}
		if len(r.Deltas) > 0 {
			made.has |= scenario.Streamed
		}
		if len(d.workload.Chain) > 0 && one.last {
			made.has |= scenario.ChainEnded
			made.chain, made.calls = r.Planned+r.Duration-one.unit.began, one.unit.all
		}
		d.gather.add(&made)
	}
}
