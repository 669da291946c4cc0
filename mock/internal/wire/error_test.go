package wire

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAnErrorIsWrittenAsTheAPIWritesIt(t *testing.T) {
	e := Invalid("a \"b\" <c>\n\u2028")
	require.Equal(t, `{"type":"error","error":{"type":"invalid_request_error","message":"a \"b\" <c>\n`+"\u2028"+`"},"request_id":"req_011C"}`,
		string(e.Append(nil, "req_011C")))
	require.Equal(t, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":null}`, string(problem(529, MessageOf(529)).Append(nil, "")))
	e = &Error{Status: 400, Type: "invalid_request_error", Message: "x", Details: []byte(`{"error_code":"y"}`)}
	require.Equal(t, `{"type":"error","error":{"details":{"error_code":"y"},"type":"invalid_request_error","message":"x"},"request_id":"r"}`, string(e.Append(nil, "r")))
	var err error = e
	require.EqualError(t, err, "invalid_request_error: x")
}

func TestHeadersOfAnErrorSayWhetherAndWhenToTryAgain(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		e    Error
		want map[string]string
	}{
		{Error{Status: 400}, map[string]string{"x-should-retry": "false"}},
		{Error{Status: 401}, map[string]string{"x-should-retry": "false"}},
		{Error{Status: 413}, map[string]string{"x-should-retry": "false"}},
		{Error{Status: 429}, map[string]string{"x-should-retry": "true"}},
		{Error{Status: 409}, map[string]string{"x-should-retry": "true"}},
		{Error{Status: 529}, map[string]string{"x-should-retry": "true"}},
		{Error{Status: 400, ShouldRetry: &yes}, map[string]string{"x-should-retry": "true"}},
		{Error{Status: 429, ShouldRetry: &no}, map[string]string{"x-should-retry": "false"}},
		{Error{Status: 429, RetryAfter: time.Second}, map[string]string{"x-should-retry": "true", "retry-after": "1"}},
		{Error{Status: 429, RetryAfter: 1001 * time.Millisecond}, map[string]string{"x-should-retry": "true", "retry-after": "2"}},
		{Error{Status: 429, RetryAfter: 199_000_001}, map[string]string{"x-should-retry": "true", "retry-after": "1", "retry-after-ms": "200"}},
	} {
		got := map[string]string{}
		c.e.Header(func(name, value string) { got[name] = value })
		require.Equal(t, c.want, got, "%+v", c.e)
	}
}

func TestEachStatusHasTheTypeAndMessageOfTheSchema(t *testing.T) {
	for _, c := range []struct {
		status        int
		kind, message string
	}{
		{400, "invalid_request_error", "Invalid request"}, {401, "authentication_error", "Authentication error"},
		{402, "billing_error", "Billing error"}, {403, "permission_error", "Permission denied"},
		{404, "not_found_error", "Not found"}, {405, "invalid_request_error", "Invalid request"},
		{408, "timeout_error", "Request timeout"}, {409, "invalid_request_error", "Invalid request"},
		{413, "request_too_large", "Invalid request"}, {429, "rate_limit_error", "Rate limited"},
		{500, "api_error", "Internal server error"}, {502, "api_error", "Internal server error"},
		{503, "overloaded_error", "Overloaded"}, {504, "timeout_error", "Request timeout"}, {529, "overloaded_error", "Overloaded"},
	} {
		require.Equal(t, c.kind, TypeOf(c.status), c.status)
		require.Equal(t, c.message, MessageOf(c.status), c.status)
	}
}
