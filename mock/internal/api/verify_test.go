package api_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// verifying measures claims as the test says.
func verifying(t *testing.T, measure func(context.Context, *scenario.Scenario, int) (any, error)) controls {
	return controls{serving(t, func(c *api.Config) { c.Verify = measure })}
}

// until measures until it is told to end.
func until(ctx context.Context, _ *scenario.Scenario, _ int) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestClaimsAreMeasuredAsTheyAreAskedFor(t *testing.T) {
	c := verifying(t, func(_ context.Context, s *scenario.Scenario, requests int) (any, error) {
		return map[string]any{"of": s.Name, "requests": requests}, nil
	})
	_, told := c.do("POST", "/scenarios/quick/verify?requests=20", "")
	require.Equal(t, map[string]any{"of": "quick", "requests": 20.}, told)
	_, told = c.do("POST", "/scenarios/quick/verify", "")
	require.Equal(t, 0., told["requests"], "as the file says")

	for path, want := range map[string]int{"quick/verify?requests=0": 400, "quick/verify?requests=many": 400, "nobody/verify": 404} {
		status, _ := c.do("POST", "/scenarios/"+path, "")
		require.Equal(t, want, status, path)
	}
	status, _ := controls{serving(t)}.do("POST", "/scenarios/quick/verify", "")
	require.Equal(t, 501, status)
}

func TestOneScenarioIsMeasuredAtATimeAndNoLongerThanAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := verifying(t, until)
		first := make(chan int)
		go func() {
			status, _ := c.do("POST", "/scenarios/quick/verify", "")
			first <- status
		}()
		synctest.Wait()
		status, told := c.do("POST", "/scenarios/quick/verify", "")
		require.Equal(t, 429, status)
		require.Contains(t, told["detail"], "ask again")
		require.Equal(t, 503, <-first)
	})
}

func TestMeasuringEndsWhenItsClientLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := verifying(t, until)
		ctx, leave := context.WithCancel(t.Context())
		gone := make(chan bool)
		go func() {
			defer close(gone)
			r := httptest.NewRequestWithContext(ctx, "POST", "http://localhost/_orrery/scenarios/quick/verify", nil)
			r.RemoteAddr = "127.0.0.1:1"
			w := httptest.NewRecorder()
			c.ServeHTTP(w, r)
			assert.Empty(t, w.Body.String())
		}()
		synctest.Wait()
		leave()
		<-gone
		status, _ := c.do("POST", "/scenarios/quick/verify", "")
		require.Equal(t, 503, status, "the place is free")
	})
}
