package mock_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

func dial(t *testing.T, srv *mock.Server) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c.(*net.TCPConn)
}

func TestALargeUploadWithoutAKeyIsRefusedBeforeItIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t)
		body, upload := io.Pipe() // nothing of it is ever sent
		defer upload.Close()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/v1/messages", body)
		require.NoError(t, err)
		request.ContentLength = 20 << 20
		began := time.Now()
		response, err := srv.Client().Do(request)
		require.NoError(t, err)
		require.Equal(t, http.StatusUnauthorized, response.StatusCode)
		require.Zero(t, time.Since(began))
		require.NoError(t, response.Body.Close())
		time.Sleep(time.Second) // net/http takes half of it to close
	})
}

// Whoever has sent everything may close that half of the connection. net/http takes it for leaving,
// so there is no answer; but there must not be an empty one.
func TestAClientThatClosesItsHalfGetsNoEmptyAnswer(t *testing.T) {
	srv := mock.Start(t, mock.ScenarioText("orrery: 1\nname: silent\nroutes: [{name: all, never: true}]\n"))
	c := dial(t, srv)
	body := `{"model":"claude-sonnet-5","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`
	_, err := fmt.Fprintf(c, "POST /v1/messages HTTP/1.1\r\nHost: x\r\nX-Api-Key: k\r\nAnthropic-Version: 2023-06-01\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	require.NoError(t, err)
	require.NoError(t, c.CloseWrite())
	got, err := io.ReadAll(c)
	require.NoError(t, err)
	require.Empty(t, got)
	require.Equal(t, journal.ClientLeft, srv.Journal().Last().Outcome)
}

func TestAnUploadThatStandsStillIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t)
		body, upload := io.Pipe()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/v1/messages", body)
		require.NoError(t, err)
		request.ContentLength = 1 << 20
		request.Header.Set("X-Api-Key", "k")
		request.Header.Set("Anthropic-Version", "2023-06-01")
		go func() {
			_, _ = upload.Write(make([]byte, 100))
			time.Sleep(2 * time.Minute)
			_ = upload.Close()
		}()
		response, err := srv.Client().Do(request)
		if err == nil {
			require.Equal(t, http.StatusBadRequest, response.StatusCode)
			require.NoError(t, response.Body.Close())
		}
		synctest.Wait()
		require.Equal(t, time.Minute, srv.Journal().Last().Ended)
	})
}
