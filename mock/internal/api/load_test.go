package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// by is a clock that the test sets.
type by struct{ now time.Time }

func (c *by) Now() time.Time { return c.now }

func (c *by) WaitUntil(context.Context, time.Time) error { return nil }

// streamed is a decision on an answer of a route that first says something after a while.
type streamed struct {
	journal.Decision
	route string
	wait  time.Duration // for a slot; −1: it needs none
}

func (streamed) Status() int             { return 200 }
func (d streamed) Route() string         { return d.route }
func (streamed) Len() int                { return 2 }
func (streamed) Marks() map[string]bool  { return nil }
func (streamed) Charge() *journal.Charge { return nil }
func (streamed) Step(i int) journal.Step { return journal.Step{Event: "content_block_delta"} }
func (d streamed) Parts() map[string]time.Duration {
	if d.wait < 0 {
		return nil
	}
	return map[string]time.Duration{"queue": d.wait}
}

// lookedAt is the load as JSON has it.
type lookedAt struct {
	First  int64
	Slots  int
	Total  lookedSeries
	Routes []struct {
		Scenario, Route string
		lookedSeries
	}
	Queues []struct{ Profile string }
}

type lookedSeries struct {
	Started, Ended             []int
	Concurrency, Busy, Waiting []float64
	TTFT50                     []*float64 `json:"ttft_p50_ms"`
	TTFT99                     []*float64 `json:"ttft_p99_ms"`
	Duration50                 []*float64 `json:"duration_p50_ms"`
}

// loading is a service whose journal the test writes, at a time that it sets.
type loading struct {
	controls
	clock *by
}

func newLoading(t *testing.T) loading {
	clock := &by{time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)} // when a slot begins
	return loading{controls{serving(t, func(c *api.Config) { c.Clock = clock })}, clock}
}

// begins a request some time before now.
func (l loading) begins(ago time.Duration, d streamed) *journal.Record {
	r := l.Journal.Open(journal.Arrival{Scenario: "home", Run: "default", Path: "/v1/messages", Arrived: l.clock.now.Add(-ago)})
	r.Decided(1, "", d)
	return r
}

func (l loading) look(query string) lookedAt {
	l.t.Helper()
	status, told := l.do("GET", "/load"+query, "")
	require.Equal(l.t, 200, status, told)
	text, err := json.Marshal(told)
	require.NoError(l.t, err)
	var seen lookedAt
	require.NoError(l.t, json.Unmarshal(text, &seen))
	return seen
}

func TestTheLoadOfTheLastMinutesIsToldBySlotAndRoute(t *testing.T) {
	l := newLoading(t)
	l.clock.now = l.clock.now.Add(time.Second) // half of the last slot has passed
	for range 10 {
		r := l.begins(5*time.Second, streamed{route: "a", wait: -1})
		r.Wrote(0, 100*time.Millisecond, 1)
		r.Close(journal.Complete, journal.Done, 3*time.Second)
	}
	seen := l.look("?last=4") // −6s, −4s, −2s, and now
	require.Equal(t, 4, seen.Slots)
	require.Equal(t, l.clock.now.Add(-7*time.Second).UnixMilli()/2000, seen.First)
	require.Len(t, seen.Routes, 1)
	require.Equal(t, []string{"home", "a"}, []string{seen.Routes[0].Scenario, seen.Routes[0].Route})
	for _, s := range []lookedSeries{seen.Total, seen.Routes[0].lookedSeries} {
		require.Equal(t, []int{0, 10, 0, 0}, s.Started)
		require.Equal(t, []int{0, 0, 10, 0}, s.Ended)
		require.Equal(t, []float64{0, 10, 5, 0}, s.Concurrency, "ten for three seconds")
		require.Empty(t, s.Busy)
		require.Nil(t, s.TTFT50[0])
		require.InEpsilon(t, 100, *s.TTFT50[1], 0.01)
		require.InEpsilon(t, 3000, *s.Duration50[2], 0.01)
	}
	require.Equal(t, seen, l.look("?last=4"), "looking changes nothing")

	whole := l.look("")
	require.Equal(t, 150, whole.Slots)
	require.Equal(t, seen.First+3, whole.First+149)
	for query, want := range map[string]int{"0": 400, "151": 400, "x": 400} {
		status, _ := l.do("GET", "/load?last="+query, "")
		require.Equal(t, want, status)
	}
}

func TestWhatIsUnderWayCountsAsFarAsItHasCome(t *testing.T) {
	l := newLoading(t)
	r := l.begins(2*time.Second, streamed{route: "a", wait: -1})
	r.Wrote(0, 500*time.Millisecond, 1)
	before := l.look("?last=2")
	require.Equal(t, []int{1, 0}, before.Total.Started)
	require.Equal(t, []int{0, 0}, before.Total.Ended)
	require.Equal(t, []float64{1, 0}, before.Total.Concurrency)
	require.InEpsilon(t, 500, *before.Total.TTFT50[0], 0.01)

	l.clock.now = l.clock.now.Add(time.Second)
	require.Equal(t, []float64{1, 1}, l.look("?last=2").Total.Concurrency)
	r.Close(journal.ClientLeft, journal.Streaming, 2500*time.Millisecond)
	after := l.look("?last=2").Total
	require.Equal(t, []any{[]int{1, 0}, []int{0, 1}}, []any{after.Started, after.Ended})
	require.Equal(t, []float64{1, 0.5}, after.Concurrency)
	require.Nil(t, after.Duration50[1], "it is no complete answer")

	l.clock.now = l.clock.now.Add(5 * time.Minute)
	gone := l.look("")
	require.Empty(t, gone.Routes)
	require.Equal(t, make([]int, 150), gone.Total.Started)
}

func TestQueuesAreToldByTheirBusySlotsAndWhoWaits(t *testing.T) {
	l := newLoading(t)
	r := l.begins(4*time.Second, streamed{route: "a", wait: time.Second})
	waits := l.begins(2*time.Second, streamed{route: "a", wait: time.Hour})
	seen := l.look("?last=3").Total
	require.Equal(t, []any{[]float64{0.5, 1, 0}, []float64{0.5, 1, 0}}, []any{seen.Busy, seen.Waiting})
	r.Released(3 * time.Second)
	r.Close(journal.Complete, journal.Done, 2500*time.Millisecond)
	waits.Released(time.Second)
	waits.Close(journal.ClientLeft, journal.Waiting, time.Second)
	seen = l.look("?last=3").Total
	require.Equal(t, []any{[]float64{0.5, 0.5, 0}, []float64{0.5, 0.5, 0}}, []any{seen.Busy, seen.Waiting}, "its slot is busy until it is released")
}

func TestPercentilesOfTheLoadAreWithinOnePercent(t *testing.T) {
	l := newLoading(t)
	var all []float64
	for i := range 1000 {
		ttft := time.Duration(math.Pow(1.01, float64(i)) * float64(time.Millisecond) / 10)
		ttft = min(ttft, time.Second)
		all = append(all, float64(ttft)/1e6)
		r := l.begins(2*time.Second, streamed{route: fmt.Sprint(i % 3), wait: -1})
		r.Wrote(0, ttft, 1)
		r.Close(journal.Complete, journal.Done, ttft)
	}
	slices.Sort(all)
	seen := l.look("?last=2")
	require.InEpsilon(t, all[499], *seen.Total.TTFT50[0], 0.0105)
	require.InEpsilon(t, all[989], *seen.Total.TTFT99[0], 0.0105)
	require.Len(t, seen.Routes, 3)
}

func TestTheLoadHoldsSoManyRoutesAndTakesNoFutureForGranted(t *testing.T) {
	l := newLoading(t)
	for i := range 100 {
		l.begins(-time.Hour, streamed{route: fmt.Sprintf("route %02d", i), wait: -1}).Close(journal.Complete, journal.Done, time.Second) // on a clock of its own
	}
	seen := l.look("")
	require.Len(t, seen.Routes, 65)
	require.Equal(t, []any{"", "", 36}, []any{seen.Routes[0].Scenario, seen.Routes[0].Route, seen.Routes[0].Started[149]})
	require.Equal(t, 100, seen.Total.Started[149])
	require.Equal(t, 100, seen.Total.Ended[149])
}
