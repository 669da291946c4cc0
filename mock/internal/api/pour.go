package api

import (
	"io"
	"net/http"
	"strconv"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// content is a body too large to be held: it is written as it is made.
type content struct {
	kind  string // the content-type
	size  int64  // in bytes; -1: not known
	write func(io.Writer) error
}

// pour answers with the exchange's content, at once.
func (x *exchange) pour(d *run.Decision) {
	x.entry.Decided(d.Ordinal, d.RequestID(), decided{Decision: d})
	h := x.w.Header()
	program{service: x.service, Decision: d}.Header(h)
	h.Set("Content-Type", x.content.kind)
	if x.content.size >= 0 {
		h.Set("Content-Length", strconv.FormatInt(x.content.size, 10))
	}
	x.w.WriteHeader(http.StatusOK)
	x.phase = journal.Streaming
	counted := &counter{Writer: x.w}
	err := x.content.write(counted)
	x.entry.Wrote(1, x.service.Clock.Now().Sub(x.query.Arrived), int(counted.bytes))
	if err != nil { // the client has left, or what it wants can't be read: either way it may not think this is all
		x.left = x.service.Clock.Now()
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
