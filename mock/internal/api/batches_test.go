package api_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

const (
	oneRequest = `{"requests":[{"custom_id":"one","params":` + hello + `}]}`
	batches    = "/v1/messages/batches"
)

func decode(t testing.TB, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	var v map[string]any
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &v))
	return v
}

// made creates something and returns its id.
func (s *service) made(r *http.Request) string {
	return decode(s.t, s.do(r))["id"].(string)
}

func TestABatchesResultsAreWhereItsClientCanReachThem(t *testing.T) {
	s := serving(t)
	for base, header := range map[string][]string{
		"http://example.com":                              {"X-Forwarded-Proto", ""},
		"https://example.com":                             {"X-Forwarded-Proto", "https"},
		"http://example.com/runs/a":                       {},
		"http://example.com/scenarios/quick":              {},
		"http://example.com/scenarios/quick/runs/another": {},
	} {
		_, path, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(base, "https://"), "http://"), "/")
		if path != "" {
			path = "/" + path
		}
		path += batches
		quick := append(header, "X-Orrery-Scenario", "quick")
		id := s.made(request("POST", path, oneRequest, quick...))
		url := decode(t, s.do(request("GET", path+"/"+id, "", quick...)))["results_url"]
		require.Equal(t, base+batches+"/"+id+"/results", url)
		results := s.do(request("GET", url.(string), "", quick...))
		require.Equal(t, "application/x-jsonl", results.Header().Get("Content-Type"))
		require.Contains(t, results.Body.String(), `{"custom_id":"one","result":{"type":"succeeded","message":{`)
		require.True(t, strings.HasSuffix(results.Body.String(), "}}\n"))
	}
}

func TestARunSeesOnlyItsOwnBatches(t *testing.T) {
	s := serving(t)
	id := s.made(request("POST", "/runs/a"+batches, oneRequest))
	require.Empty(t, decode(t, s.do(request("GET", "/runs/b"+batches, "")))["data"])
	require.Equal(t, "Message batch not found: "+id,
		requireError(t, s.do(request("GET", "/runs/b"+batches+"/"+id, "")), 404, "not_found_error"))
}

func TestABatchIsRefusedAsAWhole(t *testing.T) {
	s := serving(t)
	for name, test := range map[string]struct {
		r             *http.Request
		status        int
		kind, message string
	}{
		"bad":        {request("POST", batches, `{"requests":[]}`), 400, "invalid_request_error", "requests: List should have at least 1 item after validation, not 0"},
		"no key":     {request("POST", batches, oneRequest, "X-Api-Key", ""), 401, "authentication_error", "x-api-key header is required"},
		"no version": {request("GET", batches, "", "Anthropic-Version", ""), 400, "invalid_request_error", "anthropic-version: header is required"},
		"no id":      {request("GET", batches+"/msgbatch_1", ""), 404, "not_found_error", "Message batch not found: msgbatch_1"},
		"no results": {request("GET", batches+"/msgbatch_1/results", ""), 404, "not_found_error", "Message batch not found: msgbatch_1"},
		"a limit":    {request("GET", batches+"?limit=0", ""), 400, "invalid_request_error", "limit: Input should be greater than or equal to 1"},
		"a cursor":   {request("GET", batches+"?after_id=x", ""), 400, "invalid_request_error", "after_id: Input should be the id of an object in this list"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.message, requireError(t, s.do(test.r), test.status, test.kind))
		})
	}
	require.Empty(t, decode(t, s.do(request("GET", batches, "")))["data"], "nothing is left of them")
}

func TestAStreamInABatchIsRefusedInItsResults(t *testing.T) {
	s := serving(t)
	body := strings.Replace(oneRequest, `"max_tokens"`, `"stream":true,"max_tokens"`, 1)
	path := "/scenarios/quick" + batches
	id := s.made(request("POST", path, body))
	results := s.do(request("GET", path+"/"+id+"/results", "")).Body.String()
	require.Contains(t, results, `"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"stream: Streaming is not supported in message batches"},"request_id":"req_`)
}

func TestACompressedBatchIsRead(t *testing.T) {
	s := serving(t)
	packed := new(bytes.Buffer)
	w := gzip.NewWriter(packed)
	_, err := w.Write([]byte(oneRequest))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NotEmpty(t, s.made(request("POST", batches, packed.String(), "Content-Encoding", "gzip")))
	requireError(t, s.do(request("POST", batches, oneRequest, "Content-Encoding", "gzip")), 400, "invalid_request_error")
}

func TestFamiliesThatAreLeftOutAreNotFound(t *testing.T) {
	s := serving(t)
	for _, path := range []string{
		"/v1/agents", "/v1/sessions", "/v1/environments", "/v1/deployments", "/v1/deployment_runs", "/v1/vaults", "/v1/memory_stores",
		"/v1/tunnels", "/v1/dreams", "/v1/organizations/me", "/v1/compliance/activities", "/v1/user_profiles", "/v1/files/a/b", "/v1/nothing",
	} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			require.Equal(t, "Not Found", requireError(t, s.do(request(method, path+"?beta=true", "{}")), 404, "not_found_error"), path)
		}
	}
}

func TestTheBetaQueryIsIgnored(t *testing.T) {
	s := serving(t)
	for _, path := range []string{batches, "/v1/files", "/v1/skills", "/v1/models"} {
		require.Contains(t, decode(t, s.do(request("GET", path+"?beta=true", ""))), "data", path)
	}
	require.NotEmpty(t, s.made(request("POST", batches+"?beta=true", oneRequest)))
}

func TestTheOlderEndpointIsTheOlderVersions(t *testing.T) {
	s := serving(t)
	const body = `{"model":"claude-2.1","max_tokens_to_sample":9,"prompt":"\n\nHuman: hi\n\nAssistant:"}`
	path := "/scenarios/quick/v1/complete"
	require.Equal(t, " quick", decode(t, s.do(request("POST", path, body)))["completion"])
	requireError(t, s.do(request("POST", path, body, "Anthropic-Version", wire.Version2026)), 404, "not_found_error")
	requireError(t, s.do(request("GET", path, "")), 405, "invalid_request_error")
	requireError(t, s.do(request("POST", "/v1/completions", body)), 404, "not_found_error")
}

func TestAScenariosOwnModelsAreListedAndAnswer(t *testing.T) {
	s := serving(t)
	own := "/scenarios/own-models"
	list := decode(t, s.do(request("GET", own+"/v1/models?limit=1000", "")))["data"].([]any)
	require.Equal(t, "mine-1", list[0].(map[string]any)["id"])
	require.Equal(t, "My model", decode(t, s.do(request("GET", own+"/v1/models/mine", "")))["display_name"])
	ask := func(model, tokens string) *http.Request {
		return request("POST", own+"/v1/messages", `{"model":"`+model+`","max_tokens":`+tokens+`,"messages":[{"role":"user","content":"hi"}]}`)
	}
	require.Equal(t, "mine-1", decode(t, s.do(ask("mine", "7")))["model"], "by its alias")
	require.Contains(t, requireError(t, s.do(ask("mine", "8")), 400, "invalid_request_error"), "8 > 7")
	requireError(t, s.do(ask("nobodys", "7")), 404, "not_found_error")
	requireError(t, s.do(request("GET", "/v1/models/mine", "")), 404, "not_found_error")
}
