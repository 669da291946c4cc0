package api

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/seed-954e9acd/orrery/mock/plot"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// toldScenario is a scenario as the page shows it.
type toldScenario struct {
	Name       string          `json:"scenario"`
	Title      string          `json:"title"`
	About      string          `json:"about"` // the file's first comment
	File       string          `json:"file"`
	Draft      bool            `json:"draft"`
	Base       string          `json:"base"` // of its clients' paths
	Seed       uint64          `json:"seed"`
	Faulty     bool            `json:"faulty"` // something goes wrong in it that isn't an error of the API's
	Parameters []toldParameter `json:"parameters"`
	Routes     []toldRoute     `json:"routes"`
	Profiles   []toldProfile   `json:"profiles"`
	Workloads  []toldWorkload  `json:"workloads"`
	Claims     []toldClaim     `json:"claims"`
	Plots      []plot.Kind     `json:"plots"` // those that show something of it
}

type toldParameter struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Enum    []string `json:"enum"`
	Minimum *float64 `json:"minimum,omitzero"`
	Maximum *float64 `json:"maximum,omitzero"`
	Default any      `json:"default"`
}

type toldRoute struct {
	Name     string   `json:"name"`
	Endpoint string   `json:"endpoint"`
	Protocol string   `json:"protocol"`
	When     string   `json:"when"`
	Share    *float64 `json:"share,omitzero"` // a part of one
	Times    string   `json:"times"`
	Profile  string   `json:"profile"`
	Error    int      `json:"error"` // the status; 0: none
	Never    bool     `json:"never"` // it is never answered
	Faults   []string `json:"faults"`
	Marks    []string `json:"marks"`
}

type toldProfile struct {
	Name   string      `json:"name"`
	Times  []string    `json:"times"` // the timing points that it gives
	Queue  *toldQueue  `json:"queue"`
	Random bool        `json:"random"`
	Plots  []plot.Kind `json:"plots"`
}

type toldQueue struct {
	Slots int      `json:"slots"`
	GPUs  int      `json:"gpus"`
	Wait  *float64 `json:"wait_ms"` // null: nobody is refused
}

type toldWorkload struct {
	Name     string  `json:"name"`
	Requests int     `json:"requests"`
	For      float64 `json:"for_ms"` // in place of a number of requests
}

type toldClaim struct {
	Claim  string      `json:"claim"`
	Says   string      `json:"says"`
	Why    string      `json:"not_measured"`
	Shown  string      `json:"shown_by"`
	Checks []toldCheck `json:"checks"`
}

type toldCheck struct {
	Says        string `json:"says"`
	Measure     string `json:"measure"`
	Within      string `json:"within"`
	Contradicts string `json:"contradicts"`
}

func (s *Service) overview(w http.ResponseWriter, r *http.Request) {
	p, problem := s.load(segment(r, "scenario"))
	if problem != nil {
		refuseScenario(w, "scenario", problem)
		return
	}
	tell(w, http.StatusOK, overviewOf(p.Scenario))
}

func overviewOf(of *scenario.Scenario) toldScenario {
	told := toldScenario{
		Name: of.Name, Title: of.Title, About: of.About, File: of.File, Base: basePath(of.Name), Seed: of.Seed,
		Parameters: []toldParameter{}, Routes: []toldRoute{}, Profiles: []toldProfile{}, Workloads: []toldWorkload{}, Claims: []toldClaim{},
	}
	for _, p := range of.Parameters {
		told.Parameters = append(told.Parameters, toldParameter{p.Name, p.Type, append([]string{}, p.Enum...), p.Minimum, p.Maximum, p.Default})
	}
	for _, route := range of.Routes {
		told.Routes = append(told.Routes, routeOf(route))
		told.Faulty = told.Faulty || len(route.Faults) > 0 || route.Never
	}
	for _, p := range of.Profiles {
		told.Profiles = append(told.Profiles, profileOf(p))
	}
	slices.SortFunc(told.Profiles, func(a, b toldProfile) int { return cmp.Compare(a.Name, b.Name) })
	for _, one := range of.Workloads {
		told.Workloads = append(told.Workloads, toldWorkload{one.Name, one.Requests, float64(one.For) / 1e6})
	}
	for _, c := range of.Claims {
		claim := toldClaim{c.ID, c.Says, c.NotMeasured, c.ShownBy, []toldCheck{}}
		for i := range c.Checks {
			check := &c.Checks[i]
			claim.Checks = append(claim.Checks, toldCheck{check.Says, check.Measure.Source, check.Within(), check.Contradicts})
		}
		told.Claims = append(told.Claims, claim)
	}
	_, told.Draft = draftOf(of.Name)
	told.Plots = plotsOf(told.Profiles)
	return told
}

func basePath(of string) string { return "/scenarios/" + url.PathEscape(of) }

func routeOf(r *scenario.Route) toldRoute {
	told := toldRoute{
		Name: r.Name, Endpoint: cmp.Or(r.Endpoint, "messages"), Protocol: r.Protocol, Never: r.Never, Times: timesOf(r.Times),
		Faults: []string{}, Marks: []string{},
	}
	if r.When != nil {
		told.When = r.When.Source
	}
	if r.Share != nil {
		share := float64(r.Share.Below) / 1e9 // a draw is in billionths
		told.Share = &share
	}
	if r.Profile != nil {
		told.Profile = r.Profile.Name
	}
	switch {
	case r.Error != nil:
		told.Error = r.Error.Status
	case r.HTTP != nil && r.HTTP.Status >= http.StatusBadRequest:
		told.Error = r.HTTP.Status
	}
	for _, f := range r.Faults {
		told.Faults = append(told.Faults, f.String())
	}
	for _, m := range r.Marks {
		told.Marks = append(told.Marks, m.Name)
	}
	return told
}

// timesOf says in words which requests a route takes of those that pass.
func timesOf(t *scenario.Times) string {
	if t == nil {
		return ""
	}
	per := ""
	if t.Per != "run" {
		per = " of each " + t.Per
	}
	switch {
	case t.Every > 0:
		return fmt.Sprintf("every %d%s", t.Every, per)
	case t.First == 1 && t.Last == 1:
		return "the first" + per
	case t.First == 1:
		return fmt.Sprintf("the first %d%s", t.Last, per)
	default:
		return fmt.Sprintf("%d to %d%s", t.First, t.Last, per)
	}
}

func profileOf(p *scenario.Profile) toldProfile {
	told := toldProfile{Name: p.Name, Random: p.Random, Times: []string{}, Plots: []plot.Kind{plot.Quantiles}}
	for _, point := range []struct {
		name  string
		given bool
	}{
		{"headers", p.Headers != nil},
		{"message-start", p.MessageStart != nil},
		{"first-token", p.FirstToken != nil},
		{"token-gap", p.TokenGap != nil},
		{"pace", p.Pace != nil},
		{"stop", p.Stop != nil},
		{"respond", p.Respond != nil},
	} {
		if point.given {
			told.Times = append(told.Times, point.name)
		}
	}
	if p.TokenGap != nil {
		told.Plots = append(told.Plots, plot.Gaps)
	}
	if p.Load != nil || p.Queue != nil {
		told.Plots = append(told.Plots, plot.Load)
	}
	if q := p.Queue; q != nil {
		told.Queue = &toldQueue{Slots: q.Slots, GPUs: q.GPUs}
		if q.Wait < scenario.Unbounded {
			wait := float64(q.Wait) / 1e6
			told.Queue.Wait = &wait
		}
	}
	return told
}

// plotsOf are the plots that any of the profiles has, and the timelines that every scenario has.
func plotsOf(profiles []toldProfile) []plot.Kind {
	all := []plot.Kind{}
	for _, kind := range []plot.Kind{plot.Quantiles, plot.Gaps, plot.Load} {
		if slices.ContainsFunc(profiles, func(p toldProfile) bool { return slices.Contains(p.Plots, kind) }) {
			all = append(all, kind)
		}
	}
	return append(all, plot.Timelines)
}
