package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const elsewhere = "https://page.example"

func TestAPageOfAnotherOriginMayAskBeforeItCalls(t *testing.T) {
	s := serving(t)
	for _, path := range []string{"/v1/messages", "/v1/models", "/scenarios/quick/runs/a/v1/messages"} {
		w := s.do(request("OPTIONS", path, "", "X-Api-Key", "", "Anthropic-Version", "", "Origin", elsewhere,
			"Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "anthropic-dangerous-direct-browser-access,anthropic-version,content-type,x-api-key"))
		require.Equal(t, 204, w.Code, path)
		require.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"))
		require.Equal(t, "POST", w.Header().Get("Access-Control-Allow-Methods"))
		require.NotEmpty(t, w.Header().Get("Access-Control-Allow-Headers"))
		require.Empty(t, w.Header().Get("Access-Control-Allow-Credentials"))
	}
	require.Zero(t, s.Journal.Len(), "asking is no request of the API's")
}

func TestAPageOfAnotherOriginMayCallWhenItSaysItMeansTo(t *testing.T) {
	s := serving(t)
	w := s.post(hello, "Origin", elsewhere, "Anthropic-Dangerous-Direct-Browser-Access", "true")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, "*", w.Header().Get("Access-Control-Expose-Headers"))

	w = s.post(hello, "Origin", elsewhere)
	said := requireError(t, w, 401, "authentication_error")
	require.Equal(t, "CORS requests must set 'anthropic-dangerous-direct-browser-access' header", said)
	require.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"), "or the page couldn't read why")
}

func TestTheServersOwnPathsAreOpenToNoPage(t *testing.T) {
	s := serving(t)
	for _, method := range []string{"GET", "OPTIONS"} {
		for _, path := range []string{"/_orrery/health", "/_orrery/billing", "/_orrery/none", "/scenarios/quick/_orrery/health"} {
			w := s.do(request(method, path, "", "Origin", elsewhere, "Access-Control-Request-Method", "GET"))
			for name := range w.Header() {
				require.NotContains(t, name, "Access-Control")
			}
		}
	}
}

func TestWithoutAnOriginThereIsNothingOfCORS(t *testing.T) {
	require.Empty(t, serving(t).post(hello).Header().Values("Access-Control-Allow-Origin"))
}
