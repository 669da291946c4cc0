package probe

import (
	"crypto/tls"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// keptAlive is how often a silent QUIC connection is looked after, so that a stream may be silent for
// longer than QUIC's idle time.
const keptAlive = 10 * time.Second

// newHTTP3 is a client of HTTP/3, which dials on its own: over UDP, with the TLS settings alone of what
// was lent.
func newHTTP3(lent *tls.Config) *http3.Transport {
	return &http3.Transport{
		TLSClientConfig: lent.Clone(), QUICConfig: &quic.Config{KeepAlivePeriod: keptAlive},
		DisableCompression: true, // bytes are measured as they come
	}
}
