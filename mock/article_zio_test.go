package mock_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

const oldKey, noonKey = "sk-zio-september", "sk-zio-noon"

func TestZioShowsItsHeaderOnlyWhereItIsSetTo(t *testing.T) { // CLAIMS.md O01, C4
	for name, want := range map[string]string{"zio": "", "zio-exposed": "true"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := mock.StartInMemory(t, mock.Scenario(name))
				require.Equal(t, want, calling(srv).post(t, body(nil)).header.Get("X-Zio-Enabled"))
				header, _ := calling(srv).stream(t, body(fields{"stream": true}))
				require.Equal(t, want, header.Get("X-Zio-Enabled"))
				require.Empty(t, calling(srv, "X-Api-Key", oldKey).post(t, body(nil)).header.Values("X-Zio-Enabled"))
			})
		})
	}
}

// saidIn is the text of an answer, streamed or not.
func saidIn(t *testing.T, c caller, members fields) string {
	t.Helper()
	if members["stream"] != true {
		var message struct{ Content []struct{ Text string } }
		require.NoError(t, json.Unmarshal(c.post(t, body(members)).body, &message))
		return message.Content[0].Text
	}
	_, events := c.stream(t, body(members))
	var text strings.Builder
	for _, e := range events {
		if delta, ok := e.data["delta"].(map[string]any); ok && e.name == "content_block_delta" {
			text.WriteString(delta["text"].(string))
		}
	}
	return text.String()
}

func TestZioKeepsOrderAndErrorCodes(t *testing.T) { // CLAIMS.md O18
	t.Run("a stream says what a whole answer says", func(t *testing.T) {
		for _, key := range []string{oldKey, noonKey} {
			synctest.Test(t, func(t *testing.T) {
				whole := calling(mock.StartInMemory(t, mock.Scenario("zio")), "X-Api-Key", key)
				streamed := calling(mock.StartInMemory(t, mock.Scenario("zio")), "X-Api-Key", key)
				for range 20 {
					require.Equal(t, saidIn(t, whole, fields{}), saidIn(t, streamed, fields{"stream": true}))
				}
			})
		}
	})
	t.Run("an error is the API's of its status", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			srv := mock.StartInMemory(t, mock.Scenario("zio-legacy"))
			seen, types := map[string]bool{}, map[string]int{}
			for _, a := range calling(srv).postAll(t, 1000, 20, question(fields{"max_tokens": 1})) {
				seen[a.header.Get("Request-Id")] = true
				if a.status == http.StatusOK {
					continue
				}
				var e struct {
					Type  string
					Error struct{ Type string }
				}
				require.NoError(t, json.Unmarshal(a.body, &e))
				require.Equal(t, "error", e.Type)
				require.Equal(t, http.StatusServiceUnavailable, a.status)
				types[e.Error.Type]++
			}
			require.Len(t, seen, 1000)
			require.Len(t, types, 1)
			require.Positive(t, types["overloaded_error"])
		})
	})
}

func TestZioListsItsKeysAndKeepsOldOnesOnTheOldPath(t *testing.T) { // CLAIMS.md O12, C3
	synctest.Test(t, func(t *testing.T) {
		srv := mock.StartInMemory(t, mock.Scenario("zio"))
		request, err := http.NewRequest(http.MethodGet, srv.URL+"/v1/keys", nil)
		require.NoError(t, err)
		request.Header = calling(srv).header
		response, err := srv.Client().Do(request)
		require.NoError(t, err)
		defer response.Body.Close()
		var listed struct {
			Data []struct {
				Name    string
				Created time.Time `json:"created_at"`
			}
		}
		require.NoError(t, json.NewDecoder(response.Body).Decode(&listed))
		created := map[string]time.Time{}
		for _, k := range listed.Data {
			created[k.Name] = k.Created
		}
		cut := time.Unix(1727740800, 0).UTC()
		require.Equal(t, time.Date(2024, time.October, 1, 0, 0, 0, 0, time.UTC), cut)

		for name, route := range map[string]string{
			"september": "old keys stay on the old path", "midnight": "scheduled", "noon": "scheduled",
		} {
			require.Contains(t, created, name)
			require.Equal(t, route == "scheduled", !created[name].Before(cut), name)
			calling(srv, "X-Api-Key", "sk-zio-"+name).post(t, body(nil))
			require.Equal(t, route, srv.Journal().Last().Route, name)
		}
	})
}

func TestZioCutsALongSystemPromptUnlessItIsInThree(t *testing.T) { // CLAIMS.md O15
	words := func(n int) string { return strings.TrimSuffix(strings.Repeat("water ", n), " ") }
	for name, c := range map[string]struct {
		system string
		cuts   bool
	}{
		"short":    {words(1499), false},
		"long":     {words(3000), true},
		"in two":   {words(1500) + "<|eot_id|>" + words(1500), true},
		"in three": {words(1000) + "<|eot_id|>" + words(1000) + "<|eot_id|>" + words(1000), false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := mock.StartInMemory(t, mock.Scenario("zio"))
				cuts := 0
				for range 10 {
					calling(srv).post(t, body(fields{"system": c.system, "max_tokens": 1}))
					e := srv.Journal().Last()
					if len(e.Warnings) > 0 {
						cuts++
						require.Contains(t, e.Warnings[0], "was cut to 2048")
						require.Less(t, e.Usage.Input, 2100)
					}
				}
				require.Equal(t, c.cuts, cuts > 0)
				require.Less(t, cuts, 10, "a long prompt may be cut, not must")
			})
		})
	}
}

func TestZioReleasesASlotSoonerThanTheOldPath(t *testing.T) { // CLAIMS.md O14
	for key, want := range map[string]time.Duration{noonKey: 17 * ms, oldKey: 420 * ms} {
		t.Run(key, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := mock.StartInMemory(t, mock.Scenario("zio"))
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				l, err := calling(srv, "X-Api-Key", key).listen(ctx, body(fields{"stream": true}))
				require.NoError(t, err)
				_, err = l.rest()
				require.ErrorIs(t, err, context.DeadlineExceeded)

				left, err := srv.Journal().Wait(open(t), 1, journal.Query{Outcome: journal.ClientLeft})
				require.NoError(t, err)
				require.Equal(t, want, left[0].Released-left[0].Ended)
			})
		})
	}
}
