package api_test

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestThePageIsForEveryoneAndItsDataIsNot(t *testing.T) {
	s := serving(t)
	ask := func(path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "http://orrery:4010"+path, nil)
		r.RemoteAddr = "172.18.0.1:1234"
		r.Header.Set("Sec-Fetch-Site", "cross-site") // somebody has followed a link
		return s.do(r)
	}
	w := ask("/_orrery/")
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Body.String(), "<title>Orrery")
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	require.Equal(t, 200, ask("/_orrery/web/index.html").Code)
	require.Equal(t, 404, ask("/_orrery/web/none.js").Code)
	require.Equal(t, 404, ask("/_orrery/web/").Code)
	require.Equal(t, 404, ask("/_orrery/web/../../go.mod").Code)
	require.Equal(t, 403, ask("/_orrery/scenarios").Code)

	w = ask("/_orrery")
	require.Equal(t, 307, w.Code)
	require.Equal(t, "/_orrery/", w.Header().Get("Location"))
	require.Zero(t, s.Journal.Len(), "none of it is a request of the API's")
}
