package api

import (
	"errors"
	"io/fs"
	"net/http"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/store"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// scope is whose objects the exchange sees: those of its run.
func (x *exchange) scope() string { return scopeOf(x.run) }

func scopeOf(r *session) string { return r.Scenario().Name + "/" + r.Name() }

func (x *exchange) lax() bool { return x.part.options.Validation != wire.Strict }

func (x *exchange) hasBeta(beta string) bool {
	for _, b := range run.Betas(x.r.Header) {
		if b == beta {
			return true
		}
	}
	return false
}

// number gives an object its number, and the word that its id is made from beside that.
func (x *exchange) number() (seed, number uint64, err error) {
	seed = x.run.Scenario().Seed
	if x.service.Seed != nil {
		seed = *x.service.Seed
	}
	number, err = x.service.Store.Number()
	return seed, number, err
}

// unkept is what to say of an object that couldn't be kept; nil when its client has left.
func (x *exchange) unkept(err error, most int64) *wire.Error {
	problem, broken := new(wire.Error), new(fs.PathError)
	switch {
	case errors.As(err, &problem):
		return problem
	case errors.As(err, &broken): // the disk's fault, not the body's
		x.service.failed("what a client sent can't be kept", x.r.URL.Path, err)
		return wire.Internal()
	case errors.Is(err, store.ErrTooLarge):
		return wire.FileTooLarge(most)
	case errors.Is(err, store.ErrFull):
		return wire.Own(http.StatusServiceUnavailable, "the server keeps as much as it may. Delete batches, files or skills.")
	}
	return x.unreadable(err)
}

// failed logs what went wrong with something that is kept.
func (s *Service) failed(what, path string, cause error) {
	if s.Logger != nil {
		s.Logger.Error(what, "path", path, "cause", cause)
	}
}

// answer decides on an object as the answer.
func (x *exchange) answer(v any) *run.Decision { return x.run.Direct(x.query, asJSON(v)) }

// deleted is what the API says of an object that is gone.
type deleted struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}
