package api

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/store"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// A batch is arithmetic. Its requests go through the scenario on a run of their own, so many at
// once, one after another, from the instant of the batch's creation; what each gets and when it
// ends is known from that. So nothing has to be done while a batch is in progress, nothing but its
// requests has to be kept, and to ask again, even after a restart, gives the same. For that, files
// that a request names are taken to be there, and a scenario must not change while its batches are kept.

// lanes is how many requests of a batch are under way at once.
const lanes = 100

// end is what became of a batch as a whole.
type end struct {
	at     time.Time
	counts batchCounts
}

// endKey tells a batch before its cancellation from the same after.
type endKey struct {
	id       string
	canceled time.Time
}

// endOf is when the batch ends and how. It is worked out once; while it is, others wait.
func (s *Service) endOf(p *part, b store.Batch) end {
	s.planning.Lock()
	defer s.planning.Unlock()
	key := endKey{b.ID, b.Canceled}
	if known, ok := s.ends.Get(key); ok {
		return known
	}
	e := end{at: b.Created}
	err := s.runBatch(p, b, func(o *outcome) error {
		if o.ended.After(e.at) {
			e.at = o.ended
		}
		switch o.kind {
		case "succeeded":
			e.counts.Succeeded++
		case "errored":
			e.counts.Errored++
		case "canceled":
			e.counts.Canceled++
		default:
			e.counts.Expired++
		}
		return nil
	})
	if err != nil { // its requests can't be read any more, so nothing ever comes of them
		return end{at: b.Created.Add(batchLife), counts: batchCounts{Expired: b.Requests}}
	}
	s.ends.Add(key, e)
	return e
}

// outcome is what became of one request.
type outcome struct {
	customID string
	kind     string // succeeded, errored, canceled or expired
	ended    time.Time
	decision *run.Decision // of the first two
}

// runBatch runs a batch's requests in order and tells each what becomes of one of them. An error
// is each's, or about reading.
func (s *Service) runBatch(p *part, b store.Batch, each func(*outcome) error) error {
	requests, err := s.Store.Read(b.Blob)
	if err != nil {
		return err
	}
	defer func() { _ = requests.Close() }()
	_, runName, _ := strings.Cut(b.Scope, "/")
	batch := &batchRun{
		service: s, batch: b, options: s.options(p, b.Header),
		run: run.New(run.Config{
			Name: runName + "/" + b.ID, Scenario: p.Scenario, Replies: s.Replies, Seed: s.Seed, Unlimited: true,
		}),
		expires: b.Created.Add(batchLife),
	}
	for i := range batch.free {
		batch.free[i] = b.Created
	}
	lines := bufio.NewReaderSize(requests, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		customID, params, ok := bytes.Cut(bytes.TrimSuffix(line, []byte{'\n'}), []byte{' '})
		if !ok {
			return fmt.Errorf("batch %s: a request can't be read", b.ID)
		}
		o := batch.next(params)
		o.customID = string(customID)
		if err := each(o); err != nil {
			return err
		}
	}
}

// batchRun is one running of a batch.
type batchRun struct {
	service *Service
	batch   store.Batch
	options wire.ReadOptions
	run     *run.Run
	expires time.Time
	free    [lanes]time.Time // when each lane gets free
}

// next runs the next request on the lane that is free first.
func (b *batchRun) next(params []byte) *outcome {
	lane := 0
	for i := range b.free {
		if b.free[i].Before(b.free[lane]) {
			lane = i
		}
	}
	start := b.free[lane]
	switch canceled := b.batch.Canceled; {
	case !canceled.IsZero() && !start.Before(canceled):
		return &outcome{kind: "canceled", ended: canceled}
	case !start.Before(b.expires):
		return &outcome{kind: "expired", ended: b.expires}
	}
	d := b.decide(start, params)
	takes := d.Timeline.Duration()
	if takes >= timeline.Never || start.Add(takes).After(b.expires) {
		b.free[lane] = b.expires
		return &outcome{kind: "expired", ended: b.expires}
	}
	o := &outcome{kind: "succeeded", ended: start.Add(takes), decision: d}
	b.free[lane] = o.ended
	if d.Timeline.Message == nil {
		o.kind = "errored"
	}
	return o
}

func (b *batchRun) decide(at time.Time, params []byte) *run.Decision {
	q := run.Query{
		Arrived: at, Header: b.batch.Header, Method: http.MethodPost, Path: "/v1/messages/batches", Protocol: "HTTP/1.1",
		Client: b.batch.Client, Key: b.batch.Key, Bytes: len(params),
	}
	request, problem := b.service.reader.Read(params, b.options)
	if problem == nil && request.Stream && b.options.Validation == wire.Strict {
		problem = wire.NoStreamInBatch()
	}
	if problem != nil {
		return b.run.Refuse(q, problem)
	}
	request.Stream = false
	q.Request = request
	d := b.run.Decide(q)
	if m := d.Timeline.Message; m != nil {
		m.Usage.ServiceTier = "batch"
	}
	return d
}

// appendLine appends the request's line of results, without its end.
func (o *outcome) appendLine(dst []byte) []byte {
	dst = append(append(dst, `{"custom_id":"`...), o.customID...) // whose characters need no escaping
	dst = append(append(dst, `","result":{"type":"`...), o.kind...)
	dst = append(dst, '"')
	switch o.kind {
	case "succeeded":
		dst = append(dst, `,"message":`...)
		for i := range o.decision.Timeline.Len() {
			dst = o.decision.Timeline.Append(dst, i) // of which only the body has bytes
		}
	case "errored":
		dst = o.decision.Timeline.Error.Append(append(dst, `,"error":`...), o.decision.RequestID())
	}
	return append(dst, "}}"...)
}
