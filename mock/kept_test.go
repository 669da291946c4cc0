package mock_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	older "github.com/anthropics/anthropic-sdk-go"
	olderoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// slowly answers after a second, refuses one text, and never answers another.
const slowly = `
orrery: 1
name: slowly
api: {downloadable: true, paths: {/v1/completions: complete}}
profiles: {slow: {respond: 1s, first-token: 300ms, token-gap: 100ms}}
routes:
  - {name: refused, when: text == "refuse me", profile: slow, error: {status: 529, message: Overloaded}}
  - {name: silent, when: text == "say nothing", never: true}
  - {name: by-path, when: path == "/v1/complete", profile: slow, reply: one two three}
  - {name: all, profile: slow, reply: four five}
`

// newer is a client of the newer version, older2023 one of the older, both without retries.
func newer(srv *mock.Server) *anthropic.Client {
	c := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey(secret), option.WithHTTPClient(srv.Client()), option.WithMaxRetries(0))
	return &c
}

func older2023(srv *mock.Server) *older.Client {
	c := older.NewClient(olderoption.WithBaseURL(srv.URL), olderoption.WithAPIKey(secret), olderoption.WithHTTPClient(srv.Client()), olderoption.WithMaxRetries(0))
	return &c
}

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

		time.Sleep(1)
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
		time.Sleep(1)
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

func TestAFileGoesUpAndComesDownAndExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly))
		c, ctx := newer(srv), t.Context()
		made, err := c.Files.Upload(ctx, anthropic.FileUploadParams{
			File: anthropic.File(strings.NewReader("a,b\n"), "table.csv", "text/csv"), ExpiresInSeconds: anthropic.Int(3600),
		})
		require.NoError(t, err)
		require.Regexp(t, `^file_011C[1-9A-Za-z]{20}$`, made.ID)
		require.Equal(t, "table.csv", made.Filename)
		require.Equal(t, "text/csv", made.MimeType)
		require.EqualValues(t, 4, made.SizeBytes)
		require.True(t, made.Downloadable)
		require.Equal(t, time.Hour, made.ExpiresAt.Sub(made.CreatedAt))

		down, err := c.Files.Download(ctx, made.ID, anthropic.FileDownloadParams{})
		require.NoError(t, err)
		text, err := io.ReadAll(down.Body)
		require.NoError(t, err)
		require.Equal(t, "a,b\n", string(text))
		require.Equal(t, "application/octet-stream", down.Header.Get("Content-Type"))

		ask := func(id string) error {
			_, err := c.Messages.New(ctx, anthropic.MessageNewParams{
				Model: "claude-sonnet-5", MaxTokens: 10,
				Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.ContentBlockParamUnion{OfDocument: &anthropic.DocumentBlockParam{
					Source: anthropic.DocumentBlockParamSourceUnion{OfFile: &anthropic.FileDocumentSourceParam{FileID: id}},
				}})},
			})
			return err
		}
		require.NoError(t, ask(made.ID))
		require.ErrorContains(t, ask("file_none"), "File not found: file_none")

		time.Sleep(time.Hour)
		_, err = c.Files.GetMetadata(ctx, made.ID, anthropic.FileGetMetadataParams{})
		require.ErrorContains(t, err, "404")
		require.ErrorContains(t, ask(made.ID), "File not found")
	})
}

func TestPagingGivesEachObjectOnceWhateverTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly))
		c, old, ctx := newer(srv), older2023(srv), t.Context()
		const n = 23
		var files, batches []string
		for i := range n {
			f, err := c.Files.Upload(ctx, anthropic.FileUploadParams{File: anthropic.File(strings.NewReader("x"), fmt.Sprintf("%d.txt", i), "")})
			require.NoError(t, err)
			files = append([]string{f.ID}, files...)
			b, err := c.Messages.Batches.New(ctx, anthropic.MessageBatchNewParams{Requests: asking("a")})
			require.NoError(t, err)
			batches = append([]string{b.ID}, batches...)
		}
		for _, limit := range []int64{1, 2, 3, 7, 22, 23, 24, 1000} {
			var got []string
			byToken := c.Files.ListAutoPaging(ctx, anthropic.FileListParams{Limit: anthropic.Int(limit)})
			for byToken.Next() {
				got = append(got, byToken.Current().ID)
			}
			require.NoError(t, byToken.Err())
			require.Equal(t, files, got, "files, %d a page", limit)

			got = nil
			byID := old.Messages.Batches.ListAutoPaging(ctx, older.MessageBatchListParams{Limit: older.Int(limit)})
			for byID.Next() {
				got = append(got, byID.Current().ID)
			}
			require.NoError(t, byID.Err())
			require.Equal(t, batches, got, "batches, %d a page", limit)

			got = nil
			before := batches[n-1]
			for more := true; more; {
				page, err := c.Messages.Batches.List(ctx, anthropic.MessageBatchListParams{Limit: anthropic.Int(limit), BeforeID: anthropic.String(before)})
				require.NoError(t, err)
				var ids []string
				for _, b := range page.Data {
					ids = append(ids, b.ID)
				}
				got = append(ids, got...)
				before, more = page.FirstID, page.HasMore
			}
			require.Equal(t, batches[:n-1], got, "batches backwards, %d a page", limit)
		}
	})
}

const skillText = "---\nname: counting\ndescription: Counts things.\n---\n# Counting\n"

func TestASkillHasVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly))
		c, ctx := newer(srv), t.Context()
		files := []io.Reader{
			anthropic.File(strings.NewReader(skillText), "counting/SKILL.md", "text/markdown"),
			anthropic.File(strings.NewReader("print(1)"), "counting/scripts/count.py", "text/plain"),
		}
		made, err := c.Skills.New(ctx, anthropic.SkillNewParams{Files: files, DisplayName: anthropic.String("Counting")})
		require.NoError(t, err)
		require.Equal(t, "Counting", made.DisplayName)
		require.EqualValues(t, "custom", made.Source.Type)
		time.Sleep(time.Second)
		version, err := c.Skills.Versions.New(ctx, made.ID, anthropic.SkillVersionNewParams{
			Files: []io.Reader{anthropic.File(strings.NewReader(skillText), "counting/SKILL.md", "text/markdown")},
		})
		require.NoError(t, err)
		require.Equal(t, "counting", version.Name)
		require.Equal(t, "Counts things.", version.Description)
		latest, err := c.Skills.Get(ctx, made.ID, anthropic.SkillGetParams{})
		require.NoError(t, err)
		require.Equal(t, version.ID, latest.LatestVersionID)
		require.NotEqual(t, made.LatestVersionID, latest.LatestVersionID)
		same, err := c.Skills.Versions.Get(ctx, "latest", anthropic.SkillVersionGetParams{SkillID: made.ID})
		require.NoError(t, err)
		require.Equal(t, version.ID, same.ID)

		var all []string
		for pages := c.Skills.ListAutoPaging(ctx, anthropic.SkillListParams{Limit: anthropic.Int(2)}); pages.Next(); {
			all = append(all, pages.Current().ID)
		}
		require.Equal(t, []string{made.ID, "xlsx", "pptx", "pdf", "docx"}, all)
		own, err := c.Skills.List(ctx, anthropic.SkillListParams{Source: anthropic.String("custom")})
		require.NoError(t, err)
		require.Len(t, own.Data, 1)

		down, err := c.Beta.Skills.Versions.Download(ctx, made.LatestVersionID, anthropic.BetaSkillVersionDownloadParams{SkillID: made.ID})
		require.NoError(t, err)
		archived, err := io.ReadAll(down.Body)
		require.NoError(t, err)
		archive, err := zip.NewReader(bytes.NewReader(archived), int64(len(archived)))
		require.NoError(t, err)
		require.Equal(t, "counting/SKILL.md", archive.File[0].Name)
		require.Equal(t, "counting/scripts/count.py", archive.File[1].Name)

		_, err = c.Skills.Versions.Delete(ctx, version.ID, anthropic.SkillVersionDeleteParams{SkillID: made.ID})
		require.NoError(t, err)
		_, err = c.Skills.Delete(ctx, made.ID, anthropic.SkillDeleteParams{})
		require.NoError(t, err)
		_, err = c.Skills.Get(ctx, made.ID, anthropic.SkillGetParams{})
		require.ErrorContains(t, err, "404")
	})
}

func TestCompletionsGoThroughTheScenario(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly))
		c, ctx := older2023(srv), t.Context()
		params := older.CompletionNewParams{Model: "claude-2.1", MaxTokensToSample: 100, Prompt: "\n\nHuman: hi\n\nAssistant:"}
		begun := time.Now()
		whole, err := c.Completions.New(ctx, params)
		require.NoError(t, err)
		require.Equal(t, time.Second, time.Since(begun))
		require.Equal(t, " one two three", whole.Completion)
		require.Equal(t, "stop_sequence", whole.StopReason)
		require.Regexp(t, `^compl_01[1-9A-Za-z]{22}$`, whole.ID)
		var text, stop string
		stream := c.Completions.NewStreaming(ctx, params)
		for stream.Next() {
			text += stream.Current().Completion
			stop = stream.Current().StopReason
		}
		require.NoError(t, stream.Err())
		require.Equal(t, whole.Completion, text)
		require.Equal(t, "stop_sequence", stop)

		_, err = c.Completions.New(ctx, older.CompletionNewParams{Model: "claude-2.1", MaxTokensToSample: 100, Prompt: "hi"})
		require.ErrorContains(t, err, `prompt must start with`)
		a, err := calling(srv, "Anthropic-Version", "2026-10-21").postTo("/v1/complete", []byte(`{"model":"claude-2.1","max_tokens_to_sample":1,"prompt":"\n\nHuman: hi\n\nAssistant:"}`))
		require.NoError(t, err)
		require.Equal(t, http.StatusNotFound, a.status, "the newer version has no such endpoint")
		a, err = calling(srv).postTo("/v1/completions", []byte(`{"model":"claude-2.1","max_tokens_to_sample":1,"prompt":"\n\nHuman: hi\n\nAssistant:"}`))
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	})
}

// zeros is a file of that many bytes that takes no memory.
type zeros struct{ left int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.left)
	clear(p[:n])
	z.left -= n
	return int(n), nil
}

func TestALargeFileTakesNoMemoryUpAndDown(t *testing.T) {
	const size = 100 << 20
	srv := mock.Start(t, mock.ScenarioText(slowly))
	head := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"zeros.bin\"\r\n\r\n"
	form := io.MultiReader(strings.NewReader(head), &zeros{size}, strings.NewReader("\r\n--x--\r\n"))
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, srv.URL+"/v1/files", form)
	require.NoError(t, err)
	r.Header = calling(srv, "Content-Type", "multipart/form-data; boundary=x").header
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	answer, err := srv.Client().Do(r)
	require.NoError(t, err)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusOK, answer.StatusCode, string(text))
	id := strings.Split(strings.SplitN(string(text), `"id":"`, 2)[1], `"`)[0]

	down, err := newer(srv).Files.Download(t.Context(), id, anthropic.FileDownloadParams{})
	require.NoError(t, err)
	n, err := io.Copy(io.Discard, down.Body)
	require.NoError(t, err)
	require.NoError(t, down.Body.Close())
	require.EqualValues(t, size, n)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20), "all that was ever allocated meanwhile")
}

func TestSDKErrorsAreTheAPIs(t *testing.T) {
	srv := mock.Start(t, mock.ScenarioText(slowly))
	_, err := newer(srv).Messages.Batches.Get(t.Context(), "msgbatch_none", anthropic.MessageBatchGetParams{})
	var problem *anthropic.Error
	require.True(t, errors.As(err, &problem))
	require.Equal(t, http.StatusNotFound, problem.StatusCode)
	require.NotEmpty(t, problem.RequestID)
}
