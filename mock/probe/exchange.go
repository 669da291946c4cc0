package probe

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"time"
)

var (
	errLeft    = errors.New("the client left, as planned")
	errGaveUp  = errors.New("no whole answer in time")
	errTooLong = errors.New("the answer is longer than the prober takes")
)

// exchange sends a result's shot, reads the answer to the end and fills the result in.
func (d *driver) exchange(ctx context.Context, r *Result) {
	ctx, end := context.WithCancelCause(ctx)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer end(nil)
	watch.Go(func() { d.watch(ctx, end, r.Shot, r.Planned) })

	r.Sent = d.elapsed()
	err := d.converse(ctx, r)
	r.Duration = d.elapsed() - r.Planned
	r.Outcome, r.Err = verdict(r, err, context.Cause(ctx))
}

// watch ends a shot when its client leaves or gives up.
func (d *driver) watch(ctx context.Context, end context.CancelCauseFunc, shot *Shot, planned time.Duration) {
	limit, cause := cmp.Or(shot.GiveUp, d.o.Timeout), errGaveUp
	if shot.CancelAfter > 0 && shot.CancelAfter <= limit {
		limit, cause = shot.CancelAfter, errLeft
	}
	if d.o.Clock.WaitUntil(ctx, d.start.Add(planned+limit)) == nil {
		end(cause)
	}
}

// converse fills in the result. Its error is whatever kept the answer from being whole.
func (d *driver) converse(ctx context.Context, r *Result) error {
	transport, done, err := d.dial.of(r.Shot)
	if err != nil {
		return err
	}
	defer done()
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		r.ConnectionRequests = countRequest(info.Conn)
	}}
	request, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace),
		cmp.Or(r.Shot.Method, http.MethodPost), d.target+cmp.Or(r.Shot.Path, "/v1/messages"), bytes.NewReader(r.Shot.Body))
	if err != nil {
		return withoutURL(err)
	}
	if r.Shot.Header != nil {
		request.Header = r.Shot.Header
	}
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return withoutURL(err)
	}
	defer response.Body.Close()
	r.HeadersAt = d.elapsed() - r.Planned
	r.Status, r.Header, r.Protocol = response.StatusCode, response.Header, response.Proto
	return d.read(r, response.Body)
}

// read reads a body as it comes.
func (d *driver) read(r *Result, body io.Reader) error {
	body = &tally{r: r, body: body, keep: d.o.KeepReads, limit: d.o.MaxBody}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	streams := r.Status/100 == 2 && r.Header.Get("Content-Length") == "" // as net/http sends a text/plain of its own making with one
	a := &answer{
		r: r, keep: d.o.KeepText, limit: d.o.MaxBody,
		stream: r.Status/100 == 2 && kind == "text/event-stream", raw: streams && kind == "text/plain",
	}
	if strings.EqualFold(r.Header.Get("Content-Encoding"), "gzip") {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return unended(err)
		}
		body = unzipped
	}
	defer func() { r.Text = a.text.String() }()
	buffer := make([]byte, 16<<10)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			if problem := a.take(buffer[:n], d.elapsed()-r.Planned); problem != nil {
				return problem
			}
		}
		if err == io.EOF {
			return a.finish()
		}
		if err != nil && a.stopped {
			return fmt.Errorf("%w: %w", errAfterStop, err)
		}
		if err != nil {
			return err
		}
	}
}

// unended is the error of a body that ends where more had to come.
func unended(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// tally counts a body's bytes as they are on the wire.
type tally struct {
	r     *Result
	body  io.Reader
	keep  bool
	limit int64
}

func (t *tally) Read(p []byte) (int, error) {
	n, err := t.body.Read(p)
	if n > 0 {
		t.r.Bytes += int64(n)
		if t.keep {
			t.r.Reads = append(t.r.Reads, n)
		}
		if t.r.Bytes > t.limit {
			return 0, errTooLong
		}
	}
	return n, err
}

// verdict is the outcome of a conversation that ended with err, in a context that ended with cause.
func verdict(r *Result, err, cause error) (Outcome, error) {
	switch {
	case err == nil && r.Status/100 == 2:
		return Answered, nil
	case err == nil:
		return Refused, refusal(r)
	case cause == errLeft:
		return Left, cause
	case cause == errGaveUp:
		return TimedOut, cause
	case cause != nil:
		return Stopped, cause
	case r.Status == 0:
		return Failed, err
	case errors.Is(err, errAfterStop):
		return Answered, err
	}
	return Cut, err
}

// refusal is a refusal in a line.
func refusal(r *Result) error {
	if r.ErrorType == "" {
		return fmt.Errorf("status %d", r.Status)
	}
	return fmt.Errorf("status %d, %s", r.Status, r.ErrorType)
}

// withoutURL takes the target, and a password in it, out of an error.
func withoutURL(err error) error {
	var asked *url.Error
	if errors.As(err, &asked) {
		return asked.Err
	}
	return err
}
