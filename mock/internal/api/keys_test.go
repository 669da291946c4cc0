package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAScenariosKeysCanBeListedWithoutTheirTexts(t *testing.T) { // CLAIMS.md O12
	d := open(t)
	w := d.send(http.MethodGet, "/v1/keys", "sk-old", "")
	require.Equal(t, http.StatusOK, w.Code)
	old := d.Journal.Last().Key
	d.send(http.MethodGet, "/v1/keys", "sk-undated", "")
	require.JSONEq(t, fmt.Sprintf(`{"has_more": false, "data": [
		{"type": "api_key", "name": "old", "created_at": "2024-09-30T12:00:00Z", "fingerprint": %q, "tier": "2"},
		{"type": "api_key", "name": "undated", "created_at": null, "fingerprint": %q}
	]}`, old, d.Journal.Last().Key), w.Body.String())
	require.NotContains(t, w.Body.String(), "sk-")
	require.EqualValues(t, 2, d.Journal.Last().Ordinal, "a request like others")
}

func TestAScenarioWithoutKeysHasNoListOfThem(t *testing.T) {
	d := open(t)
	w := d.send(http.MethodGet, "/scenarios/keyless/v1/keys", "sk-old", "")
	require.Equal(t, http.StatusNotFound, w.Code)
	require.Contains(t, w.Body.String(), "not_found_error")
	require.Equal(t, http.StatusUnauthorized, d.send(http.MethodGet, "/v1/keys", "", "").Code, "nobody's request")
}

func TestAKeyDecidesThePathAndStaysOutOfTheJournal(t *testing.T) {
	d := open(t)
	for key, route := range map[string]string{"sk-old": "old path", "sk-other": "all", "orrery:billed": "all", "sk-undated": "old path"} {
		require.Equal(t, http.StatusOK, d.ask("", key, "hi").Code)
		e := d.Journal.Last()
		require.Equal(t, route, e.Route, key)
		text, err := json.Marshal(e)
		require.NoError(t, err)
		require.NotContains(t, string(text), key)
	}
}

func TestAnOldKeyIsAWarningInTheJournalAlone(t *testing.T) {
	d := open(t)
	w := d.ask("", "sk-old", "hi")
	require.Equal(t, []string{"an old key"}, d.Journal.Last().Warnings)
	require.NotContains(t, fmt.Sprint(w.Header(), w.Body.String()), "an old key")
	require.Equal(t, "old", d.Journal.Last().Facts["key.name"])
}
