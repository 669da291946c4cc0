package mock_test

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

func TestAFileGoesUpAndComesDownAndExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(slowly))
		c, ctx := newer(srv), t.Context()
		made, err := c.Files.Upload(ctx, anthropic.FileUploadParams{
			File: anthropic.File(strings.NewReader("a,b\n"), "table.txt", "text/plain"), ExpiresInSeconds: anthropic.Int(3600),
		})
		require.NoError(t, err)
		require.Regexp(t, `^file_011C[1-9A-Za-z]{20}$`, made.ID)
		require.Equal(t, "table.txt", made.Filename)
		require.Equal(t, "text/plain", made.MimeType)
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
