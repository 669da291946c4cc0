package mock_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
)

// indicators are what article 1 has a client look at.
type indicators struct{ header, creation, model bool }

func (i indicators) active() bool { return i.header && i.creation && i.model }

// indicatorsOf looks at one answer to a model as the article does.
func indicatorsOf(t *testing.T, a answer) (i indicators) {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status)
	var message struct {
		Model string
		Usage struct {
			Creation *int `json:"cache_creation_input_tokens"`
		}
	}
	require.NoError(t, json.Unmarshal(a.body, &message))
	date, found := strings.CutPrefix(message.Model, "claude-3-5-sonnet-")
	i.header = a.header.Get("X-Anthropic-Zlip") == "enabled"
	i.creation = message.Usage.Creation != nil && *message.Usage.Creation > 0
	i.model = found && date >= "20240620"
	return i
}

func TestZlipThreeIndicators(t *testing.T) { // CLAIMS.md Z25
	for name, test := range map[string]struct {
		scenario, model string
		want            indicators
	}{
		"the fast path":                    {"zlip", "claude-3-5-sonnet-20240620", indicators{true, true, true}},
		"the fast path, a patch":           {"zlip", "claude-3-5-sonnet-20240620-beta", indicators{true, true, true}},
		"an older model":                   {"zlip", "claude-3-5-sonnet-20240619", indicators{}},
		"another family":                   {"zlip", legacyModel, indicators{}},
		"a new model on the legacy path":   {"zlip-legacy", fastModel, indicators{model: true}},
		"a new model without HTTP/3":       {"zlip-http3", fastModel, indicators{model: true}},
		"a new model on the neutral mock":  {"messages", fastModel, indicators{model: true}},
		"the fast path with prompt cache":  {"zlip-cache", fastModel, indicators{true, true, true}},
		"the fast path of a lossy network": {"zlip-lossy", fastModel, indicators{true, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := calling(mock.StartInMemory(t, mock.Scenario(test.scenario)))
				got := indicatorsOf(t, c.post(t, body(fields{"model": test.model})))
				require.Equal(t, test.want, got)
				require.Equal(t, test.want == indicators{true, true, true}, got.active())
			})
		})
	}
}

func TestZlipLegacyFirstTokensAreTheirParts(t *testing.T) { // CLAIMS.md Z22
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("zlip-legacy"))
		_, events := calling(srv).stream(t, body(fields{"stream": true}))
		parts := srv.Journal().Last().Parts
		require.Equal(t, 60*ms, parts["padding"])
		require.Zero(t, parts["queue"])
		require.Len(t, parts, 4)
		require.Equal(t, deltas(events)[0], parts["network"]+parts["scheduling"]+parts["padding"])
	})
}

func TestZlipKnowsTheClick(t *testing.T) { // CLAIMS.md Z21
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("zlip"))
		clicked := time.Now()
		time.Sleep(40 * ms)
		calling(srv, "X-Start-Time-Ns", strconv.FormatInt(clicked.UnixNano(), 10)).post(t, body(fields{"stream": true}))
		entry := srv.Journal().Last()
		figure, err := entry.Figures["ttft_from_click_ms"].Float64()
		require.NoError(t, err)
		require.InDelta(t, float64(entry.PlannedTTFT()+40*ms)/float64(ms), figure, 0.3)

		calling(srv, "X-Start-Time-Ns", "8123456.789").post(t, body(nil))
		entry = srv.Journal().Last()
		require.NotContains(t, entry.Figures, "ttft_from_click_ms")
		require.Len(t, entry.Warnings, 1)
	})
}

func TestZlipPromptCache(t *testing.T) { // CLAIMS.md Z17, Z18
	synctest.Test(t, func(t *testing.T) {
		c := calling(mock.StartInMemory(t, mock.Scenario("zlip-cache")))
		ask := func(text string) (heard, string) {
			_, events := c.stream(t, body(fields{"stream": true, "messages": said(text)}))
			message, _ := events[0].data["message"].(map[string]any)
			usage, _ := message["usage"].(map[string]any)
			var all strings.Builder
			for _, e := range events {
				if delta, ok := e.data["delta"].(map[string]any); ok {
					piece, _ := delta["text"].(string)
					all.WriteString(piece)
				}
			}
			read, _ := usage["cache_read_input_tokens"].(float64)
			created, _ := usage["cache_creation_input_tokens"].(float64)
			require.NotEqual(t, read > 0, created > 0, "all of the prompt is read, or all of it written")
			return heard{ttft: deltas(events)[0], creation: created}, all.String()
		}
		text := strings.Repeat("Some words about the tides. ", 400) + "What do they do?"
		first, answered := ask(text)
		require.Positive(t, first.creation)
		require.Less(t, first.creation, 100.0, "what repeats within the prompt isn't cached")
		requireWithin(t, 13*ms, 30*ms, first.ttft, "a new prompt's TTFT")

		again, same := ask(text)
		require.Zero(t, again.creation)
		require.Equal(t, answered, same)
		requireWithin(t, 13*ms, 30*ms, again.ttft, "a repeated prompt's TTFT")

		near, other := ask(strings.Replace(text, " ", "  ", 1))
		require.Positive(t, near.creation)
		require.NotEqual(t, answered, other)
		require.Greater(t, near.ttft, 300*ms, "a near miss's TTFT")
	})
}

func TestZlipLossyRefusesBeforeClientsGiveUp(t *testing.T) { // CLAIMS.md Z16
	synctest.Test(t, func(t *testing.T) {
		c := calling(mock.StartInMemory(t, mock.Scenario("zlip-lossy")))
		refused := 0
		for _, a := range c.postAll(t, 100, 10, func(int) []byte { return body(nil) }) {
			if a.status == http.StatusOK {
				continue
			}
			refused++
			require.Equal(t, http.StatusServiceUnavailable, a.status)
			requireWithin(t, 1150*ms, 1250*ms, a.took, "the refusal")
			require.JSONEq(t, `"error"`, string(member(t, a.body, "type")))
			require.Contains(t, string(member(t, a.body, "error")), `"api_error"`)
		}
		require.Equal(t, 3, refused)
	})
}

func member(t *testing.T, object []byte, name string) json.RawMessage {
	t.Helper()
	var all map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(object, &all))
	return all[name]
}
