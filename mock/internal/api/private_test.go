package api_test

import (
	"crypto/tls"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
)

// caller is who asks the control API, and how.
type caller struct {
	host, from string
	secure     bool
	headers    []string
}

func (c caller) status(s *service) int {
	r := httptest.NewRequest("POST", "/_orrery/reload", nil)
	r.Host, r.RemoteAddr = c.host, c.from
	if r.RemoteAddr == "" {
		r.RemoteAddr = "127.0.0.1:1234"
	}
	if c.secure {
		r.TLS = &tls.ConnectionState{}
	}
	for i := 0; i < len(c.headers); i += 2 {
		r.Header.Add(c.headers[i], c.headers[i+1])
	}
	return s.do(r).Code
}

const (
	reached = 409 // there is nothing to reload
	refused = 403
	bearer  = "Bearer let-me-in"
)

func TestTheControlAPIAnswersItsOwnPage(t *testing.T) {
	s := serving(t, func(c *api.Config) { c.ControlToken = "let-me-in" })
	for name, c := range map[string]caller{
		"of localhost":              {host: "localhost:4010", headers: []string{"Origin", "http://localhost:4010", "Sec-Fetch-Site", "same-origin"}},
		"of an address":             {host: "127.0.0.1:4010", headers: []string{"Origin", "http://127.0.0.1:4010"}},
		"of IPv6":                   {host: "[::1]:4010", from: "[::1]:1", headers: []string{"Origin", "http://[::1]:4010", "Sec-Fetch-Site", "same-origin"}},
		"over TLS":                  {host: "localhost:4010", secure: true, headers: []string{"Origin", "https://localhost:4010"}},
		"on the scheme's port":      {host: "localhost", headers: []string{"Origin", "http://localhost"}},
		"written in capitals":       {host: "localhost:4010", headers: []string{"Origin", "HTTP://LOCALHOST:4010"}},
		"typed in the address bar":  {host: "localhost:4010", headers: []string{"Sec-Fetch-Site", "none"}},
		"read, without an origin":   {host: "localhost:4010", headers: []string{"Sec-Fetch-Site", "same-origin"}},
		"behind a published port":   {host: "localhost:14010", from: "172.18.0.1:9", headers: []string{"Origin", "http://localhost:14010", "Authorization", bearer}},
		"by the service's own name": {host: "orrery:4010", from: "172.18.0.9:9", headers: []string{"Origin", "http://orrery:4010", "Authorization", bearer}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, reached, c.status(s)) })
	}
}

func TestTheControlAPIRefusesEveryOtherPage(t *testing.T) {
	s := serving(t, func(c *api.Config) { c.ControlToken = "let-me-in" })
	for name, c := range map[string]caller{
		"elsewhere":                       {host: "localhost:4010", headers: []string{"Origin", "https://evil.example"}},
		"elsewhere, with the token":       {host: "localhost:4010", headers: []string{"Origin", "https://evil.example", "Authorization", bearer}},
		"another port":                    {host: "localhost:4010", headers: []string{"Origin", "http://localhost:3000"}},
		"no port":                         {host: "localhost:4010", headers: []string{"Origin", "http://localhost"}},
		"another scheme":                  {host: "localhost:4010", headers: []string{"Origin", "https://localhost:4010"}},
		"in the clear, of one over TLS":   {host: "localhost:4010", secure: true, headers: []string{"Origin", "http://localhost:4010"}},
		"another loopback name":           {host: "localhost:4010", headers: []string{"Origin", "http://127.0.0.1:4010"}},
		"a sandbox or a file":             {host: "localhost:4010", headers: []string{"Origin", "null"}},
		"an origin of nothing":            {host: "localhost:4010", headers: []string{"Origin", ""}},
		"two origins":                     {host: "localhost:4010", headers: []string{"Origin", "http://localhost:4010", "Origin", "https://evil.example"}},
		"our origin as part of a longer":  {host: "localhost:4010", headers: []string{"Origin", "http://localhost:4010.evil.example"}},
		"our origin behind an at sign":    {host: "localhost:4010", headers: []string{"Origin", "http://evil.example@localhost:4010"}},
		"our origin with a path":          {host: "localhost:4010", headers: []string{"Origin", "http://localhost:4010/"}},
		"a name that was pointed here":    {host: "evil.example:4010", headers: []string{"Origin", "http://evil.example:4010", "Sec-Fetch-Site", "same-origin"}},
		"the same, without an origin":     {host: "evil.example:4010", headers: []string{"Sec-Fetch-Site", "same-origin"}},
		"a name that begins like ours":    {host: "localhost.evil.example:4010", headers: []string{"Origin", "http://localhost.evil.example:4010"}},
		"an image of another site":        {host: "localhost:4010", headers: []string{"Sec-Fetch-Site", "cross-site"}},
		"an image of another port's page": {host: "localhost:4010", headers: []string{"Sec-Fetch-Site", "same-site"}},
		"another site with our origin":    {host: "localhost:4010", headers: []string{"Origin", "http://localhost:4010", "Sec-Fetch-Site", "cross-site"}},
		"from elsewhere, without a token": {host: "localhost:4010", from: "172.18.0.1:9", headers: []string{"Origin", "http://localhost:4010"}},
		"from elsewhere, a wrong token":   {host: "localhost:4010", from: "172.18.0.1:9", headers: []string{"Origin", "http://localhost:4010", "Authorization", "Bearer let-me"}},
		"from here, a wrong token":        {host: "localhost:4010", headers: []string{"Origin", "http://localhost:4010", "Authorization", "Bearer "}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, refused, c.status(s)) })
	}
}
