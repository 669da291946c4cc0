package transport

import (
	"bytes"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http2/hpack"
)

// asksForHTTP2 reports whether a request on HTTP/1.1 in the clear asks to go on with HTTP/2 (RFC 7540,
// section 3.2). net/http knows only clients that begin with it.
func (s *socket) asksForHTTP2(r *http.Request) bool {
	if s.state != nil || !hasToken(r.Header, "Upgrade", "h2c") || r.ContentLength < 0 || r.ContentLength > UpgradeBytes {
		return false
	}
	settings := r.Header["Http2-Settings"]
	if len(settings) != 1 || !hasToken(r.Header, "Connection", "HTTP2-Settings") {
		return false
	}
	_, err := base64.RawURLEncoding.DecodeString(settings[0])
	return err == nil
}

// upgrade goes on with HTTP/2: the request becomes stream 1, as if the client had sent it so. Its
// settings come again, with the client's preface.
func (s *socket) upgrade(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	frames := requestFrames(r, body)
	_, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	early, _ := rw.Reader.Peek(rw.Reader.Buffered())
	if _, err := s.Conn.Write([]byte("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")); err != nil {
		_ = s.Close()
		return
	}
	next := newSocket(s.server, &resumed{Conn: s.Conn, early: bytes.Clone(early)}, s.beneath, s.number)
	next.upgraded = frames
	s.server.replace(s, next)
}

// resumed reads first what has been read too much.
type resumed struct {
	net.Conn
	early []byte
}

func (r *resumed) Read(p []byte) (int, error) {
	if len(r.early) > 0 {
		n := copy(p, r.early)
		r.early = r.early[n:]
		return n, nil
	}
	return r.Conn.Read(p)
}

func (r *resumed) CloseWrite() error {
	if c, can := r.Conn.(interface{ CloseWrite() error }); can {
		return c.CloseWrite()
	}
	return nil
}

// requestFrames is the request as the first stream of an HTTP/2 connection.
func requestFrames(r *http.Request, body []byte) []byte {
	const stream = 1
	// They are the connection's, not the request's (RFC 9113, section 8.2.2).
	hop := []string{"Connection", "Upgrade", "Http2-Settings", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Te", "Host", "Expect", streamHeader}
	var block bytes.Buffer
	e := hpack.NewEncoder(&block)
	for _, pseudo := range [][2]string{{":method", r.Method}, {":scheme", "http"}, {":authority", r.Host}, {":path", r.RequestURI}} {
		writeField(e, pseudo[0], pseudo[1])
	}
	for name, values := range r.Header {
		if slices.ContainsFunc(hop, func(h string) bool { return strings.EqualFold(h, name) }) {
			continue
		}
		for _, value := range values {
			writeField(e, name, value)
		}
	}
	block.Write(tagOf(stream))
	head := frameHeader{length: block.Len(), kind: frameHeaders, flags: flagEndHeaders, stream: stream}
	if len(body) == 0 {
		head.flags |= flagEndStream
	}
	frames := append(head.append(nil), block.Bytes()...)
	for chunk := range slices.Chunk(body, smallFrame) {
		f := frameHeader{length: len(chunk), kind: frameData, stream: stream}
		if body = body[len(chunk):]; len(body) == 0 {
			f.flags = flagEndStream
		}
		frames = append(f.append(frames), chunk...)
	}
	return frames
}
