package mock_test

//lint:file-ignore SA1019 the older endpoint is what these tests are about

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	older "github.com/anthropics/anthropic-sdk-go"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

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
