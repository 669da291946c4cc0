package transport

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// awaited is a request's body, which may take as long as it likes but not stand still.
type awaited struct {
	io.ReadCloser
	server *Server
	line   interface{ SetReadDeadline(time.Time) error }
	until  time.Time // the deadline that is set; zero: none
}

// await bounds how long the body of a request may stand still: for the handler that reads it, and on
// HTTP/1.1 also for net/http, which reads what the handler has left. The handler gets a copy of the request:
// by the kind of its own's body net/http sees that too much is left to be waited for.
func (s *Server) await(w http.ResponseWriter, r *http.Request) *http.Request {
	if r.ContentLength == 0 {
		return r
	}
	body := &awaited{ReadCloser: r.Body, server: s, line: http.NewResponseController(w)}
	if r.ProtoMajor == 1 {
		body.hasten()
	}
	made := r.WithContext(r.Context())
	made.Body = body
	return made
}

func (a *awaited) Read(p []byte) (int, error) {
	a.hasten()
	n, err := a.ReadCloser.Read(p)
	if err == nil {
		return n, nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		a.server.stoodStill.Add(1)
	} else {
		_ = a.line.SetReadDeadline(time.Time{})
	}
	return n, err
}

// hasten puts the deadline off, unless that has just been done: it costs more than to look.
func (a *awaited) hasten() {
	if until := a.server.clock.Now().Add(StillTimeout); until.Sub(a.until) > StillTimeout/putOff {
		a.until = until
		_ = a.line.SetReadDeadline(until)
	}
}

// putOff is by which part of the bound a deadline must become later to be set anew.
const putOff = 10

// writeAll writes HTTP/1.1 in pieces, each of which the client must take in time.
func (s *socket) writeAll(p []byte) (written int, err error) {
	for {
		now := s.server.clock.Now()
		if until := int64(now.Sub(s.opened) + StuckTimeout); until-s.until.Load() > int64(StuckTimeout/putOff) {
			s.until.Store(until)
			_ = s.SetWriteDeadline(now.Add(StuckTimeout))
		}
		piece := p[written:min(written+pieceBytes, len(p))]
		n, err := s.Conn.Write(piece)
		written += n
		if err != nil || written == len(p) {
			return written, err
		}
	}
}

const pieceBytes = 256 << 10
