package api

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

// mostBills is the most lines of one page of the billing listing.
const (
	mostBills    = 1000
	defaultBills = 100
)

// bills is a page of the billing listing, which is the mock's own and none of the API's.
type bills struct {
	Data    []journal.Bill `json:"data"`
	HasMore bool           `json:"has_more"`
	// Last is the last line's sequence: after=LAST gives the next page.
	Last uint64 `json:"last"`
}

// billing lists what requests are billed with, newest last.
func (s *Service) billing(w http.ResponseWriter, r *http.Request) {
	after, limit, problem := page(r)
	asked := r.URL.Query().Get("scenario")
	if problem == nil && asked != "" {
		_, problem = s.load(asked)
	}
	w.Header().Set("Content-Type", "application/json")
	if problem != nil {
		w.WriteHeader(problem.Status)
		_, _ = w.Write(problem.Append(nil, ""))
		return
	}
	found, more := s.Journal.Bills(after, limit, journal.Query{Scenario: asked, Run: r.URL.Query().Get("run")})
	answer := bills{Data: found, HasMore: more, Last: after}
	if len(found) > 0 {
		answer.Last = found[len(found)-1].Sequence
	} else {
		answer.Data = []journal.Bill{}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func page(r *http.Request) (after uint64, limit int, problem *wire.Error) {
	limit = defaultBills
	if text := r.URL.Query().Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > mostBills {
			return 0, 0, wire.Own(http.StatusBadRequest, "limit: a whole number from 1 to 1000.")
		}
		limit = n
	}
	if text := r.URL.Query().Get("after"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return 0, 0, wire.Own(http.StatusBadRequest, "after: the sequence of a line, as `last` of the page before has it.")
		}
		after = n
	}
	return after, limit, nil
}
