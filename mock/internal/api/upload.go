package api

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// Bodies that aren't small are taken in so many bytes at once, in all.
const (
	largeBody  = 64 << 10
	mostAtOnce = 512 << 20
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
		if err := x.service.room.take(x.r.Context(), size); err != nil {
			return nil, err
		}
		defer x.service.room.giveBack(size)
	}
	return readAll(body, x.r.ContentLength)
}

// room is how much of large bodies is taken in at once. How long one may stand still is the
// transport's to say.
type room struct {
	bytes   *semaphore.Weighted
	waiting atomic.Int64  // bodies, at the moment
	waited  atomic.Uint64 // bodies that had to
}

func newRoom() *room { return &room{bytes: semaphore.NewWeighted(mostAtOnce)} }

// take waits until there is room for so many bytes.
func (r *room) take(ctx context.Context, size int64) error {
	if r.bytes.TryAcquire(size) {
		return nil
	}
	r.waited.Add(1)
	r.waiting.Add(1)
	defer r.waiting.Add(-1)
	return r.bytes.Acquire(ctx, size)
}

func (r *room) giveBack(size int64) { r.bytes.Release(size) }

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
