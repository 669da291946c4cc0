package mock

import (
	"context"
	"time"

	"github.com/seed-954e9acd/orrery/mock/journal"
)

// lastLines is how long closing waits for requests that were broken off to end.
const lastLines = time.Second

// openJournal opens the journal's file, nil when there is to be none.
func (s *settings) openJournal() (*journal.File, error) {
	if s.journalFile == "" {
		return nil, nil
	}
	return journal.OpenFile(s.journalFile, s.journalBody, func(err error) {
		if s.logger != nil {
			s.logger.Error("a request isn't in the journal's file, and others may be missing too", "error", err)
		}
	})
}

// closeJournal closes the journal's file, if there is one, once no request is under way.
func (h *Handler) closeJournal() error {
	f := h.Journal().File()
	if f == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastLines)
	defer cancel()
	// What hasn't ended then isn't in it.
	_ = h.Journal().Until(ctx, func() bool { return h.Journal().UnderWay(journal.Query{}).Seen == 0 })
	return f.Close()
}
