package mock_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	older "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

func asking(texts ...string) (requests []anthropic.MessageBatchNewParamsRequest) {
	for i, text := range texts {
		requests = append(requests, anthropic.MessageBatchNewParamsRequest{
			CustomID: fmt.Sprintf("request-%d", i),
			Params: anthropic.MessageBatchNewParamsRequestParams{
				Model: "claude-sonnet-5", MaxTokens: 100,
				Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(text))},
			},
		})
	}
	return requests
}

func TestABatchRunsThroughTheScenarioAndItsResultsStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly))
		c, ctx := newer(srv), t.Context()
		made, err := c.Messages.Batches.New(ctx, anthropic.MessageBatchNewParams{Requests: asking("a", "refuse me", "b", "")})
		require.NoError(t, err)
		require.Equal(t, anthropic.MessageBatchProcessingStatusInProgress, made.ProcessingStatus)
		require.EqualValues(t, 4, made.RequestCounts.Processing)
		require.Regexp(t, `^msgbatch_01[1-9A-Za-z]{22}$`, made.ID)
		require.Equal(t, 24*time.Hour, made.ExpiresAt.Sub(made.CreatedAt))
		require.Empty(t, made.ResultsURL)
		require.Contains(t, made.RawJSON(), `"ended_at":null`)
		require.Contains(t, made.RawJSON(), `"results_url":null`)

		time.Sleep(time.Second - 1)
		early, err := c.Messages.Batches.Get(ctx, made.ID, anthropic.MessageBatchGetParams{})
		require.NoError(t, err)
		require.EqualValues(t, 4, early.RequestCounts.Processing, "counts stay until the batch ends")
		_, err = c.Messages.Batches.Delete(ctx, made.ID, anthropic.MessageBatchDeleteParams{})
		require.ErrorContains(t, err, "cannot be deleted while it is in progress")
		stream := c.Messages.Batches.ResultsStreaming(ctx, made.ID, anthropic.MessageBatchResultsParams{})
		require.False(t, stream.Next())
		require.ErrorContains(t, stream.Err(), "no available results")

		time.Sleep(time.Nanosecond)
		done, err := c.Messages.Batches.Get(ctx, made.ID, anthropic.MessageBatchGetParams{})
		require.NoError(t, err)
		require.Equal(t, anthropic.MessageBatchProcessingStatusEnded, done.ProcessingStatus)
		require.EqualValues(t, 2, done.RequestCounts.Succeeded)
		require.EqualValues(t, 2, done.RequestCounts.Errored)
		require.Equal(t, time.Second, done.EndedAt.Sub(done.CreatedAt))
		require.Equal(t, srv.URL+"/v1/messages/batches/"+made.ID+"/results", done.ResultsURL)

		kinds, texts := map[string]string{}, map[string]string{}
		for stream = c.Messages.Batches.ResultsStreaming(ctx, made.ID, anthropic.MessageBatchResultsParams{}); stream.Next(); {
			r := stream.Current()
			kinds[r.CustomID] = r.Result.Type
			switch r.Result.Type {
			case "succeeded":
				texts[r.CustomID] = r.Result.Message.Content[0].Text
				require.EqualValues(t, "batch", r.Result.Message.Usage.ServiceTier)
			case "errored":
				texts[r.CustomID] = r.Result.Error.Error.Message
			}
		}
		require.NoError(t, stream.Err())
		require.Equal(t, map[string]string{"request-0": "succeeded", "request-1": "errored", "request-2": "succeeded", "request-3": "errored"}, kinds)
		require.Equal(t, "four five", texts["request-0"])
		require.Equal(t, "Overloaded", texts["request-1"])
		require.Contains(t, texts["request-3"], "text", "a bad request shows only in the results")

		gone, err := c.Messages.Batches.Delete(ctx, made.ID, anthropic.MessageBatchDeleteParams{})
		require.NoError(t, err)
		require.Equal(t, made.ID, gone.ID)
		_, err = c.Messages.Batches.Get(ctx, made.ID, anthropic.MessageBatchGetParams{})
		require.ErrorContains(t, err, "404")
	})
}

func TestTenThousandRequestsOfABatchFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly))
		c, ctx := older2023(srv), t.Context()
		var requests []older.MessageBatchNewParamsRequest
		for i := range 10_000 {
			requests = append(requests, older.MessageBatchNewParamsRequest{
				CustomID: fmt.Sprintf("request-%d", i),
				Params: older.MessageBatchNewParamsRequestParams{
					Model: "claude-sonnet-5", MaxTokens: 100,
					Messages: []older.MessageParam{older.NewUserMessage(older.NewTextBlock("a"))},
				},
			})
		}
		made, err := c.Messages.Batches.New(ctx, older.MessageBatchNewParams{Requests: requests})
		require.NoError(t, err)
		time.Sleep(100 * time.Second)
		done, err := c.Messages.Batches.Get(ctx, made.ID, older.MessageBatchGetParams{})
		require.NoError(t, err)
		require.EqualValues(t, 10_000, done.RequestCounts.Succeeded)
		require.Equal(t, 100*time.Second, done.EndedAt.Sub(done.CreatedAt), "a hundred at a time, a second each")
		seen := map[string]bool{}
		stream := c.Messages.Batches.ResultsStreaming(ctx, made.ID, older.MessageBatchResultsParams{})
		for stream.Next() {
			seen[stream.Current().CustomID] = true
		}
		require.NoError(t, stream.Err())
		require.Len(t, seen, 10_000)
	})
}

func TestACanceledBatchEndsWhatItHasBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly))
		c, ctx := newer(srv), t.Context()
		made, err := c.Messages.Batches.New(ctx, anthropic.MessageBatchNewParams{Requests: asking(strings.Split(strings.Repeat("a ", 250), " ")[:250]...)})
		require.NoError(t, err)
		time.Sleep(1500 * time.Millisecond)
		canceled, err := c.Messages.Batches.Cancel(ctx, made.ID, anthropic.MessageBatchCancelParams{})
		require.NoError(t, err)
		require.Equal(t, anthropic.MessageBatchProcessingStatusCanceling, canceled.ProcessingStatus)
		require.Equal(t, 1500*time.Millisecond, canceled.CancelInitiatedAt.Sub(made.CreatedAt))
		require.EqualValues(t, 250, canceled.RequestCounts.Processing)
		time.Sleep(500 * time.Millisecond)
		done, err := c.Messages.Batches.Get(ctx, made.ID, anthropic.MessageBatchGetParams{})
		require.NoError(t, err)
		require.Equal(t, anthropic.MessageBatchProcessingStatusEnded, done.ProcessingStatus)
		require.EqualValues(t, 200, done.RequestCounts.Succeeded)
		require.EqualValues(t, 50, done.RequestCounts.Canceled)
		require.Equal(t, 2*time.Second, done.EndedAt.Sub(done.CreatedAt))
		again, err := c.Messages.Batches.Cancel(ctx, made.ID, anthropic.MessageBatchCancelParams{})
		require.NoError(t, err, "to cancel twice is once")
		require.Equal(t, done.CancelInitiatedAt, again.CancelInitiatedAt)
	})
}

func TestWhatABatchDoesntFinishInADayExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly))
		c, ctx := newer(srv), t.Context()
		made, err := c.Messages.Batches.New(ctx, anthropic.MessageBatchNewParams{Requests: asking("a", "say nothing")})
		require.NoError(t, err)
		time.Sleep(24*time.Hour - 1)
		open, err := c.Messages.Batches.Get(ctx, made.ID, anthropic.MessageBatchGetParams{})
		require.NoError(t, err)
		require.EqualValues(t, 2, open.RequestCounts.Processing)
		time.Sleep(time.Nanosecond)
		done, err := c.Messages.Batches.Get(ctx, made.ID, anthropic.MessageBatchGetParams{})
		require.NoError(t, err)
		require.EqualValues(t, 1, done.RequestCounts.Succeeded)
		require.EqualValues(t, 1, done.RequestCounts.Expired)
		require.Equal(t, done.ExpiresAt, done.EndedAt)
	})
}

func TestABatchOutlivesARestart(t *testing.T) {
	dir := t.TempDir()
	var id, before string
	results := func(srv *mock.Server) string {
		c := calling(srv)
		r, err := http.NewRequest(http.MethodGet, srv.URL+"/v1/messages/batches/"+id+"/results", nil)
		require.NoError(t, err)
		r.Header = c.header
		answer, err := srv.Client().Do(r)
		require.NoError(t, err)
		require.Equal(t, "application/x-jsonl", answer.Header.Get("Content-Type"))
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return string(text)
	}
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly), mock.StateDir(dir))
		c := newer(srv)
		made, err := c.Messages.Batches.New(t.Context(), anthropic.MessageBatchNewParams{Requests: asking("a", "refuse me")})
		require.NoError(t, err)
		id = made.ID
		time.Sleep(time.Second)
		before = results(srv)
	})
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly), mock.StateDir(dir))
		time.Sleep(time.Minute) // a bubble's time begins anew
		require.Empty(t, srv.Skipped())
		require.Equal(t, before, results(srv), "to the byte")
		require.NotContains(t, before, secret)
	})
}
