package api_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
)

func TestEveryRefusalHasTheAPIsShape(t *testing.T) {
	const messages = "/v1/messages"
	for _, c := range []struct {
		name         string
		method, path string
		body         string
		headers      []string
		status       int
		kind, said   string
	}{
		{"no key", "POST", messages, hello, []string{"X-Api-Key", ""}, 401, "authentication_error", "x-api-key header is required"},
		{"a key of another scheme", "POST", messages, hello, []string{"X-Api-Key", "", "Authorization", "Basic abc"}, 401, "authentication_error", "x-api-key header is required"},
		{"an empty bearer token", "POST", messages, hello, []string{"X-Api-Key", "", "Authorization", "Bearer "}, 401, "authentication_error", "x-api-key header is required"},
		{"no key for the models", "GET", "/v1/models", "", []string{"X-Api-Key", ""}, 401, "authentication_error", "x-api-key header is required"},
		{"no version", "POST", messages, hello, []string{"Anthropic-Version", ""}, 400, "invalid_request_error", "anthropic-version: header is required"},
		{"another version", "POST", messages, hello, []string{"Anthropic-Version", "2023-06-02"}, 400, "invalid_request_error", `anthropic-version: "2023-06-02" is not a valid version`},
		{"no body", "POST", messages, "", nil, 400, "invalid_request_error", "The request body is not valid JSON: "},
		{"half a body", "POST", messages, hello[:40], nil, 400, "invalid_request_error", "The request body is not valid JSON: "},
		{"a list", "POST", messages, "[]", nil, 400, "invalid_request_error", "Input should be an object"},
		{"a field missing", "POST", messages, `{"model":"m","max_tokens":5}`, nil, 400, "invalid_request_error", "messages: Field required"},
		{"a field too many", "POST", messages, strings.Replace(hello, "{", `{"moodel":1,`, 1), nil, 400, "invalid_request_error", "moodel: Extra inputs are not permitted"},
		{"another scenario's field", "POST", messages, strings.Replace(hello, "{", `{"mode":"hard",`, 1), nil, 400, "invalid_request_error", "mode: Extra inputs are not permitted"},
		{"half a body to count", "POST", messages + "/count_tokens", hello[:40], nil, 400, "invalid_request_error", "The request body is not valid JSON: "},
		{"an unknown model", "GET", "/v1/models/claude-none", "", nil, 404, "not_found_error", "model: claude-none"},
		{"an unknown path", "GET", "/v1/nothing", "", nil, 404, "not_found_error", "Not Found"},
		{"the root", "GET", "/", "", nil, 404, "not_found_error", "Not Found"},
		{"two slashes", "POST", "//v1/messages", hello, nil, 404, "not_found_error", "Not Found"},
		{"the version twice", "POST", "/v1/v1/messages", hello, nil, 404, "not_found_error", "Not Found"},
		{"a slash behind", "POST", "/v1/messages/", hello, nil, 404, "not_found_error", "Not Found"},
		{"an unknown path of a scenario", "POST", "/scenarios/quick/runs/a/v1/nothing", hello, nil, 404, "not_found_error", "Not Found"},
		{"a scenario alone", "POST", "/scenarios/quick", hello, nil, 404, "not_found_error", "Not Found"},
		{"another method", "GET", messages, "", nil, 405, "invalid_request_error", "Method Not Allowed"},
		{"another method of a scenario", "PUT", "/scenarios/quick/v1/messages", "", nil, 405, "invalid_request_error", "Method Not Allowed"},
		{"another method of the models", "POST", "/v1/models", hello, nil, 405, "invalid_request_error", "Method Not Allowed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serving(t)
			said := requireError(t, s.do(request(c.method, c.path, c.body, c.headers...)), c.status, c.kind)
			require.True(t, strings.HasPrefix(said, c.said), said)

			e := s.Journal.Last()
			require.Equal(t, []any{"refused", "done", c.status}, []any{string(e.Outcome), string(e.Phase), e.Status})
			require.Equal(t, strings.Contains(c.path, "/v1/") && !strings.HasPrefix(c.path, "//"), e.Ordinal == 1, "R1")
		})
	}
}

func TestBothVersionsAreServed(t *testing.T) {
	for _, version := range []string{"2023-06-01", "2026-10-21"} {
		w := serving(t).post(hello, "Anthropic-Version", version)
		require.Equal(t, 200, w.Code, w.Body.String())
		require.NotEmpty(t, w.Header().Get("Request-Id"))
	}
}

func TestTheKeyMayBeABearerToken(t *testing.T) {
	s := serving(t)
	for _, headers := range [][]string{{}, {"X-Api-Key", "", "Authorization", "Bearer " + secret}, {"X-Api-Key", "", "Authorization", "bearer  " + secret}} {
		require.Equal(t, 200, s.post(hello, headers...).Code)
		require.Regexp(t, "^key-[0-9a-f]{12}$", s.Journal.Last().Key)
		require.Equal(t, s.Journal.All()[0].Key, s.Journal.Last().Key, "it is the same key")
	}
}

func TestWithoutAKeyTheClientIsItsAddress(t *testing.T) {
	s := serving(t)
	s.post(hello, "X-Api-Key", "")
	require.Equal(t, []string{"192.0.2.1", ""}, []string{s.Journal.Last().Client, s.Journal.Last().Key})
}

// forbidden is a body that nobody may read.
type forbidden struct{ t *testing.T }

func (f forbidden) Read([]byte) (int, error) {
	f.t.Error("the body was read")
	return 0, io.EOF
}

func TestABodyThatSaysItIsTooLargeIsRefusedUnread(t *testing.T) {
	s := serving(t)
	r := request("POST", "/v1/messages", "")
	r.Body, r.ContentLength = io.NopCloser(forbidden{t}), api.MaxBody+1
	requireError(t, s.do(r), 413, "request_too_large")
}

// spaces is an endless body that counts what is read of it.
type spaces struct{ read int64 }

func (s *spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	s.read += int64(len(b))
	return len(b), nil
}

func TestABodyWithoutALengthIsRefusedOnceItIsTooLarge(t *testing.T) {
	s, endless := serving(t), &spaces{}
	r := request("POST", "/v1/messages", "")
	r.Body, r.ContentLength = io.NopCloser(endless), -1
	requireError(t, s.do(r), 413, "request_too_large")
	require.Less(t, endless.read, int64(api.MaxBody)+64<<20)
	require.Empty(t, s.Journal.Last().Body)
}

func TestABodyOfJustTheLimitIsTaken(t *testing.T) {
	s := serving(t)
	for _, length := range []int64{api.MaxBody, -1} {
		r := request("POST", "/scenarios/quick/v1/messages", hello+strings.Repeat(" ", api.MaxBody-len(hello)))
		r.ContentLength = length
		require.Equal(t, 200, s.do(r).Code)
	}
}

func TestCountTokensSaysWhatUsageSays(t *testing.T) {
	s := serving(t)
	for _, body := range []string{
		hello,
		strings.Replace(hello, `"hi"`, `"这是一个测试 🎉 12345"`, 1),
		strings.Replace(hello, "{", `{"system":"Be brief.","tools":[{"name":"look","input_schema":{"type":"object"}}],`, 1),
	} {
		var counted struct {
			InputTokens int `json:"input_tokens"`
		}
		w := s.do(request("POST", "/scenarios/quick/v1/messages/count_tokens", strings.Replace(body, `"max_tokens":100,`, "", 1)))
		require.Equal(t, 200, w.Code, w.Body.String())
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &counted))
		var answered struct {
			Usage struct {
				InputTokens int `json:"input_tokens"`
			}
		}
		require.NoError(t, json.Unmarshal(s.post(body).Body.Bytes(), &answered))
		require.Equal(t, answered.Usage.InputTokens, counted.InputTokens)
		require.Positive(t, counted.InputTokens)
	}
}

func TestTheModelsAreListedAndFoundOneByOne(t *testing.T) {
	s := serving(t)
	var list struct {
		Data    []struct{ ID, Type string }
		HasMore bool   `json:"has_more"`
		FirstID string `json:"first_id"`
	}
	w := s.do(request("GET", "/v1/models?limit=3", ""))
	require.Equal(t, 200, w.Code, w.Body.String())
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &list))
	require.Len(t, list.Data, 3)
	require.True(t, list.HasMore)
	require.Equal(t, list.Data[0].ID, list.FirstID)
	for _, m := range list.Data {
		var one struct{ ID, Type string }
		require.NoError(t, json.Unmarshal(s.do(request("GET", "/v1/models/"+m.ID, "")).Body.Bytes(), &one))
		require.Equal(t, m, one)
		require.Equal(t, "model", one.Type)
	}
	requireError(t, s.do(request("GET", "/v1/models?limit=many", "")), 400, "invalid_request_error")
}

func TestARequestIsLeftAsItCame(t *testing.T) {
	s := serving(t)
	r := request("POST", "/scenarios/quick/v1/messages", hello)
	before := r.Header.Clone()
	s.do(r)
	require.Equal(t, before, r.Header)
}

func TestWhatALaxValidationLetPassIsInTheJournal(t *testing.T) {
	s := serving(t)
	for path, body := range map[string]string{"messages": hello, "messages/count_tokens": question} {
		require.Equal(t, 200, s.do(request("POST", "/scenarios/lax/v1/"+path, strings.Replace(body, "{", `{"moodel":1,`, 1))).Code)
		require.Equal(t, []string{"moodel: Extra inputs are not permitted"}, s.Journal.Last().Warnings)
	}
}
