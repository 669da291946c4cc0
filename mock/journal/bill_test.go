package journal_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// charged plans an answer that is billed with so many input tokens.
func charged(input int) *plan {
	p := streamed(ms)
	p.charge = &journal.Charge{
		Model: "m", Usage: journal.Usage{Input: input, Output: 5},
		Figures: map[string]json.Number{"charged_tokens": "12.9700"},
	}
	return p
}

func sequences(bills []journal.Bill) []uint64 {
	all := []uint64{}
	for _, b := range bills {
		all = append(all, b.Sequence)
	}
	return all
}

func TestABillSaysWhatTheRequestCost(t *testing.T) {
	arrived := time.Date(2026, 10, 21, 14, 0, 0, 5, time.FixedZone("", 7200))
	j := journal.New(0)
	whole(j, journal.Arrival{Scenario: "zio", Run: "t1", Arrived: arrived}, "{}", charged(8))
	bills, more := j.Bills(0, 10, journal.Query{})
	require.False(t, more)
	got, err := json.Marshal(bills)
	require.NoError(t, err)
	require.JSONEq(t, `[{
		"sequence": 1, "request_id": "req_1", "scenario": "zio", "run": "t1", "ordinal": 1,
		"time": "2026-10-21T12:00:00.000000005Z", "model": "m", "total_tokens": 13,
		"usage": {"input_tokens": 8, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
		"figures": {"charged_tokens": 12.9700}
	}]`, string(got))
	require.Contains(t, string(got), "12.9700", "to the last decimal")

	e := j.Last()
	require.Equal(t, &journal.Usage{Input: 8, Output: 5}, e.Usage)
	require.Equal(t, map[string]json.Number{"charged_tokens": "12.9700"}, e.Figures)
}

func TestABillHasTheRunsDateWhereThatIsAnother(t *testing.T) {
	j := journal.New(0)
	p := charged(8)
	p.charge.Date = time.Date(2024, 10, 18, 2, 0, 0, 0, time.UTC)
	whole(j, journal.Arrival{Arrived: time.Date(2026, 10, 21, 0, 0, 0, 0, time.UTC)}, "{}", p)
	bills, _ := j.Bills(0, 10, journal.Query{})
	require.Equal(t, p.charge.Date, bills[0].Time)
}

func TestBillsAreThoseAnsweredOfTheScenarioAndTheRunPageByPage(t *testing.T) {
	j := journal.New(0)
	for i := range 10 {
		p := charged(i)
		if i == 3 {
			p.charge = nil // an error
		}
		run := "even"
		if i%2 == 1 {
			run = "odd"
		}
		whole(j, journal.Arrival{Scenario: "zio", Run: run}, "{}", p)
	}
	j.Open(journal.Arrival{Scenario: "zio", Run: "odd"}) // nothing is decided yet

	all, more := j.Bills(0, 100, journal.Query{})
	require.Equal(t, []uint64{1, 2, 3, 5, 6, 7, 8, 9, 10}, sequences(all))
	require.False(t, more)

	first, more := j.Bills(0, 3, journal.Query{Run: "odd"})
	require.Equal(t, []uint64{2, 6, 8}, sequences(first))
	require.True(t, more)
	rest, more := j.Bills(8, 3, journal.Query{Run: "odd"})
	require.Equal(t, []uint64{10}, sequences(rest))
	require.False(t, more)

	none, more := j.Bills(0, 3, journal.Query{Scenario: "zlip"})
	require.Empty(t, none)
	require.False(t, more)
}
