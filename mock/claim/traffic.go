package claim

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// traffic is one variant of a workload: what each of its sources sends, and how fast.
type traffic struct {
	workload *scenario.Workload
	sources  []*source
	units    int           // measured, over all sources; 0: until length is over
	length   time.Duration // 0: until all units are sent
	warmup   int
	cut      bool          // whether it is less than the file says
	secure   bool          // whether it goes to an https:// target
	place    latency.Place // draws what isn't of one source: the lengths of chains, and what follows
}

// What else is drawn at a workload's place.
const (
	thinking = 1 + iota
	leaving
)

// source is one flow of requests.
type source struct {
	name    string
	rate    scenario.Rate // empty: a closed loop
	clients int
	poisson bool
	kinds   []kind
	steps   bool // kinds follow each other; else their shares pick
	share   latency.Place
	gaps    latency.Place

	sent        uint64 // units so far
	stage       int
	stageFrom   time.Duration
	stageSent   uint64
	last        time.Duration // the last random arrival
	drawn       uint64
	exponential *latency.Table // of the stage's gaps
	connections int            // requests over the connection that is reused
	connection  uint64         // its number, 0 before it is used
}

// kind is one kind of a source's requests: a template, or several that a field is spread over.
type kind struct {
	below     latency.U // picks this one below it, unless an earlier one did
	templates []*template
	place     latency.Place // picks among several
	sent      uint64
}

// variants are all there are of a workload, in the order of its lists; the request's fields change
// fastest.
func (m *templates) variants(w *scenario.Workload, o Options) ([]*traffic, error) {
	paces := max(len(w.Rates), len(w.Clients), 1)
	asked := choicesOf(w.Request)
	if n := paces * asked.count(); n > mostVariants {
		return nil, fmt.Errorf("the lists of its fields make %d variants; the most is %d", n, mostVariants)
	}
	var all []*traffic
	for pace := range paces {
		for variant := range asked.count() {
			t, err := m.variant(w, asked, pace, variant, o)
			if err != nil {
				return nil, err
			}
			all = append(all, t)
		}
	}
	return all, nil
}

// mostVariants bounds what lists of values multiply to.
const mostVariants = 1000

func (m *templates) variant(w *scenario.Workload, asked *choices, pace, variant int, o Options) (*traffic, error) {
	t := &traffic{
		secure:   strings.HasPrefix(o.Target, "https://"),
		workload: w, units: w.Requests, length: w.For, warmup: w.Warmup, place: latency.NewPlace(m.place.Hash(3), "workloads/"+w.Name+"/units"),
	}
	if o.Soak {
		t.units, t.length = 0, w.Soak
	} else if o.Requests > 0 && !staged(w) {
		t.shrink(o.Requests)
	}
	var rate scenario.Rate
	if len(w.Rates) > 0 {
		rate = w.Rates[pace]
	}
	if n := unitsOf(w, rate, Options{}); o.Requests > 0 && o.Target != "" && staged(w) && n > o.Requests {
		rate = t.hasten(rate, float64(o.Requests)/float64(n))
	}
	base := plain()
	asked.apply(&base, variant)
	if len(w.Parts) == 0 {
		s := &source{poisson: w.Poisson}
		if len(w.Rates) > 0 {
			s.rate = rate
		} else {
			s.clients = w.Clients[pace]
		}
		if err := m.source(s, w, base, w.Vary, t); err != nil {
			return nil, err
		}
		return t, nil
	}
	for i := range w.Parts {
		p := &w.Parts[i]
		a := base
		choicesOf(p.Request).apply(&a, 0)
		s := &source{name: p.Name, rate: p.Rate, clients: p.Clients, poisson: p.Poisson}
		if err := m.kind(s, latency.Whole, a, p.Name, p.Vary, w.Request, p.Request); err != nil {
			return nil, err
		}
		m.places(s, w)
		t.sources = append(t.sources, s)
	}
	return t, nil
}

func (m *templates) places(s *source, w *scenario.Workload) {
	name := "workloads/" + w.Name + "/" + s.name
	s.share = latency.NewPlace(m.place.Hash(1), name+"/mix")
	s.gaps = latency.NewPlace(m.place.Hash(1), name+"/gaps")
}

// source makes the kinds of a workload's only source.
func (m *templates) source(s *source, w *scenario.Workload, base ask, vary string, t *traffic) error {
	m.places(s, w)
	t.sources = append(t.sources, s)
	switch {
	case len(w.Mix) > 0:
		var below latency.U
		for i := range w.Mix {
			k := &w.Mix[i]
			a := base
			choicesOf(k.Request).apply(&a, 0)
			below += k.Share
			if err := m.kind(s, below, a, k.Name, k.Vary, w.Request, k.Request); err != nil {
				return err
			}
		}
		return nil
	case len(w.Sequence) > 0:
		s.steps = true
		return m.sequence(s, w, base)
	}
	return m.kind(s, latency.Whole, base, "", vary, w.Request)
}

// sequence makes a kind for each step. Steps of one name have one text.
func (m *templates) sequence(s *source, w *scenario.Workload, base ask) error {
	for i := range w.Sequence {
		step := &w.Sequence[i]
		a := base
		choicesOf(step.Request).apply(&a, 0)
		if err := m.kind(s, latency.Whole, a, step.Name, "none", w.Request, step.Request); err != nil {
			return err
		}
		if step.Near {
			for _, t := range s.kinds[len(s.kinds)-1].templates {
				if err := m.blank(t); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// kind adds a kind to a source, with a template for each value that a field is spread over.
func (m *templates) kind(s *source, below latency.U, a ask, name, vary string, specs ...scenario.Ask) error {
	k := kind{below: below}
	for _, one := range spread(a, specs...) {
		t, err := m.make(one, name, vary)
		if err != nil {
			return err
		}
		k.templates = append(k.templates, t)
	}
	k.place = latency.NewPlace(m.place.Hash(2), s.name+"/"+name)
	s.kinds = append(s.kinds, k)
	return nil
}

// next is the template of the source's next unit.
func (s *source) next() *template {
	n := s.sent
	s.sent++
	k := &s.kinds[0]
	switch {
	case s.steps:
		k = &s.kinds[n%uint64(len(s.kinds))]
	case len(s.kinds) > 1:
		u := s.share.Exact(n)
		for i := range s.kinds {
			if k = &s.kinds[i]; u < k.below {
				break
			}
		}
	}
	at := 0
	if len(k.templates) > 1 {
		at = int(uint64(k.place.Exact(k.sent)) * uint64(len(k.templates)) / uint64(latency.Whole))
		k.sent++
	}
	return k.templates[at]
}

// arrival is when the source's next request comes, as an offset from the start; ok is false when
// its rate has come to its end.
func (s *source) arrival() (at time.Duration, ok bool) {
	for {
		if s.poisson {
			return s.random()
		}
		stage := &s.rate[s.stage]
		period := float64(time.Second) / stage.PerSecond
		at = s.stageFrom + time.Duration(float64(s.stageSent)*period)
		if stage.For == 0 || at < s.stageFrom+stage.For {
			s.stageSent++
			return at, true
		}
		if s.stage == len(s.rate)-1 {
			return 0, false
		}
		s.stageFrom += stage.For
		s.stage, s.stageSent = s.stage+1, 0
	}
}
