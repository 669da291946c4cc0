package wire

import (
	"strconv"
	"time"
)

// Error is an error of the API: what a client gets in place of a message.
type Error struct {
	Status  int    // the HTTP status
	Type    string // error.type, such as invalid_request_error
	Message string // error.message, for people
	// Details is raw JSON for error.details; nil leaves the key out.
	Details []byte
	// RetryAfter is how long a client should wait; 0 leaves the headers out.
	RetryAfter time.Duration
	// ShouldRetry overrides x-should-retry; nil lets the status say it.
	ShouldRetry *bool
}

// Error returns the type and the message.
func (e *Error) Error() string { return e.Type + ": " + e.Message }

// Append appends the error's JSON body. An empty requestID is written as null.
func (e *Error) Append(dst []byte, requestID string) []byte {
	dst = append(dst, `{"type":"error","error":{`...)
	if e.Details != nil {
		dst = append(append(append(dst, `"details":`...), e.Details...), ',')
	}
	dst = appendString(append(dst, `"type":`...), e.Type)
	dst = appendString(append(dst, `,"message":`...), e.Message)
	dst = appendStringOrNull(append(dst, `},"request_id":`...), requestID)
	return append(dst, '}')
}

// Header hands set the headers that belong to this error (R24): x-should-retry; and, when there
// is a wait, retry-after in whole seconds rounded up with retry-after-ms beside it below 1 s.
func (e *Error) Header(set func(name, value string)) {
	retry := retries(e.Status)
	if e.ShouldRetry != nil {
		retry = *e.ShouldRetry
	}
	set("x-should-retry", strconv.FormatBool(retry))
	if e.RetryAfter <= 0 {
		return
	}
	set("retry-after", strconv.FormatInt(int64((e.RetryAfter+time.Second-1)/time.Second), 10))
	if e.RetryAfter < time.Second {
		set("retry-after-ms", strconv.FormatInt(int64((e.RetryAfter+time.Millisecond-1)/time.Millisecond), 10))
	}
}

// retries says whether the official SDKs try again after a status of themselves.
func retries(status int) bool {
	return status == 408 || status == 409 || status == 429 || status >= 500
}

// TypeOf returns the error.type that the API gives with an HTTP status. For 413 it is the one
// that clients report, request_too_large; the API's schema has invalid_request_error there.
func TypeOf(status int) string {
	switch status {
	case 401:
		return "authentication_error"
	case 402:
		return "billing_error"
	case 403:
		return "permission_error"
	case 404:
		return "not_found_error"
	case 408, 504:
		return "timeout_error"
	case 413:
		return "request_too_large"
	case 429:
		return "rate_limit_error"
	case 503, 529:
		return "overloaded_error"
	}
	if status >= 500 {
		return "api_error"
	}
	return "invalid_request_error"
}

// MessageOf returns the message that the API's schema gives with an HTTP status.
func MessageOf(status int) string {
	switch status {
	case 401:
		return "Authentication error"
	case 402:
		return "Billing error"
	case 403:
		return "Permission denied"
	case 404:
		return "Not found"
	case 408, 504:
		return "Request timeout"
	case 429:
		return "Rate limited"
	case 503, 529:
		return "Overloaded"
	}
	if status >= 500 {
		return "Internal server error"
	}
	return "Invalid request"
}
