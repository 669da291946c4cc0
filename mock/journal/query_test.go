package journal_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

func TestEveryConditionOfAQueryTellsEntriesApart(t *testing.T) {
	j := journal.New(0)
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	body := func(model, system, tool, text string) string {
		return `{"model": "` + model + `", "system": [{"type":"text","text":"` + system + `"}], "tools": [{"name":"` + tool + `"}],
			"messages": [{"role":"user","content":"the first"},{"role":"assistant","content":"no"},{"role":"user","content":[{"type":"text","text":"` + text + `"}]}]}`
	}
	whole(j, journal.Arrival{
		Path: "/scenarios/zio/runs/a/v1/messages", Method: "POST", Key: "key-1", Client: "key-1", Connection: 3, Arrived: noon,
		Header: http.Header{"X-Stainless-Retry-Count": {"2"}},
	}, body("m1", "Be brief.", "weather", `Say \"hi\" and \u00e9`), &plan{status: 429})
	whole(j, journal.Arrival{
		Path: "/v1/messages/count_tokens", Method: "PUT", Key: "key-2", Client: "1.2.3.4", Connection: 4, Arrived: noon.Add(time.Second),
	}, body("m2", "Be kind.", "search", "Hello"), &plan{status: 200})
	j.Open(journal.Arrival{Path: "/none", Arrived: noon.Add(2 * time.Second)}).Close(journal.Failed, journal.Reading, 0)

	first, second, third := "/scenarios/zio/runs/a/v1/messages", "/v1/messages/count_tokens", "/none"
	for words, want := range map[string][]string{
		"status=4xx":                  {first},
		"status=200-428":              {second},
		"status=200-429":              {first, second},
		"phase=reading":               {third},
		"method=PUT":                  {second},
		"path=/v1/messages":           {first},
		"path=" + first:               {first},
		"key=key-2":                   {second},
		"client=1.2.3.4":              {second},
		"connection=4":                {second},
		"attempt=3":                   {first},
		"attempt=1":                   {second, third},
		"from=2026-11-29T12:00:01Z":   {second, third},
		"to=2026-11-29T12:00:01Z":     {first},
		"after=2":                     {third},
		"model=m1":                    {first},
		"system=kind":                 {second},
		"system=Hello":                nil,
		"tool=weather":                {first},
		"tool=weath":                  nil,
		"text=" + `"hi" and é`:        {first},
		"text=the first":              nil,
		"text=no":                     nil,
		"method=PUT&tool=weather":     nil,
		"outcome=failed":              {third},
		"outcome=complete&status=429": {first},
	} {
		values := url.Values{}
		for _, word := range strings.Split(words, "&") {
			name, value, _ := strings.Cut(word, "=")
			values.Set(name, value)
		}
		q, err := journal.ParseQuery(values)
		require.NoError(t, err, words)
		require.Equal(t, want, paths(j.Find(q)), words)
		require.Len(t, want, j.Count(q).Seen, words)
		if !strings.Contains(words, "xx") {
			require.Equal(t, values, q.Values(), "a query says what it was read from")
		}
	}
	asked := 0
	only := journal.Query{Method: "PUT", Where: func(e journal.Entry) bool {
		asked++
		return e.Status == 200
	}}
	require.Equal(t, []string{second}, paths(j.Find(only)))
	require.Equal(t, 1, asked, "the function is asked last")
}

func TestABadParameterIsNamedWithWhatItMayBe(t *testing.T) {
	for query, message := range map[string]string{
		"status=abc":               `parameter status is "abc"; it must be a status such as 429, a range such as 400-499, or a class such as 4xx, within 100 to 999`,
		"status=499-400":           `parameter status is "499-400"; it must be a status`,
		"status=42":                `parameter status is "42"; it must be`,
		"status=400-":              `parameter status is "400-"; it must be`,
		"outcome=done":             `parameter outcome is "done"; it must be one of open, complete, refused, broken, client-left, failed`,
		"phase=x":                  `parameter phase is "x"; it must be one of reading, waiting, headers, streaming, done`,
		"attempt=0":                `parameter attempt is "0"; it must be a whole number from 1`,
		"after=-1":                 `parameter after is "-1"; it must be a whole number from 1`,
		"from=yesterday":           `parameter from is "yesterday"; it must be a time such as 2026-11-29T18:30:00Z`,
		"run=":                     `parameter run is empty; leave it out or give it a value`,
		"run=a&run=b":              `parameter run is given 2 times; give it once`,
		"routes=a":                 `parameter "routes" is unknown; there are after, attempt, client, connection, from, key, limit, mark, method, model,`,
		"zzz=1&outcome=x&attempt=": `parameter attempt is empty`,
	} {
		values, err := url.ParseQuery(query)
		require.NoError(t, err)
		q, err := journal.ParseQuery(values, "limit")
		require.ErrorContains(t, err, message, query)
		require.Equal(t, url.Values{}, q.Values())
	}
	q, err := journal.ParseQuery(url.Values{"limit": {"many"}, "run": {"a"}}, "limit")
	require.NoError(t, err, "what the caller reads itself is left to it")
	require.Equal(t, "run=a", q.String())
	require.Equal(t, "any request", journal.Query{}.String())
}

func TestTheNearestEntriesSayWhyTheyDontMatch(t *testing.T) {
	j := journal.New(0)
	whole(j, journal.Arrival{Path: "/a", Run: "t", Method: "GET"}, "", &plan{status: 500, route: "slow"})
	whole(j, journal.Arrival{Path: "/b", Run: "t", Method: "POST"}, `{"messages":[{"role":"user","content":"Hello"}]}`, &plan{status: 200, route: "fast"})
	whole(j, journal.Arrival{Path: "/c", Run: "other", Method: "POST"}, "", &plan{status: 429, route: "fast"})
	near := j.Nearest(journal.Query{Run: "t", Status: 429, Route: "fast", Method: "POST", Text: "Bye"}, 2)
	require.Len(t, near, 2)
	require.Equal(t, "/b", near[0].Entry.Path)
	require.Equal(t, []string{"status is 200, not 429", "text is Hello, not Bye"}, near[0].Misses)
	require.Equal(t, "/a", near[1].Entry.Path, "another run's is never nearer")
	require.Empty(t, j.Nearest(journal.Query{Run: "t"}, 1)[0].Misses)
	require.Empty(t, journal.New(0).Nearest(journal.Query{}, 3))
}

func TestAPageGoesOnWhereTheLastOneEnded(t *testing.T) {
	j := journal.New(0)
	for _, path := range []string{"1", "2", "3"} {
		whole(j, journal.Arrival{Path: path, Run: "t"}, "", &plan{})
	}
	q := journal.Query{Run: "t"}
	page, more := j.Page(q, 2)
	require.Equal(t, []string{"1", "2"}, paths(page))
	require.True(t, more)
	q.After = page[1].Sequence
	page, more = j.Page(q, 2)
	require.Equal(t, []string{"3"}, paths(page))
	require.False(t, more)
}
