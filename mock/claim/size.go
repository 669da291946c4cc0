package claim

import (
	"slices"
	"time"

	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// planned is about how many requests the workload sends.
func (j *job) planned(o Options) uint64 {
	w := j.workload
	var n uint64
	variants := choicesOf(w.Request).count()
	for pace := range max(len(w.Rates), len(w.Clients), 1) {
		var rate scenario.Rate
		if len(w.Rates) > 0 {
			rate = w.Rates[pace]
		}
		n += uint64(variants) * uint64(unitsOf(w, rate, o))
	}
	return n
}

func unitsOf(w *scenario.Workload, rate scenario.Rate, o Options) int {
	length, most := w.For, o.Requests
	if staged(w) {
		most = 0
	}
	switch {
	case o.Soak:
		length = w.Soak
	case w.Requests > 0 && most > 0:
		return min(w.Requests, most) + w.Warmup
	case w.Requests > 0:
		return w.Requests + w.Warmup
	}
	n := 0.0
	for i, stage := range rate {
		lasts := stage.For
		if lasts == 0 || i == len(rate)-1 && length > 0 {
			lasts = max(length, 0)
		}
		n += stage.PerSecond * lasts.Seconds()
		length -= lasts
	}
	for i := range w.Parts {
		for _, stage := range w.Parts[i].Rate {
			n += stage.PerSecond * max(length, time.Duration(0)).Seconds()
			break
		}
	}
	if most > 0 {
		return min(int(n), most)
	}
	return int(n)
}

// staged tells whether the workload's rate changes: then a simulation isn't made shorter, since what
// becomes of it at its end is what it is about.
func staged(w *scenario.Workload) bool {
	return slices.ContainsFunc(w.Rates, func(r scenario.Rate) bool { return len(r) > 1 })
}

// shrink asks for that many requests at most. Whole rounds of a sequence are sent.
func (t *traffic) shrink(n int) {
	if steps := len(t.workload.Sequence); steps > 0 && n > steps {
		n -= n % steps
	}
	if t.units == 0 || t.units > n {
		t.units = n
		t.warmup = min(t.warmup, n)
		t.cut = true
	}
}

// hasten makes every stage of a rate that much shorter, and keeps the rates.
func (t *traffic) hasten(rate scenario.Rate, part float64) scenario.Rate {
	shorter := func(d time.Duration) time.Duration { return time.Duration(float64(d) * part) }
	all := slices.Clone(rate)
	for i := range all {
		all[i].For = shorter(all[i].For)
	}
	t.length = shorter(t.length)
	t.units, t.warmup = int(float64(t.units)*part), int(float64(t.warmup)*part)
	t.cut = true
	return all
}

// size is what a workload's simulation says of its playing in real time.
type size struct {
	units    int           // that are measured, of its largest variant
	requests int           // that are measured
	takes    time.Duration // all variants, one after the other
	parts    []part        // its variants
	heft     float64       // of the heaviest
	cut      bool          // whether it is less than the file says
	crowd    int           // clients of a closed loop that its requests don't keep busy
	hurdle   string        // why it can't be driven at all

	now     part          // the variant under way
	last    time.Duration // request of it
	loop    bool          // whether it is a closed loop
	moments map[int64]float64
}

// part is one variant's.
type part struct {
	takes  time.Duration
	heft   float64 // of its requests at most, in plain ones per second
	wanted float64 // the mean rate of a closed loop, per second; else 0
}

// ofAMoment is short enough to show a burst and long enough for a low rate.
const ofAMoment = 200 * time.Millisecond

// A request that costs a machine as much as a plain one has a heft of 1: more for a stream's events
// and for a long body. Measured for both sides together, of which a plain request takes 1.5 ms.
const (
	eventsOfAPlainOne = 25
	bytesOfAPlainOne  = 40 << 10
)

// of notes what is known of a variant beforehand.
func (s *size) of(t *traffic) {
	s.cut = s.cut || t.cut
	if s.hurdle == "" {
		s.hurdle = t.hurdle()
	}
	s.loop = true
	for _, one := range t.sources {
		s.loop = s.loop && len(one.rate) == 0
		if t.cut && t.units > 0 && one.clients > t.units {
			s.crowd = max(s.crowd, one.clients)
		}
	}
}

func (s *size) add(r *row) {
	s.requests++
	s.last = max(s.last, r.elapsed)
	s.now.takes = max(s.now.takes, r.elapsed+r.ended)
	events := 0
	r.seen.gaps(r.ended, func(time.Duration, int) { events++ })
	if s.moments == nil {
		s.moments = map[int64]float64{}
	}
	const perSecond = float64(time.Second / ofAMoment)
	at := int64(r.elapsed / ofAMoment)
	s.moments[at] += perSecond * (1 + float64(events)/eventsOfAPlainOne + float64(len(r.sent.(*template).body))/bytesOfAPlainOne)
	s.now.heft = max(s.now.heft, s.moments[at])
}

func (s *size) fresh() {}

// end ends a variant, for which so many requests were sent with those that warm up.
func (s *size) end(sent uint64) {
	if s.loop && s.last > 0 {
		s.now.wanted = float64(sent-1) / s.last.Seconds()
	}
	s.parts = append(s.parts, s.now)
	s.takes += s.now.takes
	s.heft = max(s.heft, s.now.heft)
	s.now, s.last = part{}, 0
	clear(s.moments)
}

func (s *size) figure() float64 { return 0 }
