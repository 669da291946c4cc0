package api

import (
	"net/http"
	"strconv"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
	"github.com/seed-954e9acd/orrery/mock/internal/transport"
)

// ending is how the decision's answer is over; as a rule it just finishes.
func (p program) ending() fault.Ending {
	if b := p.Timeline.Broken(); b != nil {
		return b.Ending
	}
	return fault.Ending{}
}

// breaksOff reports whether the answer stops without its terminator, so that whoever plays it has to
// break the connection or the stream off.
func (p program) breaksOff() bool {
	e := p.ending()
	return e.End == fault.Cut || e.End == fault.Reset || e.End == fault.StreamReset || e.End == fault.GoAway && e.LastBefore
}

// framing says in the headers how the body is delimited, where faults want it otherwise than net/http.
func (p program) framing(h http.Header) {
	b := p.Timeline.Broken()
	if b == nil {
		return
	}
	if b.Encoding != "" {
		h.Set("Content-Encoding", b.Encoding)
	}
	switch {
	case b.Ending.End == fault.Close:
		h.Set("Connection", "close")
	case b.Ending.End == fault.Delimited: // which is net/http's word for neither length nor chunks
		h.Set("Connection", "close")
		h.Set("Transfer-Encoding", "identity")
	case b.Length > 0:
		h.Set("Content-Length", strconv.FormatInt(b.Length, 10))
	case p.Timeline.Streams(): // also one that leaves in a single write, to which net/http would give its length
		h.Set("Transfer-Encoding", "chunked")
	}
}

// uncarried says why the answer's end can't be what its faults want on this protocol; "" when it can. Files
// are checked for it; of a scripted answer nobody knows beforehand what it will go out over.
func (p program) uncarried(major int) string {
	e := p.ending()
	switch {
	case e.End == fault.GoAway && major != 2:
		return "GOAWAY is a frame of HTTP/2"
	case e.End == fault.StreamReset && major == 1:
		return "HTTP/1.1 has no streams to reset: the body is cut off"
	case (e.End == fault.Delimited || e.End == fault.ResetNext) && major != 1:
		return "only an HTTP/1.1 connection can end so"
	case p.Verbatim && major != 1:
		return "only HTTP/1.1 has a head that can be sent as it stands"
	}
	return ""
}

// prepared does to the connection, while the answer can still be sent, what its end asks for.
func (p program) prepared(c *transport.Conn) {
	switch e := p.ending(); e.End {
	case fault.GoAway:
		c.GoAway(e.Code, e.LastBefore)
	case fault.ResetNext:
		c.ResetNext()
	case fault.IdleClose:
		c.IdleClose(e.Idle)
	}
}

// broken breaks the connection or the stream off. The handler must end with [http.ErrAbortHandler].
func (p program) broken(c *transport.Conn) {
	switch e := p.ending(); e.End {
	case fault.Reset:
		c.Reset()
	case fault.StreamReset:
		c.ResetStream(uint64(e.Code))
	}
}
