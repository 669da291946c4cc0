package transport

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"
)

// Identity is who a server is under TLS.
type Identity struct {
	// Certificate and its key are what the server shows.
	Certificate tls.Certificate
	// CA is what a client must trust, in PEM, without any key.
	CA []byte
}

// Clients of some systems take no certificate that is valid for longer than 398 days.
const validity = 397 * 24 * time.Hour

// NewIdentity makes a certificate for names and addresses, and an authority that signs it. The
// authority's key is forgotten, so nothing else is ever signed by it.
func NewIdentity(now time.Time, names []string) (Identity, error) {
	authority, authorityKey, err := template(now, "Orrery's own authority")
	if err != nil {
		return Identity{}, err
	}
	authority.IsCA, authority.BasicConstraintsValid, authority.MaxPathLenZero = true, true, true
	authority.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	signed, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return Identity{}, fmt.Errorf("can't make an authority: %w", err)
	}
	if authority, err = x509.ParseCertificate(signed); err != nil {
		return Identity{}, err
	}
	leaf, key, err := template(now, "Orrery")
	if err != nil {
		return Identity{}, err
	}
	leaf.KeyUsage = x509.KeyUsageDigitalSignature
	leaf.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	leaf.BasicConstraintsValid = true
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			leaf.IPAddresses = append(leaf.IPAddresses, ip)
		} else {
			leaf.DNSNames = append(leaf.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, authority, key.Public(), authorityKey)
	if err != nil {
		return Identity{}, fmt.Errorf("can't make a certificate for %q: %w", names, err)
	}
	if leaf, err = x509.ParseCertificate(der); err != nil {
		return Identity{}, err
	}
	return Identity{
		Certificate: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf},
		CA:          pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}),
	}, nil
}

func template(now time.Time, name string) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("can't make a key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, nil, fmt.Errorf("can't make a serial number: %w", err)
	}
	return &x509.Certificate{
		SerialNumber: serial.Add(serial, big.NewInt(1)),
		Subject:      pkix.Name{Organization: []string{"Orrery, a mock server"}, CommonName: name},
		NotBefore:    now.Add(-time.Hour), // the client's date may be a little behind
		NotAfter:     now.Add(validity),
	}, key, nil
}

// LoadIdentity reads a certificate, with those that it was signed by, and its key, both in PEM. A client
// must trust one of the file's certificates, or who signed the last.
func LoadIdentity(certFile, keyFile string) (Identity, error) {
	chain, err := os.ReadFile(certFile)
	if err != nil {
		return Identity{}, fmt.Errorf("can't read the certificate: %w", err)
	}
	key, err := os.ReadFile(keyFile)
	if err != nil {
		return Identity{}, fmt.Errorf("can't read the certificate's key: %w", err)
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return Identity{}, fmt.Errorf("the certificate in %s and the key in %s can't be used: %w", certFile, keyFile, err)
	}
	var ca bytes.Buffer
	for rest := chain; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type == "CERTIFICATE" {
			_ = pem.Encode(&ca, &pem.Block{Type: block.Type, Bytes: block.Bytes}) // a bytes.Buffer takes everything
		}
	}
	return Identity{Certificate: pair, CA: ca.Bytes()}, nil
}

// ServerConfig is for [Config].
func (i Identity) ServerConfig() *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{i.Certificate},
		NextProtos:   []string{"h2", "http/1.1"},
		MinVersion:   tls.VersionTLS12,
	}
}

// ClientConfig trusts the identity when it is met at host.
func (i Identity) ClientConfig(host string) *tls.Config {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(i.CA)
	c := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	if leaf := i.Certificate.Leaf; leaf != nil && leaf.VerifyHostname(host) != nil && len(leaf.DNSNames) > 0 {
		c.ServerName = leaf.DNSNames[0]
	}
	return c
}
