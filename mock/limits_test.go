package mock_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// sdkOf is the SDK's client of a server.
func sdkOf(srv *mock.Server) anthropic.Client {
	return anthropic.NewClient(option.WithHTTPClient(srv.Client()), option.WithBaseURL(srv.URL), option.WithAPIKey(secret))
}

func aboutTides(system ...anthropic.TextBlockParam) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "claude-sonnet-5", MaxTokens: 100, System: system,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("What do the tides do?"))},
	}
}

func TestAClientThatIsLimitedComesBackWhenItIsToldAndIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(strings.Replace(atOnce, "profiles:", "limits: {requests: 2}\nprofiles:", 1)))
		client, start := sdkOf(srv), time.Now()
		for range 3 {
			_, err := client.Messages.New(t.Context(), aboutTides())
			require.NoError(t, err)
		}
		require.Equal(t, 30*time.Second, time.Since(start), "one request every thirty seconds, and the SDK waits as long as it is told")
		statuses := []int{}
		for _, e := range srv.Journal().All() {
			statuses = append(statuses, e.Status)
		}
		require.Equal(t, []int{200, 200, 429, 200}, statuses)
	})
}

func TestTheSDKSeesWhatTheCacheDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("messages"))
		client := sdkOf(srv)
		long := anthropic.TextBlockParam{Text: strings.Repeat("All happy families are alike. ", 400), CacheControl: anthropic.NewCacheControlEphemeralParam()}
		count, err := client.Messages.CountTokens(t.Context(), anthropic.MessageCountTokensParams{
			Model: "claude-sonnet-5", Messages: aboutTides().Messages,
			System: anthropic.MessageCountTokensParamsSystemUnion{OfTextBlockArray: []anthropic.TextBlockParam{long}},
		})
		require.NoError(t, err)
		for i, wait := range []time.Duration{0, 0, 4 * time.Minute, 4 * time.Minute, 6 * time.Minute} {
			time.Sleep(wait)
			m, err := client.Messages.New(t.Context(), aboutTides(long))
			require.NoError(t, err)
			require.Equal(t, count.InputTokens, m.Usage.InputTokens+m.Usage.CacheCreationInputTokens+m.Usage.CacheReadInputTokens)
			require.Less(t, m.Usage.InputTokens, int64(30))
			written := i == 0 || i == 4
			require.Equal(t, written, m.Usage.CacheCreationInputTokens > 0, i)
			require.Equal(t, !written, m.Usage.CacheReadInputTokens > 0, i)
		}
	})
}
