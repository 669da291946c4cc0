package plot

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-954e9acd/orrery/fixtures"
	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// Question is what is to be drawn. The zero value asks for what tells most of a scenario.
type Question struct {
	Kind Kind // "": the one that tells most
	// Profile and Route narrow the figure to one of the scenario's; at most one of the two may be given.
	// A profile is drawn as it is by itself, a route with all that it does to its answers.
	Profile, Route string
	// N is how many requests each series is made of; 0: as many as the kind needs.
	N int
	// Seed is that of the runs; nil: each scenario's own.
	Seed *uint64
	// Compare is a scenario that is drawn beside; nil: none.
	Compare *scenario.Scenario
}

// The bounds on N.
const (
	MostRequests = 100_000
	MostStreams  = 10_000 // of gaps, of which each has hundreds
	MostRows     = 40     // of timelines
)

// Wrong is an error about a field of the question: kind, profile, route or n.
type Wrong struct {
	Field, Detail string
	// Known are the names that would do; nil where it isn't about a name.
	Known []string
}

func (w *Wrong) Error() string { return w.Detail }

// Make makes the figure of a scenario. The error is a [*Wrong] where the question is at fault.
func Make(ctx context.Context, s *scenario.Scenario, q Question) (*Figure, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	replies, err := reply.Open(fixtures.FS)
	if err != nil {
		return nil, err
	}
	k := &kit{Question: q, ctx: ctx, replies: replies, reader: wire.NewReader()}
	if q.Compare != nil {
		k.scenarios = []*scenario.Scenario{s, q.Compare}
	} else {
		k.scenarios = []*scenario.Scenario{s}
	}
	if err := k.find(); err != nil {
		return nil, err
	}
	if k.Kind == "" {
		if k.Kind, err = k.telling(); err != nil {
			return nil, err
		}
		if err := k.few(); err != nil {
			return nil, err
		}
	}
	f := &Figure{Kind: k.Kind}
	for _, s := range k.scenarios {
		f.Scenarios = append(f.Scenarios, s.Name)
	}
	switch k.Kind {
	case Quantiles:
		err = k.quantiles(f)
	case Gaps:
		err = k.gaps(f)
	case Timelines:
		err = k.timelines(f)
	default:
		err = k.load(f)
	}
	if err != nil {
		return nil, err
	}
	f.Title = strings.Join(f.Scenarios, " and ") + ": " + f.Title
	return f, nil
}

func (q *Question) check() error {
	switch {
	case q.Kind != "" && !slices.Contains(Kinds(), q.Kind):
		return &Wrong{"kind", fmt.Sprintf("there is no kind of figure %q: use %s", q.Kind, list(Kinds())), names(Kinds())}
	case q.Profile != "" && q.Route != "":
		return &Wrong{"route", "a profile and a route at once are too much: leave one of the two out", nil}
	}
	return q.few()
}

// few checks that n isn't more than the kind takes.
func (q *Question) few() error {
	most := MostRequests
	switch q.Kind {
	case Timelines:
		most = MostRows
	case Gaps:
		most = MostStreams
	}
	if q.N < 0 || q.N > most {
		said := fmt.Sprintf("n is %d: the number of requests is 1 to %d", q.N, most)
		if q.Kind != "" {
			said += " for " + string(q.Kind)
		}
		return &Wrong{"n", said, nil}
	}
	return nil
}

func names(kinds []Kind) []string {
	var all []string
	for _, k := range kinds {
		all = append(all, string(k))
	}
	return all
}

// list writes words as people do: a, b or c.
func list(kinds []Kind) string {
	all := names(kinds)
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

// kit is what a figure is made with.
type kit struct {
	Question
	ctx       context.Context
	replies   *reply.Library
	reader    *wire.Reader
	scenarios []*scenario.Scenario
	subjects  []*subject
	left      []string // profiles for which there was no room
}

// mostSubjects is how many colours can be told apart.
const mostSubjects = 6

// find finds what is to be drawn: the profile or route asked for, else all profiles or, when two
// scenarios are compared, the leading one of each.
func (k *kit) find() error {
	for i, s := range k.scenarios {
		found, err := k.of(s)
		if err != nil {
			return err
		}
		if len(k.scenarios) > 1 && len(found) > 0 {
			found, k.left = found[:1], nil
			if found[0].name != s.Name {
				found[0].name = s.Name + " " + found[0].name
			}
			found[0].tone = i
		}
		k.subjects = append(k.subjects, found...)
	}
	if len(k.subjects) == 0 {
		return k.unknown()
	}
	return nil
}

// of is what is to be drawn of one scenario. A name that it doesn't know gives nothing.
func (k *kit) of(s *scenario.Scenario) ([]*subject, error) {
	switch {
	case k.Route != "":
		for _, r := range s.Routes {
			if r.Name != k.Route {
				continue
			}
			if r.Endpoint != "" {
				return nil, &Wrong{"route", fmt.Sprintf("the route %q answers %s, whose times aren't drawn: name one that answers messages", r.Name, r.Endpoint), nil}
			}
			return []*subject{{name: r.Name, route: r.Name, scenario: s, outcome: &r.Outcome, profile: r.Profile}}, nil
		}
		return nil, nil
	case k.Profile != "":
		if p := s.Profiles[k.Profile]; p != nil {
			return []*subject{alone(s, p)}, nil
		}
		return nil, nil
	case len(s.Profiles) == 0:
		return []*subject{{name: s.Name, scenario: s}}, nil
	}
	var all []*subject
	for _, p := range inOrder(s) {
		if len(all) == mostSubjects {
			k.left = append(k.left, p.Name)
			continue
		}
		made := alone(s, p)
		made.tone = len(all)
		all = append(all, made)
	}
	return all, nil
}

// unknown says which profile or route isn't there, and which are.
func (k *kit) unknown() error {
	var of, known []string
	field, name := "profile", k.Profile
	if k.Route != "" {
		field, name = "route", k.Route
	}
	for _, s := range k.scenarios {
		of = append(of, s.Name)
		if field == "profile" {
			known = append(known, slices.Sorted(maps.Keys(s.Profiles))...)
			continue
		}
		for _, r := range s.Routes {
			if r.Endpoint == "" {
				known = append(known, r.Name)
			}
		}
	}
	said := fmt.Sprintf("%s has no %s %q", strings.Join(of, " and "), field, name)
	if len(known) == 0 {
		return &Wrong{field, said + ": it has none at all", nil}
	}
	return &Wrong{field, fmt.Sprintf("%s; the %ss: %s", said, field, strings.Join(known, ", ")), known}
}

// inOrder are the profiles, the leading one first: that of the scenario's own name, or of the longest
// beginning of it, else what answers an ordinary request.
func inOrder(s *scenario.Scenario) []*scenario.Profile {
	lead, length := "", 0
	for _, r := range s.Routes {
		if r.Profile != nil && r.Endpoint == "" {
			lead = r.Profile.Name
		}
	}
	for name := range s.Profiles {
		if strings.HasPrefix(s.Name, name) && len(name) > length {
			lead, length = name, len(name)
		}
	}
	all := slices.Collect(maps.Values(s.Profiles))
	slices.SortFunc(all, func(a, b *scenario.Profile) int {
		if a.Name == lead || b.Name == lead {
			return cmp.Compare(b2i(b.Name == lead), b2i(a.Name == lead))
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return all
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// telling is the kind that tells most: what goes wrong with single answers, gaps that come in more than
// one length, else how long answers take.
func (k *kit) telling() (Kind, error) {
	for _, s := range k.scenarios {
		for _, r := range s.Routes {
			if r.Endpoint == "" && (len(r.Faults) > 0 || r.Never || r.HTTP != nil) {
				return Timelines, nil
			}
		}
	}
	lead := k.subjects[0]
	if lead.profile == nil {
		return Timelines, nil
	}
	if lead.profile.TokenGap == nil {
		return Quantiles, nil
	}
	few := *k
	few.N = min(k.N, streams)
	found, err := few.streamed(lead)
	if err != nil {
		return "", err
	}
	if humps(newBins(found).shares(found)) > 1 {
		return Gaps, nil
	}
	return Quantiles, nil
}
