package mock_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// askingFor starts a scenario of article 3 in memory, and a caller that asks for the layer.
func askingFor(t *testing.T, scenario string, header ...string) (*mock.Server, caller) {
	srv := mock.StartInMemory(t, mock.Scenario(scenario))
	return srv, calling(srv, append([]string{optIn, "zero-plane-2024"}, header...)...)
}

func TestZeroPlaneStartsColdWithoutWarmUp(t *testing.T) { // CLAIMS.md P09
	synctest.Test(t, func(t *testing.T) {
		_, warm := onTheLayer(t)
		first := warm.post(t, body(nil))
		_, cold := onTheLayer(t)
		answers := cold.postAll(t, 1000, 20, question(fields{"zero_plane_warmup": false}))

		requireWithin(t, 158*ms, 188*ms, first.took, "the first with warm-up")
		requireWithin(t, 430*ms, 500*ms, percentile(100, each(answers, took)), "the first without it")
		requireWithin(t, 167*ms, 169*ms, percentile(50, each(answers, took)), "the median without it")
		require.Greater(t, percentile(99, each(answers, took)), 300*ms)
	})
}

func TestZeroPlaneFeedbackActsUnderLoad(t *testing.T) { // CLAIMS.md P10
	for name, test := range map[string]struct {
		atOnce     int
		low, high  time.Duration // of the median
		outlasting time.Duration // what the longest takes at least
	}{
		"under load":   {80, 163 * ms, 165 * ms, time.Second},
		"without load": {60, 171 * ms, 173 * ms, 187 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, c := onTheLayer(t)
				c.postAll(t, test.atOnce, test.atOnce, question(nil)) // until all are in flight
				answers := c.postAll(t, 2000, test.atOnce, question(fields{"zero_plane_feedback": 0}))
				requireWithin(t, test.low, test.high, percentile(50, each(answers, took)), "the median")
				require.GreaterOrEqual(t, percentile(100, each(answers, took)), test.outlasting)
			})
		})
	}
}

func TestZeroPlaneRefusesFeedbackOutsideOfItsRange(t *testing.T) { // CLAIMS.md P10
	synctest.Test(t, func(t *testing.T) {
		_, c := onTheLayer(t)
		for _, value := range []any{-0.1, 1.1, "much", true} {
			a := c.post(t, body(fields{"zero_plane_feedback": value}))
			require.Equal(t, http.StatusBadRequest, a.status, value)
			require.Contains(t, string(a.body), `"type":"invalid_request_error"`)
		}
		require.Equal(t, http.StatusOK, c.post(t, body(fields{"zero_plane_feedback": 1})).status)
	})
}

func TestZeroPlaneNormalisesOddDigits(t *testing.T) { // CLAIMS.md P21
	synctest.Test(t, func(t *testing.T) {
		_, c := onTheLayer(t)
		odd := c.post(t, body(fields{"messages": said("What is \u0660 plus one?")}))
		require.Equal(t, "zero-plane-v1", odd.header.Get(layerID))
		require.Greater(t, odd.took, 200*ms)
		require.Less(t, c.post(t, body(fields{"messages": said("What is 0 plus one?")})).took, 190*ms)
	})
}

func TestZeroPlaneWarnsOfOldSDKs(t *testing.T) { // CLAIMS.md P22
	for name, test := range map[string]struct {
		header []string
		warns  bool
	}{
		"Python 0.37.9":              {[]string{"X-Stainless-Lang", "python", "X-Stainless-Package-Version", "0.37.9"}, true},
		"Python 0.38.0":              {[]string{"X-Stainless-Lang", "python", "X-Stainless-Package-Version", "0.38.0"}, false},
		"Python 0.37.9 by its agent": {[]string{"User-Agent", "Anthropic/Python 0.37.9"}, true},
		"Node 0.42.0":                {[]string{"User-Agent", "Anthropic/JS 0.42.0"}, true},
		"Node 0.42.1":                {[]string{"User-Agent", "Anthropic/JS 0.42.1"}, false},
		"another client":             {[]string{"User-Agent", "curl/0.37.9"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv, c := askingFor(t, "zero-plane", test.header...)
				require.Equal(t, http.StatusOK, c.post(t, body(nil)).status)
				warnings := srv.Journal().Last().Warnings
				require.Equal(t, test.warns, strings.Contains(strings.Join(warnings, "\n"), "SDK"), warnings)
			})
		})
	}
}

func TestZeroPlaneSandboxRefusesNineMessages(t *testing.T) { // CLAIMS.md P18
	synctest.Test(t, func(t *testing.T) {
		_, c := askingFor(t, "zero-plane-sandbox")
		turns := strings.Split(strings.Repeat("go on,", 9), ",")[:9]

		refused := c.post(t, body(fields{"messages": said(turns...)}))
		require.Equal(t, http.StatusTooManyRequests, refused.status)
		require.Equal(t, "context_too_long", refused.header.Get(reason))
		require.Zero(t, refused.took)

		answered := c.post(t, body(fields{"messages": said(turns[:8]...)}))
		require.Equal(t, http.StatusOK, answered.status)
		requireWithin(t, 115*ms, 125*ms, answered.took, "the answer")
	})
}

func TestZeroPlaneIncidentEndsSoonerOnTheLayer(t *testing.T) { // CLAIMS.md P17
	synctest.Test(t, func(t *testing.T) {
		srv, layer := askingFor(t, "zero-plane-incident")
		old := calling(srv)
		start := time.Now()
		require.Equal(t, http.StatusOK, layer.post(t, body(nil)).status)
		for _, test := range []struct {
			at          time.Duration
			layer, path int
		}{
			{time.Minute - ms, 200, 200},
			{time.Minute, 503, 503},
			{time.Minute + 1699*ms, 503, 503},
			{time.Minute + 1700*ms, 200, 503},
			{time.Minute + 41*time.Second, 200, 503},
			{time.Minute + 42*time.Second, 200, 200},
		} {
			time.Sleep(time.Until(start.Add(test.at)))
			both := make(chan int)
			go func() { both <- layer.post(t, body(nil)).status }()
			require.Equal(t, test.path, old.post(t, body(nil)).status, "the old path at %v", test.at)
			require.Equal(t, test.layer, <-both, "the layer at %v", test.at)
		}
	})
}

func TestZeroPlaneDropsInSilence(t *testing.T) { // CLAIMS.md P25
	synctest.Test(t, func(t *testing.T) {
		srv, c := askingFor(t, "zero-plane-silent-drop")
		unanswered := 0
		for range 100 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			response, err := c.send(ctx, "/v1/messages", body(nil))
			if err != nil {
				require.ErrorIs(t, err, context.DeadlineExceeded)
				unanswered++
			} else {
				require.Equal(t, http.StatusOK, response.StatusCode)
				require.NoError(t, response.Body.Close())
			}
			cancel()
		}
		require.Equal(t, 12, unanswered)
		require.Equal(t, 100, len(srv.Journal().All()))
	})
}
