package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/seed-954e9acd/orrery/mock/clock"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

const (
	// betweenFlushes is how long a tail rests once it has sent what there was: to flush every request of many
	// by itself would cost more than to answer it.
	betweenFlushes = 50 * time.Millisecond
	// atOnce is how many bytes are written together.
	atOnce = 64 << 10
	// mostASecond bounds the parameter of that name, and is what a tail without it tells.
	mostASecond = 100_000
)

// tailJournal sends each request as it ends, and how many were lost to a reader that is slow.
func (s *Service) tailJournal(w http.ResponseWriter, r *http.Request) {
	q := s.query(w, r, "fields", "most")
	if q == nil {
		return
	}
	inShort, ok := short(w, r)
	if !ok {
		return
	}
	most := wholeNumber(w, r, "most", mostASecond, mostASecond)
	if most == 0 {
		return
	}
	t := tail{
		w: w, out: http.NewResponseController(w), followed: s.Journal.Follow(*q),
		most: max(most*int(betweenFlushes)/int(time.Second), 1),
	}
	defer t.followed.Close()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	if t.out.Flush() != nil {
		return
	}
	if inShort {
		pass(r.Context(), &t, t.followed.Summaries(r.Context()), func(one journal.Summary) uint64 { return one.Sequence })
	} else {
		pass(r.Context(), &t, t.followed.Entries(r.Context()), func(one journal.Entry) uint64 { return one.Sequence })
	}
}

// tail tells one reader of requests as they end.
type tail struct {
	w        http.ResponseWriter
	out      *http.ResponseController
	followed *journal.Follower
	most     int // between two flushes; what is more counts as dropped

	waiting bytes.Buffer
	sent    int // since the last flush
	dropped int // as it was told
}

// pass sends on what is followed, until there is no more or the reader has gone.
func pass[T any](ctx context.Context, t *tail, all iter.Seq[T], sequence func(T) uint64) {
	rest := clock.Real()
	for one := range all {
		t.tellDropped()
		line, err := json.Marshal(one)
		if err != nil {
			return
		}
		fmt.Fprintf(&t.waiting, "id: %d\nevent: request\ndata: %s\n\n", sequence(one), line)
		if t.sent++; t.sent >= t.most {
			t.followed.Skip()
			t.tellDropped()
		}
		more := t.followed.Held() > 0
		if more && t.waiting.Len() < atOnce {
			continue
		}
		if _, err := t.waiting.WriteTo(t.w); err != nil {
			return
		}
		if more {
			continue
		}
		if t.out.Flush() != nil || rest.WaitUntil(ctx, rest.Now().Add(betweenFlushes)) != nil {
			return
		}
		t.sent = 0
	}
}

func (t *tail) tellDropped() {
	if d := t.followed.Dropped(); d > t.dropped {
		fmt.Fprintf(&t.waiting, "event: dropped\ndata: {\"dropped\":%d}\n\n", d)
		t.dropped = d
	}
}
