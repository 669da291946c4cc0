package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// FuzzService sends requests of any kind to a service that answers at once.
func FuzzService(f *testing.F) {
	f.Add("POST", "/scenarios/quick/v1/messages", hello, secret, "2023-06-01", "")
	f.Add("POST", "/scenarios/quick/v1/messages", strings.Replace(hello, "{", `{"stream":true,"level":3,`, 1), "orrery:quick:a", "2026-10-21", "")
	f.Add("POST", "/scenarios/lax/v1/messages", `{"model":"","messages":[]}`, "orrery:none", "", "")
	f.Add("POST", "/scenarios/quick/v1/messages/count_tokens", question, "k", "2023-06-01", elsewhere)
	f.Add("GET", "/scenarios/quick/runs/x/v1/models/claude-sonnet-5", "", "k", "2023-06-01", "")
	f.Add("DELETE", "//v1//scenarios/", "\x00", "", "\n", "null")
	s := serving(f)
	f.Fuzz(func(t *testing.T, method, path, body, key, version, origin string) {
		r, err := http.NewRequest(method, (&url.URL{Path: "/" + path}).String(), strings.NewReader(body))
		if err != nil || !strings.Contains(path, "quick") && !strings.Contains(path, "lax") {
			t.Skip() // The default scenario takes its time.
		}
		r.Header = http.Header{"X-Api-Key": {key}, "Anthropic-Version": {version}, "Origin": {origin}}
		before := s.Journal.Len()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if s.Journal.Len() == before { // Asking before a call (CORS), or one of the server's own paths.
			return
		}
		e := s.Journal.Last()
		require.Equal(t, w.Header().Get("Request-Id"), e.RequestID)
		require.NotEmpty(t, e.RequestID)
		require.Equal(t, w.Code, e.Status)
		require.Equal(t, journal.Done, e.Phase)
		require.Equal(t, int64(w.Body.Len()), e.Bytes)
		if w.Code >= 400 {
			require.NotEqual(t, 500, w.Code, w.Body.String())
			require.Equal(t, journal.Refused, e.Outcome)
			requireEnvelope(t, w.Body.Bytes(), w.Header(), wire.TypeOf(w.Code))
			return
		}
		require.Equal(t, journal.Complete, e.Outcome)
		if w.Header().Get("Content-Type") == "application/json" {
			require.True(t, json.Valid(w.Body.Bytes()))
		}
	})
}
