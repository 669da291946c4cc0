package probe_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/probe"
)

func TestAShotChoosesProtocolAndConnection(t *testing.T) {
	for name, test := range map[string]struct {
		shot     probe.Shot
		protocol string
		requests []int
	}{
		"by itself":         {probe.Shot{}, "HTTP/1.1", []int{1, 2, 3}},
		"HTTP/1.1":          {probe.Shot{Protocol: "HTTP/1.1"}, "HTTP/1.1", []int{1, 2, 3}},
		"HTTP/2":            {probe.Shot{Protocol: "HTTP/2.0"}, "HTTP/2.0", []int{1, 2, 3}},
		"a new one":         {probe.Shot{NewConnection: true}, "HTTP/1.1", []int{1, 1, 1}},
		"a new one, HTTP/2": {probe.Shot{Protocol: "HTTP/2.0", NewConnection: true}, "HTTP/2.0", []int{1, 1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := serve(t, func(_ http.ResponseWriter, r *http.Request) {
					require.Equal(t, test.protocol, r.Proto)
					require.False(t, r.Close, "the server isn't told")
				})
				for k, r := range open(t, every(s, 3, test.shot), probe.Options{Client: client}) {
					require.Equal(t, probe.Answered, r.Outcome, r.Err)
					require.Equal(t, test.protocol, r.Protocol)
					require.Equal(t, test.requests[k], r.ConnectionRequests)
				}
			})
		})
	}
}

func TestEachRunStartsWithoutConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := serve(t, func(http.ResponseWriter, *http.Request) {})
		for range 2 {
			require.Equal(t, 1, one(t, client, probe.Shot{}).ConnectionRequests)
		}
	})
}

func TestOverTLSTheServerAndTheShotSettleTheProtocol(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	defer srv.Close()
	for asked, got := range map[string]string{"": "HTTP/2.0", "HTTP/1.1": "HTTP/1.1", "HTTP/2.0": "HTTP/2.0"} {
		var all results
		err := probe.Open(t.Context(), srv.URL, every(0, 1, probe.Shot{Protocol: asked}), probe.Options{Client: srv.Client()}, all.add)
		require.NoError(t, err)
		require.Equal(t, got, all[0].Protocol, all[0].Err)
		require.Equal(t, 1, all[0].ConnectionRequests)
	}
}

func TestOverHTTP3AShotMayHaveItsOwnConnection(t *testing.T) {
	srv := mock.Start(t, mock.HTTP3())
	for _, own := range []bool{false, true} {
		var all results
		shot := probe.Shot{Method: http.MethodGet, Path: "/_orrery/health", Protocol: "HTTP/3.0", NewConnection: own}
		require.NoError(t, probe.Open(t.Context(), srv.URL, every(0, 2, shot), probe.Options{Client: srv.Client()}, all.add))
		for _, r := range all {
			require.Equal(t, probe.Answered, r.Outcome, r.Err)
			require.Equal(t, "HTTP/3.0", r.Protocol)
		}
	}
}

// roundTripper is somebody's own transport.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestATransportOfAnotherTypeIsUsedAsItIs(t *testing.T) {
	client := &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		w.WriteHeader(http.StatusTeapot)
		return w.Result(), nil
	})}
	r := one(t, client, probe.Shot{})
	require.Equal(t, http.StatusTeapot, r.Status)
	require.Zero(t, r.ConnectionRequests)
	r = one(t, client, probe.Shot{NewConnection: true})
	require.Equal(t, probe.Failed, r.Outcome)
	require.ErrorContains(t, r.Err, "can't choose protocol or connection")
}
