package api

import "github.com/seed-954e9acd/orrery/mock/internal/run"

// Unscripted is the journal's route of a request that came beyond a strict script.
const Unscripted = run.Unscripted

// Strict makes the default run refuse what isn't scripted.
func (s *Service) Strict() { s.home.Load().Strict() }

// Waiting is how many scripted outcomes of the default run nobody has asked for.
func (s *Service) Waiting() int { return s.home.Load().Waiting() }
