package claim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/probe"
)

// drive plays one variant of a workload against an endpoint, in real time.
type drive struct {
	*traffic
	gather *gathering
	target string
	header http.Header // beside the requests' own
	client *http.Client
	clock  clock.Clock

	mu       sync.Mutex // guards what follows
	start    time.Time
	begun    int
	thoughts uint64
	shots    []*shot
	progress func(n int)

	ticks    ticks
	wanted   float64 // rate that it must reach; 0: whatever comes of it
	rate     float64 // reached, per second
	late     string  // why its times can't be trusted
	undriven undriven
	lateness time.Duration
	worst    time.Duration
}

// shot is one request on its way, and what came of it.
type shot struct {
	unit *unit
	probe.Shot
	result *probe.Result
	try    int
	last   bool          // no other of its unit follows
	began  time.Duration // of its unit
}

// The limits beyond which a figure would tell of this machine and not of the endpoint.
const (
	mostUnits   = 10_000               // that each need a client of their own
	mostLag     = 5 * time.Millisecond // of 99 in 100 requests
	mostTick    = 3 * time.Millisecond // of 99 in 100 looks at the clock meanwhile
	slowestRate = 0.97                 // of the planned one
)

// undriven is the reason why a workload could not be driven.
type undriven string

func (u undriven) Error() string { return string(u) }

// play sends it all. An error of type undriven says why what came can't be trusted at all; d.late says
// so of its times.
func (d *drive) play(ctx context.Context) error {
	ticking, stop := context.WithCancel(ctx)
	var ticks sync.WaitGroup
	ticks.Go(func() { d.ticks.run(ticking, d.clock) })
	var wait sync.WaitGroup
	problems := make([]error, len(d.sources))
	for i, s := range d.sources {
		wait.Go(func() { problems[i] = d.source(ctx, s) })
	}
	wait.Wait()
	stop()
	ticks.Wait()
	for _, err := range problems {
		if err != nil {
			return err
		}
	}
	return d.driven()
}

// hurdle tells beforehand why it can't be sent; "" when it can.
func (t *traffic) hurdle() string {
	for _, s := range t.sources {
		for _, k := range s.kinds {
			for _, one := range k.templates {
				switch {
				case len(one.ask.facts) > 0:
					return "facts can't be sent to an endpoint"
				case one.ask.protocol == "HTTP/3.0" && !t.secure:
					return "HTTP/3.0 needs a target with https://"
				}
			}
		}
		if len(s.rate) > 0 && t.chained() && (t.units == 0 || t.units > mostUnits) {
			return fmt.Sprintf("chains and retries at a rate need a client each, and more than %d are too many; send fewer requests", mostUnits)
		}
		if s.clients > probe.DefaultMaxInFlight {
			return fmt.Sprintf("%d clients are too many to drive; the most is %d", s.clients, probe.DefaultMaxInFlight)
		}
	}
	return ""
}

// chained tells whether a unit may be more than one request.
func (t *traffic) chained() bool { return t.workload.Retry != nil || len(t.workload.Chain) > 0 }

func (d *drive) source(ctx context.Context, s *source) error {
	o := probe.Options{Clock: d.clock, Client: d.client, KeepText: true}
	each := func(r *probe.Result) { d.done(r) }
	switch {
	case len(s.rate) == 0:
		return probe.Closed(ctx, d.target, s.clients, func(_ int, last *probe.Result) (probe.Shot, bool) { return d.next(s, last) }, o, each)
	case d.chained():
		return d.chains(ctx, s, o, each)
	}
	return probe.Open(ctx, d.target, d.arrivals(s), o, each)
}

// arrivals are the shots of an open loop.
func (d *drive) arrivals(s *source) iter.Seq[probe.Shot] {
	return func(yield func(probe.Shot) bool) {
		for {
			at, ok := s.arrival()
			if !ok {
				return
			}
			u := d.unit(s, at)
			if u == nil || !yield(d.shot(u, at, at)) {
				return
			}
		}
	}
}

// chains gives each unit of an open loop a client of its own.
func (d *drive) chains(ctx context.Context, s *source, o probe.Options, each func(*probe.Result)) error {
	var units []*unit
	for {
		at, ok := s.arrival()
		if !ok {
			break
		}
		u := d.unit(s, at)
		if u == nil {
			break
		}
		units = append(units, u)
	}
	return probe.Closed(ctx, d.target, len(units), func(client int, last *probe.Result) (probe.Shot, bool) {
		u := units[client]
		if last == nil {
			return d.shot(u, u.began, u.began), true
		}
		return d.again(u, last)
	}, o, each)
}

// next is what a client of a closed loop sends next.
func (d *drive) next(s *source, last *probe.Result) (probe.Shot, bool) {
	at := time.Duration(0)
	if last != nil {
		if again, ok := d.again(d.of(last).unit, last); ok {
			return again, true
		}
		at = last.Planned + last.Duration + d.think()
	}
	u := d.unit(s, at)
	if u == nil {
		return probe.Shot{}, false
	}
	think := time.Duration(0)
	if last != nil {
		think = at - last.Planned - last.Duration
	}
	return d.shot(u, think, at), true
}

// again is the unit's next try, or the next call of its chain.
func (d *drive) again(u *unit, last *probe.Result) (probe.Shot, bool) {
	ended := last.Planned + last.Duration
	if d.retries(u, last) {
		return d.shot(u, d.workload.Retry.After, ended+d.workload.Retry.After), true
	}
	if u.calls > 1 {
		u.calls--
		u.asked, u.try = false, 0
		think := d.think()
		return d.shot(u, think, ended+think), true
	}
	d.of(last).last = true
	return probe.Shot{}, false
}

func (d *drive) retries(u *unit, r *probe.Result) bool {
	return wantsRetry(d.workload.Retry, u.try, r.Outcome == probe.Answered, r.Status)
}

func (d *drive) think() time.Duration {
	if d.workload.Think == nil {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.thoughts++
	return time.Duration(d.workload.Think.At(d.place.For(thinking).Exact(d.thoughts - 1)))
}

// unit starts the next unit, unless there are none left.
func (d *drive) unit(s *source, at time.Duration) *unit {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.units > 0 && d.begun >= d.units+d.warmup || d.length > 0 && at >= d.length {
		return nil
	}
	u := &unit{number: uint64(d.begun), from: s, template: s.next(), measured: d.begun >= d.warmup, began: at, calls: 1, all: 1, rate: s.now()}
	d.begun++
	if c := d.workload.Chain; len(c) > 0 {
		u.all = pickCalls(c, d.place.Exact(u.number))
		u.calls = u.all
	}
	return u
}

// shot makes the unit's next request; planned is when it leaves, as far as that is known.
func (d *drive) shot(u *unit, at, planned time.Duration) probe.Shot {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := u.template
	if !u.asked {
		u.asked = true
		u.label = uint64(len(d.shots))
	}
	u.try++
	one := &shot{unit: u, try: u.try, began: u.began, Shot: probe.Shot{
		At: at, Path: t.ask.path, Body: t.bodyOf(u.label), Header: d.headers(u, planned), NewConnection: t.ask.connection == "new",
		Protocol: t.ask.protocol, GiveUp: d.workload.GiveUp, Tag: len(d.shots),
	}}
	if c := d.workload.CancelAfter; c != nil {
		one.CancelAfter = time.Duration(c.At(d.place.For(leaving).Exact(uint64(len(d.shots)))))
	}
	d.shots = append(d.shots, one)
	return one.Shot
}

func (d *drive) headers(u *unit, planned time.Duration) http.Header {
	t := u.template
	h := t.header.Clone()
	for name, values := range d.header {
		h[name] = values
	}
	if t.keys > 0 {
		h.Set("X-Api-Key", "KEY-"+strconv.FormatUint(u.number%uint64(t.keys)+1, 10))
	}
	if len(d.shots) == 0 {
		d.start = d.clock.Now()
	}
	for i := range t.clocked {
		h.Set(t.clocked[i].name, t.clocked[i].at(d.start.Add(planned)))
	}
	if r := d.workload.Retry; r != nil && r.Counted {
		h.Set("X-Stainless-Retry-Count", strconv.Itoa(u.try-1))
	}
	return h
}

// bodyOf is the template's body with the n-th variant of what varies.
func (t *template) bodyOf(n uint64) []byte {
	if t.vary == "none" || t.before == "" {
		return t.body
	}
	return bytes.Replace(t.body, []byte(label(0)), []byte(label(n)), 1)
}

func (d *drive) of(r *probe.Result) *shot { return d.shots[r.Shot.Tag] }

func (d *drive) done(r *probe.Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	one := d.of(r)
	one.result = r
	if !d.chained() {
		one.last = true
	}
	d.progress(1)
}

// driven tells whether what was sent is what was planned.
func (d *drive) driven() error {
	var lags lateness
	var first, last, planned time.Duration
	strange := 0
	for i, one := range d.shots {
		r := one.result
		switch {
		case r == nil || r.Outcome == probe.NotDriven:
			return undriven(fmt.Sprintf("only %d of %d requests could be sent", i, len(d.shots)))
		case r.Status != 0 && one.Protocol != "" && r.Protocol != one.Protocol:
			return undriven(fmt.Sprintf("%s was wanted, and the endpoint speaks %s", one.Protocol, r.Protocol))
		}
		if r.Status == http.StatusNotFound {
			strange++
		}
		lags = append(lags, r.Lag())
		last, planned = max(last, r.Sent), max(planned, r.Planned)
		if first = min(first, r.Sent); i == 0 {
			first = r.Sent
		}
	}
	if len(lags) == 0 {
		return undriven("nothing was sent")
	}
	if strange == len(d.shots) {
		return undriven("the endpoint answers 404; it may not have this scenario")
	}
	if err := unreachable(d.shots); err != nil {
		return err
	}
	took := last - first
	d.rate = float64(len(lags)-1) / took.Seconds()
	sent, tick := lags.most(), d.ticks.most()
	d.worst = max(lags.worst(), d.ticks.worst())
	switch {
	case sent > mostLag || tick > mostTick:
		d.late = fmt.Sprintf("this machine was late by %s at P99; the rate reached was %s/s", max(sent, tick).Round(time.Millisecond/10), short(d.rate))
	case planned > 0 && float64(planned) < slowestRate*float64(took), d.rate < slowestRate*d.wanted:
		d.late = fmt.Sprintf("this machine reached a rate of %s/s only", short(d.rate))
	}
	d.lateness = max(sent, tick)
	return nil
}

// unreachable is the reason why no request found an endpoint; nil when one did.
func unreachable(shots []*shot) error {
	var dialing *net.OpError
	for _, one := range shots {
		if one.result.Outcome != probe.Failed || !errors.As(one.result.Err, &dialing) || dialing.Op != "dial" {
			return nil
		}
	}
	return fmt.Errorf("nobody answers at the target: %w", dialing.Err)
}

func short(rate float64) string {
	if math.IsNaN(rate) || math.IsInf(rate, 0) {
		return "0"
	}
	return strconv.FormatFloat(rate, 'f', 1, 64)
}
