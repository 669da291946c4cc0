package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

const billed = `orrery: 1
name: billed
clock: {starts: 2024-10-18T01:30:00Z}
keys:
  - {name: old, key: sk-old, created: 2024-09-30T12:00:00Z, tier: 2}
  - {name: undated, key: sk-undated}
  - {name: "*", created: 2024-10-05T00:00:00Z}
figures: {charged_tokens: {of: usage.total_tokens, factor: 0.9977}}
warn: [{when: key.name == "old", text: an old key}]
profiles: {quick: {respond: 0}}
routes:
  - {name: refused, when: text == "no", error: {status: 429}}
  - {name: old path, when: 'key.created < "2024-10-01T00:00:00Z"', profile: quick, reply: hello}
  - {name: all, profile: quick, reply: hello, usage: {input_tokens: 100, output_tokens: 24}}
`

const keyless = "orrery: 1\nname: keyless\nprofiles: {quick: {respond: 0}}\nroutes: [{name: all, profile: quick, reply: hello}]\n"

// desk is a service and somebody who asks it.
type desk struct {
	*api.Service
	t *testing.T
}

func open(t *testing.T) desk {
	t.Helper()
	library, err := scenario.NewLibrary(fstest.MapFS{"billed.yaml": {Data: []byte(billed)}, "keyless.yaml": {Data: []byte(keyless)}})
	require.NoError(t, err)
	home, err := library.Load("billed")
	require.NoError(t, err)
	replies, err := reply.Open(fstest.MapFS{"replies/bees.md": {Data: []byte("Bees dance.")}})
	require.NoError(t, err)
	return desk{api.New(api.Config{Default: home, Library: library, Replies: replies, Journal: journal.New(0), Clock: clock.Real()}), t}
}

// ask posts a message with a key under a path that names scenario and run, or none.
func (d desk) ask(base, key, text string) *httptest.ResponseRecorder {
	d.t.Helper()
	body := fmt.Sprintf(`{"model":"claude-sonnet-5","max_tokens":50,"messages":[{"role":"user","content":%q}]}`, text)
	return d.send(http.MethodPost, base+"/v1/messages", key, body)
}

func (d desk) send(method, path, key, body string, changes ...func(*http.Request)) *httptest.ResponseRecorder {
	d.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr, r.Host = "127.0.0.1:5555", "127.0.0.1:4010"
	r.Header.Set("Anthropic-Version", "2023-06-01")
	if key != "" {
		r.Header.Set("X-Api-Key", key)
	}
	for _, c := range changes {
		c(r)
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

type listing struct {
	Data []struct {
		Sequence, Ordinal    uint64
		Scenario, Run, Model string
		RequestID            string `json:"request_id"`
		Time                 string
		Usage                map[string]int
		Total                int `json:"total_tokens"`
		Figures              map[string]json.Number
	}
	HasMore bool `json:"has_more"`
	Last    uint64
}

func (d desk) bills(query string) listing {
	d.t.Helper()
	w := d.send(http.MethodGet, "/_orrery/billing"+query, "", "")
	require.Equal(d.t, http.StatusOK, w.Code, w.Body.String())
	require.Equal(d.t, "application/json", w.Header().Get("Content-Type"))
	var l listing
	require.NoError(d.t, json.Unmarshal(w.Body.Bytes(), &l))
	return l
}

func TestTheBillingListingSaysWhatEachAnswerCost(t *testing.T) {
	d := open(t)
	answer := d.ask("", "sk-any", "hi")
	d.ask("", "sk-any", "no")
	l := d.bills("")
	require.Len(t, l.Data, 1, "a refused request isn't billed")
	bill := l.Data[0]
	require.Equal(t, answer.Header().Get("Request-Id"), bill.RequestID)
	require.Equal(t, []string{"billed", "default", "claude-sonnet-5"}, []string{bill.Scenario, bill.Run, bill.Model})
	require.EqualValues(t, 1, bill.Ordinal)
	require.Equal(t, "2024-10-18T01:30:00Z", bill.Time)
	require.Equal(t, map[string]int{"input_tokens": 100, "output_tokens": 24, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}, bill.Usage)
	require.Equal(t, 124, bill.Total)
	require.Equal(t, json.Number("123.7148"), bill.Figures["charged_tokens"])
	require.NotContains(t, answer.Body.String(), "123.7", "no client sees a figure")
	require.False(t, l.HasMore)
}

func TestTheBillingListingGoesByScenarioAndRunInPages(t *testing.T) {
	d := open(t)
	for i := range 6 {
		d.ask([]string{"/runs/a", "/runs/b", "/scenarios/keyless"}[i%3], "sk-any", "hi")
	}
	require.Len(t, d.bills("").Data, 6)
	require.Len(t, d.bills("?scenario=billed").Data, 4)
	require.Empty(t, d.bills("?scenario=billed&run=c").Data)
	first := d.bills("?run=a&limit=1")
	require.True(t, first.HasMore)
	second := d.bills(fmt.Sprint("?run=a&limit=1&after=", first.Last))
	require.False(t, second.HasMore)
	require.Less(t, first.Data[0].Sequence, second.Data[0].Sequence, "newest last")
	end := d.bills(fmt.Sprint("?run=a&after=", second.Last))
	require.Empty(t, end.Data)
	require.Equal(t, second.Last, end.Last)
	require.Contains(t, d.send(http.MethodGet, "/_orrery/billing?run=c", "", "").Body.String(), `"data":[]`)
}

func TestTheBillingListingRefusesWhatItCantRead(t *testing.T) {
	d := open(t)
	for query, want := range map[string]struct {
		status int
		field  string
		detail string
	}{
		"?limit=0":         {400, "limit", "limit is a whole number from 1 to 1000"},
		"?limit=1001":      {400, "limit", "limit is a whole number from 1 to 1000"},
		"?limit=x":         {400, "limit", "limit is a whole number from 1 to 1000"},
		"?after=req_1":     {400, "after", "after is the sequence of a line, as `last` of the page before has it"},
		"?scenario=billde": {404, "scenario", "billed"},
	} {
		w := d.send(http.MethodGet, "/_orrery/billing"+query, "", "")
		require.Equal(t, want.status, w.Code, query)
		require.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
		var told struct{ Field, Detail string }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &told))
		require.Equal(t, want.field, told.Field)
		require.Contains(t, told.Detail, want.detail)
	}
}

func TestTheBillingListingIsForThisMachineAlone(t *testing.T) {
	d := open(t)
	from := func(address string) func(*http.Request) { return func(r *http.Request) { r.RemoteAddr = address } }
	page := func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:3000") }
	get := func(c func(*http.Request)) *httptest.ResponseRecorder {
		return d.send(http.MethodGet, "/_orrery/billing", "", "", c)
	}
	for _, address := range []string{"127.0.0.1:1", "[::1]:1", "127.8.8.8:1", "in-memory"} {
		require.Equal(t, 200, get(from(address)).Code, address)
	}
	for _, address := range []string{"192.0.2.1:1", "[2001:db8::1]:1"} {
		require.Equal(t, 403, get(from(address)).Code, address)
	}
	under := func(host string) func(*http.Request) { return func(r *http.Request) { r.Host = host } }
	for _, host := range []string{"localhost:4010", "127.0.0.1", "[::1]", "[::1]:4010"} {
		require.Equal(t, 200, get(under(host)).Code, host)
	}
	for _, host := range []string{"evil.example", "127.0.0.1.evil.example:4010", "localhost.evil.example"} {
		require.Equal(t, 403, get(under(host)).Code, host)
	}
	w := get(page)
	require.Equal(t, 403, w.Code)
	require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
}

func TestTheBillingListingIsNoRequestOfTheRun(t *testing.T) {
	d := open(t)
	d.bills("")
	body, err := io.ReadAll(d.ask("", "sk-any", "hi").Body)
	require.NoError(t, err)
	require.NotEmpty(t, body)
	require.EqualValues(t, 1, d.Journal.Last().Ordinal)
	require.Equal(t, 1, d.Journal.Len())
}
