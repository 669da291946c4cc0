package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// The bounds on what one look at the journal gives, and on how long it may wait.
const (
	mostEntries    = 1000
	mostSummaries  = 10_000
	defaultEntries = 100
	longestWait    = 5 * time.Minute
	defaultWait    = 10 * time.Second
)

// query reads the request's filter; nil once it has answered that it is wrong. A scenario that there is none of is:
// whoever asks whether nothing came would else hear yes.
func (s *Service) query(w http.ResponseWriter, r *http.Request, others ...string) *journal.Query {
	q, err := journal.ParseQuery(r.URL.Query(), others...)
	if err != nil {
		field := ""
		if wrong := new(journal.ParameterError); errors.As(err, &wrong) {
			field = wrong.Parameter
		}
		refuse(w, http.StatusBadRequest, field, err.Error())
		return nil
	}
	if q.Scenario != "" {
		if unknown := s.unknown(q.Scenario); unknown != nil {
			refuse(w, http.StatusNotFound, "scenario", unknown.Error())
			return nil
		}
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

// short reports whether a request wants summaries in place of entries; ok is false once it has answered
// that there is nothing else.
func short(w http.ResponseWriter, r *http.Request) (short, ok bool) {
	switch r.URL.Query().Get("fields") {
	case "", "all":
		return false, true
	case "summary":
		return true, true
	}
	refuse(w, http.StatusBadRequest, "fields", "fields is all, or summary: an entry without its header, body, facts, draws and steps")
	return false, false
}

// partOf reads which part of the journal a request wants; ok is false once it has answered that it can't be.
func partOf(w http.ResponseWriter, r *http.Request, most int) (p journal.Part, ok bool) {
	p.Most = wholeNumber(w, r, "limit", defaultEntries, most)
	if p.Most == 0 {
		return p, false
	}
	switch r.URL.Query().Get("newest") {
	case "", "false":
	case "true":
		p.Newest = true
	default:
		refuse(w, http.StatusBadRequest, "newest", "newest is true, for the youngest that match, or false")
		return p, false
	}
	if text := r.URL.Query().Get("before"); text != "" {
		before, err := strconv.ParseUint(text, 10, 64)
		if err != nil || before == 0 || !p.Newest {
			refuse(w, http.StatusBadRequest, "before", "before is a sequence, beside newest=true")
			return p, false
		}
		p.Before = before
	}
	return p, true
}

func (s *Service) listJournal(w http.ResponseWriter, r *http.Request) {
	q := s.query(w, r, "limit", "fields", "newest", "before")
	if q == nil {
		return
	}
	inShort, ok := short(w, r)
	if !ok {
		return
	}
	if inShort {
		if p, ok := partOf(w, r, mostSummaries); ok {
			found, more := s.Journal.Summaries(*q, p)
			page(w, r, found, more, q.After, func(one journal.Summary) uint64 { return one.Sequence })
		}
		return
	}
	if p, ok := partOf(w, r, mostEntries); ok {
		found, more := s.Journal.Entries(*q, p)
		page(w, r, found, more, q.After, func(one journal.Entry) uint64 { return one.Sequence })
	}
}

// page answers with a part of the journal, as one object or line by line.
func page[T any](w http.ResponseWriter, r *http.Request, found []T, more bool, last uint64, sequence func(T) uint64) {
	if strings.Contains(r.Header.Get("Accept"), "ndjson") {
		w.Header().Set("Content-Type", "application/x-ndjson")
		lines := json.NewEncoder(w)
		for _, one := range found {
			_ = lines.Encode(one)
		}
		return
	}
	if len(found) > 0 {
		last = sequence(found[len(found)-1])
	}
	entries(w, found, map[string]any{"has_more": more, "last": last})
}

// readJournal is one request.
func (s *Service) readJournal(w http.ResponseWriter, r *http.Request) {
	if e, ok := s.chosenEntry(w, r); ok {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(e)
	}
}

// chosenEntry is the request that the path names; ok is false once it has answered that there is none.
func (s *Service) chosenEntry(w http.ResponseWriter, r *http.Request) (e journal.Entry, ok bool) {
	sequence, err := strconv.ParseUint(chi.URLParam(r, "sequence"), 10, 64)
	if err != nil {
		refuse(w, http.StatusNotFound, "sequence", "a request is named by its sequence, a whole number; GET /_orrery/openapi.json lists what else there is")
		return e, false
	}
	if e, ok = s.Journal.At(sequence); !ok {
		refuse(w, http.StatusNotFound, "sequence", absence(sequence, s.Journal.Youngest()))
	}
	return e, ok
}

// absence says why the journal hasn't got a request.
func absence(sequence, youngest uint64) string {
	switch {
	case sequence == 0:
		return "sequences begin at 1"
	case youngest == 0:
		return "no request has come yet"
	case sequence > youngest:
		return fmt.Sprintf("it hasn't come yet: the last one so far is %d", youngest)
	}
	return "it was there once; its records were cleared, or the oldest had to go to make room for others"
}

// entries answers with entries and what goes with them.
func entries[T any](w http.ResponseWriter, all []T, more map[string]any) {
	if all == nil {
		all = []T{}
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
		refuse(w, http.StatusRequestTimeout, "timeout", s.inVain(err, len(found), n, *q, patience))
		return
	}
	entries(w, found, map[string]any{})
}

// inVain says what came of a wait instead.
func (s *Service) inVain(err error, got, wanted int, q journal.Query, patience time.Duration) string {
	says := fmt.Sprintf("within %v %d of %d requests that match (%v) have ended, and %d are under way", patience, got, wanted, q, s.Journal.UnderWay(q).Seen)
	if errors.Is(err, journal.ErrEvicted) {
		says += "; records that may have matched were evicted, so ask for their count, which goes on"
	}
	if note := s.unmade(q); note != "" {
		says += "; " + note
	}
	return says + ". Wait longer (timeout=30s, 5m at most), or see what came instead: GET /_orrery/journal"
}

func (s *Service) countJournal(w http.ResponseWriter, r *http.Request) {
	q := s.query(w, r)
	if q == nil {
		return
	}
	c := s.Journal.Count(*q)
	told := map[string]any{"seen": c.Seen, "kept": c.Kept, "evicted": c.Evicted, "exact": c.Exact, "says": c.String()}
	if note := s.unmade(*q); note != "" && c.Never() {
		told["note"] = note
	}
	tell(w, http.StatusOK, told)
}

// unmade says that the run that is asked for isn't there; "" when it is, or when none is asked for.
func (s *Service) unmade(q journal.Query) string {
	if q.Scenario == "" || q.Run == "" {
		return ""
	}
	if _, there := s.find(q.Scenario, q.Run); there {
		return ""
	}
	return s.noRun(q.Scenario, q.Run)
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
		tell(w, http.StatusOK, map[string]any{"requests": l.Requests, "evicted": l.Evicted, "steps": l.Steps, "p99_ms": float64(l.P99) / 1e6, "max_ms": float64(l.Max) / 1e6})
	}
}

func (s *Service) clearJournal(w http.ResponseWriter, r *http.Request) {
	of, name := r.URL.Query().Get("scenario"), r.URL.Query().Get("run")
	switch {
	case of == "" && name == "":
		s.Journal.Reset()
	case of == "" || name == "":
		field := map[bool]string{true: "scenario", false: "run"}[of == ""]
		refuse(w, http.StatusBadRequest, field, "a run's records go by scenario and run; without both, those of all runs go")
		return
	default:
		s.Journal.Clear(of, name)
	}
	w.WriteHeader(http.StatusNoContent)
}
