package api

import (
	"net/http"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// completion is the older endpoint, which the newer version doesn't have: it goes through the
// scenario like a message, and only looks different.
func (x *exchange) completion() *run.Decision {
	if x.problem == nil && x.r.Header.Get("Anthropic-Version") == wire.Version2026 {
		return x.notFound()
	}
	body, problem := x.body()
	if body == nil {
		return x.refuse(problem)
	}
	if x.problem != nil {
		return x.refuse(x.problem)
	}
	request, problem := x.service.olds.Read(body, x.options())
	if problem != nil {
		return x.refuse(problem)
	}
	x.query.Request, x.query.Endpoint = request, "complete"
	return x.run.Decide(x.query)
}

// otherwise answers a path that the API doesn't have: the scenario may know it by another name.
func (x *exchange) otherwise() *run.Decision {
	if x.run.Scenario().API.Paths[x.query.Path] != "complete" {
		return x.notFound()
	}
	if x.r.Method != http.MethodPost {
		return x.methodNotAllowed()
	}
	return x.completion()
}
