package metrics_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

const model = "claude-3-5-sonnet-20241022"

// ask sends one request, reads its answer and returns its status; headers are "name: value".
func ask(t *testing.T, srv *mock.Server, path, body string, headers ...string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Api-Key", "sk-nobodys-business")
	r.Header.Set("Anthropic-Version", "2023-06-01")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w, err := srv.Client().Do(r)
	require.NoError(t, err)
	defer w.Body.Close()
	_, err = io.Copy(io.Discard, w.Body)
	require.NoError(t, err)
	return w.StatusCode
}

func body(more string) string {
	return fmt.Sprintf(`{"model": %q, "max_tokens": 60, "messages": [{"role": "user", "content": "a prompt"}]%s}`, model, more)
}

// scrape is what a Prometheus that accepts such a format gets.
func scrape(t *testing.T, srv *mock.Server, accept string) (text []byte, format expfmt.Format) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/_orrery/metrics", nil)
	require.NoError(t, err)
	r.Host = "localhost"
	r.Header.Set("Accept", accept)
	w, err := srv.Client().Do(r)
	require.NoError(t, err)
	defer w.Body.Close()
	text, err = io.ReadAll(w.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, w.StatusCode, string(text))
	return text, expfmt.ResponseFormat(w.Header)
}

// families are the series of a scrape by name.
func families(t *testing.T, srv *mock.Server, accept string) map[string]*dto.MetricFamily {
	t.Helper()
	text, format := scrape(t, srv, accept)
	decoder := expfmt.NewDecoder(bytes.NewReader(text), format)
	all := map[string]*dto.MetricFamily{}
	for {
		var f dto.MetricFamily
		err := decoder.Decode(&f)
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		all[f.GetName()] = &f
	}
}

// plain is what a browser gets.
const plain = "text/plain"

// value is that of the one series with these labels, "name=value".
func value(t *testing.T, all map[string]*dto.MetricFamily, name string, labels ...string) float64 {
	t.Helper()
	m := series(t, all, name, labels...)
	switch {
	case m.Gauge != nil:
		return m.Gauge.GetValue()
	case m.Counter != nil:
		return m.Counter.GetValue()
	}
	require.NotNil(t, m.Untyped, name)
	return m.Untyped.GetValue()
}

func series(t *testing.T, all map[string]*dto.MetricFamily, name string, labels ...string) *dto.Metric {
	t.Helper()
	require.Contains(t, all, name)
	var found []*dto.Metric
	for _, m := range all[name].Metric {
		has := map[string]bool{}
		for _, l := range m.Label {
			has[l.GetName()+"="+l.GetValue()] = true
		}
		fits := true
		for _, l := range labels {
			fits = fits && has[l]
		}
		if fits {
			found = append(found, m)
		}
	}
	require.Len(t, found, 1, "%s %v", name, labels)
	return found[0]
}
