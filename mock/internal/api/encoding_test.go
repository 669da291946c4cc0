package api_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packed is a text after a writer of some encoding.
func packed(t testing.TB, text string, make func(io.Writer) io.WriteCloser) string {
	t.Helper()
	var b bytes.Buffer
	w := make(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

func zipped(w io.Writer) io.WriteCloser   { return gzip.NewWriter(w) }
func wrapped(w io.Writer) io.WriteCloser  { return zlib.NewWriter(w) }
func deflated(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 1); return f }

func TestCompressedBodiesAreRead(t *testing.T) {
	s := serving(t)
	for encoding, body := range map[string]string{
		"gzip":          packed(t, hello, zipped),
		"GZip":          packed(t, hello, zipped),
		"deflate":       packed(t, hello, wrapped),
		"deflate ":      packed(t, hello, deflated),
		"identity":      hello,
		"deflate, gzip": packed(t, packed(t, hello, wrapped), zipped),
	} {
		require.Equal(t, 200, s.post(body, "Content-Encoding", encoding).Code, encoding)
	}
	require.Equal(t, hello, string(s.Journal.Last().Body), "the journal has the body as it is read")
}

func TestAnEncodingThatCannotBeReadIsRefused(t *testing.T) {
	s := serving(t)
	for _, c := range []struct {
		encoding, body string
		status         int
		kind, code     string
	}{
		{"br", hello, 400, "invalid_request_error", "request_body_encoding_unsupported"},
		{"gzip, br", hello, 400, "invalid_request_error", "request_body_encoding_unsupported"},
		{"gzip", hello, 400, "invalid_request_error", "request_body_encoding_invalid"},
		{"gzip", packed(t, hello, zipped)[:20], 400, "invalid_request_error", "request_body_encoding_invalid"},
		{"deflate", "\xff\xff\xff", 400, "invalid_request_error", "request_body_encoding_invalid"},
		{"gzip", packed(t, strings.Repeat(" ", 32<<20+1), zipped), 413, "request_too_large", "request_body_too_large_after_decoding"},
	} {
		w := s.post(c.body, "Content-Encoding", c.encoding)
		requireError(t, w, c.status, c.kind)
		var e struct {
			Error struct {
				Details struct {
					Code string `json:"error_code"`
				}
			}
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &e))
		require.Equal(t, c.code, e.Error.Details.Code)
	}
}

func TestUnknownBetasAreRefusedByName(t *testing.T) {
	s := serving(t)
	w := s.post(hello, "Anthropic-Beta", "nope-1, prompt-caching-2024-07-31,nope-2")
	require.Equal(t, "Unexpected value(s) `nope-1`, `nope-2` for the `anthropic-beta` header. Please consult our documentation at "+
		"docs.anthropic.com or try again without the header.", requireError(t, w, 400, "invalid_request_error"))
	require.Equal(t, 200, s.post(hello, "Anthropic-Beta", "prompt-caching-2024-07-31, computer-use-2025-11-24").Code)
	require.Equal(t, 200, s.do(request("POST", "/scenarios/lax/v1/messages", hello, "Anthropic-Beta", "nope")).Code, "only where bodies are checked")
	require.Contains(t, s.Journal.Last().Warnings[0], "Unexpected value(s) `nope`")
}
