package mock_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

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

func TestSDKErrorsAreTheAPIs(t *testing.T) {
	srv := mock.Start(t, mock.ScenarioText(slowly))
	_, err := newer(srv).Messages.Batches.Get(t.Context(), "msgbatch_none", anthropic.MessageBatchGetParams{})
	var problem *anthropic.Error
	require.True(t, errors.As(err, &problem))
	require.Equal(t, http.StatusNotFound, problem.StatusCode)
	require.NotEmpty(t, problem.RequestID)
}
