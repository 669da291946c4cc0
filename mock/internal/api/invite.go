package api

import (
	"io"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// invite lets a client that waits for "100 Continue" (RFC 9110, section 10.1.1) wait as long as the scenario
// says. net/http sends it at the first read of the body, so where it never comes the connection is taken
// over: the body is read as it comes, and the answer goes out without it.
func (x *exchange) invite(how *scenario.Upload) error {
	if how == nil || !strings.EqualFold(x.r.Header.Get("Expect"), "100-continue") {
		return nil
	}
	if !how.NoContinue {
		return x.clock.WaitUntil(x.r.Context(), x.query.Arrived.Add(how.Continue))
	}
	if x.r.ProtoMajor != 1 || x.r.ContentLength < 0 {
		clock.Rest(x.clock)
		<-x.r.Context().Done() // until it leaves
		return x.r.Context().Err()
	}
	v, err := x.takeOver(nil)
	if err != nil {
		return err
	}
	x.w = v
	x.r.Body = io.NopCloser(io.LimitReader(v.out, x.r.ContentLength))
	return nil
}

// slow reads a body no faster than so many bytes a second.
type slow struct {
	io.Reader
	x    *exchange
	rate int64
	read int64
}

func (s *slow) Read(p []byte) (int, error) {
	const pieces = 20 // a second
	p = p[:min(int64(len(p)), max(s.rate/pieces, 1))]
	n, err := s.Reader.Read(p)
	s.read += int64(n)
	due := time.Duration(float64(s.read) / float64(s.rate) * float64(time.Second))
	if waited := s.x.clock.WaitUntil(s.x.r.Context(), s.x.query.Arrived.Add(due)); waited != nil {
		return n, waited
	}
	return n, err
}
