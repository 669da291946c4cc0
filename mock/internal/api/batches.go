package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/store"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

const (
	// maxBatch is the most that a batch's body may hold: the API's 256 MB.
	maxBatch = 256 << 20
	// batchLife is how long a batch may take; what hasn't ended then has expired.
	batchLife = 24 * time.Hour
)

// batchView is a batch as a client sees it.
type batchView struct {
	ID                string      `json:"id"`
	Type              string      `json:"type"`
	ProcessingStatus  string      `json:"processing_status"`
	RequestCounts     batchCounts `json:"request_counts"`
	EndedAt           *string     `json:"ended_at"`
	CreatedAt         *string     `json:"created_at"`
	ExpiresAt         *string     `json:"expires_at"`
	ArchivedAt        *string     `json:"archived_at"`
	CancelInitiatedAt *string     `json:"cancel_initiated_at"`
	ResultsURL        *string     `json:"results_url"`
}

// batchCounts always add up to the number of requests.
type batchCounts struct {
	Processing int `json:"processing"`
	Succeeded  int `json:"succeeded"`
	Errored    int `json:"errored"`
	Canceled   int `json:"canceled"`
	Expired    int `json:"expired"`
}

// view is the batch at the time of the request. Counts other than processing stay 0 until it ends.
func (x *exchange) view(b store.Batch) batchView {
	v := batchView{
		ID: b.ID, Type: "message_batch", ProcessingStatus: "in_progress",
		RequestCounts: batchCounts{Processing: b.Requests},
		CreatedAt:     stamp(b.Created), ExpiresAt: stamp(b.Created.Add(batchLife)),
		CancelInitiatedAt: stamp(b.Canceled),
	}
	if !b.Canceled.IsZero() {
		v.ProcessingStatus = "canceling"
	}
	if end := x.service.endOf(x.part, b); !end.at.After(x.query.Arrived) {
		url := x.base() + "/v1/messages/batches/" + b.ID + "/results"
		v.ProcessingStatus, v.RequestCounts, v.EndedAt, v.ResultsURL = "ended", end.counts, stamp(end.at), &url
	}
	return v
}

// base is the address under which the client reaches the endpoints, its base path included.
func (x *exchange) base() string {
	scheme := "http"
	if x.r.TLS != nil {
		scheme = "https"
	}
	if told := x.r.Header.Get("X-Forwarded-Proto"); told == "http" || told == "https" {
		scheme = told
	}
	return scheme + "://" + x.r.Host + strings.TrimSuffix(x.r.URL.Path, x.query.Path)
}

func (x *exchange) createBatch() *run.Decision {
	if x.problem != nil {
		return x.refuse(x.problem)
	}
	if x.r.ContentLength > maxBatch {
		return x.refuse(wire.TooLarge())
	}
	kept := x.service.Store
	if err := kept.Batches.MakeRoom(x.mayGo); err != nil {
		return x.refuse(x.unkept(err, maxBatch))
	}
	b := store.Batch{
		Scope: x.scope(), Created: x.query.Arrived, Header: withoutKeys(x.r.Header), Client: x.query.Client, Key: x.query.Key,
	}
	var err error
	plain, problem := unpacked(http.MaxBytesReader(x.w, x.r.Body, maxBatch), x.r.Header.Values("Content-Encoding"))
	if problem != nil {
		return x.refuse(problem)
	}
	body := &counted{Reader: plain, most: maxBatch}
	b.Blob, err = kept.Write(2*maxBatch, func(w io.Writer) error {
		n, problem, err := wire.ReadBatch(body, func(customID string, params []byte) error {
			_, err := fmt.Fprintf(w, "%s %s\n", customID, params)
			return err
		})
		if problem != nil {
			return problem
		}
		b.Requests = n
		return err
	})
	x.query.Bytes = int(body.bytes)
	if errors.Is(err, store.ErrTooLarge) {
		return x.refuse(wire.TooLargeDecoded())
	}
	if err != nil {
		return x.refuse(x.unkept(err, maxBatch))
	}
	seed, number, err := x.number()
	if err == nil {
		b.Number, b.ID = number, wire.BatchID(seed, number)
		err = kept.Batches.Put(b)
	}
	if err != nil {
		kept.Discard(b.Blob)
		return x.refuse(x.unkept(err, maxBatch))
	}
	v := batchView{
		ID: b.ID, Type: "message_batch", ProcessingStatus: "in_progress", RequestCounts: batchCounts{Processing: b.Requests},
		CreatedAt: stamp(b.Created), ExpiresAt: stamp(b.Created.Add(batchLife)),
	}
	return x.answer(v)
}

// mayGo says whether a batch, which may be another run's, has ended.
func (x *exchange) mayGo(b store.Batch) bool {
	p, known := x.part, true
	if b.Scope != x.scope() {
		name, _, _ := strings.Cut(b.Scope, "/")
		x.service.mu.Lock()
		p, known = x.service.loaded[name]
		x.service.mu.Unlock()
	}
	at := b.Created.Add(batchLife)
	if known {
		at = x.service.endOf(p, b).at
	}
	return !at.After(x.query.Arrived)
}

// counted counts what is read. With more than most, unless that is 0, reading fails.
type counted struct {
	io.Reader
	bytes, most int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes += int64(n)
	if c.most > 0 && c.bytes > c.most {
		return n, store.ErrTooLarge
	}
	return n, err
}

// withoutKeys are the headers that a scenario may look at when the batch's requests are run.
func withoutKeys(h http.Header) http.Header {
	kept := h.Clone()
	for _, name := range run.KeyHeaders() {
		kept.Del(name)
	}
	return kept
}

func (x *exchange) listBatches() *run.Decision {
	if x.problem != nil {
		return x.refuse(x.problem)
	}
	id := func(b store.Batch) string { return b.ID }
	page, more, problem := pageByID(x.service.Store.Batches.List(x.scope()), id, x.r.URL.Query(), x.lax())
	if problem != nil {
		return x.refuse(problem)
	}
	first, last := ids(page, id)
	return x.answer(idPage[batchView]{each(page, x.view), more, first, last})
}

// batch finds the batch that the path names.
func (x *exchange) batch() (store.Batch, *wire.Error) {
	if x.problem != nil {
		return store.Batch{}, x.problem
	}
	id := chi.URLParam(x.r, "batch")
	b, ok := x.service.Store.Batches.Get(x.scope(), id)
	if !ok {
		return b, wire.UnknownBatch(id)
	}
	return b, nil
}

func (x *exchange) getBatch() *run.Decision {
	b, problem := x.batch()
	if problem != nil {
		return x.refuse(problem)
	}
	return x.answer(x.view(b))
}

// cancelBatch lets what is under way end, and starts nothing more. To cancel twice is once.
func (x *exchange) cancelBatch() *run.Decision {
	b, problem := x.batch()
	if problem != nil {
		return x.refuse(problem)
	}
	if end := x.service.endOf(x.part, b); !end.at.After(x.query.Arrived) && b.Canceled.IsZero() && !x.lax() {
		return x.refuse(wire.BatchHasEnded(b.ID))
	}
	b, found, err := x.service.Store.Batches.Change(b.Scope, b.ID, func(b store.Batch) (store.Batch, error) {
		if b.Canceled.IsZero() {
			b.Canceled = x.query.Arrived
		}
		return b, nil
	})
	switch {
	case err != nil:
		return x.refuse(x.unkept(err, maxBatch))
	case !found:
		return x.refuse(wire.UnknownBatch(chi.URLParam(x.r, "batch")))
	}
	return x.answer(x.view(b))
}

func (x *exchange) deleteBatch() *run.Decision {
	b, problem := x.batch()
	if problem != nil {
		return x.refuse(problem)
	}
	if x.service.endOf(x.part, b).at.After(x.query.Arrived) {
		return x.refuse(wire.BatchHasNotEnded(b.ID))
	}
	found, err := x.service.Store.Batches.Delete(b.Scope, b.ID)
	switch {
	case err != nil:
		return x.refuse(x.unkept(err, maxBatch))
	case !found:
		return x.refuse(wire.UnknownBatch(b.ID))
	}
	return x.answer(deleted{b.ID, "message_batch_deleted"})
}

// batchResults runs the batch again and writes each result as it comes: the same as before, since
// a batch's run depends on nothing else.
func (x *exchange) batchResults() *run.Decision {
	b, problem := x.batch()
	if problem != nil {
		return x.refuse(problem)
	}
	if x.service.endOf(x.part, b).at.After(x.query.Arrived) {
		return x.refuse(wire.NoResults(b.ID))
	}
	results := &content{kind: "application/x-jsonl", size: -1, write: func(w io.Writer) error {
		line := make([]byte, 0, 4<<10)
		return x.service.runBatch(x.part, b, func(o *outcome) error {
			if err := x.r.Context().Err(); err != nil {
				return err
			}
			line = append(o.appendLine(line[:0]), '\n')
			_, err := w.Write(line)
			return err
		})
	}}
	if x.run.Speaks(x.query.Endpoint) {
		return x.hold(results)
	}
	x.content = results
	return x.run.Direct(x.query, nil)
}
