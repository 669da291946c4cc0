package mock_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

const (
	optIn   = "X-Anthropic-Experimental"
	layerID = "X-Anthropic-Layer-Id"
	reason  = "X-Anthropic-Downgrade-Reason"
	cached  = "X-Anthropic-Cached"
)

// onTheLayer starts zero-plane in memory, and a caller that asks for the layer.
func onTheLayer(t *testing.T) (*mock.Server, caller) {
	srv := mock.StartInMemory(t, mock.Scenario("zero-plane"))
	return srv, calling(srv, optIn, "zero-plane-2024")
}

// question is the i-th of many that differ.
func question(members fields) func(i int) []byte {
	return func(i int) []byte {
		members := fields{"messages": said(fmt.Sprintf("What is %d times seven?", i))}.with(members)
		return body(members)
	}
}

func (f fields) with(more fields) fields {
	for k, v := range more {
		f[k] = v
	}
	return f
}

func TestZeroPlaneAnswersWithItsP99(t *testing.T) { // CLAIMS.md P01, P03
	synctest.Test(t, func(t *testing.T) {
		srv, c := onTheLayer(t)

		answers := c.postAll(t, 1000, 50, question(nil))

		entries := srv.Journal().All()
		require.Len(t, entries, 1000)
		requireWithin(t, 182*ms, 188*ms, percentile(99, each(answers, took)), "the client's P99")
		requireWithin(t, 182*ms, 188*ms, percentile(99, each(entries, planned)), "the plans' P99")
		require.Equal(t, slices.Sorted(slices.Values(each(entries, planned))), slices.Sorted(slices.Values(each(answers, took))))
		for _, a := range answers {
			require.Equal(t, http.StatusOK, a.status)
			require.Equal(t, "zero-plane-v1", a.header.Get(layerID))
			require.Equal(t, "tight", a.header.Get("X-Anthropic-Delay-Profile"))
		}
	})
}

func TestZeroPlaneHasItsP99AfterAHundredOnTheLayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, c := onTheLayer(t)
		long := question(fields{"messages": said(slices.Repeat([]string{"and on"}, 9)...)})

		// Two of three stay off the layer and must not take its draws.
		c.postAll(t, 300, 1, func(i int) []byte {
			if i%3 > 0 {
				return long(i)
			}
			return question(nil)(i)
		})

		layer := srv.Journal().Find(journal.Query{Mark: "hit"})
		require.Len(t, layer, 100)
		requireWithin(t, 182*ms, 188*ms, percentile(99, each(layer, planned)), "the plans' P99")
		require.Greater(t, percentile(100, each(layer, planned)), 185*ms)
	})
}

func TestZeroPlaneDowngradesLongContext(t *testing.T) { // CLAIMS.md P06
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("tide ", n)) }
	require.Equal(t, 1200, wire.CountTokens(words(1200)))
	turns := slices.Repeat([]string{"go on"}, 9)
	for name, tt := range map[string]struct {
		members fields
		onLayer bool
	}{
		"1,200 system tokens fit":       {fields{"system": words(1200)}, true},
		"1,201 system tokens don't fit": {fields{"system": words(1201)}, false},
		"8 messages fit":                {fields{"messages": said(turns[:8]...)}, true},
		"9 messages don't fit":          {fields{"messages": said(turns...)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv, c := onTheLayer(t)
				a := c.post(t, body(tt.members))
				require.Equal(t, http.StatusOK, a.status)
				require.Equal(t, tt.onLayer, a.header.Get(layerID) != "")
				require.Equal(t, map[bool]string{false: "context_too_long"}[tt.onLayer], a.header.Get(reason))
				require.Equal(t, !tt.onLayer, srv.Journal().Last().Marks["downgraded"])
			})
		})
	}
}

func TestZeroPlaneRefusesStreaming(t *testing.T) { // CLAIMS.md P07
	synctest.Test(t, func(t *testing.T) {
		_, c := onTheLayer(t)
		a := c.post(t, body(fields{"stream": true}))
		require.Equal(t, http.StatusBadRequest, a.status)
		require.Contains(t, string(a.body), `"type":"invalid_request_error"`)
		require.Zero(t, a.took)
	})
}

func TestZeroPlaneNeedsItsExactHeader(t *testing.T) { // CLAIMS.md P03, P04
	for name, value := range map[string]string{
		"none":               "",
		"another case":       "Zero-Plane-2024",
		"a blank inside":     "zero- plane-2024",
		"a zero-width space": "zero-plane\u200b-2024",
		"another value":      "zero-plane-2025",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := mock.StartInMemory(t, mock.Scenario("zero-plane"))
				for _, a := range calling(srv, optIn, value).postAll(t, 20, 4, question(nil)) {
					require.Equal(t, http.StatusOK, a.status)
					for _, silent := range []string{layerID, reason, cached, "X-Anthropic-Delay-Profile"} {
						require.NotContains(t, a.header, http.CanonicalHeaderKey(silent))
					}
				}
				for _, e := range srv.Journal().All() {
					require.Equal(t, "everything else", e.Route)
				}
			})
		})
	}
}

func TestZeroPlaneIsForNewModels(t *testing.T) { // CLAIMS.md P05
	for model, onLayer := range map[string]bool{
		"claude-3-5-sonnet-20241022": true,
		"claude-3-5-sonnet-20241021": false,
		"claude-3-5-sonnet-20240620": false,
		"claude-3-opus-20240229":     false,
		"claude-3-7-sonnet-20250219": true,
		"claude-sonnet-5":            true, // by the models table's date
		"claude-2.1":                 false,
		"my-own-model":               false, // of no date
	} {
		t.Run(model, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, c := onTheLayer(t)
				a := c.post(t, body(fields{"model": model}))
				require.Equal(t, http.StatusOK, a.status)
				require.Equal(t, onLayer, a.header.Get(layerID) != "")
				require.Empty(t, a.header.Get(reason))
			})
		})
	}
}

func TestZeroPlaneIsForMessagesOnly(t *testing.T) { // CLAIMS.md P05
	synctest.Test(t, func(t *testing.T) {
		_, c := onTheLayer(t)
		older := body(fields{"max_tokens": nil, "messages": nil, "max_tokens_to_sample": 9, "prompt": "\n\nHuman: hi\n\nAssistant:"})
		for path, status := range map[string]int{"/v1/messages/count_tokens": 200, "/v1/complete": 200, "/v1/completions": 404} {
			asked := older
			if strings.HasSuffix(path, "tokens") {
				asked = body(fields{"max_tokens": nil})
			}
			a, err := c.postTo(path, asked)
			require.NoError(t, err)
			require.Equal(t, status, a.status, path)
			require.Empty(t, a.header.Get(layerID), path)
		}
	})
}

func TestZeroPlaneModes(t *testing.T) { // CLAIMS.md P08
	const limit = 185 * ms
	late := func(e journal.Entry) bool { return e.PlannedDuration() > limit }
	modes := map[string]func(*testing.T, []answer, []journal.Entry){
		"strict": func(t *testing.T, answers []answer, entries []journal.Entry) {
			require.Zero(t, share(entries, late))
			refused := 0
			for _, a := range answers {
				if a.status == http.StatusOK {
					require.LessOrEqual(t, a.took, limit)
					continue
				}
				refused++
				require.Equal(t, http.StatusTooManyRequests, a.status)
				require.Equal(t, "1", a.header.Get("Retry-After"))
				require.Contains(t, string(a.body), `"type":"rate_limit_error"`)
				require.Zero(t, a.took, "a refusal leaves at once")
			}
			require.Equal(t, 10, refused, "just those above the P99")
		},
		"balanced": func(t *testing.T, answers []answer, entries []journal.Entry) {
			require.Equal(t, 0.01, share(entries, late))
			require.Equal(t, 0.01, share(answers, func(a answer) bool { return a.status == 200 && a.took > limit }))
			require.Zero(t, share(entries, func(e journal.Entry) bool { return e.Marks["degraded"] }))
		},
		"adaptive": func(t *testing.T, answers []answer, entries []journal.Entry) {
			require.Equal(t, 0.01, share(answers, func(a answer) bool { return a.status == 200 && a.took > limit }))
			for _, e := range entries {
				require.Equal(t, late(e), e.Marks["degraded"])
			}
		},
		"": nil,
	}
	modes[""] = modes["balanced"]
	for mode, judge := range modes {
		t.Run(mode+" mode", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv, c := onTheLayer(t)
				members := fields{"zero_plane_mode": mode}
				if mode == "" {
					members = nil
				}
				judge(t, c.postAll(t, 1000, 50, question(members)), srv.Journal().All())
			})
		})
	}
}

func TestZeroPlaneRefusesAnUnknownMode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := onTheLayer(t)
		a := c.post(t, body(fields{"zero_plane_mode": "stict"}))
		require.Equal(t, http.StatusBadRequest, a.status)
		require.Contains(t, string(a.body), "'strict', 'balanced' or 'adaptive'")
	})
}

func TestZeroPlaneCachesTheFourthSameQuery(t *testing.T) { // CLAIMS.md P11
	strict := func(text, model string) []byte {
		return body(fields{"zero_plane_mode": "strict", "messages": said(text), "model": model})
	}
	const model = "claude-3-5-sonnet-20241022"
	same := strict("What do the tides do?", model)
	for name, tt := range map[string]struct {
		bodies [][]byte
		cached bool
	}{
		"the fourth same":         {[][]byte{same, same, same, same}, true},
		"the fifth same":          {[][]byte{same, same, same, same, same}, true},
		"the third same":          {[][]byte{same, same, same}, false},
		"one changed character":   {[][]byte{same, same, same, strict("What do the tides do!", model)}, false},
		"broken in between":       {[][]byte{same, same, strict("What do the tides do!", model), same, same}, false},
		"another model spelling":  {[][]byte{same, same, same, strict("What do the tides do?", "claude-3-5-sonnet-latest")}, false},
		"another order of fields": {[][]byte{same, same, same, []byte(" " + string(same))}, true},
		"not in strict mode":      {slices.Repeat([][]byte{body(nil)}, 4), false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, c := onTheLayer(t)
				var last answer
				for _, b := range tt.bodies {
					last = c.post(t, b)
					require.Equal(t, http.StatusOK, last.status)
				}
				require.Equal(t, tt.cached, last.header.Get(cached) == "true")
				require.Equal(t, tt.cached, last.took == 62*ms, "it took %v", last.took)
			})
		})
	}
}

func TestZeroPlaneOnASocket(t *testing.T) {
	if testing.Short() {
		t.Skip("takes four seconds of real time")
	}
	srv := mock.Start(t, mock.Scenario("zero-plane"))
	c := calling(srv, optIn, "zero-plane-2024")
	request, err := c.request(t.Context(), "/v1/messages", body(nil))
	require.NoError(t, err)
	promised, err := srv.Plans(request, 1000)
	require.NoError(t, err)

	answers := c.postAll(t, 1000, 50, question(nil))

	want := percentile(99, each(promised, planned))
	require.Equal(t, want, percentile(99, each(srv.Journal().All(), planned)))
	// How late the machine is with it is no matter of correctness.
	requireWithin(t, want, want+time.Second, percentile(99, each(answers, took)), "the client's P99")
}
