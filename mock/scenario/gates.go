package scenario

import (
	"slices"

	"github.com/seed-954e9acd/orrery/mock/internal/fault"
)

// Gates names the gates that the scenario's answers may come to, sorted.
func (s *Scenario) Gates() []string {
	var all []string
	for _, r := range s.Routes {
		all = append(all, r.Gates()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Gates names the gates that the outcome's answer comes to, in the order of its faults.
func (o *Outcome) Gates() []string {
	var all []string
	for _, f := range o.Faults {
		if s, is := f.(fault.Stall); is && s.Gate != "" {
			all = append(all, s.Gate)
		}
	}
	return all
}
