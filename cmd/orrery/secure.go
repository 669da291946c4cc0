package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/seed-954e9acd/orrery/mock"
)

// security is what the settings say about TLS, as options, or what is wrong with them.
func (s *settings) security() ([]mock.Option, error) {
	given := []struct {
		name string
		on   bool
	}{
		{"tls-cert", s.tlsCert != ""}, {"tls-key", s.tlsKey != ""}, {"tls-name", len(s.tlsName) > 0},
		{"ca-out", s.caOut != ""}, {"http3", bool(s.http3)},
	}
	if !s.tls {
		for _, setting := range given {
			if setting.on {
				return nil, misuse("%s needs TLS; add --tls (or tls: true to the file of settings)", setting.name)
			}
		}
		return nil, nil
	}
	var options []mock.Option
	switch {
	case s.tlsCert != "" && s.tlsKey == "":
		return nil, misuse("tls-cert %s comes without its key; name the key's file with --tls-key", s.tlsCert)
	case s.tlsCert == "" && s.tlsKey != "":
		return nil, misuse("tls-key %s comes without its certificate; name the certificate's file with --tls-cert", s.tlsKey)
	case s.tlsCert != "" && len(s.tlsName) > 0:
		return nil, misuse("tls-name is for a certificate that is made, but tls-cert gives one; leave one of them out")
	case s.tlsCert != "":
		options = append(options, mock.TLSFiles(string(s.tlsCert), string(s.tlsKey)))
	default:
		options = append(options, mock.TLS(s.tlsName...))
	}
	if s.http3 {
		options = append(options, mock.HTTP3())
	}
	return options, nil
}

// writeCA writes what clients must trust to where --ca-out says. A client that looks at the wrong moment
// finds the old file or the whole one.
func (s *settings) writeCA(srv *mock.Server) error {
	if s.caOut == "" {
		return nil
	}
	name := string(s.caOut)
	err := func() error {
		f, err := os.CreateTemp(filepath.Dir(name), ".orrery-ca-*")
		if err != nil {
			return err
		}
		defer os.Remove(f.Name()) // which is gone when all went well
		_, err = f.Write(srv.CA())
		// Whoever runs the clients may be somebody else.
		if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
			return err
		}
		return os.Rename(f.Name(), name)
	}()
	if err != nil {
		return fmt.Errorf("can't write the certificate to trust: %w; name another file with --ca-out", err)
	}
	return nil
}

// introduceCA says how clients come to trust the server.
func (c *console) introduceCA() {
	file := string(c.settings.caOut)
	if file == "" {
		c.notice(slog.LevelWarn, "clients trust the certificate only when told to: --ca-out FILE writes what they need")
		return
	}
	if whole, err := filepath.Abs(file); err == nil {
		file = whole
	}
	c.notice(slog.LevelInfo, fmt.Sprintf("make a client trust it: NODE_EXTRA_CA_CERTS=%s or SSL_CERT_FILE=%[1]s, or curl --cacert %[1]s", file),
		"NODE_EXTRA_CA_CERTS", file, "SSL_CERT_FILE", file)
}
