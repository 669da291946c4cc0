package mock_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

const atOnce = `
orrery: 1
name: at-once
profiles: {now: {respond: 0}}
routes: [{name: all, profile: now, reply: {tokens: 60}}]
`

func BenchmarkHandler(b *testing.B) {
	h, err := mock.New(mock.ScenarioText(atOnce), mock.JournalLimit(16<<20))
	require.NoError(b, err)
	body := []byte(`{"model":"claude-sonnet-5","max_tokens":100,"messages":[{"role":"user","content":"Tell me about the tides, please."}]}`)
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(http.MethodPost, "/v1/messages", bytes.NewReader(body))
		r.Header.Set("X-Api-Key", "k")
		r.Header.Set("Anthropic-Version", "2023-06-01")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		_, _ = io.Copy(io.Discard, w.Body)
	}
}
