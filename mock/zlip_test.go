package mock_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

const (
	fastModel   = "claude-3-5-sonnet-20240620"
	legacyModel = "claude-3-opus-20240229"
)

// heard is what a client measures of one stream.
type heard struct {
	header         http.Header
	status         int
	ttft, duration time.Duration
	creation       float64 // usage.cache_creation_input_tokens, as message_start has it
	model          string
}

// openLoop streams n answers, one every interval whatever became of those before.
func openLoop(t *testing.T, n int, interval time.Duration, model string) []heard {
	t.Helper()
	c := calling(mock.StartInMemory(t, mock.Scenario("zlip")))
	all := make([]heard, n)
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { all[i], errs[i] = hear(t, c, model) })
		time.Sleep(interval)
	}
	group.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	return all
}

func hear(t *testing.T, c caller, model string) (heard, error) {
	l, err := c.listen(t.Context(), body(fields{"model": model, "stream": true}))
	if err != nil {
		return heard{}, err
	}
	events, err := l.rest()
	if err != nil {
		return heard{}, err
	}
	message, _ := events[0].data["message"].(map[string]any)
	usage, _ := message["usage"].(map[string]any)
	h := heard{header: l.Header, status: l.StatusCode, ttft: deltas(events)[0], duration: events[len(events)-1].at}
	h.creation, _ = usage["cache_creation_input_tokens"].(float64)
	h.model, _ = message["model"].(string)
	return h, nil
}

func ttft(h heard) time.Duration     { return h.ttft }
func duration(h heard) time.Duration { return h.duration }

func TestZlipIsForSonnetOfJune2024AndLater(t *testing.T) { // CLAIMS.md Z01, Z02, Z03
	for model, active := range map[string]bool{
		"claude-3-5-sonnet-20240620":      true,
		"claude-3-5-sonnet-20240620-beta": true,
		"claude-3-5-sonnet-20241022":      true,
		"claude-3-5-sonnet-20240619":      false,
		"claude-3-sonnet-20240229":        false,
		"claude-3-opus-20240229":          false,
		"claude-3-5-haiku-20241022":       false,
		"claude-sonnet-5":                 false,
	} {
		t.Run(model, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := mock.StartInMemory(t, mock.Scenario("zlip"))
				streamed, err := hear(t, calling(srv), model)
				require.NoError(t, err)
				require.Equal(t, http.StatusOK, streamed.status)
				require.Equal(t, active, streamed.header.Get("X-Anthropic-Zlip") == "enabled")
				require.Equal(t, active, streamed.creation > 0)
				require.Equal(t, model, streamed.model)

				whole := calling(srv).post(t, body(fields{"model": model}))
				var message struct {
					Model string
					Usage struct {
						Creation int `json:"cache_creation_input_tokens"`
					}
				}
				require.NoError(t, json.Unmarshal(whole.body, &message))
				require.Equal(t, active, whole.header.Get("X-Anthropic-Zlip") == "enabled")
				require.Equal(t, active, message.Usage.Creation > 0)
				require.Equal(t, model, message.Model)
			})
		})
	}
}

func TestZlipIsNotForCompletions(t *testing.T) { // CLAIMS.md Z04
	synctest.Test(t, func(t *testing.T) {
		c := calling(mock.StartInMemory(t, mock.Scenario("zlip")))
		for _, path := range []string{"/v1/complete", "/v1/completions"} {
			a, err := c.postTo(path, []byte(`{"model":"`+fastModel+`","max_tokens_to_sample":100,"prompt":"\n\nHuman: hi\n\nAssistant:"}`))
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, a.status, "%s", a.body)
			require.Empty(t, a.header.Get("X-Anthropic-Zlip"))
			require.Contains(t, string(a.body), `"type":"completion"`)
			require.NotContains(t, string(a.body), "cache_creation_input_tokens")
			require.Greater(t, a.took, 200*time.Millisecond)
		}
	})
}

func TestZlipFastPath(t *testing.T) { // CLAIMS.md Z05 to Z08
	synctest.Test(t, func(t *testing.T) {
		all := openLoop(t, 1000, 10*ms, fastModel)
		first, whole := each(all, ttft), each(all, duration)
		requireWithin(t, 16*ms, 18*ms, percentile(50, first), "the median TTFT")
		require.GreaterOrEqual(t, share(first, func(d time.Duration) bool { return d < 20*ms }), 0.95)
		requireWithin(t, 470*ms*98/100, 470*ms*102/100, percentile(95, whole), "P95")
		ratio := percentile(99, whole).Seconds() / percentile(50, whole).Seconds()
		require.InDelta(t, 1.25, ratio, 0.05, "P99 over P50")
	})
}

func TestZlipLegacyPath(t *testing.T) { // CLAIMS.md Z05 to Z07
	synctest.Test(t, func(t *testing.T) {
		all := openLoop(t, 1000, 10*ms, legacyModel)
		whole := each(all, duration)
		requireWithin(t, 307*ms, 317*ms, percentile(50, each(all, ttft)), "the median TTFT")
		requireWithin(t, 1820*ms*98/100, 1820*ms*102/100, percentile(95, whole), "P95")
		ratio := percentile(99, whole).Seconds() / percentile(50, whole).Seconds()
		require.GreaterOrEqual(t, ratio, 3.0, "P99 over P50")
	})
}

func TestZlipStaysBelowHalfASecondUnderLoad(t *testing.T) { // CLAIMS.md Z12
	for _, rate := range []int{50, 100, 200} {
		t.Run(fmt.Sprintf("%d a second", rate), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				all := openLoop(t, 1000, time.Second/time.Duration(rate), fastModel)
				require.Less(t, percentile(99, each(all, duration)), 500*ms)
			})
		})
	}
}
