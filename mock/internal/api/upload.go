package api

import (
	"io"
	"net/http"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// The bounds on bodies that aren't small: how many bytes of them are taken in at once, in all, and
// how long one may stand still.
const (
	largeBody   = 64 << 10
	mostAtOnce  = 512 << 20
	longestStop = time.Minute
)

// body reads the request's body into the entry. It reads it all, also because net/http sees a
// client leave only after that. Without a body and without a problem, the client has left.
func (x *exchange) body() ([]byte, *wire.Error) {
	limit := int64(MaxBody)
	how := x.run.Scenario().Upload
	if how != nil && how.Limit > 0 {
		limit = min(limit, how.Limit)
	}
	if n := x.r.ContentLength; n > MaxBody || n > limit && how.Early {
		return nil, wire.TooLarge()
	}
	large := x.r.ContentLength < 0 || x.r.ContentLength > largeBody
	if large && x.problem != nil {
		return nil, x.problem
	}
	if err := x.invite(how); err != nil {
		return nil, x.unreadable(err)
	}
	body, err := x.upload(large)
	if err != nil {
		return nil, x.unreadable(err)
	}
	if int64(len(body)) > limit {
		return nil, wire.TooLarge()
	}
	body, problem := decoded(body, x.r.Header.Values("Content-Encoding"))
	if problem != nil {
		return nil, problem
	}
	x.query.Bytes = len(body)
	x.entry.Read(body)
	return body, nil
}

// upload reads the request's body. A large one waits until there is room for it.
func (x *exchange) upload(large bool) ([]byte, error) {
	body := io.Reader(http.MaxBytesReader(x.w, x.r.Body, MaxBody))
	if how := x.run.Scenario().Upload; how != nil && how.Rate > 0 {
		body = &slow{Reader: body, x: x, rate: how.Rate}
	}
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
