package api

import (
	"encoding/json"
	"net/http"
	"strconv"

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
	limit := wholeNumber(w, r, "limit", defaultBills, mostBills)
	if limit == 0 {
		return
	}
	after, err := uint64(0), error(nil)
	if text := r.URL.Query().Get("after"); text != "" {
		after, err = strconv.ParseUint(text, 10, 64)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "after", "after is the sequence of a line, as `last` of the page before has it")
		return
	}
	asked := r.URL.Query().Get("scenario")
	if asked != "" {
		if _, problem := s.load(asked); problem != nil {
			refuseScenario(w, "scenario", problem)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	found, more := s.Journal.Bills(after, limit, journal.Query{Scenario: asked, Run: r.URL.Query().Get("run")})
	answer := bills{Data: found, HasMore: more, Last: after}
	if len(found) > 0 {
		answer.Last = found[len(found)-1].Sequence
	} else {
		answer.Data = []journal.Bill{}
	}
	_ = json.NewEncoder(w).Encode(answer)
}
