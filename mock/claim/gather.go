package claim

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// gatherer makes a figure of the rows of a workload, one at a time.
type gatherer interface {
	add(*row)
	// fresh tells that the rows which follow are those of another run.
	fresh()
	figure() float64
}

// gathering holds the gatherers of one workload. Functions over the same values share them.
type gathering struct {
	*reader
	planned   uint64 // how many rows are to be expected
	requests  []gatherer
	gaps      []gatherer
	writes    []gatherer
	stretches []stretched
	shared    map[string]*values
	prefixes  int // of groups so far

	connections uint64 // of all runs so far
}

func newGathering(s *scenario.Scenario, planned uint64) *gathering {
	return &gathering{reader: newReader(s), planned: planned, shared: map[string]*values{}}
}

// of makes what gathers for a measure, and lets it see the rows.
func (g *gathering) of(spec *scenario.Gather) gatherer {
	made, _ := g.gatherer(spec, "")
	return made
}

// gatherer makes one, inside of windows and groups with a prefix that keeps its values apart.
func (g *gathering) gatherer(spec *scenario.Gather, prefix string) (gatherer, string) {
	switch spec.Name {
	case "percentile", "min", "max", "mean", "sigma", "sum":
		key := prefix + fmt.Sprint(spec.Gaps, spec.Writes) + "\x00" + spelling(spec.Of) + "\x00" + spelling(spec.When)
		v := g.shared[key]
		if v == nil {
			v = &values{of: g.value(spec.Of), when: g.condition(spec.When), needs: g.needs(spec.Of)}
			g.shared[key] = v
			if prefix == "" {
				g.register(spec, v)
			}
		}
		if spec.Name == "percentile" && !v.ranked {
			v.ranked = true
			if prefix == "" {
				v.expect(g.planned)
			}
		}
		return &function{spec, v}, key
	case "slope":
		made := &slope{gathering: g, spec: spec, by: g.value(spec.By), groups: map[float64]*group{}}
		g.register(spec, made)
		return made, ""
	case "windows":
		made := &windows{n: spec.N, group: g.group(spec.Inner)}
		g.register(spec, made)
		return made, ""
	case "utilization", "gpu_seconds":
		made := g.busy(spec)
		return made, ""
	}
	made := g.counter(spec)
	if prefix == "" {
		g.register(spec, made)
	}
	return made, ""
}

func (g *gathering) counter(spec *scenario.Gather) gatherer {
	when := g.condition(spec.When)
	switch spec.Name {
	case "share", "count":
		return &share{when: when, among: g.condition(spec.Among), plain: spec.Name == "count"}
	case "rate":
		return &rate{when: when}
	case "span":
		return &span{when: when}
	case "distinct":
		return &distinct{of: g.any(spec.Of), when: when, needs: g.needs(spec.Of), seen: map[uint64]struct{}{}}
	}
	return &nth{of: g.value(spec.Of), when: when, needs: g.needs(spec.Of), n: spec.N, v: math.NaN()}
}

func (g *gathering) register(spec *scenario.Gather, made gatherer) {
	switch {
	case spec.Gaps:
		g.gaps = append(g.gaps, made)
	case spec.Writes:
		g.writes = append(g.writes, made)
	default:
		g.requests = append(g.requests, made)
	}
}

// spelling tells formulas apart. Columns are written with their workload or without it.
func spelling(f *scenario.Formula) string {
	switch {
	case f == nil:
		return ""
	case f.Plain != "":
		return f.Plain
	}
	return f.Source + "\x00" + strings.Join(f.Columns, " ")
}

func (g *gathering) add(r *row) {
	for _, one := range g.requests {
		one.add(r)
	}
	if len(g.gaps) > 0 {
		r.gaps(func(r *row) {
			for _, one := range g.gaps {
				one.add(r)
			}
		})
	}
	if len(g.writes) > 0 {
		r.writes(func(r *row) {
			for _, one := range g.writes {
				one.add(r)
			}
		})
	}
}

func (g *gathering) fresh() {
	for _, some := range [][]gatherer{g.requests, g.gaps, g.writes} {
		for _, one := range some {
			one.fresh()
		}
	}
}

// values are those of a formula, for all functions over it.
type values struct {
	distribution
	of    func(*row) float64
	when  func(*row) bool
	needs scenario.Needs
	// left counts the rows that would have had a value if they had been answered.
	left uint64
}

func (v *values) add(r *row) {
	if v.when != nil && !v.when(r) {
		return
	}
	if r.has&v.needs != v.needs {
		if v.needs&scenario.Answered != 0 && !r.answered {
			v.left++
		}
		return
	}
	if x := v.of(r); x == x {
		v.distribution.add(x)
	}
}

func (v *values) fresh() {}

func (v *values) figure() float64 { return math.NaN() }

// function is one function over values that others may share.
type function struct {
	spec *scenario.Gather
	of   *values
}

func (f *function) add(*row)        {}
func (f *function) fresh()          {}
func (f *function) figure() float64 { return f.of.distribution.figure(f.spec.Name, f.spec.Quantile) }

// remark tells of the rows that a figure is silent about (CLAIMS.md P25).
func (f *function) remark() string {
	if f.of.left == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d requests had no whole answer and are left out", f.of.left, f.of.left+f.of.n)
}

// share counts the rows for which a condition holds, among those for which another does.
type share struct {
	when, among func(*row) bool
	plain       bool // the count alone
	hits, all   uint64
}

func (s *share) add(r *row) {
	if s.among != nil && !s.among(r) {
		return
	}
	s.all++
	if s.when == nil || s.when(r) {
		s.hits++
	}
}

func (s *share) fresh() {}

func (s *share) figure() float64 {
	switch {
	case s.plain:
		return float64(s.hits)
	case s.all == 0:
		return math.NaN()
	}
	return float64(s.hits) / float64(s.all)
}

// rate is how many of the rows came per second, from the first row to the last.
type rate struct {
	when        func(*row) bool
	hits, all   uint64
	runs        uint64
	first, last time.Duration
	spans       time.Duration
	started     bool
}

func (s *rate) add(r *row) {
	if !s.started {
		s.first, s.started = r.elapsed, true
		s.runs++
	}
	s.last = r.elapsed
	s.all++
	if s.when == nil || s.when(r) {
		s.hits++
	}
}

func (s *rate) fresh() {
	s.spans += s.last - s.first
	s.first, s.last, s.started = 0, 0, false
}

func (s *rate) figure() float64 {
	took := s.spans + s.last - s.first
	if s.all <= s.runs || took == 0 {
		return math.NaN()
	}
	// n rows have n-1 distances between them.
	return float64(s.hits) / float64(s.all) * float64(s.all-s.runs) / took.Seconds()
}

// span is the time from the first row for which a condition holds to the last, in milliseconds; of
// several runs, the longest.
type span struct {
	when        func(*row) bool
	any         bool
	first, last time.Duration
	longest     time.Duration
}

func (s *span) add(r *row) {
	if s.when != nil && !s.when(r) {
		return
	}
	if !s.any {
		s.first, s.any = r.elapsed, true
	}
	s.last = r.elapsed
}

func (s *span) fresh() {
	s.longest = max(s.longest, s.last-s.first)
	s.first, s.last, s.any = 0, 0, false
}

func (s *span) figure() float64 { return milliseconds(max(s.longest, s.last-s.first)) }

// distinct counts different values.
type distinct struct {
	of    func(*row) any
	when  func(*row) bool
	needs scenario.Needs
	seen  map[uint64]struct{}
}

func (s *distinct) add(r *row) {
	if r.has&s.needs != s.needs || s.when != nil && !s.when(r) {
		return
	}
	switch v := s.of(r).(type) {
	case string:
		s.seen[xxhash.Sum64String(v)] = struct{}{}
	default:
		s.seen[math.Float64bits(number(v))] = struct{}{}
	}
}

func (s *distinct) fresh()          {}
func (s *distinct) figure() float64 { return float64(len(s.seen)) }

// nth is the value of one row, counted over all runs.
type nth struct {
	of    func(*row) float64
	when  func(*row) bool
	needs scenario.Needs
	n, at int
	v     float64
}

func (s *nth) add(r *row) {
	if s.at >= s.n || s.when != nil && !s.when(r) {
		return
	}
	if s.at++; s.at == s.n && r.has&s.needs == s.needs {
		s.v = s.of(r)
	}
}

func (s *nth) fresh()          {}
func (s *nth) figure() float64 { return s.v }
