package run

import (
	"fmt"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// points draws a profile's timing points for one request.
type points struct {
	run     *Run
	profile *scenario.Profile // nil: everything at once
	queue   *queue            // of the profile; nil: none
	factor  int64             // of the load, in billionths
	body    uint64            // the request's identity, for draws tied to the body
	follows []float64         // the numbers that the profile's blends follow
	parted  bool              // whether what isn't a sum is a part all the same
}

const one = int64(latency.Whole) // a factor of 1, in billionths

func (r *Run) points(d *Decision, q *Query, p *scenario.Profile) (points, error) {
	s := points{run: r, profile: p, factor: one, body: q.Request.Identity}
	if p != nil && p.Load != nil {
		x, err := p.Load.By.Float(r.facts.env)
		if err != nil {
			return s, fmt.Errorf("profile %s, load: %w", p.Name, err)
		}
		s.factor = p.Load.Curve.At(x)
	}
	if p == nil {
		return s, nil
	}
	if p.Queue != nil {
		s.queue = r.queues[p.Queue.Index]
	}
	s.parted = p.Queue != nil || p.PerInputToken > 0
	for _, follow := range p.Follows {
		x, err := follow.Float(r.facts.env)
		if err != nil {
			return s, fmt.Errorf("profile %s, blend: %w", p.Name, err)
		}
		s.follows = append(s.follows, x)
	}
	return s, nil
}

// respond is the time that an error takes; without a profile, none.
func (s points) respond(d *Decision) time.Duration {
	if s.profile == nil || s.profile.Respond == nil {
		return 0
	}
	return s.sum(d, "respond", s.profile.Respond)
}

func (s points) delays(d *Decision, q *Query) timeline.Delays {
	at := timeline.Delays{
		Headers: timeline.None, MessageStart: timeline.None, FirstToken: timeline.None,
		Stop: timeline.None, Respond: timeline.None, TokensMin: 1, TokensMax: 1, Factor: one,
	}
	p := s.profile
	if p == nil {
		return at
	}
	at.PingEvery = p.PingEvery
	if p.TokensPerEvent.Max > 0 {
		at.TokensMin, at.TokensMax = p.TokensPerEvent.Min, p.TokensPerEvent.Max
	}
	at.Headers = s.sum(d, "", p.Headers)
	at.MessageStart = s.sum(d, "", p.MessageStart)
	if !q.Request.Stream && p.Respond != nil {
		at.Respond = s.sum(d, "respond", p.Respond)
		return at
	}
	at.FirstToken = s.sum(d, "first-token", p.FirstToken)
	if p.TokenGap == nil && p.FirstToken == nil {
		at.Respond = s.sum(d, "respond", p.Respond)
	}
	at.Stop = s.sum(d, "", p.Stop)
	at.Factor = s.factor
	if p.Pace != nil {
		at.Factor = latency.Scale(s.pace(d, p.Pace), s.factor)
	}
	if p.TokenGap != nil {
		gap := &p.TokenGap.Parts[0] // the gaps are no sum: the loader sees to that
		at.Gap = s.values(gap)
		at.Draws = s.gaps(d, gap.Place).Sequence(p.Random)
	} else if at.TokensMax > at.TokensMin {
		at.Draws = s.gaps(d, p.TokensPerEventPlace).Sequence(p.Random)
	}
	return at
}

// sum draws each part of a timing point and adds them up; None for one that isn't given. The
// parts are told under their own names, and what isn't a sum under name, "" for not at all.
func (s points) sum(d *Decision, name string, point *latency.Dist) time.Duration {
	if point == nil {
		return timeline.None
	}
	var total time.Duration
	for i := range point.Parts {
		part := &point.Parts[i]
		drawn := time.Duration(latency.Scale(s.value(d, part), s.factor))
		total += drawn
		switch {
		case name == "":
		case part.Name != "":
			d.part(part.Name, drawn)
		case s.parted:
			d.part(name, drawn)
		}
	}
	return total
}

func (s points) pace(d *Decision, point *latency.Dist) int64 {
	var total int64
	for i := range point.Parts {
		total += s.value(d, &point.Parts[i])
	}
	return total
}

// draw takes the profile's next draw at a place, in the profile's own manner.
func (s points) draw(d *Decision, place int) latency.U {
	if !s.profile.Random && !s.profile.DrawByBody {
		return s.run.draw(d, place)
	}
	n := s.next(place)
	u := s.run.places[place].Random(n)
	d.drew(place, n, u)
	return u
}

// value draws from a part of a timing point.
func (s points) value(d *Decision, part *latency.Component) int64 {
	switch {
	case part.Table != nil:
		return part.Table.At(s.draw(d, part.Place))
	case part.Trace != nil:
		n := s.next(part.Place)
		d.drew(part.Place, n, 0)
		return part.Trace.At(n)
	}
	values := s.values(part)
	return values.At(s.draw(d, part.Place), 0)
}

func (s points) values(part *latency.Component) latency.Values {
	if part.Blend == nil {
		return part.Values(0)
	}
	return part.Values(s.follows[part.By])
}

// gaps is the place of this request's own gaps.
func (s points) gaps(d *Decision, place int) latency.Place {
	n := s.next(place)
	d.drew(place, n, 0)
	return s.run.places[place].For(n)
}

// next is the number of a place's next draw: how many came before, or the body's identity.
func (s points) next(place int) uint64 {
	if s.profile.DrawByBody {
		return s.body
	}
	n := s.run.drawn[place]
	s.run.drawn[place]++
	return n
}
