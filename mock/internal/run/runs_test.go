package run_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// table is a set of runs of one scenario whose answers take 100 ms.
type table struct {
	*run.Runs[*run.Run]
	*game
}

func newTable(t *testing.T) *table {
	return &table{run.NewRuns[*run.Run](), playing(t, replaced(slow, "MARK", "true"))}
}

func (s *table) named(name string, after time.Duration) (*run.Run, *wire.Error) {
	return s.Get("test", name, start().Add(after), func() (*run.Run, *wire.Error) {
		return run.New(run.Config{Name: name, Scenario: s.scenario, Replies: replies(s.t)}), nil
	})
}

func (s *table) must(name string, after time.Duration) *run.Run {
	s.t.Helper()
	r, problem := s.named(name, after)
	require.Nil(s.t, problem)
	return r
}

func TestARunIsMadeOnFirstUseAndKept(t *testing.T) {
	s := newTable(t)
	r := s.must("a", 0)
	require.Equal(t, "a", r.Name())
	require.Same(t, s.scenario, r.Scenario())
	require.Same(t, r, s.must("a", time.Hour))
	require.NotSame(t, r, s.must("b", 0))
}

func TestTheSameNameUnderAnotherScenarioIsAnotherRun(t *testing.T) {
	s := newTable(t)
	r := s.must("a", 0)
	other, problem := s.Get("other", "a", start(), func() (*run.Run, *wire.Error) { return playing(t, quick+all).Run, nil })
	require.Nil(t, problem)
	require.NotSame(t, r, other)
	require.Same(t, r, s.must("a", 0))
}

func TestARunThatCannotBeMadeIsNotKept(t *testing.T) {
	s := newTable(t)
	_, problem := s.Get("test", "a", start(), func() (*run.Run, *wire.Error) { return nil, wire.NotFound() })
	require.Equal(t, wire.NotFound(), problem)
	require.NotNil(t, s.must("a", 0))
}

func TestManyWhoAskForOneRunAtOnceGetTheSame(t *testing.T) {
	s := newTable(t)
	got := make([]*run.Run, 32)
	var everyone sync.WaitGroup
	for i := range got {
		everyone.Go(func() { got[i], _ = s.named("a", 0) })
	}
	everyone.Wait()
	for _, r := range got {
		require.Same(t, got[0], r)
	}
}

func TestNobodyWaitsForTheMakingOfARunAndTheFirstMadeIsKept(t *testing.T) {
	s := newTable(t)
	var first *run.Run
	second, problem := s.Get("test", "a", start(), func() (*run.Run, *wire.Error) {
		first = s.must("a", 0) // while the other is being made
		return playing(t, quick+all).Run, nil
	})
	require.Nil(t, problem)
	require.Same(t, first, second)
}

func TestWithTooManyRunsTheLongestUnusedIdleOneGoes(t *testing.T) {
	s := newTable(t)
	runs := make([]*run.Run, run.Most)
	for i := range runs {
		runs[i] = s.must(fmt.Sprint(i), 0)
	}
	runs[0].Decide(s.query()) // busy until 100 ms
	s.must("1", 0)            // used since
	s.must("new", 50*ms)      // so the third goes

	require.Same(t, runs[0], s.must("0", 50*ms))
	require.Same(t, runs[1], s.must("1", 50*ms))
	require.Same(t, runs[3], s.must("3", 50*ms))
	require.NotSame(t, runs[2], s.must("2", 50*ms), "it begins anew, and the next longest unused goes for it")
	require.NotSame(t, runs[4], s.must("4", 50*ms))
	require.Equal(t, run.RunCounts{Kept: run.Most, Forgotten: 3}, s.Counts())
}

func TestWhenAllRunsAreBusyANewOneIsRefused(t *testing.T) {
	s := newTable(t)
	for i := range run.Most {
		s.must(fmt.Sprint(i), 0).Decide(s.query(at(0)))
	}
	_, problem := s.named("new", 99*ms)
	require.Equal(t, 503, problem.Status)
	require.Equal(t, "orrery: all 1,000 runs are busy. Wait until one is idle, or use fewer run names.", problem.Message)
	require.Equal(t, run.RunCounts{Kept: run.Most, Refused: 1}, s.Counts())
	require.NotNil(t, s.must("7", 99*ms), "those that are there answer")
	require.NotNil(t, s.must("new", 100*ms), "and once one is idle there is room")
}
