package api

import (
	"io"
	"net/http"
	"time"
)

// The bounds on bodies that aren't small: how many bytes of them are taken in at once, in all, and
// how long one may stand still.
const (
	largeBody   = 64 << 10
	mostAtOnce  = 512 << 20
	longestStop = time.Minute
)

// upload reads the request's body. A large one waits until there is room for it.
func (x *exchange) upload(large bool) ([]byte, error) {
	body := io.Reader(http.MaxBytesReader(x.w, x.r.Body, MaxBody))
	if large {
		size := x.r.ContentLength
		if size < 0 {
			size = MaxBody
		}
		if err := x.service.room.Acquire(x.r.Context(), size); err != nil {
			return nil, err
		}
		defer x.service.room.Release(size)
		patient := &moving{body, x, http.NewResponseController(x.w)}
		defer patient.done()
		body = patient
	}
	return readAll(body, x.r.ContentLength)
}

// moving is a body that may take as long as it likes, but not stand still.
type moving struct {
	io.Reader
	x          *exchange
	connection *http.ResponseController
}

func (m *moving) Read(p []byte) (int, error) {
	m.until(m.x.service.Clock.Now().Add(longestStop))
	return m.Reader.Read(p)
}

func (m *moving) done() { m.until(time.Time{}) }

// until sets the deadline of reads; what has none, such as a recorder, doesn't stand still either.
func (m *moving) until(t time.Time) { _ = m.connection.SetReadDeadline(t) }

// readAll reads a body whose length, if it is known, is n. A large length is believed as it comes.
func readAll(r io.Reader, n int64) ([]byte, error) {
	const believed = 64 << 10
	size := int64(512)
	if n >= 0 {
		size = min(n+1, believed) // one more, so that the read which meets the end needs no growth
	}
	b := make([]byte, 0, size)
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}
