// Package probe drives any Messages endpoint over HTTP and measures how it answers.
//
// [Open] is an open loop: each request leaves at its planned instant, whatever became of the
// earlier ones, and every time is reckoned from that instant. So a server that stalls can't hide
// behind requests that were never sent, and a prober that is late shows it ([Result] Lag).
// [Closed] is a closed loop: a number of clients, each of which waits for its answer and thinks
// before it asks again. It knows nothing of scenarios, doesn't retry and follows no redirect.
//
//	var report probe.Report
//	err := probe.Open(ctx, "http://127.0.0.1:4010", shots, probe.Options{}, report.Add)
//	p99 := report.Duration.Quantile(0.99)
//
// What it can't see: a delay between a byte's arrival at this machine and its reading, other than
// by the prober's lag; and how many requests a connection of HTTP/3 has carried.
package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
)

// Shot is one request to send.
type Shot struct {
	// At is the planned instant: in [Open] an offset from the start that never falls from one shot to
	// the next; in [Closed] the time to think, from the end of that client's last answer.
	At time.Duration
	// Method and Path are POST and /v1/messages when empty. Path may have a query.
	Method, Path string
	// Header is sent as it is, beside what HTTP itself needs. It may be shared by shots, and must not
	// change while they are under way; so may Body.
	Header http.Header
	Body   []byte
	// Protocol is HTTP/1.1, HTTP/2.0 (on http:// without an upgrade) or HTTP/3.0 (on https:// alone, over
	// UDP, past a lent transport's own dialling); empty: whatever comes of it.
	Protocol string
	// NewConnection asks for a connection that no other shot uses, before or after.
	NewConnection bool
	// CancelAfter is when the client leaves, from the planned instant; 0: never.
	CancelAfter time.Duration
	// GiveUp is the client's time-out, from the planned instant; 0: the options' own.
	GiveUp time.Duration
	// Tag is the caller's.
	Tag int
}

// Options say how to drive. The zero value is good.
type Options struct {
	// Clock times everything. Default: [clock.Real].
	Clock clock.Clock
	// Client lends its transport, of which the prober uses a copy with connections of its own. A
	// transport other than [http.Transport] is used as it is: it can't choose protocol or connection,
	// and ConnectionRequests stays 0. Default: one that takes the proxy from the environment.
	Client *http.Client
	// MaxInFlight bounds the requests under way. A shot beyond it is [NotDriven]. Default: 10,000.
	MaxInFlight int
	// Timeout is the GiveUp of shots without one. Default: 10 minutes.
	Timeout time.Duration
	// MaxBody bounds an answer's size, in bytes on the wire and after decompression; beyond it the
	// answer counts as [Cut]. Default: 64 MB.
	MaxBody int64
	// KeepText keeps the text of answers and of each delta, KeepReads the size of each read.
	KeepText, KeepReads bool
}

// The defaults of [Options].
const (
	DefaultMaxInFlight = 10_000
	DefaultTimeout     = 10 * time.Minute
	DefaultMaxBody     = 64 << 20
)

// Open sends the shots open loop to target, a base URL such as http://127.0.0.1:4010, and tells
// each of every result as soon as it is there, one at a time, in no particular order; each may be
// nil. It returns when every shot has its result. When ctx ends no more shots leave, those under way
// are [Stopped], and ctx's cause is returned. An error otherwise is about target, options or an At
// that falls.
func Open(ctx context.Context, target string, shots iter.Seq[Shot], o Options, each func(*Result)) error {
	d, err := newDriver(target, o, each)
	if err != nil {
		return err
	}
	defer d.close()
	var group sync.WaitGroup
	defer group.Wait()
	// One token for each request that may be under way.
	free := make(chan struct{}, d.o.MaxInFlight)
	ordinal, last := 0, time.Duration(0)
	for shot := range shots {
		ordinal++
		if shot.At < last {
			return fmt.Errorf("shot %d is planned at %v, before the %v of the one ahead of it", ordinal, shot.At, last)
		}
		last = shot.At
		if err := d.o.Clock.WaitUntil(ctx, d.start.Add(shot.At)); err != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
		r := newResult(&shot, ordinal, shot.At)
		select {
		case free <- struct{}{}:
		default:
			d.tell(r)
			continue
		}
		group.Go(func() {
			d.exchange(ctx, r)
			<-free
			d.tell(r)
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// Closed runs clients that each ask, wait for the answer, think, and ask again: next is called with
// the client's number, from 0, and its last result, nil at first, and says what that client sends
// next, or false to end it. next and each are never called at the same time. A planned instant is
// the end of the last answer plus the time to think, so a stall here delays the requests behind it,
// as it delays users who wait. Errors are those of [Open], and too many clients for MaxInFlight.
func Closed(ctx context.Context, target string, clients int, next func(client int, last *Result) (Shot, bool), o Options, each func(*Result)) error {
	d, err := newDriver(target, o, each)
	if err != nil {
		return err
	}
	defer d.close()
	if clients < 1 || clients > d.o.MaxInFlight {
		return fmt.Errorf("%d clients: their number is from 1 to %d, the most requests that may be under way", clients, d.o.MaxInFlight)
	}
	ordinal := 0
	ask := func(client int, last *Result) (*Shot, int, bool) {
		d.mu.Lock()
		defer d.mu.Unlock()
		shot, more := next(client, last)
		if more {
			ordinal++
		}
		return &shot, ordinal, more
	}
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			var last *Result
			for {
				// Thinking starts when the answer ends, however long next takes.
				planned := time.Duration(0)
				if last != nil {
					planned = last.Planned + last.Duration
				}
				shot, n, more := ask(client, last)
				planned += max(0, shot.At)
				if !more || d.o.Clock.WaitUntil(ctx, d.start.Add(planned)) != nil {
					return
				}
				last = newResult(shot, n, planned)
				d.exchange(ctx, last)
				d.tell(last)
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// driver is one call of Open or Closed.
type driver struct {
	o      Options
	target string
	dial   *connections
	start  time.Time

	mu   sync.Mutex // each and next are called under it
	each func(*Result)
}

func newDriver(target string, o Options, each func(*Result)) (*driver, error) {
	base, err := baseURL(target)
	if err != nil {
		return nil, err
	}
	if o.MaxInFlight < 0 || o.Timeout < 0 || o.MaxBody < 0 {
		return nil, errors.New("an option of the prober is below 0")
	}
	if o.Clock == nil {
		o.Clock = clock.Real()
	}
	if o.MaxInFlight == 0 {
		o.MaxInFlight = DefaultMaxInFlight
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	d := &driver{o: o, target: base, dial: newConnections(o.Client, o.MaxInFlight), each: each}
	d.start = o.Clock.Now()
	return d, nil
}

func (d *driver) close() { d.dial.close() }

func (d *driver) tell(r *Result) {
	if d.each == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.each(r)
}

// elapsed is the time since the start.
func (d *driver) elapsed() time.Duration { return d.o.Clock.Now().Sub(d.start) }
