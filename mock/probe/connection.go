package probe

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go/http3"
)

// baseURL checks a target, and takes a slash off its end.
func baseURL(target string) (string, error) {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
		// The target isn't repeated: it may hold a password.
		return "", errors.New("the target is no base URL such as http://127.0.0.1:4010")
	}
	return strings.TrimRight(target, "/"), nil
}

// connections are the clients of one driver: one for each way of using connections.
type connections struct {
	lent              http.RoundTripper // what can't be copied, else nil
	whichever, h1, h2 *http.Transport
	h3                *http3.Transport
}

const (
	idleTimeout = 90 * time.Second
	dialTimeout = 30 * time.Second
)

func newConnections(client *http.Client, idle int) *connections {
	base := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: dialTimeout, ForceAttemptHTTP2: true}
	if client != nil && client.Transport != nil {
		t, ok := client.Transport.(*http.Transport)
		if !ok {
			return &connections{lent: client.Transport}
		}
		base = t.Clone()
	}
	dial := base.DialContext
	if dial == nil {
		dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	}
	base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &counted{Conn: c}, nil
	}
	base.DisableCompression = true // bytes are measured as they come
	base.MaxIdleConns, base.MaxIdleConnsPerHost = 0, idle
	if base.IdleConnTimeout == 0 {
		base.IdleConnTimeout = idleTimeout
	}
	only := func(name string, set func(*http.Protocols)) *http.Transport {
		t := base.Clone()
		t.Protocols = new(http.Protocols)
		set(t.Protocols)
		if t.TLSClientConfig == nil {
			t.TLSClientConfig = &tls.Config{}
		}
		t.TLSClientConfig.NextProtos = []string{name} // Clone has filled in all that base speaks
		return t
	}
	return &connections{
		h3:        newHTTP3(base.TLSClientConfig),
		whichever: base,
		h1:        only("http/1.1", func(p *http.Protocols) { p.SetHTTP1(true) }),
		h2:        only("h2", func(p *http.Protocols) { p.SetHTTP2(true); p.SetUnencryptedHTTP2(true) }),
	}
}

// of is the transport for a shot, and what ends its use.
func (c *connections) of(shot *Shot) (http.RoundTripper, func(), error) {
	if c.lent != nil {
		if shot.Protocol != "" || shot.NewConnection {
			return nil, nil, fmt.Errorf("a transport of type %T can't choose protocol or connection", c.lent)
		}
		return c.lent, func() {}, nil
	}
	var t *http.Transport
	switch shot.Protocol {
	case "":
		t = c.whichever
	case "HTTP/1.1":
		t = c.h1
	case "HTTP/2.0":
		t = c.h2
	case "HTTP/3.0":
		if !shot.NewConnection {
			return c.h3, func() {}, nil
		}
		own := newHTTP3(c.h3.TLSClientConfig)
		return own, func() { _ = own.Close() }, nil
	default:
		return nil, nil, fmt.Errorf("protocol %q: it is HTTP/1.1, HTTP/2.0, HTTP/3.0 or empty", shot.Protocol)
	}
	if !shot.NewConnection {
		return t, func() {}, nil
	}
	// Request.Close would take an idle connection all the same, and tell the server.
	t = t.Clone()
	return t, t.CloseIdleConnections, nil
}

func (c *connections) close() {
	if c.lent != nil {
		return
	}
	for _, t := range []*http.Transport{c.whichever, c.h1, c.h2} {
		t.CloseIdleConnections()
	}
	_ = c.h3.Close() // nobody waits for its goodbye
}

// counted is a connection that knows how many requests it has carried.
type counted struct {
	net.Conn
	requests atomic.Int64
}

// countRequest counts one more on a connection of ours, plain or below TLS; 0 when it is none.
func countRequest(c net.Conn) int {
	for {
		switch conn := c.(type) {
		case *counted:
			return int(conn.requests.Add(1))
		case interface{ NetConn() net.Conn }:
			c = conn.NetConn()
		default:
			return 0
		}
	}
}
