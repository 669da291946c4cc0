package journal_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// asked puts requests in a journal; the third is still under way.
func asked(t *testing.T) *journal.Journal {
	t.Helper()
	j := journal.New(0)
	for i := range 3 {
		r := j.Open(arrival())
		r.Read([]byte(`{"messages": [], "model": "m-1"}`))
		steps := []journal.Step{{Kind: "head"}, {Kind: "event", Event: "message_start"}, {Kind: "event", Event: "content_block_delta", Planned: 3 * time.Millisecond}, {Kind: "end", Planned: 9 * time.Millisecond}}
		if i == 1 {
			steps = []journal.Step{{Kind: "head"}, {Kind: "body"}, {Kind: "end", Planned: journal.Never}}
		}
		r.Decided(uint64(i+1), "req_1", &plan{status: 200, route: "all", marks: map[string]bool{"b": true, "a": true, "c": false}, steps: steps})
		if i < 2 {
			r.Wrote(0, 0, 0)
			r.Wrote(1, time.Millisecond, 10)
			r.Wrote(2, 4*time.Millisecond, 10)
			r.Close(journal.Complete, journal.Done, 9*time.Millisecond)
		}
	}
	return j
}

func TestASummaryHasWhatAnEntryHasInShort(t *testing.T) {
	j := asked(t)
	found, more := j.Summaries(journal.Query{}, journal.Part{Most: 10})
	require.False(t, more)
	require.Len(t, found, 3)
	for i, e := range j.All() {
		s := found[i]
		require.Equal(t, []any{e.Sequence, e.Scenario, e.Run, e.Path, e.Route, e.Arrived, e.Status, e.Outcome, e.Phase, e.Ended},
			[]any{s.Sequence, s.Scenario, s.Run, s.Path, s.Route, s.Arrived, s.Status, s.Outcome, s.Phase, s.Ended})
		require.Equal(t, []any{e.Ordinal, e.RequestID, e.Method, e.Protocol, e.Client, e.Attempt, e.Bytes, len(e.Steps)},
			[]any{s.Ordinal, s.RequestID, s.Method, s.Protocol, s.Client, s.Attempt, s.Bytes, s.Steps})
		require.Equal(t, e.ActualTTFT(), s.TTFT)
		require.Equal(t, "m-1", s.Model)
		require.Equal(t, []string{"a", "b"}, s.Marks)
		if planned := e.PlannedTTFT(); planned >= 0 {
			require.Equal(t, planned, *s.PlannedTTFT)
		} else {
			require.Nil(t, s.PlannedTTFT)
		}
	}
	require.Equal(t, []bool{true, false, true}, []bool{found[0].Stream, found[1].Stream, found[2].Stream})
	require.Equal(t, 9*time.Millisecond, *found[0].PlannedDuration)
	require.Nil(t, found[1].PlannedDuration, "it has no end")

	told, err := json.Marshal(found[0])
	require.NoError(t, err)
	require.Less(t, len(told), 600)
	require.Contains(t, string(told), `"sequence":1,`)
	require.NotContains(t, string(told), "header")
}

func TestAGateMovesWhatASummaryPlans(t *testing.T) {
	j := journal.New(0)
	r := j.Open(arrival())
	r.Decided(1, "", &plan{steps: []journal.Step{{Kind: "head"}, {Event: "content_block_delta", Planned: time.Millisecond}, {Kind: "end", Planned: 2 * time.Millisecond}}})
	r.Held(1, time.Second)
	found, _ := j.Summaries(journal.Query{}, journal.Part{Most: 1})
	require.Equal(t, j.Last().PlannedTTFT(), *found[0].PlannedTTFT)
	require.Equal(t, j.Last().PlannedDuration(), *found[0].PlannedDuration)
}

func TestAPartOfTheJournalIsTakenFromEitherEnd(t *testing.T) {
	j := asked(t)
	sequences := func(p journal.Part) ([]uint64, bool) {
		var all []uint64
		found, more := j.Summaries(journal.Query{}, p)
		entries, same := j.Entries(journal.Query{}, p)
		require.Equal(t, len(found), len(entries))
		require.Equal(t, more, same)
		for i, s := range found {
			require.Equal(t, entries[i].Sequence, s.Sequence)
			all = append(all, s.Sequence)
		}
		return all, more
	}
	for name, test := range map[string]struct {
		part journal.Part
		want []uint64
		more bool
	}{
		"the oldest":               {journal.Part{Most: 2}, []uint64{1, 2}, true},
		"the youngest":             {journal.Part{Most: 2, Newest: true}, []uint64{2, 3}, true},
		"the youngest before":      {journal.Part{Most: 1, Newest: true, Before: 3}, []uint64{2}, true},
		"the rest":                 {journal.Part{Most: 2, Newest: true, Before: 2}, []uint64{1}, false},
		"all":                      {journal.Part{Most: 3, Newest: true}, []uint64{1, 2, 3}, false},
		"before all":               {journal.Part{Most: 3, Newest: true, Before: 1}, nil, false},
		"before what is to come":   {journal.Part{Most: 1, Newest: true, Before: 99}, []uint64{3}, true},
		"none of those there are":  {journal.Part{}, nil, true},
		"fewer than none of those": {journal.Part{Most: -1, Newest: true}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, more := sequences(test.part)
			require.Equal(t, test.want, got)
			require.Equal(t, test.more, more)
		})
	}
}

func TestOneRequestIsFoundByItsSequence(t *testing.T) {
	j := asked(t)
	j.Clear("zio", "default")
	_, ok := j.At(2)
	require.False(t, ok, "it was cleared")
	r := j.Open(arrival())
	require.Nil(t, j.DecisionAt(4), "nothing is decided")
	d := &plan{status: 201}
	r.Decided(7, "", d)
	e, ok := j.At(4)
	require.True(t, ok)
	require.Equal(t, []any{uint64(4), uint64(7)}, []any{e.Sequence, e.Ordinal})
	require.Same(t, d, j.DecisionAt(4))
	g, ok := j.GlanceAt(4)
	require.True(t, ok)
	require.Equal(t, []any{201, journal.Open}, []any{g.Status, g.Outcome})
	require.Equal(t, []journal.Glance{g}, slices.Collect(j.Glances(3)))
	require.Empty(t, slices.Collect(j.Glances(4)))
	require.EqualValues(t, 3, g.Queued, "as its parts say")
	for _, none := range []uint64{0, 3, 5} {
		_, ok := j.GlanceAt(none)
		require.False(t, ok)
		require.Nil(t, j.DecisionAt(none))
	}
}

func TestAFollowerCanBeToldInShort(t *testing.T) {
	j := journal.New(0)
	f := j.Follow(journal.Query{})
	defer f.Close()
	j.Open(arrival()).Close(journal.Complete, journal.Done, time.Millisecond)
	for s := range f.Summaries(t.Context()) {
		require.Equal(t, []any{uint64(1), journal.Complete, time.Millisecond}, []any{s.Sequence, s.Outcome, s.Ended})
		break
	}
}
