package mock

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/api"
	"github.com/seed-954e9acd/orrery/mock/journal"
)

const (
	// shownEntries is how many requests a failed assertion shows.
	shownEntries = 3
	// shownBody is how long a body may be to be part of a command.
	shownBody = 2000
)

// report is what a failed assertion says: what is wrong, and the nearest requests.
func (h *Handler) report(wrong string, q journal.Query) string {
	var b strings.Builder
	fmt.Fprintf(&b, "orrery: %s\n", wrong)
	near := h.Journal().Nearest(q, shownEntries)
	if len(near) == 0 {
		fmt.Fprintf(&b, "  the journal of scenario %s, seed %d, is empty: %d requests have arrived\n", h.Scenario().Name, h.seed(), h.Journal().Len())
	}
	for _, n := range near {
		h.describe(&b, n)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (h *Handler) describe(b *strings.Builder, n journal.Near) {
	e := n.Entry
	fmt.Fprintf(b, "  #%d %s %s: status %d, %s in phase %s, attempt %d\n", e.Sequence, e.Method, e.Path, e.Status, e.Outcome, cmp.Or(e.Phase, "not known"), e.Attempt)
	fmt.Fprintf(b, "     scenario %s, run %s, request %d of it, seed %d, route %s, connection %d, request %d on it\n",
		e.Scenario, e.Run, e.Ordinal, cmp.Or(e.Seed, h.seed()), cmp.Or(e.Route, "none"), e.Connection, e.ConnectionRequests)
	if len(n.Misses) > 0 {
		fmt.Fprintf(b, "     but %s\n", strings.Join(n.Misses, "; "))
	}
	if len(e.Steps) == 0 {
		return
	}
	fmt.Fprintf(b, "     plan: %s; sent late by up to %s\n", planned(e), e.Lateness())
	if command := h.replay(e); command != "" {
		fmt.Fprintf(b, "     again: %s\n", command)
	}
}

// planned is a plan in a line: the first steps and the last.
func planned(e journal.Entry) string {
	const first, last = 3, 2
	var words []string
	for i, s := range e.Steps {
		if hidden := len(e.Steps) - first - last; hidden > 1 && i >= first && i < len(e.Steps)-last {
			if i == first {
				words = append(words, fmt.Sprintf("%d more", hidden))
			}
			continue
		}
		when := "never"
		if s.Planned < journal.Never {
			when = s.Planned.Round(time.Microsecond).String()
		}
		words = append(words, cmp.Or(s.Event, s.Kind)+" "+when)
	}
	return strings.Join(words, ", ")
}

// replay is the command that plans a request again, "" when none does. It is exact when the run's
// earlier requests were like this one.
func (h *Handler) replay(e journal.Entry) string {
	if e.Ordinal == 0 || !strings.HasSuffix(e.Path, "/v1/messages") {
		return ""
	}
	words := []string{"orrery", "plan", h.source(e.Scenario)}
	if h.settings.dir != "" {
		words = append(words, "--scenarios", api.ShellWord(h.settings.dir))
	}
	words = append(words, "--seed", fmt.Sprint(cmp.Or(e.Seed, h.seed())), "-n", fmt.Sprint(e.Ordinal))
	for _, line := range told(e) {
		words = append(words, "--header", api.ShellWord(line))
	}
	switch {
	case len(e.Body) <= shownBody && !slices.Contains(e.Body, 0):
		return "printf %s " + api.ShellWord(string(e.Body)) + " | " + strings.Join(append(words, "--request", "-"), " ")
	default:
		return strings.Join(append(words, "--request", "BODY.json"), " ") + fmt.Sprintf(" # of %d bytes", len(e.Body))
	}
}

// source is how a command names the scenario.
func (h *Handler) source(name string) string {
	switch {
	case name != h.Scenario().Name:
		return api.ShellWord(name)
	case h.settings.file != "":
		return api.ShellWord(h.settings.file)
	case h.settings.text != "":
		return "SCENARIO.yaml"
	default:
		return api.ShellWord(name)
	}
}

// told are the header lines that a scenario may ask for, and the one that chooses the run, sorted.
func told(e journal.Entry) []string {
	lines := api.TellingHeaders(e)
	if e.Run != api.DefaultRun {
		lines = append(lines, "X-Orrery-Run: "+e.Run)
		slices.Sort(lines)
	}
	return lines
}

// seed is that of runs that are given none.
func (h *Handler) seed() uint64 {
	if h.settings.seed != nil {
		return *h.settings.seed
	}
	return h.Scenario().Seed
}
