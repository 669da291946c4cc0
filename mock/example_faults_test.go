package mock_test

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// streamed stands for code of yours that shows an answer as it comes.
func streamed(ctx context.Context, client anthropic.Client, question string) (string, error) {
	stream := client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{
		Model:     "claude-sonnet-5",
		MaxTokens: 200,
		Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(question))},
	})
	defer func() { _ = stream.Close() }()
	var said strings.Builder
	for stream.Next() {
		said.WriteString(stream.Current().Delta.Text)
	}
	return said.String(), stream.Err()
}

func TestMyClientReportsWhatWentWrong(t *testing.T) {
	srv := mock.Start(t)
	srv.Next(
		mock.Text("Three words, and then a reset.").Fault("{end: reset, after: content_block_delta 3}"),
		mock.Outcome("{http: {status: 520, body: <html>Web server is down</html>}, headers: {request-id: ''}}"),
	)
	client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey("any"), option.WithMaxRetries(0))

	_, cut := streamed(t.Context(), client, "Count to ten.")
	_, page := ask(t.Context(), client, "Are you there?")

	require.ErrorIs(t, cut, syscall.ECONNRESET)
	require.ErrorContains(t, page, "520")
	require.Equal(t, journal.Broken, srv.Journal().All()[0].Outcome)
}

func TestMyClientShowsWhatItHasWhileTheRestIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t)
		srv.Next(mock.Text("one two three").Fault("{stall: {gate: rest}, after: content_block_delta}"))
		client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithHTTPClient(srv.Client()), option.WithAPIKey("any"))
		done := make(chan string)
		go func() {
			said, _ := streamed(t.Context(), client, "Count.")
			done <- said
		}()

		time.Sleep(time.Hour) // of virtual time
		require.Equal(t, journal.Open, srv.Journal().Last().Outcome)
		require.Equal(t, 1, srv.Release("rest"))

		require.Equal(t, "one two three", <-done)
		last := srv.Journal().Last()
		require.Equal(t, last.Planned(), last.Actual(), "the gate moved the plan")
	})
}

func TestAnAnswerThatCannotBeMadeSaysWhatIsWrong(t *testing.T) {
	srv := mock.Start(t)
	for text, answer := range map[string]mock.Answer{
		"mesage_stop": mock.Text("x").Fault("{drop: mesage_stop}"),
		"replay":      mock.Outcome("replay: hello"),
		"faults":      mock.Text("x").Fault("{{"),
	} {
		func() {
			defer func() { require.Contains(t, recover(), text) }()
			srv.Next(answer)
		}()
	}
}
