package run

import (
	"container/heap"
	"math"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Rates are what is left of a request's limits once it has been taken.
type Rates struct{ Requests, Input, Output Rate }

// Rate is one limit a minute; the zero Rate is none.
type Rate struct {
	Limit, Remaining int
	Reset            time.Time // when its bucket is full again
}

// limits keeps the buckets of each key and class of models, the last 10,000 of them (R15).
type limits struct {
	scenario *scenario.Scenario
	kept     *lru.Cache[bucketsOf, *buckets] // nil: nobody has limits
}

type bucketsOf struct{ client, class string }

// buckets are one key's for one class.
type buckets struct {
	*scenario.Limits
	at                      time.Time // when they were last brought up to date
	requests, input, output bucket
	produced                underway
}

// produced is an answer's output, which counts when the answer ends.
type produced struct {
	at      time.Time
	ordinal uint64
	tokens  int
}

func newLimits(s *scenario.Scenario) limits {
	limited := s.Limits != nil || slices.ContainsFunc(s.Keys, func(k scenario.Key) bool { return k.Limits != nil })
	if !limited {
		return limits{}
	}
	return limits{s, must(lru.New[bucketsOf, *buckets](remembered))}
}

// take takes a request out of its buckets, which the decision then knows, or says why it can't: a
// limited request takes nothing.
func (l *limits) take(d *Decision, q *Query, read int) *wire.Error {
	if l.kept == nil {
		return nil
	}
	b := l.of(q)
	if b == nil {
		return nil
	}
	b.bring(q.Arrived)
	input := max(q.Request.InputTokens-read, 0)
	problem := b.over(input, q.Request.Answering.ID)
	if problem == nil {
		b.requests.take(1, b.Enforce)
		b.input.take(input, b.Enforce)
		d.buckets = b
	}
	d.rates = &Rates{b.requests.rate(b.at), b.input.rate(b.at), b.output.rate(b.at)}
	return problem
}

func (l *limits) of(q *Query) *buckets {
	limits := l.scenario.Limits
	if own := l.scenario.Key(q.Key).Limits; own != nil {
		limits = own
	}
	if limits == nil {
		return nil
	}
	of := bucketsOf{q.Client, wire.ClassOf(q.Request.Answering.ID)}
	b, ok := l.kept.Get(of)
	if !ok {
		b = &buckets{
			Limits: limits, at: q.Arrived, requests: bucket{limit: int64(limits.Requests)},
			input: bucket{limit: int64(limits.InputTokens)}, output: bucket{limit: int64(limits.OutputTokens)},
		}
		l.kept.Add(of, b)
	}
	return b
}

// over is the error of a request that doesn't fit. It tells how long it is until it would.
func (b *buckets) over(input int, model string) *wire.Error {
	if !b.Enforce {
		return nil
	}
	var problem *wire.Error
	var wait time.Duration
	for _, short := range [...]struct {
		bucket *bucket
		need   int
		what   string
	}{
		{&b.requests, 1, "requests"}, {&b.input, input, "input tokens"}, {&b.output, 1, "output tokens"},
	} {
		until := short.bucket.until(short.need)
		if until > 0 && problem == nil {
			problem = wire.OverLimit(int(short.bucket.limit), short.what, wire.OrganizationID(0), model)
		}
		wait = max(wait, until)
	}
	if problem != nil && !b.Silent {
		problem.RetryAfter = (wait + time.Second - 1).Truncate(time.Second)
	}
	return problem
}

// bring brings the buckets up to now, with the output of the answers that have ended by then. An
// earlier instant than the last leaves them as they are.
func (b *buckets) bring(now time.Time) {
	for len(b.produced) > 0 && !b.produced[0].at.After(now) {
		p := heap.Pop(&b.produced).(produced)
		b.fill(p.at)
		b.output.take(p.tokens, b.Enforce)
	}
	b.fill(now)
}

func (b *buckets) fill(now time.Time) {
	passed := now.Sub(b.at)
	if passed <= 0 {
		return
	}
	b.at = now
	b.requests.fill(passed)
	b.input.fill(passed)
	b.output.fill(passed)
}

// cut notes that an answer has ended before its planned end, after so many tokens.
func (b *buckets) cut(ordinal uint64, at time.Time, tokens int) {
	i := slices.IndexFunc(b.produced, func(p produced) bool { return p.ordinal == ordinal })
	if i < 0 {
		return
	}
	b.produced[i].at, b.produced[i].tokens = at, tokens
	heap.Fix(&b.produced, i)
}

// underway is a heap of answers under way with the earliest planned end on top.
type underway []produced

func (u underway) Len() int           { return len(u) }
func (u underway) Less(i, j int) bool { return u[i].at.Before(u[j].at) }
func (u underway) Swap(i, j int)      { u[i], u[j] = u[j], u[i] }
func (u *underway) Push(x any)        { *u = append(*u, x.(produced)) }
func (u *underway) Pop() any {
	old := *u
	last := old[len(old)-1]
	*u = old[:len(old)-1]
	return last
}

// bucket holds a minute's worth when it is full, and fills by its limit a minute. What it misses is
// counted in units of a token times the nanoseconds of a minute, so that nothing is rounded.
type bucket struct{ limit, missing int64 }

const minute = int64(time.Minute)

func (b *bucket) fill(passed time.Duration) {
	switch {
	case b.limit == 0:
	case int64(passed) > b.missing/b.limit:
		b.missing = 0
	default:
		b.missing -= int64(passed) * b.limit
	}
}

// take takes n out. When the limit is enforced there may be a debt afterwards, else it ends at empty.
func (b *bucket) take(n int, enforced bool) {
	most := int64(math.MaxInt64)
	if !enforced {
		most = b.limit * minute
	}
	if b.limit == 0 {
		return
	}
	if int64(n) > (most-b.missing)/minute {
		b.missing = most
		return
	}
	b.missing += int64(n) * minute
}

// until is how long it takes until n can be taken; for more than fits, until it is full.
func (b *bucket) until(n int) time.Duration {
	if b.limit == 0 {
		return 0
	}
	over := b.missing - max(b.limit-int64(n), 0)*minute
	if over <= 0 {
		if int64(n) > b.limit {
			return time.Nanosecond // It never fits, but there is nothing to wait for.
		}
		return 0
	}
	return time.Duration((over-1)/b.limit + 1)
}

func (b *bucket) rate(now time.Time) Rate {
	if b.limit == 0 {
		return Rate{}
	}
	return Rate{
		Limit:     int(b.limit),
		Remaining: int(max(b.limit*minute-b.missing, 0) / minute),
		Reset:     now.Add(time.Duration(b.missing / b.limit)),
	}
}

// Rates are what is left of the request's limits; nil when it has none.
func (d *Decision) Rates() *Rates { return d.rates }

// abandoned counts the tokens that had gone out at that offset.
func (d *Decision) abandoned(at time.Duration) (tokens int) {
	for i := range d.Timeline.Len() {
		if s := d.Timeline.Step(i); s.Due <= at {
			tokens += s.Tokens()
		}
	}
	return tokens
}
