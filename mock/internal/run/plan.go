package run

import (
	"fmt"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
	"github.com/seed-954e9acd/orrery/mock/latency"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// plan turns an outcome into the decision's timeline, and lets the guards look at it.
func (r *Run) plan(d *Decision, q *Query, o *scenario.Outcome) {
	if err := r.answer(d, q, o); err != nil {
		d.drop()
		d.fail(wire.Own(500, fmt.Sprintf("route %q: %v", d.route, err)), 0)
	}
}

func (r *Run) answer(d *Decision, q *Query, o *scenario.Outcome) error {
	points, err := r.points(d, q, o.Profile)
	if err != nil {
		return err
	}
	if points.crowded(d) {
		return points.full(d)
	}
	if o.Error != nil {
		if err := points.fail(d, q, o.Error); err != nil || points.queue != nil && d.hold.queue == nil {
			return err // the latter for want of a slot
		}
		r.facts.plan(d.Timeline) // for the marks; guards don't see it (R27)
		return r.mark(d, o.Marks)
	}
	if o.Never {
		err = points.silence(d)
	} else {
		err = r.speak(d, q, o, points)
	}
	if err != nil || d.Timeline.Error != nil {
		return err // the latter for want of a slot
	}
	r.facts.plan(d.Timeline)
	if err := d.head(r.facts, o.Headers); err != nil {
		return err
	}
	if err := r.mark(d, o.Marks); err != nil {
		return err
	}
	if err := r.guard(d); err != nil {
		return err
	}
	if d.Timeline.Message != nil {
		r.figure(d, o)
	}
	return nil
}

// speak plans an answer that is a message.
func (r *Run) speak(d *Decision, q *Query, o *scenario.Outcome, s points) error {
	message, err := r.message(d, q, o)
	if err != nil {
		return err
	}
	delays := s.delays(d, q)
	input := s.input(d, q.Request.InputTokens-message.Usage.CacheRead)
	return s.placed(d, func(wait time.Duration) error {
		delays.Wait = wait + input
		if q.Request.Stream {
			d.Timeline = timeline.Stream(message, delays, d.look)
		} else {
			d.Timeline = timeline.Whole(message, delays, d.look)
		}
		return nil
	})
}

// message is what the answer says.
func (r *Run) message(d *Decision, q *Query, o *scenario.Outcome) (*wire.Message, error) {
	var choice, length latency.U
	if o.Reply.Text == "" {
		choice = r.draw(d, o.Reply.Place)
	}
	if o.Reply.Tokens.Max > 0 {
		length = r.draw(d, o.Reply.TokensPlace)
	}
	said := r.replies.Make(o.Reply, choice, length, q.Request.MaxTokens, q.Request.StopSequences)
	m := &wire.Message{
		ID:           wire.MessageID(r.messages.Hash(2*d.Ordinal), r.messages.Hash(2*d.Ordinal+1)),
		Model:        q.Request.Answering.ID,
		Blocks:       []wire.Block{said.Block},
		StopReason:   said.StopReason,
		StopSequence: said.StopSequence,
		Generation:   q.Request.Answering.Generation,
	}
	m.Usage = wire.NewUsage(q.Request.InputTokens, said.Output, m.Generation)
	for _, u := range o.Usage {
		n, err := u.Value.Int(r.facts.env)
		if err != nil {
			return nil, fmt.Errorf("usage %s: %w", u.Field, err)
		}
		if n < 0 {
			return nil, fmt.Errorf("usage %s: %s: gives %d, less than 0", u.Field, u.Value.Source, n)
		}
		m.Usage.Set(u.Field, n)
	}
	return m, nil
}

// guard lets the file's guards look at the plan. The first that refuses wins; until then their
// marks add up (R27).
func (r *Run) guard(d *Decision) error {
	for _, g := range r.scenario.Guards {
		holds, err := g.When.Bool(r.facts.env)
		if err != nil {
			return fmt.Errorf("guard %q: %w", g.Name, err)
		}
		if !holds {
			continue
		}
		if err := r.mark(d, g.Marks); err != nil {
			return err
		}
		if g.Error != nil {
			d.drop()
			return d.refuse(r.facts, g.Error, 0)
		}
	}
	return nil
}

func (r *Run) mark(d *Decision, marks []scenario.Mark) error {
	for _, m := range marks {
		set := true
		switch {
		case m.Share != nil:
			set = r.draw(d, m.Share.Place) < m.Share.Below
		case m.When != nil:
			var err error
			if set, err = m.When.Bool(r.facts.env); err != nil {
				return fmt.Errorf("mark %s: %w", m.Name, err)
			}
		}
		d.marks = append(d.marks, mark{m.Name, set})
	}
	return nil
}

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
