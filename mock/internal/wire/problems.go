package wire

import (
	"fmt"
	"strconv"
	"strings"
)

// Every sentence about a whole request that a client can see is in this file; those about one
// field of a body stand in the table of rules.

func problem(status int, message string) *Error {
	return &Error{Status: status, Type: TypeOf(status), Message: message}
}

// Invalid is a 400 with a message of the caller's.
func Invalid(message string) *Error { return problem(400, message) }

// NotJSON is a body that isn't JSON; what is the parser's word on it.
func NotJSON(what string) *Error { return problem(400, "The request body is not valid JSON: "+what) }

// Unreadable is a body that could not be read to its end; what is the reader's word on it.
func Unreadable(what string) *Error {
	return problem(400, "The request body could not be read: "+what)
}

// NotObject is a body that is JSON, but no object.
func NotObject() *Error { return problem(400, "Input should be an object") }

// MissingKey is a request without an API key.
func MissingKey() *Error { return problem(401, "x-api-key header is required") }

// MissingVersion is a request without anthropic-version.
func MissingVersion() *Error { return problem(400, "anthropic-version: header is required") }

// BadVersion is an anthropic-version that isn't one. A header sent twice is joined by ", ".
func BadVersion(version string) *Error {
	return problem(400, `anthropic-version: "`+version+`" is not a valid version`)
}

// BadBeta is an anthropic-beta value that isn't known.
func BadBeta(values ...string) *Error {
	return problem(400, "Unexpected value(s) `"+strings.Join(values, "`, `")+"` for the `anthropic-beta` header. "+
		"Please consult our documentation at docs.anthropic.com or try again without the header.")
}

// NotFound is a path that the API doesn't have.
func NotFound() *Error { return problem(404, "Not Found") }

// MethodNotAllowed is a path that the API has, for another method. Nobody has published the
// API's own words.
func MethodNotAllowed() *Error { return problem(405, "Method Not Allowed") }

// UnknownModel is a model that the API doesn't have, or no longer.
func UnknownModel(model string) *Error { return problem(404, "model: "+model) }

// TooLarge is a body above the limit.
func TooLarge() *Error { return problem(413, "Request exceeds the maximum size") }

// UnsupportedEncoding is a body in a content-encoding that isn't read. Nobody has published the
// API's own words for this one and the two below; their error codes are the schema's.
func UnsupportedEncoding(encoding string) *Error {
	return detailed(problem(400, "content-encoding: `"+encoding+"` is not supported. Use gzip or deflate, or send the body as it is."),
		"request_body_encoding_unsupported")
}

// InvalidEncoding is a body that isn't what its content-encoding says.
func InvalidEncoding(encoding string) *Error {
	return detailed(problem(400, "The request body is not valid "+encoding), "request_body_encoding_invalid")
}

// TooLargeDecoded is a body above the limit once its content-encoding is undone.
func TooLargeDecoded() *Error {
	return detailed(problem(413, "Request exceeds the maximum size after decoding"), "request_body_too_large_after_decoding")
}

func detailed(e *Error, code string) *Error {
	e.Details = []byte(`{"error_code":"` + code + `"}`)
	return e
}

// imageTooLarge is the details of an image at that path whose side is longer than so many pixels.
func imageTooLarge(side int, path string) []byte {
	dst := append([]byte(nil), `{"error_code":"image_dimensions_too_large","max_side_length_pixels":`...)
	dst = append(strconv.AppendInt(dst, int64(side), 10), `,"paths":[`...)
	return append(appendString(dst, path), "]}"...)
}

// PromptTooLong is a prompt that doesn't fit the model's window; both figures are tokens.
func PromptTooLong(tokens, window int) *Error {
	return problem(400, fmt.Sprintf("prompt is too long: %d tokens > %d maximum", tokens, window))
}

// BrowserHeaderMissing is a call from a browser that doesn't say it means to be one.
func BrowserHeaderMissing() *Error {
	return problem(401, "CORS requests must set 'anthropic-dangerous-direct-browser-access' header")
}

// OverLimit is a request that would go over a limit of so much of what a minute, such as input
// tokens.
func OverLimit(limit int, what, organization, model string) *Error {
	return problem(429, "This request would exceed your organization's rate limit of "+grouped(limit)+" "+what+" per minute (org: "+
		organization+", model: "+model+"). For details, refer to: https://docs.claude.com/en/api/rate-limits. You can see the response "+
		"headers for current usage. Please reduce the prompt length or the maximum tokens requested, or try again later. You may also "+
		"contact sales at https://claude.com/contact-sales to discuss your options for a rate limit increase.")
}

// grouped writes 30,000.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Internal is a failure of the server itself.
func Internal() *Error { return problem(500, MessageOf(500)) }
