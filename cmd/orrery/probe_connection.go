package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/pflag"

	"github.com/seed-954e9acd/orrery/mock/probe"
)

// probeConnection is how a probe reaches its server.
type probeConnection struct {
	protocol, ca string
	fresh        bool
}

func (p *probeConnection) on(f *pflag.FlagSet) {
	f.StringVar(&p.protocol, "protocol", "", "speak this `PROTOCOL`, http/1.1, h2 or h3 (default: what the server prefers)")
	f.StringVar(&p.ca, "ca", "", "trust the certificates in this `FILE` too, such as what serve --ca-out writes")
	f.BoolVar(&p.fresh, "new-connections", false, "a connection of its own for each request")
}

// shape makes a shot use the connection that was asked for.
func (p *probeConnection) shape(shot *probe.Shot, scheme string) error {
	names := map[string]string{"": "", "http/1.1": "HTTP/1.1", "h2": "HTTP/2.0", "h3": "HTTP/3.0"}
	name, known := names[p.protocol]
	switch {
	case !known:
		return misuse("--protocol %s: it is http/1.1, h2 or h3", p.protocol)
	case p.protocol == "h3" && scheme != "https":
		return misuse("--protocol h3 wants a URL that begins with https: HTTP/3 is never in the clear")
	case p.ca != "" && scheme != "https":
		return misuse("--ca wants a URL that begins with https: nothing else has a certificate")
	}
	shot.Protocol, shot.NewConnection = name, p.fresh
	return nil
}

// untrusted says what helps when err is that of a certificate nobody trusts.
func (p *probeConnection) untrusted(err error) error {
	if unknown := (x509.UnknownAuthorityError{}); p.ca == "" && errors.As(err, &unknown) {
		return fmt.Errorf("%w; --ca FILE names what to trust, such as the file of serve --ca-out", err)
	}
	return err
}

// client trusts what the system trusts, and the file's certificates. It is nil without a file.
func (p *probeConnection) client(read func(name string) ([]byte, error)) (*http.Client, error) {
	if p.ca == "" {
		return nil, nil
	}
	text, err := read(p.ca)
	if err != nil {
		return nil, fmt.Errorf("--ca: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--ca: %s holds no certificate in PEM; orrery serve --tls --ca-out FILE writes such a file", p.ca)
	}
	return &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots},
	}}, nil
}
