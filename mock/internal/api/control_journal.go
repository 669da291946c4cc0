package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// The bounds on what one look at the journal gives, and on how long it may wait.
const (
	mostEntries    = 1000
	defaultEntries = 100
	longestWait    = 5 * time.Minute
	defaultWait    = 10 * time.Second
)

// query reads the request's filter; nil once it has answered that it is wrong.
func (s *Service) query(w http.ResponseWriter, r *http.Request, others ...string) *journal.Query {
	q, err := journal.ParseQuery(r.URL.Query(), others...)
	if err != nil {
		refuse(w, http.StatusBadRequest, "", err.Error())
		return nil
	}
	return &q
}

// wholeNumber reads a parameter that is a whole number from 1 to most; 0 once it has answered that it isn't.
func wholeNumber(w http.ResponseWriter, r *http.Request, name string, otherwise, most int) int {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		refuse(w, http.StatusBadRequest, name, fmt.Sprintf("%s is a whole number from 1 to %d", name, most))
		return 0
	}
	return n
}

func (s *Service) listJournal(w http.ResponseWriter, r *http.Request) {
	q := s.query(w, r, "limit")
	if q == nil {
		return
	}
	limit := wholeNumber(w, r, "limit", defaultEntries, mostEntries)
	if limit == 0 {
		return
	}
	page, more := s.Journal.Page(*q, limit)
	if strings.Contains(r.Header.Get("Accept"), "ndjson") {
		w.Header().Set("Content-Type", "application/x-ndjson")
		lines := json.NewEncoder(w)
		for _, e := range page {
			_ = lines.Encode(e)
		}
		return
	}
	last := q.After
	if len(page) > 0 {
		last = page[len(page)-1].Sequence
	}
	entries(w, page, map[string]any{"has_more": more, "last": last})
}

// entries answers with entries and what goes with them.
func entries(w http.ResponseWriter, all []journal.Entry, more map[string]any) {
	if all == nil {
		all = []journal.Entry{}
	}
	more["data"] = all
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(more)
}

func (s *Service) waitJournal(w http.ResponseWriter, r *http.Request) {
	q := s.query(w, r, "n", "timeout")
	if q == nil {
		return
	}
	n := wholeNumber(w, r, "n", 1, mostEntries)
	if n == 0 {
		return
	}
	patience := defaultWait
	if text := r.URL.Query().Get("timeout"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 || d > longestWait {
			refuse(w, http.StatusBadRequest, "timeout", "timeout is a duration up to 5m, such as 2s")
			return
		}
		patience = d
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	found, err := s.Journal.Wait(ctx, n, *q)
	if err != nil {
		refuse(w, http.StatusRequestTimeout, "", err.Error())
		return
	}
	entries(w, found, map[string]any{})
}

func (s *Service) countJournal(w http.ResponseWriter, r *http.Request) {
	q := s.query(w, r)
	if q == nil {
		return
	}
	c := s.Journal.Count(*q)
	tell(w, http.StatusOK, map[string]any{"seen": c.Seen, "kept": c.Kept, "evicted": c.Evicted, "exact": c.Exact, "says": c.String()})
}

func (s *Service) callsJournal(w http.ResponseWriter, r *http.Request) {
	q := s.query(w, r)
	if q == nil {
		return
	}
	type told struct {
		Attempts []uint64  `json:"attempts"` // their sequences
		Statuses []int     `json:"statuses"`
		Waits    []float64 `json:"waits_ms"` // the client's pauses between them
		Outcome  string    `json:"outcome"`  // of the last
	}
	all := []told{}
	for _, call := range s.Journal.Calls(*q) {
		t := told{Outcome: string(call.Last().Outcome), Waits: []float64{}}
		for _, e := range call.Attempts {
			t.Attempts, t.Statuses = append(t.Attempts, e.Sequence), append(t.Statuses, e.Status)
		}
		for _, d := range call.Waits() {
			t.Waits = append(t.Waits, float64(d)/1e6)
		}
		all = append(all, t)
	}
	tell(w, http.StatusOK, map[string]any{"calls": all})
}

func (s *Service) latenessJournal(w http.ResponseWriter, r *http.Request) {
	if q := s.query(w, r); q != nil {
		l := s.Journal.Lateness(*q)
		tell(w, http.StatusOK, map[string]any{"steps": l.Steps, "p99_ms": float64(l.P99) / 1e6, "max_ms": float64(l.Max) / 1e6})
	}
}

// tailJournal sends each request as it ends, and how many were lost to a reader that is slow.
func (s *Service) tailJournal(w http.ResponseWriter, r *http.Request) {
	q := s.query(w, r)
	if q == nil {
		return
	}
	f := s.Journal.Follow(*q)
	defer f.Close()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	out := http.NewResponseController(w)
	if out.Flush() != nil {
		return
	}
	dropped := 0
	for e := range f.Entries(r.Context()) {
		if d := f.Dropped(); d > dropped {
			_, _ = fmt.Fprintf(w, "event: dropped\ndata: {\"dropped\":%d}\n\n", d)
			dropped = d
		}
		line, err := json.Marshal(e)
		if err != nil {
			return
		}
		if _, err := fmt.Fprintf(w, "id: %d\nevent: request\ndata: %s\n\n", e.Sequence, line); err != nil || out.Flush() != nil {
			return
		}
	}
}

func (s *Service) clearJournal(w http.ResponseWriter, r *http.Request) {
	of, name := r.URL.Query().Get("scenario"), r.URL.Query().Get("run")
	if of == "" && name == "" {
		s.Journal.Reset()
	} else {
		s.Journal.Clear(of, name)
	}
	w.WriteHeader(http.StatusNoContent)
}
