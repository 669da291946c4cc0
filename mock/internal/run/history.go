package run

import (
	"math"
	"strconv"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

const (
	// remembered bounds the tables behind repeats and attempt (R15).
	remembered = 10_000
	// retryWindow is how long a failure counts towards the next attempt (R14).
	retryWindow = 60 * time.Second
)

// history is what earlier requests were: the same one again (R13), or one that failed (R14).
// A table that no expression of the scenario reads isn't kept.
type history struct {
	last     *lru.Cache[string, streak]   // by client
	failures *lru.Cache[uint64, failures] // by identity
}

type streak struct {
	identity uint64
	length   int
}

type failures struct {
	count int
	last  time.Time
}

func newHistory(s *scenario.Scenario, attempts bool) *history {
	h := &history{}
	if s.Uses("repeats") {
		h.last = must(lru.New[string, streak](remembered))
	}
	if attempts || s.Uses("attempt") {
		h.failures = must(lru.New[uint64, failures](remembered))
	}
	return h
}

// must unwraps a cache whose size is a positive constant, the only thing its making can object to.
func must[T any](cache T, err error) T {
	if err != nil {
		panic(err)
	}
	return cache
}

// see says how many requests in a row of this client, this one included, had this identity, and
// which attempt at it this is.
func (h *history) see(q *Query) (repeats, attempt int) {
	repeats, attempt = 1, 1
	retried, told := retries(q)
	if h.last != nil {
		if s, ok := h.last.Get(q.Client); ok && s.identity == q.Request.Identity {
			repeats = s.length
			if retried == 0 {
				repeats++
			}
		}
	}
	if told {
		return repeats, retried + 1
	}
	if h.failures != nil {
		if f, ok := h.failures.Get(q.Request.Identity); ok && q.Arrived.Sub(f.last) <= retryWindow {
			attempt = f.count + 1
		}
	}
	return repeats, attempt
}

// answered keeps the request. Retries and refused requests don't lengthen a streak.
func (h *history) answered(q *Query, repeats int, refused bool) {
	if retried, _ := retries(q); h.last != nil && !refused && retried == 0 {
		h.last.Add(q.Client, streak{q.Request.Identity, repeats})
	}
	if h.failures == nil {
		return
	}
	if !refused {
		h.failures.Remove(q.Request.Identity)
		return
	}
	f, _ := h.failures.Get(q.Request.Identity)
	if q.Arrived.Sub(f.last) > retryWindow {
		f.count = 0
	}
	h.failures.Add(q.Request.Identity, failures{f.count + 1, q.Arrived})
}

// retries is which retry the client's SDK says this is, 0 for a first try, and whether it says so.
func retries(q *Query) (n int, told bool) {
	sent := first(q.Header, "X-Stainless-Retry-Count")
	if sent == "" { // Atoi would make an error of it
		return 0, false
	}
	n, err := strconv.Atoi(sent)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return 0, false
	}
	return n, true
}
