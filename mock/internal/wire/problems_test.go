package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachProblemHasItsStatusTypeAndWords(t *testing.T) {
	for _, c := range []struct {
		problem *Error
		status  int
		kind    string
		message string
	}{
		{MissingKey(), 401, "authentication_error", "x-api-key header is required"},
		{MissingVersion(), 400, "invalid_request_error", "anthropic-version: header is required"},
		{BadVersion("2023-06-01, 2023-06-01"), 400, "invalid_request_error", `anthropic-version: "2023-06-01, 2023-06-01" is not a valid version`},
		{BadBeta("x"), 400, "invalid_request_error", "Unexpected value(s) `x` for the `anthropic-beta` header. Please consult our documentation at docs.anthropic.com or try again without the header."},
		{NotFound(), 404, "not_found_error", "Not Found"},
		{MethodNotAllowed(), 405, "invalid_request_error", "Method Not Allowed"},
		{UnknownModel("m"), 404, "not_found_error", "model: m"},
		{TooLarge(), 413, "request_too_large", "Request exceeds the maximum size"},
		{NotJSON("x"), 400, "invalid_request_error", "The request body is not valid JSON: x"},
		{Unreadable("x"), 400, "invalid_request_error", "The request body could not be read: x"},
		{BrowserHeaderMissing(), 401, "authentication_error", "CORS requests must set 'anthropic-dangerous-direct-browser-access' header"},
		{problem(429, MessageOf(429)), 429, "rate_limit_error", "Rate limited"},
		{problem(529, MessageOf(529)), 529, "overloaded_error", "Overloaded"},
		{Internal(), 500, "api_error", "Internal server error"},
	} {
		require.Equal(t, &Error{Status: c.status, Type: c.kind, Message: c.message}, c.problem)
	}
}
