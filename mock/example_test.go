package mock_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// ask stands for the code of yours that is under test.
func ask(ctx context.Context, client anthropic.Client, question string) (string, error) {
	answer, err := client.Messages.New(ctx, anthropic.MessageNewParams{
		Model:     "claude-sonnet-5",
		MaxTokens: 200,
		Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(question))},
	})
	if err != nil {
		return "", err
	}
	var said strings.Builder
	for _, block := range answer.Content { // of which there may be none, and some may be no text
		said.WriteString(block.Text)
	}
	return said.String(), nil
}

func TestMyClientWaitsOutARateLimit(t *testing.T) {
	srv := mock.Start(t)
	srv.Next(mock.RateLimited(100*time.Millisecond), mock.Text("at last"))
	client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey("any"))

	answer, err := ask(t.Context(), client, "Are you there?")

	require.NoError(t, err)
	require.Equal(t, "at last", answer)
	require.Equal(t, 2, srv.Journal().Len())
}

func TestMyClientRetriesOnce(t *testing.T) {
	srv := mock.Start(t, mock.Strict(t))
	srv.Next(mock.Overloaded(), mock.Text("at last"))
	client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey("any"))

	_, err := ask(t.Context(), client, "Are you there?")

	require.NoError(t, err)
	srv.RequireCount(t, 1, journal.Query{Status: 529})
	srv.RequireNone(t, journal.Query{Attempt: 3})
	srv.RequireIdle(t)                                      // no stream left open
	require.Len(t, srv.Journal().Calls(journal.Query{}), 1) // of two attempts
}

func TestMyClientInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("zio"))
		client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithHTTPClient(srv.Client()), option.WithAPIKey("any"))

		_, err := ask(t.Context(), client, "Take your time.")

		require.NoError(t, err)
		last := srv.Journal().Last()
		require.Equal(t, last.Planned(), last.Actual()) // to the nanosecond, and the test takes none of it
	})
}

func TestMyClientGivesUpOnASlowAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioFile("testdata/slow.yaml"))
		client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithHTTPClient(srv.Client()), option.WithAPIKey("any"), option.WithMaxRetries(0))
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()

		_, err := ask(ctx, client, "What is slow?")

		require.ErrorIs(t, err, context.DeadlineExceeded)
		synctest.Wait()
		last := srv.Journal().Last()
		require.Equal(t, journal.ClientLeft, last.Outcome)
		require.Equal(t, journal.Waiting, last.Phase)
		request, err := last.Request()
		require.NoError(t, err)
		require.Equal(t, "What is slow?", request.LastText)
	})
}

func TestMyClientHangsOnNoFault(t *testing.T) {
	for _, f := range mock.Faults() {
		t.Run(f.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := mock.StartInMemory(t, mock.Scenario(f.Name))
				client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithHTTPClient(srv.Client()), option.WithAPIKey("any"), option.WithRequestTimeout(5*time.Second))
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // of virtual time: one fault asks for a minute of patience
				defer cancel()

				_, err := ask(ctx, client, "Are you there?")

				require.NoError(t, ctx.Err(), f.Symptom)
				t.Logf("%d requests, then: %v", srv.Journal().Len(), err)
			})
		})
	}
}

func ExampleNew() {
	h, err := mock.New(mock.ScenarioText(`
orrery: 1
name: mine
profiles: {quick: {respond: 5ms}}
routes: [{name: all, profile: quick, reply: Hello.}]
`))
	fmt.Println(h.Scenario().Name, err)
	// Output: mine <nil>
}

func ExampleNew_problems() {
	_, err := mock.New(mock.ScenarioText(`
orrery: 1
name: mine
profiles: {quick: {token-gaps: 5ms}}
routes: [{name: all, profile: quick}]
`))
	fmt.Println(err)
	// Output:
	// the scenario's text:4:20: unknown key "token-gaps" in profile "quick"
	//     4 | profiles: {quick: {token-gaps: 5ms}}
	//       |                    ^
	//       hint: did you mean `token-gap`?
}

func ExampleTokens() {
	fmt.Printf("%q %d\n", mock.Tokens("It's a fine day, 北京!"), mock.CountTokens("It's a fine day, 北京!"))
	// Output: ["It" "'s" " a" " fine" " day" "," " 北" "京" "!"] 9
}
