package mock

import (
	"errors"
	"net"
	"os"
	"syscall"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/internal/transport"
)

// security is what the options say about TLS.
type security struct {
	on          bool
	http3       bool
	names       []string
	certificate string // a file, or "": one is made
	key         string
}

// identity is who the server is under TLS; nil: it is in the clear.
func (s security) identity(address string) (*transport.Identity, error) {
	if !s.on {
		return nil, nil
	}
	if s.certificate != "" || s.key != "" {
		i, err := transport.LoadIdentity(s.certificate, s.key)
		return &i, err
	}
	names := []string{"localhost", "127.0.0.1", "::1", "orrery"}
	if machine, err := os.Hostname(); err == nil && machine != "" {
		names = append(names, machine)
	}
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		names = append(names, host)
	}
	i, err := transport.NewIdentity(clock.Real().Now(), append(names, s.names...))
	return &i, err
}

// bind listens on a TCP port, and if packets are wanted on the UDP port of the same number.
func bind(address string, packets bool) (net.Listener, net.PacketConn, error) {
	const tries = 20 // with port 0: somebody may have the other port of the same number
	_, port, _ := net.SplitHostPort(address)
	for try := 1; ; try++ {
		l, err := net.Listen("tcp", address)
		if err != nil || !packets {
			return l, nil, err
		}
		p, err := net.ListenPacket("udp", named(address, l.Addr()))
		if err == nil {
			return l, p, nil
		}
		_ = l.Close()
		if port != "0" || try == tries || !errors.Is(err, syscall.EADDRINUSE) {
			return nil, nil, err
		}
	}
}
