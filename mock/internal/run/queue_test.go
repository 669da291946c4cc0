package run_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// served is a scenario of one profile with a queue, whose services take what the trace says.
func served(queue string, takes ...time.Duration) string {
	var words []string
	for _, d := range takes {
		words = append(words, d.String())
	}
	return fmt.Sprintf("profiles: {p: {respond: {trace: [%s]}, queue: {%s}}}\nroutes: [{name: all, profile: p, reply: hi}]\n",
		strings.Join(words, ", "), queue)
}

// waits asks at these instants and says how long each waited.
func waits(t *testing.T, g *game, instants ...time.Duration) []time.Duration {
	t.Helper()
	var all []time.Duration
	for _, i := range instants {
		h, ok := g.ask(at(i)).Hold()
		require.True(t, ok)
		all = append(all, h.From)
	}
	return all
}

func TestWhoeverFindsAllSlotsTakenWaitsForTheFirstThatGetsFree(t *testing.T) {
	g := playing(t, served("slots: 2", 100*ms))
	require.Equal(t, []time.Duration{0, 0, 80 * ms, 70 * ms, 160 * ms, 0, 0}, waits(t, g, 0, 10*ms, 20*ms, 40*ms, 40*ms, 300*ms, 300*ms))
}

func TestTheWaitIsAPartOfTheAnswer(t *testing.T) {
	const text = `
profiles:
  p:
    respond: 100ms
    first-token: {sum: {network: 20ms, padding: 5ms}}
    token-gap: 10ms
    queue: {slots: 1}
routes: [{name: all, profile: p, reply: "one two"}]
`
	g := playing(t, text)
	require.Equal(t, map[string]time.Duration{"queue": 0, "respond": 100 * ms}, g.ask().Parts())
	d := g.ask(at(30*ms), streamed())
	require.Equal(t, map[string]time.Duration{"queue": 70 * ms, "network": 20 * ms, "padding": 5 * ms}, d.Parts())
	require.Equal(t, 95*ms, d.Timeline.TTFT())
	took, ok := d.Part("padding")
	require.True(t, ok)
	require.Equal(t, 5*ms, took)
	_, ok = d.Part("respond")
	require.False(t, ok)
	require.Equal(t, 10*ms, gaps(d)[0])
	hold, _ := d.Hold()
	require.Equal(t, d.Timeline.Duration(), hold.Until, "to the planned last byte (R41)")
	require.Equal(t, hold.Until, d.Released())
}

func TestWhoeverWouldWaitTooLongIsRefusedOnArrival(t *testing.T) {
	g := playing(t, served("slots: 1, wait: 150ms", 100*ms))
	require.Equal(t, []time.Duration{0, 100 * ms}, waits(t, g, 0, 0))
	d := g.ask(at(49 * ms))
	require.Equal(t, 529, d.Timeline.Status)
	require.Equal(t, "overloaded_error", d.Timeline.Error.Type)
	require.Equal(t, "Overloaded", message(d))
	require.Zero(t, d.Timeline.Duration())
	require.Empty(t, places(d), "it drew nothing")
	_, ok := d.Hold()
	require.False(t, ok)
	require.Empty(t, d.Parts())
	require.Equal(t, []time.Duration{150 * ms}, waits(t, g, 50*ms), "as long as it may be")

	g = playing(t, served("slots: 1, wait: 0s, full: {status: 503, message: no, retry_after: 2s}", 100*ms))
	g.ask()
	d = g.ask(at(99 * ms))
	require.Equal(t, 503, d.Timeline.Status)
	require.Equal(t, "no", message(d))
	require.Equal(t, 2*time.Second, d.Timeline.Error.RetryAfter)
	require.Equal(t, 200, g.ask(at(100*ms)).Timeline.Status)
}

func TestAGuardsRefusalGivesTheSlotBack(t *testing.T) {
	g := playing(t, served("slots: 1", 100*ms)+"guards: [{when: planned.duration_ms > 150, error: {status: 429, message: too long}}]\n")
	require.Equal(t, 200, g.ask().Timeline.Status)
	refused := g.ask(at(20 * ms))
	require.Equal(t, 429, refused.Timeline.Status)
	_, ok := refused.Hold()
	require.False(t, ok)
	require.Empty(t, refused.Parts())
	require.Equal(t, []time.Duration{50 * ms}, waits(t, g, 50*ms))
}

func TestAnErrorThatTakesAProfilesTimeQueuesForIt(t *testing.T) {
	g := playing(t, strings.Replace(served("slots: 1", 100*ms), "reply: hi", "error: {status: 503}", 1))
	require.Equal(t, 100*ms, g.ask().Timeline.Duration())
	d := g.ask(at(30 * ms))
	require.Equal(t, 503, d.Timeline.Status)
	require.Equal(t, 170*ms, d.Timeline.Duration())
}

func TestAClientThatLeavesFreesItsSlotForLaterArrivals(t *testing.T) {
	g := playing(t, served("slots: 1, cancel: 17ms", 100*ms))
	first := g.ask()
	require.Equal(t, 57*ms, g.Forget(first, start().Add(40*ms)))
	require.Equal(t, 57*ms, g.Forget(first, start().Add(40*ms)), "twice is once")
	require.Equal(t, 57*ms, first.Released())
	require.Equal(t, []time.Duration{7 * ms}, waits(t, g, 50*ms))

	g = playing(t, served("slots: 1, cancel: 17ms", 100*ms))
	first, second := g.ask(), g.ask(at(10*ms))
	require.Equal(t, 57*ms, g.Forget(first, start().Add(40*ms)))
	require.Equal(t, 200*ms, second.Timeline.Duration()+10*ms, "its plan stays")
	require.Equal(t, []time.Duration{150 * ms}, waits(t, g, 50*ms), "57 to 100 is too short for it")

	g = playing(t, served("slots: 1, cancel: 17ms", 100*ms, 100*ms, 30*ms))
	first, second = g.ask(), g.ask(at(10*ms))
	g.Forget(first, start().Add(40*ms))
	require.Equal(t, []time.Duration{7 * ms}, waits(t, g, 50*ms), "57 to 87 is long enough")
	require.Equal(t, 50*ms, g.Forget(second, start().Add(60*ms)), "one that waits holds no slot")
	require.Equal(t, []time.Duration{17 * ms}, waits(t, g, 70*ms), "at 87")

	g = playing(t, served("slots: 1, cancel: 17ms", 100*ms))
	first = g.ask()
	require.Equal(t, 100*ms, g.Forget(first, start().Add(90*ms)), "no later than planned")
	require.Zero(t, g.Forget(g.Refuse(g.query(), wire.MissingKey()), start()))
}

func TestARequestThatIsNeverAnsweredHoldsItsSlotUntilItLeaves(t *testing.T) {
	g := playing(t, `
profiles: {p: {respond: 10ms, queue: {slots: 2, wait: 1h}}}
routes:
  - {name: dropped, when: text == "drop", profile: p, never: true, marks: {long: planned.duration_ms > 1e12}}
  - {name: rest, profile: p, reply: hi}
`)
	d := g.ask(saying("drop"))
	require.Equal(t, timeline.Never, d.Timeline.Duration())
	require.Zero(t, d.Timeline.Status)
	require.Equal(t, map[string]bool{"long": true}, d.Marks())
	require.Zero(t, d.Released())
	require.Equal(t, 3, g.ask(at(time.Hour)).Snapshot().Concurrency+1, "it counts until it leaves")
	require.False(t, g.Idle(start().Add(1000*time.Hour)))
	other := g.ask(saying("drop"), at(2*time.Hour))
	require.Equal(t, 529, g.ask(at(2*time.Hour)).Timeline.Status, "all slots are taken for ever")
	require.Equal(t, time.Hour, g.Forget(other, start().Add(3*time.Hour)))
	require.Equal(t, 200, g.ask(at(3*time.Hour)).Timeline.Status)
	g.Forget(d, start().Add(4*time.Hour))
	require.True(t, g.Idle(start().Add(4*time.Hour)))
	require.Equal(t, 5*time.Hour+20*ms, g.Capacity(start().Add(9 * time.Hour))[0].Busy)

	g = playing(t, quick+"routes: [{name: dropped, never: true}]\n")
	require.Equal(t, timeline.Never, g.ask(streamed()).Timeline.TTFT())
}

func TestUtilizationIsTheShareOfTheSlotsThatAreBusyOnArrival(t *testing.T) {
	g := playing(t, `
profiles:
  a: {respond: 100ms, queue: {slots: 4}, load: {by: 'utilization("a")', at: {0.5: 1, 1: 3}}}
  b-2: {respond: 10ms, queue: {slots: 1}}
routes:
  - {name: b, when: 'utilization("b-2") < 1 and text == "b"', profile: b-2}
  - {name: a, profile: a}
`)
	for _, c := range []struct {
		at    time.Duration
		a     float64
		takes time.Duration
	}{{0, 0, 100 * ms}, {0, 0.25, 100 * ms}, {0, 0.5, 100 * ms}, {0, 0.75, 200 * ms}, {0, 1, 100*ms + 300*ms}, {99 * ms, 1, 301 * ms}, {100 * ms, 0.75, 200 * ms}} {
		d := g.ask(at(c.at))
		require.Equal(t, c.a, d.Facts()["utilization.a"])
		require.Equal(t, c.takes, d.Timeline.Duration())
	}
	require.Equal(t, "b", g.ask(saying("b"), at(time.Second)).Route())
	require.Equal(t, "a", g.ask(saying("b"), at(time.Second)).Route())
}

// place is a hold as the reference keeps it.
type place struct{ from, until time.Duration }

// eventSimulation plays a FIFO queue event by event and says when each service starts.
func eventSimulation(slots int, arrivals, takes []time.Duration) []time.Duration {
	starts := make([]time.Duration, len(arrivals))
	var busy []time.Duration // ends of service
	var line []int           // who waits
	serve := func(i int, now time.Duration) {
		starts[i] = now
		busy = append(busy, now+takes[i])
	}
	for next := 0; next < len(arrivals) || len(line) > 0; {
		end := slices.Index(busy, slices.Min(append(slices.Clone(busy), 1<<60)))
		if end >= 0 && (next == len(arrivals) || busy[end] <= arrivals[next]) {
			now := busy[end]
			busy = slices.Delete(busy, end, end+1)
			if len(line) > 0 {
				serve(line[0], now)
				line = line[1:]
			}
			continue
		}
		if len(busy) < slots {
			serve(next, arrivals[next])
		} else {
			line = append(line, next)
		}
		next++
	}
	return starts
}

// earliest tries every instant at which a slot may get free, among the plans as they stand.
func earliest(slots int, plans []place, now, takes time.Duration) time.Duration {
	free := func(t time.Duration) bool {
		n := 0
		for _, p := range plans {
			if p.from <= t && t < p.until {
				n++
			}
		}
		return n < slots
	}
	candidates := []time.Duration{now}
	for _, p := range plans {
		if p.until > now {
			candidates = append(candidates, p.until)
		}
	}
	slices.Sort(candidates)
	for _, c := range candidates {
		fits := free(c)
		for _, p := range plans {
			fits = fits && (p.from <= c || p.from >= c+takes || free(p.from))
		}
		if fits {
			return c
		}
	}
	panic("a queue has an end")
}

func TestTheQueueIsTheOneThatAnEventSimulationPlays(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		slots, n := 1+r.IntN(6), 300
		arrivals, takes := make([]time.Duration, n), make([]time.Duration, n)
		now := time.Duration(0)
		for i := range n {
			if i > 0 {
				now += time.Duration(r.IntN(3)*r.IntN(60)) * ms
			}
			arrivals[i], takes[i] = now, time.Duration(1+r.IntN(60*slots))*ms
		}
		g := playing(t, served(fmt.Sprint("slots: ", slots), takes...))
		q := g.query()
		var waited []time.Duration
		for i := range n {
			q.Arrived = start().Add(arrivals[i])
			h, _ := g.Decide(q).Hold()
			waited = append(waited, arrivals[i]+h.From)
		}
		require.Equal(t, eventSimulation(slots, arrivals, takes), waited, "seed %d", seed)
	}
}

func TestLeavingKeepsAllPlansAndNeverNeedsMoreSlotsThanThereAre(t *testing.T) {
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 2))
		slots, n := 1+r.IntN(5), 300
		cancel := time.Duration(r.IntN(3)) * 17 * ms
		takes := make([]time.Duration, n)
		for i := range takes {
			takes[i] = time.Duration(1+r.IntN(100*slots)) * ms
		}
		g := playing(t, served(fmt.Sprintf("slots: %d, cancel: %v", slots, cancel), takes...))
		q := g.query()
		var plans []place
		var asked []*run.Decision
		now := time.Duration(0)
		for i := range n {
			q.Arrived = start().Add(now)
			d := g.Decide(q)
			h, _ := d.Hold()
			want := earliest(slots, plans, now, takes[i])
			require.Equal(t, want, now+h.From, "request %d of seed %d", i, seed)
			plans, asked = append(plans, place{want, want + takes[i]}), append(asked, d)
			now += time.Duration(r.IntN(2)*r.IntN(150)) * ms
			if r.IntN(3) == 0 {
				who := max(0, i-r.IntN(12))
				g.Forget(asked[who], start().Add(now))
				switch p := &plans[who]; {
				case p.until <= now:
				case p.from > now:
					p.from, p.until = now, now
				default:
					p.until = min(p.until, now+cancel)
				}
			}
		}
		var used time.Duration
		for _, p := range plans {
			used += p.until - p.from
		}
		require.Equal(t, used, g.Capacity(start().Add(time.Hour))[0].Busy)
		for _, at := range []time.Duration{now, now + 70*ms} {
			used = 0
			for _, p := range plans {
				used += max(min(p.until, at)-p.from, 0)
			}
			require.Equal(t, used, g.Capacity(start().Add(at))[0].Busy)
		}
	}
}
