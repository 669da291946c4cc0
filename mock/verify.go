package mock

import (
	"context"

	"github.com/seed-954e9acd/orrery/mock/claim"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// verify measures a scenario's claims while the server goes on answering.
func (s *settings) verify(ctx context.Context, of *scenario.Scenario, requests int) (any, error) {
	return claim.Verify(ctx, []*scenario.Scenario{of}, claim.Options{Requests: requests, Seed: s.seed, Background: true})
}
