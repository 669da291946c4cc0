package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// NextPlace is where all draws of outcomes that belong to no route are taken. It has the number 0.
const NextPlace = "next"

// ParseOutcome compiles one outcome that belongs to no route, for the requests that come next. It is
// written as a route's answer, such as {profile: fast, faults: [{drop: message_stop}]}, and may use
// the scenario's profiles, facts and parameters. Without a profile it answers at once. All that it draws
// is drawn at [NextPlace]. The scenario stays as it is. The error is [Problems], of a file called "outcome".
//
// A fault that only some transport can carry is taken: nobody knows what the next request comes over.
func (l Loader) ParseOutcome(s *Scenario, text string) (*Outcome, error) {
	r := &report{}
	root := readAs(r, "outcome", []byte(text), outcomeWords())
	if root == nil || root.poisoned() {
		return nil, r.problems.sorted()
	}
	var file routeFile
	d := &decoder{report: r, without: []string{"name", "when", "share", "times", "per", "protocol", "endpoint"}}
	d.into(root, valueOf(&file), "an outcome")
	b := &builder{loader: l, language: s.language(r), made: s, next: true}
	made := &Outcome{}
	b.outcome(&file, made, answered{free: true, events: eventNames()}, NextPlace)
	made.Reads = b.strange(s, root)
	if len(r.problems) > 0 {
		return nil, r.problems.sorted()
	}
	return made, nil
}

// ParseOutcome is [Loader.ParseOutcome] with what the library knows.
func (l *Library) ParseOutcome(s *Scenario, text string) (*Outcome, error) {
	return l.loader().ParseOutcome(s, text)
}

// outcomeWords are how an outcome's text is spoken of.
func outcomeWords() documentWords {
	return documentWords{what: "an outcome", empty: "the outcome is empty", start: "for example {profile: fast, reply: Hello.} or {error: {status: 529}}"}
}

// language is the language that the scenario's expressions were compiled in, for one more.
func (s *Scenario) language(r *report) *language {
	l := *s.speech
	l.report, l.uses, l.broken = r, map[string]bool{}, map[string]bool{}
	l.slots = &slots{map[string]Slot{}} // the scenario's own don't change any more
	l.names = maps.Clone(l.names)
	return &l
}

// keptFacts are those that a run keeps count of from its start, and only when its scenario reads them.
func keptFacts() []string {
	return []string{
		"qps", "client_qps", "repeats", "attempt", "last_status", "since_last_ms", "skew_ms", "repeats_of.system", "cache.read_tokens", "cache.near",
		"template_tokens",
	}
}

// strange lists the facts that the outcome reads and its scenario doesn't, sorted. It refuses those
// that the scenario's runs would have had to keep count of.
func (b *builder) strange(s *Scenario, root *node) []string {
	var names []string
	for name := range b.language.uses {
		switch g := group(name); {
		case s.uses[name] || isGroup(name) || name == utilization || name == "header" || slices.Contains(ownFunctions(), name) || g == "planned" || g == "params":
		case slices.Contains(keptFacts(), name) || g == utilization || g == "usage":
			shown := name
			if g == utilization {
				shown = fmt.Sprintf("utilization(%q)", strings.TrimPrefix(name, utilization+"."))
			}
			b.at(root, "read it in a fact of the scenario's file", "no expression of the scenario %s reads %s, so its runs don't keep it", quote(s.Name), shown)
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
