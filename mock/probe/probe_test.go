package probe_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/memnet"
	"github.com/seed-954e9acd/orrery/mock/probe"
)

const (
	target = "http://orrery.memory"
	ms     = time.Millisecond
	s      = time.Second
)

// serve runs a handler on a network of its own until the test ends.
func serve(t *testing.T, h http.HandlerFunc) *http.Client {
	t.Helper()
	l := memnet.New()
	srv := &http.Server{Handler: h, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l)
	}()
	t.Cleanup(func() {
		_ = srv.Close()
		<-done
	})
	return dialing(func(ctx context.Context) (net.Conn, error) { return l.Dial(ctx) })
}

func dialing(dial func(context.Context) (net.Conn, error)) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
	}}
}

// wait is a server's delay, which ends when the client leaves.
func wait(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// every plans n shots like one, the given time apart.
func every(apart time.Duration, n int, like probe.Shot) iter.Seq[probe.Shot] {
	return func(yield func(probe.Shot) bool) {
		for k := range n {
			like.At, like.Tag = time.Duration(k)*apart, k
			if !yield(like) {
				return
			}
		}
	}
}

// results collects what is told, in the order of planning.
type results []*probe.Result

func (all *results) add(r *probe.Result) {
	*all = append(*all, r)
	slices.SortFunc(*all, func(a, b *probe.Result) int { return a.Ordinal - b.Ordinal })
}

func open(t *testing.T, shots iter.Seq[probe.Shot], o probe.Options) results {
	t.Helper()
	var all results
	require.NoError(t, probe.Open(t.Context(), target, shots, o, all.add))
	return all
}

func TestRequestsKeepTheirScheduleAlthoughTheServerStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			wait(r, time.Until(start.Add(10*s)))
			fmt.Fprint(w, "{}")
		})

		all := open(t, every(100*ms, 50, probe.Shot{}), probe.Options{Client: client})

		require.Len(t, all, 50)
		for k, r := range all {
			at := time.Duration(k) * 100 * ms
			require.Equal(t, k, r.Shot.Tag)
			require.Equal(t, k+1, r.Ordinal)
			require.Equal(t, at, r.Planned)
			require.Equal(t, at, r.Sent)
			require.Zero(t, r.Lag())
			require.Equal(t, probe.Answered, r.Outcome)
			require.Equal(t, 10*s-at, r.Duration)
			require.Equal(t, 10*s-at, r.HeadersAt)
		}
	})
}

// late is a clock whose waits end late.
type late struct{ by time.Duration }

func (late) Now() time.Time { return time.Now() }

func (c late) WaitUntil(ctx context.Context, t time.Time) error {
	select {
	case <-time.After(time.Until(t) + c.by):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestALateProberShowsItAndReckonsFromThePlan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(20 * ms)
			fmt.Fprint(w, "{}")
		})

		all := open(t, every(s, 3, probe.Shot{}), probe.Options{Client: client, Clock: late{7 * ms}})

		for k, r := range all {
			require.Equal(t, time.Duration(k)*s, r.Planned)
			require.Equal(t, 7*ms, r.Lag())
			require.Equal(t, 27*ms, r.Duration)
		}
	})
}

func TestWhatCannotBeDrivenIsCountedAndNeitherWaitsNorIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		served := 0
		client := serve(t, func(http.ResponseWriter, *http.Request) {
			mu.Lock()
			served++
			mu.Unlock()
			time.Sleep(25 * ms)
		})

		all := open(t, every(10*ms, 7, probe.Shot{}), probe.Options{Client: client, MaxInFlight: 2})

		var seen []probe.Outcome
		for _, r := range all {
			seen = append(seen, r.Outcome)
			require.Equal(t, r.Outcome == probe.NotDriven, r.Sent == probe.Never)
		}
		a, n := probe.Answered, probe.NotDriven
		require.Equal(t, []probe.Outcome{a, a, n, a, a, n, a}, seen)
		require.Equal(t, 5, served)
	})
}

func TestShotsThatGoBackInTimeAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := serve(t, func(http.ResponseWriter, *http.Request) {})
		var all results
		shots := slices.Values([]probe.Shot{{At: s}, {At: s - 1}, {At: 2 * s}})
		err := probe.Open(t.Context(), target, shots, probe.Options{Client: client}, all.add)
		require.ErrorContains(t, err, "shot 2 is planned at 999.999999ms, before the 1s")
		require.Len(t, all, 1)
	})
}

func TestWhenTheCallerEndsItNoMoreShotsLeaveAndThoseUnderWayAreStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(2500*ms, func() { cancel(enough) })
		var all results

		err := probe.Open(ctx, target, every(s, 100, probe.Shot{}), probe.Options{Client: client}, all.add)

		require.Equal(t, enough, err)
		require.Len(t, all, 3)
		for _, r := range all {
			require.Equal(t, probe.Stopped, r.Outcome)
			require.Equal(t, enough, r.Err)
			require.Equal(t, 2500*ms, r.Planned+r.Duration)
		}
	})
}

func TestTargetsAndOptionsThatMakeNoSenseAreRefusedBeforeAnythingIsSent(t *testing.T) {
	none := func(func(probe.Shot) bool) { t.Error("a shot was asked for") }
	for _, bad := range []string{"", "localhost:4010", "ftp://host", "http://host/?a=b", "http://host/#a", "http://u:secret@[::1"} {
		err := probe.Open(t.Context(), bad, none, probe.Options{}, nil)
		require.ErrorContains(t, err, "the target is no base URL", bad)
		require.NotContains(t, err.Error(), "secret")
	}
	for _, bad := range []probe.Options{{MaxInFlight: -1}, {Timeout: -1}, {MaxBody: -1}} {
		require.ErrorContains(t, probe.Open(t.Context(), target, none, bad, nil), "below 0")
	}
	for _, clients := range []int{0, 3} {
		err := probe.Closed(t.Context(), target, clients, nil, probe.Options{MaxInFlight: 2}, nil)
		require.ErrorContains(t, err, "from 1 to 2")
	}
}

func TestClientsOfAClosedLoopWaitThinkAndAskAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			time.Sleep(time.Duration(len(body)) * 100 * ms)
			fmt.Fprint(w, "{}")
		})
		planned := map[int][]time.Duration{}
		next := func(client int, last *probe.Result) (probe.Shot, bool) {
			if last != nil {
				require.Equal(t, client, last.Shot.Tag)
				require.Equal(t, time.Duration(client+1)*100*ms, last.Duration)
				planned[client] = append(planned[client], last.Planned)
			}
			return probe.Shot{At: s, Tag: client, Body: make([]byte, client+1)}, len(planned[client]) < 3
		}
		var all results

		require.NoError(t, probe.Closed(t.Context(), target, 2, next, probe.Options{Client: client}, all.add))

		require.Equal(t, map[int][]time.Duration{
			0: {s, 2100 * ms, 3200 * ms},
			1: {s, 2200 * ms, 3400 * ms},
		}, planned)
		require.Len(t, all, 6)
		for i, r := range all {
			require.Equal(t, i+1, r.Ordinal)
			require.Equal(t, r.Planned, r.Sent)
		}
	})
}

func TestAClosedLoopEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := serve(t, func(_ http.ResponseWriter, r *http.Request) { wait(r, s) })
		ctx, cancel := context.WithTimeout(t.Context(), 3500*ms)
		defer cancel()
		next := func(client int, _ *probe.Result) (probe.Shot, bool) {
			return probe.Shot{At: time.Duration(client) * 10 * s}, true
		}
		var all results
		err := probe.Closed(ctx, target, 2, next, probe.Options{Client: client}, all.add)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Len(t, all, 4, "the second client was still thinking")
		require.Equal(t, probe.Stopped, all[3].Outcome)
		require.Equal(t, 500*ms, all[3].Duration)
	})
}
