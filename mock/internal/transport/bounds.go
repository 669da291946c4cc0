package transport

import "time"

// The bounds on what a client may hold without asking for anything. There is none on a whole
// request or answer: both may take long on purpose.
const (
	// HeaderTimeout is how long a request's head may take from its first byte, and a connection's
	// first byte from its opening.
	HeaderTimeout = 30 * time.Second
	// IdleTimeout is how long a connection may stay open without a request.
	IdleTimeout = 5 * time.Minute
	// HeaderBytes is how large a request's head may be.
	HeaderBytes = 256 << 10
	// HandshakeTimeout is how long a TLS handshake may take.
	HandshakeTimeout = 10 * time.Second
	// Streams is how many requests may be under way at once on one HTTP/2 or HTTP/3 connection;
	// MostStreams, on all of them together. HTTP/1.1's are bounded by the number of connections.
	Streams     = 1000
	MostStreams = 20_000
	// StillTimeout is how long a request's body may stand still.
	StillTimeout = time.Minute
	// PingAfter is how long nothing may come on an HTTP/2 connection before it is pinged, so that one
	// whose other side is gone is noticed; PingTimeout is how long the answer may take.
	PingAfter   = 30 * time.Second
	PingTimeout = 15 * time.Second
	// StuckTimeout is how long a client may take nothing of what is sent to it. On HTTP/3 QUICTimeout
	// stands for it.
	StuckTimeout = 5 * time.Minute
	// QUICTimeout is how long an HTTP/3 client's machine may be silent. It is asked for a sign of life
	// three times as often, so a stream may be silent for longer.
	QUICTimeout = 30 * time.Second
	// UpgradeBytes is how large the body of a request may be that asks for HTTP/2 with "Upgrade: h2c".
	// Larger ones are answered over HTTP/1.1, which the client must expect.
	UpgradeBytes = 512 << 10
	// FrameBytes is how large an HTTP/2 frame may be.
	FrameBytes = 1 << 20

	// settle is how long what has been sent over QUIC gets to arrive before a reset overtakes it.
	settle = 20 * time.Millisecond
	// linger is how long a client gets to close a connection that was said goodbye to.
	linger = time.Second
)
