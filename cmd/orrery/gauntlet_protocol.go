package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/seed-954e9acd/orrery/mock"
	"github.com/seed-954e9acd/orrery/mock/journal"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// needs are the protocols over which alone the faults of a scenario happen; none when they happen over any.
func needs(s *scenario.Scenario) []string {
	var protocols []string
	for _, r := range s.Routes {
		switch {
		case len(r.Faults) == 0:
		case r.Protocol == "":
			return nil
		case !slices.Contains(protocols, r.Protocol):
			protocols = append(protocols, r.Protocol)
		}
	}
	return protocols
}

// unmet says which protocol the fault would have needed, or "" when a request spoke it, or none came.
func unmet(needed []string, entries []journal.Entry) string {
	if len(needed) == 0 || len(entries) == 0 {
		return ""
	}
	for _, e := range entries {
		if slices.Contains(needed, e.Protocol) {
			return ""
		}
	}
	return fmt.Sprintf("it needs %s, and the command spoke %s", strings.Join(needed, " or "), entries[0].Protocol)
}

// trusted has commands trust the server of --tls: its certificate in a file, and the variables by which Node.js, Go,
// OpenSSL and Python, Requests and curl are told.
func trusted(srv *mock.Server) (environ []string, remove func(), err error) {
	f, err := os.CreateTemp("", "orrery-ca-*.pem")
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if _, err := f.Write(srv.CA()); err != nil {
		_ = os.Remove(f.Name())
		return nil, nil, err
	}
	for _, name := range []string{"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"} {
		environ = append(environ, name+"="+f.Name())
	}
	return environ, func() { _ = os.Remove(f.Name()) }, nil
}
