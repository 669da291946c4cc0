package api

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// loads follow the journal for whoever looks at the load, and only when somebody looks: a request costs
// nothing more for it. What the journal has dropped since the last look isn't counted.
type loads struct {
	mu   sync.Mutex // guards the rest
	seen uint64     // the youngest sequence that was looked at
	open []uint64   // of those, which were under way
	over window     // what is over
}

// look brings what is over up to date, and returns what is under way.
func (l *loads) look(j *journal.Journal, now time.Time) *window {
	underWay := &window{}
	var open []uint64
	take := func(g journal.Glance) {
		if g.Outcome == journal.Open {
			open = append(open, g.Sequence)
			underWay.add(g, now)
			return
		}
		l.over.add(g, now)
	}
	for _, sequence := range l.open {
		if g, kept := j.GlanceAt(sequence); kept {
			take(g)
		}
	}
	for g := range j.Glances(l.seen) {
		l.seen = g.Sequence
		take(g)
	}
	l.open = open
	return underWay
}

// toldLoad is the load as the page shows it. The lists have an item for each slot, the oldest first.
type toldLoad struct {
	Now    time.Time       `json:"now"`
	Step   int64           `json:"step_ms"`
	First  int64           `json:"first"` // slot; it begins at first × step_ms since 1970
	Slots  int             `json:"slots"`
	Total  toldSeries      `json:"total"`
	Routes []toldRouteLoad `json:"routes"`
	Queues []toldHolding   `json:"queues"`
}

type toldRouteLoad struct {
	Scenario string `json:"scenario"`
	Route    string `json:"route"` // "" for what has none yet, and with no scenario for all beyond the bound
	toldSeries
}

type toldSeries struct {
	Started     []int     `json:"started"`
	Ended       []int     `json:"ended"`
	Concurrency []float64 `json:"concurrency"` // in the mean
	// Busy and Waiting are of the slots of the profiles' queues, in the mean; empty where there are none.
	Busy       []float64  `json:"busy"`
	Waiting    []float64  `json:"waiting"`
	TTFT50     []*float64 `json:"ttft_p50_ms"`
	TTFT99     []*float64 `json:"ttft_p99_ms"`
	Duration50 []*float64 `json:"duration_p50_ms"` // of complete answers
	Duration99 []*float64 `json:"duration_p99_ms"`
}

// toldHolding is a queue of a scenario's runs, all taken together, at this moment.
type toldHolding struct {
	Scenario string `json:"scenario"`
	Profile  string `json:"profile"`
	Runs     int    `json:"runs"`
	Slots    int    `json:"slots"`
	Busy     int    `json:"busy"`
	Waiting  int    `json:"waiting"`
}

func (s *Service) readLoad(w http.ResponseWriter, r *http.Request) {
	n := wholeNumber(w, r, "last", slotsKept, slotsKept)
	if n == 0 {
		return
	}
	told := s.loads.tell(s.Journal, s.Clock.Now(), n)
	for _, held := range s.Holdings().Scenarios {
		for _, q := range held.Queues {
			told.Queues = append(told.Queues, toldHolding{held.Scenario, q.Profile, q.Runs, q.Slots, q.Busy, q.Waiting})
		}
	}
	tell(w, http.StatusOK, told)
}

// tell tells the last n slots.
func (l *loads) tell(j *journal.Journal, now time.Time, n int) toldLoad {
	l.mu.Lock()
	defer l.mu.Unlock()
	underWay := l.look(j, now)
	last := slotAt(now)
	told := toldLoad{
		Now: now, Step: slotLength.Milliseconds(), First: last - int64(n) + 1, Slots: n, Routes: []toldRouteLoad{}, Queues: []toldHolding{},
	}
	sums := make([]happened, n)
	for _, name := range routesOf(told.First, last, &l.over, underWay) {
		counted := make([]happened, n)
		for i := range counted {
			for _, w := range []*window{&l.over, underWay} {
				if h := w.routes(told.First + int64(i))[name]; h != nil {
					counted[i].merge(h)
				}
			}
			sums[i].merge(&counted[i])
		}
		told.Routes = append(told.Routes, toldRouteLoad{name.scenario, name.route, series(counted, told.First, now)})
	}
	told.Total = series(sums, told.First, now)
	return told
}

// routesOf are the routes that have anything in the slots from first to last, sorted.
func routesOf(first, last int64, windows ...*window) []routeName {
	names := map[routeName]bool{}
	for number := first; number <= last; number++ {
		for _, w := range windows {
			for name := range w.routes(number) {
				names[name] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(names), func(a, b routeName) int {
		return cmp.Or(cmp.Compare(a.scenario, b.scenario), cmp.Compare(a.route, b.route))
	})
}

// series are slots as lists, from the slot of that number on. Of the last one as much counts as has passed.
func series(counted []happened, first int64, now time.Time) toldSeries {
	var told toldSeries
	queues := slices.ContainsFunc(counted, func(h happened) bool { return h.queues })
	for i := range counted {
		h := &counted[i]
		passed := now.Sub(beginOf(first + int64(i)))
		length := float64(max(min(passed, slotLength), time.Millisecond))
		told.Started, told.Ended = append(told.Started, h.started), append(told.Ended, h.ended)
		told.Concurrency = append(told.Concurrency, toThousandths(float64(h.underWay)/length))
		if queues {
			told.Busy = append(told.Busy, toThousandths(float64(h.busy)/length))
			told.Waiting = append(told.Waiting, toThousandths(float64(h.waiting)/length))
		}
		told.TTFT50, told.TTFT99 = append(told.TTFT50, h.ttft.percentile(0.5)), append(told.TTFT99, h.ttft.percentile(0.99))
		told.Duration50 = append(told.Duration50, h.duration.percentile(0.5))
		told.Duration99 = append(told.Duration99, h.duration.percentile(0.99))
	}
	return told
}
