package api_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func (s *service) limited(body string, headers ...string) (int, http.Header, string) {
	w := s.do(request("POST", "/scenarios/limited/v1/messages", body, headers...))
	return w.Code, w.Header(), w.Body.String()
}

func TestResponsesTellWhatIsLeftOfTheLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serving(t)
		status, h, _ := s.limited(hello)
		now := time.Now().UTC()
		require.Equal(t, 200, status)
		stamp := func(d time.Duration) string { return now.Add(d).Format(time.RFC3339) }
		for name, want := range map[string]string{
			"requests-limit": "3", "requests-remaining": "2", "requests-reset": stamp(20 * time.Second),
			"input-tokens-limit": "30400", "input-tokens-remaining": "30000", "input-tokens-reset": stamp(0),
			"output-tokens-limit": "8000", "output-tokens-remaining": "8000", "output-tokens-reset": stamp(0),
			"tokens-limit": "38400", "tokens-remaining": "38000", "tokens-reset": stamp(0),
		} {
			require.Equal(t, want, h.Get("anthropic-ratelimit-"+name), name)
		}
		require.True(t, strings.HasSuffix(h.Get("anthropic-ratelimit-requests-reset"), "Z"))
	})
}

func TestALimitedClientWaitsAsLongAsItIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serving(t)
		for range 3 {
			status, _, _ := s.limited(hello)
			require.Equal(t, 200, status)
		}
		status, h, body := s.limited(hello)
		require.Equal(t, 429, status)
		require.Equal(t, "20", h.Get("retry-after"))
		require.Empty(t, h.Get("retry-after-ms"))
		require.Equal(t, "true", h.Get("x-should-retry"))
		require.Equal(t, "0", h.Get("anthropic-ratelimit-requests-remaining"))
		require.Contains(t, body, "rate limit of 3 requests per minute (org: "+h.Get("anthropic-organization-id")+", model: claude-sonnet-5).")
		require.Contains(t, requireEnvelope(t, []byte(body), h, "rate_limit_error"), "Please reduce the prompt length")
		time.Sleep(19 * time.Second)
		status, h, _ = s.limited(hello)
		require.Equal(t, 429, status)
		require.Equal(t, "1", h.Get("retry-after"))
		time.Sleep(time.Second)
		status, _, _ = s.limited(hello)
		require.Equal(t, 200, status)
		status, _, _ = s.limited(hello, "X-Api-Key", "another")
		require.Equal(t, 200, status, "each key has its own")
	})
}

func TestOtherErrorsTellNothingOfTheLimits(t *testing.T) {
	s := serving(t)
	for _, body := range []string{"{}", strings.Replace(hello, `"hi"`, `"fail"`, 1)} {
		status, h, _ := s.limited(body)
		require.Contains(t, []int{400, 529}, status)
		require.Empty(t, h.Get("anthropic-ratelimit-requests-limit"), status)
	}
	require.Empty(t, s.post(hello).Header().Get("anthropic-ratelimit-requests-limit"), "there are none")
}

func TestHeadersOfANetworkComeWhenAskedForAndAlwaysTheSame(t *testing.T) {
	one, two := serving(t), serving(t)
	_, h, _ := one.limited(hello)
	_, again, _ := two.limited(hello)
	require.Equal(t, "cloudflare", h.Get("server"))
	require.Regexp(t, `^[0-9a-f]{16}-EWR$`, h.Get("cf-ray"))
	require.Equal(t, "max-age=31536000; includeSubDomains; preload", h.Get("strict-transport-security"))
	require.Equal(t, "x-originResponse;dur=0", h.Get("server-timing"))
	require.Equal(t, h.Get("cf-ray"), again.Get("cf-ray"))
	_, other, _ := one.limited(hello)
	require.NotEqual(t, h.Get("cf-ray"), other.Get("cf-ray"))
	require.Empty(t, one.post(hello).Header().Get("server"))
}

func TestNobodysOrganizationIsNotNamed(t *testing.T) {
	s := serving(t)
	require.NotEmpty(t, s.post(hello).Header().Get("anthropic-organization-id"))
	require.NotEmpty(t, s.post("{}").Header().Get("anthropic-organization-id"))
	w := s.post(hello, "X-Api-Key", "")
	require.Equal(t, 401, w.Code)
	require.Empty(t, w.Header().Get("anthropic-organization-id"))
}
