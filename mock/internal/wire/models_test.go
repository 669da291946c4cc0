package wire

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheTableOfModelsIsSound(t *testing.T) {
	table := Models()
	require.True(t, slices.IsSortedFunc(table, func(a, b Model) int { return b.Created - a.Created }), "newest first")
	seen := map[string]bool{"": true}
	for _, m := range table {
		require.False(t, seen[m.ID], m.ID)
		seen[m.ID] = true
		require.True(t, m.Alias == "" || !seen[m.Alias], m.Alias)
		seen[m.Alias] = true
		require.Greater(t, m.Window, m.MaxOutput)
		require.Regexp(t, `^20\d\d[01]\d[0-3]\d$`, strconv.Itoa(m.Created))
		require.Contains(t, []string{Active, Deprecated, Retired}, m.Lifecycle)
	}
	table[0].ID = "mine"
	require.NotEqual(t, "mine", Models()[0].ID)
}

func TestAnAliasIsAnsweredWithTheDatedID(t *testing.T) {
	for model, want := range map[string]string{
		"claude-opus-4-5": "claude-opus-4-5-20251101", "claude-haiku-4-5": "claude-haiku-4-5-20251001",
		"claude-sonnet-4-5-20250929": "claude-sonnet-4-5-20250929", "claude-sonnet-5": "claude-sonnet-5", "my-model": "my-model", "": "",
	} {
		require.Equal(t, want, AnsweringOf(model).ID)
	}
}

func TestTheShapeOfAnswersFollowsTheModel(t *testing.T) {
	for model, want := range map[string]Generation{
		"claude-sonnet-5": Newer, "claude-opus-4-6": Newer, "claude-opus-4-5": Older, "claude-haiku-4-5-20251001": Older,
		"claude-3-5-sonnet-20241022": Older, "claude-3-9-latest": Older, "claude-2.2": Older, "acme-20240101": Older, "acme": Newer,
	} {
		require.Equal(t, want, AnsweringOf(model).Generation, model)
	}
	require.Equal(t, "global", Newer.InferenceGeo())
	require.Equal(t, "not_available", Older.InferenceGeo())
}

func TestTheDateOfAModelIsInItsIDOrTheTable(t *testing.T) {
	for model, want := range map[string]int{
		"claude-3-5-sonnet-20241022": 20241022, "claude-haiku-4-5": 20251015, "claude-opus-5": 20260724,
		"x-20240101-y-20250202-v2": 20250202, "x-123456789": 0, "x-20240101-123456789": 20240101, "20240101": 20240101, "acme": 0, "": 0,
	} {
		require.Equal(t, want, AnsweringOf(model).Date, model)
	}
}

func TestOneModelIsDescribedAsTheAPIDoes(t *testing.T) {
	got, problem := AppendModel(nil, Models(), "claude-opus-4-5")
	require.Nil(t, problem)
	require.Contains(t, string(got), `{"type":"model","id":"claude-opus-4-5-20251101","display_name":"Claude Opus 4.5","created_at":"2025-11-24T00:00:00Z",`+
		`"lifecycle":"deprecated","line":"opus","max_input_tokens":200000,"max_tokens":64000,"capabilities":{"batch":{"supported":true},`)
	require.Contains(t, string(got), `"deprecated_at":null,"retires_at":"2027-01-22T00:00:00Z"}`)
	require.True(t, json.Valid(got))
	_, problem = AppendModel(nil, Models(), "claude-nine")
	require.Equal(t, UnknownModel("claude-nine"), problem)
}

type modelPage struct {
	Data []struct {
		ID, Lifecycle string
	}
	HasMore bool    `json:"has_more"`
	FirstID *string `json:"first_id"`
	LastID  *string `json:"last_id"`
}

func pageFor(t *testing.T, query string) modelPage {
	t.Helper()
	q, err := url.ParseQuery(query)
	require.NoError(t, err)
	got, problem := AppendModels(nil, Models(), q)
	require.Nil(t, problem)
	var page modelPage
	require.NoError(t, json.Unmarshal(got, &page))
	return page
}

func TestTheModelsListIsPaged(t *testing.T) {
	all := pageFor(t, "limit=1000")
	require.False(t, all.HasMore)
	require.Len(t, all.Data, 19)
	require.Equal(t, "claude-fable-5-2", *all.FirstID)
	require.Equal(t, all.Data[18].ID, *all.LastID)
	require.Len(t, pageFor(t, "").Data, 19, "the default limit is 20")

	var walked []string
	for query := "limit=7"; ; {
		page := pageFor(t, query)
		for _, m := range page.Data {
			walked = append(walked, m.ID)
			require.NotEqual(t, Retired, m.Lifecycle)
		}
		if !page.HasMore {
			break
		}
		query = "limit=7&after_id=" + *page.LastID
	}
	require.Len(t, walked, 19)

	back := pageFor(t, "limit=2&before_id="+walked[5])
	require.Equal(t, walked[3], back.Data[0].ID)
	require.True(t, back.HasMore)
	require.False(t, pageFor(t, "before_id="+walked[5]).HasMore)

	none := pageFor(t, "after_id="+walked[18])
	require.NotNil(t, none.Data)
	require.Empty(t, none.Data)
	require.Nil(t, none.FirstID)
	require.Nil(t, none.LastID)

	retired := pageFor(t, "lifecycle[]=retired")
	require.Len(t, retired.Data, 14)
	require.Equal(t, Retired, retired.Data[0].Lifecycle)
}

func TestABadListQueryIsRefused(t *testing.T) {
	for query, message := range map[string]string{
		"limit=x": "limit: Input should be a valid integer", "limit=0": "limit: Input should be greater than or equal to 1",
		"limit=1001": "limit: Input should be less than or equal to 1000", "limit=": "limit: Input should be a valid integer",
		"lifecycle[]=new": "lifecycle.0: Input should be 'active', 'deprecated' or 'retired'",
		"after_id=nobody": "after_id: Input should be the id of a model in this list",
	} {
		q, err := url.ParseQuery(query)
		require.NoError(t, err)
		_, problem := AppendModels(nil, Models(), q)
		require.Equal(t, Invalid(message), problem, query)
	}
}

func BenchmarkResolve(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		AnsweringOf("claude-haiku-4-5")
	}
}
