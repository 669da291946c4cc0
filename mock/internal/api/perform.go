package api

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/play"
	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// play puts the decision on the connection.
func (x *exchange) play(d *run.Decision) {
	x.status, x.decision = d.Timeline.Status, d
	if x.content != nil {
		x.pour(d)
		return
	}
	p, w := program{x.service, d}, x.w
	if why := p.uncarried(x.r.ProtoMajor); why != "" {
		d.Warnings = append(d.Warnings[:len(d.Warnings):len(d.Warnings)], "a fault was not produced: "+why)
	}
	x.entry.Decided(d.Ordinal, d.RequestID(), decided{d})
	if d.Verbatim && x.r.ProtoMajor == 1 {
		raw, err := x.takeOver(d.Headers)
		if err != nil {
			x.outcome = journal.Failed
			return
		}
		w = raw
	}
	result, err := x.service.player.Play(x.r.Context(), play.Session{
		Writer: w, Clock: x.clock, Arrived: x.query.Arrived, Program: p, Recorder: x.recorder(d), Gates: x.run.gates,
		Framed: x.r.ProtoMajor > 1,
	})
	x.phase = journal.Phase(result.Phase.String())
	if err == nil {
		p.prepared(x.connection)
		x.entry.Released(d.Released())
	} else {
		x.left = x.clock.Now()
		x.release(x.run.Forget(d, x.left))
	}
	switch {
	case errors.Is(err, play.ErrLeft):
	case err != nil:
		x.outcome = journal.Failed
	case p.breaksOff():
		x.outcome = journal.Broken
		hangUp := x.finish
		x.finish = func() {
			p.broken(x.connection)
			if hangUp != nil { // nobody else closes a connection that was taken over
				hangUp()
			}
		}
	case x.status >= http.StatusBadRequest:
		x.outcome = journal.Refused
	default:
		x.outcome = journal.Complete
	}
}

// release notes when the slot gets free of a request whose client has left, and has a stepped clock go there.
func (x *exchange) release(after time.Duration) {
	x.entry.Released(after)
	if after > 0 && x.run.stepped != nil {
		x.run.stepped.Visit(x.query.Arrived.Add(after), x.r.Method+" "+x.r.URL.Path+", whose client has left: its slot gets free")
	}
}

// record closes the entry, also when the server has a mistake and panicked: then the client gets
// the API's 500 or, when something may have been sent already, a broken connection.
func (x *exchange) record() {
	defer x.leave()
	defer x.run.answering.Add(-1)
	defer x.spoke()
	switch cause := recover(); {
	case cause == http.ErrAbortHandler:
		defer panic(cause)
	case cause != nil:
		x.outcome = journal.Failed
		x.service.complain(x.r.URL.Path, cause)
		if x.status != 0 {
			defer panic(http.ErrAbortHandler)
		} else {
			x.status = http.StatusInternalServerError
			rescue(x.w, uint64(x.query.Arrived.UnixNano()))
		}
	}
	if x.outcome == journal.ClientLeft || x.outcome == journal.Broken {
		// Otherwise net/http would end the answer as if it were whole.
		defer panic(http.ErrAbortHandler)
	}
	if x.left.IsZero() {
		x.left = x.clock.Now()
	}
	took := x.left.Sub(x.query.Arrived)
	x.entry.Close(x.outcome, x.phase, took)
	if x.finish != nil {
		x.finish()
	}
	x.log(took)
}

func (s *Service) complain(path string, cause any) {
	if s.Logger != nil {
		s.Logger.Error("a request made the server panic", "path", path, "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
	}
}

// rescue answers with the API's 500, if it isn't too late for that.
func rescue(w http.ResponseWriter, number uint64) {
	problem := wire.Internal()
	id := wire.RequestID(number, 0)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Request-Id", id)
	problem.Header(w.Header().Set)
	w.WriteHeader(problem.Status)
	_, _ = w.Write(problem.Append(nil, id))
}
