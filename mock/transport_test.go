package mock_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/quic-go/quic-go/http3"
	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// requested is a client that nobody here wrote: it asks for a stream and returns its bytes.
type requested func(t *testing.T, srv *mock.Server, body []byte) string

// byCurl asks with curl.
func byCurl(how ...string) requested {
	return func(t *testing.T, srv *mock.Server, body []byte) string {
		if _, err := exec.LookPath("curl"); err != nil {
			t.Skip("curl isn't here")
		}
		args := append(how, "-sSN", "-d", "@-", "-H", "content-type: application/json", "-H", "x-api-key: any",
			"-H", "anthropic-version: 2023-06-01", srv.URL+"/v1/messages")
		if srv.CA() != nil {
			file := filepath.Join(t.TempDir(), "ca.pem")
			require.NoError(t, os.WriteFile(file, srv.CA(), 0o600))
			args = append(args, "--cacert", file)
		}
		cmd := exec.CommandContext(t.Context(), "curl", args...)
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		go func() { _, _ = in.Write(body); _ = in.Close() }()
		out, err := cmd.Output()
		require.NoError(t, err)
		return string(out)
	}
}

// byGo asks with Go's client; its transport is the server's own client's unless another is given.
func byGo(transport func(*mock.Server) http.RoundTripper) requested {
	return func(t *testing.T, srv *mock.Server, body []byte) string {
		client := srv.Client()
		if transport != nil {
			carrier := transport(srv)
			if closer, can := carrier.(io.Closer); can {
				defer closer.Close()
			}
			client = &http.Client{Transport: carrier}
		}
		request, err := calling(srv).request(t.Context(), "/v1/messages", body)
		require.NoError(t, err)
		response, err := client.Do(request)
		require.NoError(t, err)
		defer response.Body.Close()
		got, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return string(got)
	}
}

func trusting(srv *mock.Server) *tls.Config {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(srv.CA())
	return &tls.Config{RootCAs: pool}
}

// TestEveryTransportPlaysTheSamePlan compares with what the first request gets in memory over HTTP/1.1.
func TestEveryTransportPlaysTheSamePlan(t *testing.T) {
	ask := body(fields{"stream": true, "max_tokens": 30})
	script := mock.ScenarioText(tenMillisecondGaps(20))
	plan := func(srv *mock.Server, how requested) (string, journal.Entry) {
		bytes := how(t, srv, ask)
		return bytes, srv.Journal().Last()
	}
	bytes, first := plan(mock.StartInMemory(t, script), byGo(nil))
	require.Contains(t, bytes, "message_stop")
	for name, by := range map[string]struct {
		protocol string
		options  []mock.Option
		how      requested
	}{
		"curl --http1.1":                       {"HTTP/1.1", nil, byCurl("--http1.1")},
		"curl --http2, by an upgrade":          {"HTTP/2.0", nil, byCurl("--http2")},
		"curl --http2-prior-knowledge":         {"HTTP/2.0", nil, byCurl("--http2-prior-knowledge")},
		"curl --http1.1 over TLS":              {"HTTP/1.1", []mock.Option{mock.TLS()}, byCurl("--http1.1")},
		"curl --http2 over TLS":                {"HTTP/2.0", []mock.Option{mock.TLS()}, byCurl("--http2")},
		"Go's client over TLS":                 {"HTTP/2.0", []mock.Option{mock.TLS()}, byGo(nil)},
		"quic-go's client":                     {"HTTP/3.0", []mock.Option{mock.HTTP3()}, byGo(func(srv *mock.Server) http.RoundTripper { return &http3.Transport{TLSClientConfig: trusting(srv)} })},
		"curl --http2 beside HTTP/3, on TLS's": {"HTTP/2.0", []mock.Option{mock.HTTP3()}, byCurl("--http2")},
	} {
		t.Run(name, func(t *testing.T) {
			srv := mock.Start(t, append(by.options, script)...)
			got, entry := plan(srv, by.how)
			require.Equal(t, bytes, got)
			require.Equal(t, by.protocol, entry.Protocol)
			require.Len(t, entry.Steps, len(first.Steps))
			for i, step := range entry.Steps {
				require.Equal(t, first.Steps[i].Planned, step.Planned)
			}
			require.Equal(t, 1, entry.ConnectionRequests)
		})
	}
}

func TestHTTP3IsAnnounced(t *testing.T) {
	srv := mock.Start(t, mock.HTTP3())
	response, err := srv.Client().Get(srv.URL + "/_orrery/health")
	require.NoError(t, err)
	defer response.Body.Close()
	_, port, err := net.SplitHostPort(response.Request.URL.Host)
	require.NoError(t, err)
	require.Equal(t, `h3=":`+port+`"; ma=3600`, response.Header.Get("Alt-Svc"))
}

func TestAGivenCertificateIsShownAndTrusted(t *testing.T) {
	_, err := mock.Listen("127.0.0.1:0", mock.TLSFiles("nowhere.pem", "nokey.pem"))
	require.ErrorContains(t, err, "nowhere.pem")
}
