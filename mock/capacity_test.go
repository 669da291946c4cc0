package mock_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

const queued = `
orrery: 1
name: queued
profiles:
  p: {first-token: 100ms, token-gap: 100ms, respond: 1s, queue: {slots: 1, cancel: 17ms, wait: 2s}}
routes:
  - {name: dropped, when: text == "drop", never: true, marks: {hit: true}}
  - {name: all, profile: p, reply: {tokens: 10}}
`

func TestO14ASlotIsReleasedAWhileAfterItsClientHasLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(queued))
		ctx, cancel := context.WithTimeout(t.Context(), 450*ms)
		defer cancel()
		l, err := calling(srv).listen(ctx, body(fields{"stream": true}))
		require.NoError(t, err)
		_, err = l.rest()
		require.ErrorIs(t, err, context.DeadlineExceeded)

		left, err := srv.Journal().Wait(open(t), 1, journal.Query{Outcome: journal.ClientLeft})
		require.NoError(t, err)
		require.Equal(t, 17*ms, left[0].Released-left[0].Ended)

		require.Equal(t, http.StatusOK, calling(srv).post(t, body(nil)).status)
		next := srv.Journal().Last()
		require.Equal(t, map[string]time.Duration{"queue": 17 * ms, "respond": time.Second}, next.Parts)
		require.Equal(t, next.PlannedDuration(), next.Released)
		require.Equal(t, next.PlannedDuration(), next.ActualDuration())
	})
}

func TestP25ARequestThatIsNeverAnsweredEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(queued))
		ctx, cancel := context.WithTimeout(t.Context(), 37*time.Hour)
		defer cancel()
		_, err := calling(srv).send(ctx, "/v1/messages", body(fields{"messages": said("drop")}))
		require.ErrorIs(t, err, context.DeadlineExceeded)

		left, err := srv.Journal().Wait(open(t), 1, journal.Query{Outcome: journal.ClientLeft})
		require.NoError(t, err)
		e := left[0]
		require.Zero(t, e.Status)
		require.Zero(t, e.Bytes)
		require.Equal(t, journal.Waiting, e.Phase)
		requireWithin(t, 37*time.Hour, 37*time.Hour+5*ms, e.Ended, "the end")
		require.Equal(t, map[string]bool{"hit": true}, e.Marks)
		require.Equal(t, journal.Never, e.PlannedDuration())
		text, err := json.Marshal(e)
		require.NoError(t, err)
		require.Contains(t, string(text), `"planned_ns":null`)
	})
}

func TestPlansTellOfPartsAndOfNoAnswer(t *testing.T) {
	h, err := mock.New(mock.ScenarioText(queued))
	require.NoError(t, err)
	plans := func(text string) []journal.Entry {
		r, err := calling(nowhere()).request(t.Context(), "/v1/messages", body(fields{"messages": said(text)}))
		require.NoError(t, err)
		entries, err := h.Plans(r, 5)
		require.NoError(t, err)
		require.Len(t, entries, 5)
		return entries
	}
	for _, e := range plans("hello") {
		require.Equal(t, map[string]time.Duration{"queue": 0, "respond": time.Second}, e.Parts, "on an idle run (R49)")
		require.Equal(t, time.Second, e.Released)
	}
	for _, e := range plans("drop") {
		require.Equal(t, journal.Never, e.PlannedDuration())
		require.Equal(t, plans("drop")[0].Arrived.Year(), e.Arrived.Year())
	}
}

func TestATraceOfTheProgramsCanBeReplayed(t *testing.T) {
	h, err := mock.New(mock.ScenarioText("orrery: 1\nname: hotel\nprofiles: {p: {respond: {trace: hotel-wifi}}}\nroutes: [{name: all, profile: p}]\n"))
	require.NoError(t, err)
	trace := h.Scenario().Profiles["p"].Respond.Parts[0].Trace
	require.Equal(t, 60, trace.Len())
	r, err := calling(nowhere()).request(t.Context(), "/v1/messages", body(nil))
	require.NoError(t, err)
	entries, err := h.Plans(r, 61)
	require.NoError(t, err)
	for i, e := range entries {
		require.Equal(t, time.Duration(trace.At(uint64(i))), e.PlannedDuration())
	}
	require.Equal(t, entries[0].PlannedDuration(), entries[60].PlannedDuration())
}
