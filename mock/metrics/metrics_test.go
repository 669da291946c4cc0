package metrics_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

func TestRequestsAreCountedByRouteStatusOutcomeAndMark(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("zero-plane"))
		const asked = "X-Anthropic-Experimental: zero-plane-2024"
		for range 3 {
			ask(t, srv, "/v1/messages", body(""), asked)
		}
		require.Equal(t, 400, ask(t, srv, "/v1/messages", body(`, "stream": true`), asked))
		require.Equal(t, 400, ask(t, srv, "/v1/messages", "{"))
		ask(t, srv, "/runs/mine/v1/messages", body(`, "stream": true`))
		all := families(t, srv, plain)
		const here = "scenario=zero-plane"
		require.Equal(t, 3.0, value(t, all, "orrery_requests_total", here, "route=on the layer", "status=200", "outcome=complete"))
		require.Equal(t, 1.0, value(t, all, "orrery_requests_total", here, "route=no streaming on the layer", "status=400", "outcome=refused"))
		require.Equal(t, 1.0, value(t, all, "orrery_requests_total", here, "route=(none)", "status=400", "outcome=refused"))
		require.Equal(t, 1.0, value(t, all, "orrery_requests_total", here, "route=everything else", "status=200", "outcome=complete"))
		require.Equal(t, 3.0, value(t, all, "orrery_marks_total", here, "mark=hit"))

		stream := srv.Journal().Last()
		ttft := series(t, all, "orrery_time_to_first_token_seconds", here, "route=everything else").Histogram
		require.Equal(t, uint64(1), ttft.GetSampleCount())
		require.InDelta(t, stream.ActualTTFT().Seconds(), ttft.GetSampleSum(), 1e-9)
		gaps := series(t, all, "orrery_token_gap_seconds", here, "route=everything else").Histogram
		require.Equal(t, uint64(len(stream.Gaps())), gaps.GetSampleCount())
		took := series(t, all, "orrery_request_duration_seconds", here, "route=everything else").Histogram
		require.InDelta(t, stream.ActualDuration().Seconds(), took.GetSampleSum(), 1e-9)
		late := series(t, all, "orrery_lateness_seconds", here, "route=everything else").Histogram
		require.Zero(t, late.GetSampleSum(), "in virtual time nothing is late")
		require.Equal(t, 1.0, value(t, all, "orrery_runs"))
		require.Equal(t, 6.0, value(t, all, "orrery_journal_requests"))
		require.Equal(t, 640.0, value(t, all, "orrery_slots", here, "profile=legacy"), "of two runs")
	})
}

func TestWhatIsUnderWayIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.ScenarioText(`
orrery: 1
name: narrow
profiles: {slow: {respond: 10s, queue: {slots: 2}}}
routes: [{name: all, profile: slow, reply: hi}]
`))
		var asking sync.WaitGroup
		for range 5 {
			asking.Go(func() { ask(t, srv, "/v1/messages", body("")) })
		}
		time.Sleep(time.Second)
		all := families(t, srv, plain)
		require.Equal(t, 5.0, value(t, all, "orrery_concurrency", "scenario=narrow"))
		require.Equal(t, 2.0, value(t, all, "orrery_slots_busy", "profile=slow"))
		require.Equal(t, 3.0, value(t, all, "orrery_queue_waiting", "profile=slow"))
		require.Equal(t, 6.0, value(t, all, "orrery_requests_under_way"), "with the scrape itself")
		asking.Wait()
		require.Zero(t, value(t, families(t, srv, plain), "orrery_slots_busy", "profile=slow"))
	})
}

func TestHistogramsAreNativeForWhoTakesProtobuf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("zio"))
		ask(t, srv, "/v1/messages", body(`, "stream": true`))
		const protobuf = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
		gaps := series(t, families(t, srv, protobuf), "orrery_token_gap_seconds", "route=scheduled").Histogram
		require.NotEmpty(t, gaps.PositiveSpan)
		require.NotEmpty(t, gaps.Bucket, "and classic beside")
		text, format := scrape(t, srv, "application/openmetrics-text;version=1.0.0")
		require.Contains(t, string(format), "openmetrics")
		require.True(t, bytes.HasSuffix(text, []byte("# EOF\n")))
	})
}

func TestNoClientsWordsAreInTheSeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("zero-plane"))
		for _, path := range []string{"/v1/messages", "/runs/somebodys-run/v1/messages", "/nobody/has/this"} {
			ask(t, srv, path, body(""), "User-Agent: somebodys-agent")
		}
		text, _ := scrape(t, srv, plain)
		for _, word := range []string{"somebodys-run", "somebodys-agent", "nobody", "a prompt", "sk-", model} {
			require.NotContains(t, string(text), word)
		}
	})
}

func TestEverySeriesOfTheBuiltInScenariosKeepsPrometheusRules(t *testing.T) {
	library, err := mock.Library("")
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t)
		for _, name := range library.Names() {
			visit(t, srv, name)
		}
		text, _ := scrape(t, srv, plain)
		problems, err := promlint.New(bytes.NewReader(text)).Lint()
		require.NoError(t, err)
		require.Empty(t, problems)
		all := families(t, srv, plain)
		for _, name := range library.Names() {
			s, err := library.Load(name)
			require.NoError(t, err)
			for _, m := range s.Metrics {
				series(t, all, m.Name, "scenario="+name)
			}
		}
		require.Equal(t, []string{
			"zero_plane_degraded_count", "zero_plane_hit_rate", "zero_plane_p99_drift", "zero_plane_warmup_efficiency",
			"zio_01_round_trip_sigma_seconds", "zio_02_short_gap_ratio", "zio_03_negative_deviation_ratio",
			"zio_04_idle_connection_ratio", "zio_05_second_try_success_ratio",
			"zlip_concurrency_slope_seconds", "zlip_first_token_under_20ms_ratio", "zlip_latency_p99_p50_ratio",
			"zlip_output_tokens_per_gpu_second",
		}, articles(all))
	})
}

// visit asks a scenario for a stream, whatever becomes of it.
func visit(t *testing.T, srv *mock.Server, scenario string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL+"/scenarios/"+scenario+"/v1/messages", strings.NewReader(body(`, "stream": true`)))
	require.NoError(t, err)
	r.Header.Set("X-Api-Key", "any")
	r.Header.Set("Anthropic-Version", "2023-06-01")
	if w, err := srv.Client().Do(r); err == nil {
		_, _ = io.Copy(io.Discard, w.Body)
		require.NoError(t, w.Body.Close())
	}
}

// articles are the names of the series that aren't the server's own.
func articles(all map[string]*dto.MetricFamily) (names []string) {
	for name := range all {
		if !slices.ContainsFunc([]string{"orrery_", "go_", "process_"}, func(own string) bool { return strings.HasPrefix(name, own) }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func TestTwoScenariosMayShareASeriesWhateverTheySayOfIt(t *testing.T) {
	file := func(name, help string) string {
		return "orrery: 1\nname: " + name + "\nprofiles: {quick: {respond: 0}}\nroutes: [{name: all, profile: quick, reply: hi}]\n" +
			"metrics: {our_requests: {help: " + help + ", measure: count(journal)}}\n"
	}
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "a.yaml", file("a", "As many as there were"))
		write(t, dir, "b.yaml", file("b", "How many there were"))
		srv := mock.StartInMemory(t, mock.ScenarioDir(dir))
		ask(t, srv, "/scenarios/a/v1/messages", body(""))
		ask(t, srv, "/scenarios/b/v1/messages", body(""))
		all := families(t, srv, plain)
		require.Equal(t, 1.0, value(t, all, "our_requests", "scenario=a"))
		require.Equal(t, 1.0, value(t, all, "our_requests", "scenario=b"))
	})
}

func TestAListenerOfItsOwnServesTheSeriesAndNothingElse(t *testing.T) {
	srv := mock.Start(t, mock.MetricsListen("127.0.0.1:0"), mock.Speed(1000))
	ask(t, srv, "/v1/messages", body(""))
	get := func(url string, headers ...string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		require.NoError(t, err)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, w.Body.Close())
		return w.StatusCode
	}
	require.Equal(t, 200, get(srv.MetricsURL))
	require.Equal(t, 404, get(strings.TrimSuffix(srv.MetricsURL, "/metrics")+"/_orrery/journal"))
	require.Equal(t, 403, get(srv.MetricsURL, "Origin", "http://elsewhere.example"))
	_, err := mock.Listen("127.0.0.1:0", mock.MetricsListen(strings.TrimSuffix(strings.TrimPrefix(srv.MetricsURL, "http://"), "/metrics")))
	var taken *mock.MetricsListenError
	require.ErrorAs(t, err, &taken)
	require.NoError(t, srv.Close())
	_, err = http.Get(srv.MetricsURL)
	require.Error(t, err, "it ends with the server")
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}
