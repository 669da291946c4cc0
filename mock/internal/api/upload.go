package api

import (
	"io"
	"net/http"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
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
		if x.r.ProtoMajor == 1 {
			x.w.Header().Set("Connection", "close") // or net/http reads the body first
		}
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
	x.asked = body
	return body, nil
}

// upload reads the request's body. A large one waits while there is no room.
func (x *exchange) upload(large bool) ([]byte, error) {
	body := io.Reader(http.MaxBytesReader(x.w, x.r.Body, MaxBody))
	if how := x.run.Scenario().Upload; how != nil && how.Rate > 0 {
		body = &slow{Reader: body, x: x, rate: how.Rate}
	}
	if large {
		guest := &guest{Reader: body, context: x.r.Context(), room: x.service.room}
		defer guest.leave()
		body = guest
	}
	return readAll(body, x.r.ContentLength)
}

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
