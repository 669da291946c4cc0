package api

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// content is a body too large to be held: it is written as it is made.
type content struct {
	kind  string // the content-type
	size  int64  // in bytes; -1: not known
	write func(io.Writer) error
}

// mostHeld is how much of a content is held where faults need its bytes beforehand.
const mostHeld = 64 << 20

// hold decides on a content as on any other body, so that a scenario's routes can do something to it.
func (x *exchange) hold(c *content) *run.Decision {
	var body bytes.Buffer
	if err := c.write(&limited{&body, mostHeld}); err != nil {
		return x.refuse(wire.Own(http.StatusInternalServerError, err.Error()))
	}
	d := x.run.Direct(x.query, body.Bytes())
	d.Default("Content-Type", c.kind)
	return d
}

type limited struct {
	*bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errors.New("a body that routes do something to has at most 64 MB")
	}
	return l.Buffer.Write(p)
}

// pour answers with the exchange's content, at once.
func (x *exchange) pour(d *run.Decision) {
	x.entry.Decided(d.Ordinal, d.RequestID(), decided{d})
	h := x.w.Header()
	program{x.service, d}.Header(h)
	h.Set("Content-Type", x.content.kind)
	if x.content.size >= 0 {
		h.Set("Content-Length", strconv.FormatInt(x.content.size, 10))
	}
	x.w.WriteHeader(http.StatusOK)
	x.phase = journal.Streaming
	counted := &counter{Writer: x.w}
	err := x.content.write(counted)
	x.entry.Wrote(1, x.clock.Now().Sub(x.query.Arrived), int(counted.bytes))
	if err != nil { // the client has left, or what it wants can't be read: either way it may not think this is all
		x.left = x.clock.Now()
		if x.r.Context().Err() == nil && !counted.failed {
			x.outcome = journal.Failed
			x.service.failed("what is kept can't be read", x.r.URL.Path, err)
		}
		panic(http.ErrAbortHandler)
	}
	x.outcome, x.phase = journal.Complete, journal.Phase("done")
}

type counter struct {
	io.Writer
	bytes  int64
	failed bool
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.bytes += int64(n)
	c.failed = c.failed || err != nil
	return n, err
}
