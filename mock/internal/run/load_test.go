package run_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

const slow = "profiles: {slow: {respond: 100ms}}\nroutes: [{name: all, profile: slow, marks: {seen: MARK}}]\n"

func TestConcurrencyCountsThoseWhosePlannedEndLiesAhead(t *testing.T) {
	g := playing(t, replaced(slow, "MARK", "concurrency > 0"))
	for _, c := range []struct {
		at   time.Duration
		want int
	}{
		{0, 1},
		{0, 2},
		{50 * ms, 3},
		{99 * ms, 4},
		{100 * ms, 3}, // The first two have ended at this very instant; those of 50 and 99 are under way.
		{149 * ms, 4},
		{150 * ms, 4},
		{time.Second, 1},
	} {
		d := g.ask(at(c.at))
		require.Equal(t, c.want, d.Snapshot().Concurrency, "at %v", c.at)
		require.Equal(t, c.want, d.Facts()["concurrency"])
	}
}

func TestAClientThatLeavesIsNoLongerInFlight(t *testing.T) {
	g := playing(t, replaced(slow, "MARK", "true"))
	first, second := g.ask(), g.ask()
	g.Forget(first, start())
	require.Equal(t, 2, g.ask(at(10*ms)).Snapshot().Concurrency)
	g.Forget(first, start()) // twice is once
	g.Forget(g.Stray(g.query(), wire.NotFound()), start())
	require.Equal(t, 3, g.ask(at(10*ms)).Snapshot().Concurrency)
	g.Forget(second, start())
	require.Equal(t, 3, g.ask(at(10*ms)).Snapshot().Concurrency)
}

func TestABadRequestSeesTheLoadAndIsNone(t *testing.T) {
	g := playing(t, replaced(slow, "MARK", "qps > 0"))
	g.ask()
	d := g.Refuse(g.query(at(10*ms)), wire.MissingKey())
	require.Equal(t, 2, d.Snapshot().Concurrency)
	require.Equal(t, 2, d.Snapshot().QPS)
	next := g.ask(at(20 * ms))
	require.Equal(t, 2, next.Snapshot().Concurrency, "it was over at once")
	require.Equal(t, 3, next.Snapshot().QPS, "but it arrived (R18)")
}

func TestRatesCountTheArrivalsOfTheLastSecondOfAllAndOfTheClient(t *testing.T) {
	g := playing(t, replaced(slow, "MARK", "qps > 0 and client_qps > 0"))
	for _, c := range []struct {
		at            time.Duration
		client        string
		qps, ofClient int
	}{
		{0, "a", 1, 1},
		{0, "b", 2, 1},
		{500 * ms, "a", 3, 2},
		{999 * ms, "a", 4, 3},
		{1000 * ms, "a", 3, 3}, // Those of 0 are a second old.
		{1499 * ms, "b", 4, 1},
		{1500 * ms, "b", 4, 2},
		{time.Hour, "b", 1, 1},
	} {
		s := g.ask(at(c.at), from(c.client)).Snapshot()
		require.Equal(t, []int{c.qps, c.ofClient}, []int{s.QPS, s.ClientQPS}, "at %v", c.at)
	}
}
