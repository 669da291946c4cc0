package run

import (
	"fmt"
	"time"

	"github.com/seed-954e9acd/orrery/mock/internal/reply"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/internal/wire"
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
		if err := points.fail(d, q, o); err != nil || points.queue != nil && d.hold.queue == nil {
			return err // the latter for want of a slot
		}
		r.facts.plan(d.Timeline) // for the marks; guards don't see it (R27)
		return r.mark(d, o.Marks)
	}
	switch {
	case o.Never:
		err = points.silence(d)
	case o.HTTP != nil:
		err = points.asItStands(d, q, o)
	default:
		err = r.speak(d, q, o, points)
	}
	if err != nil || d.Timeline.Error != nil {
		return err // the latter for want of a slot
	}
	r.facts.plan(d.Timeline)
	d.Verbatim = o.VerbatimHead
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
	d.look.RawText = o.RawText
	delays := s.delays(d, q)
	input := s.input(d, q.Request.InputTokens-message.Usage.CacheRead)
	return s.placed(d, func(wait time.Duration) error {
		delays.Wait = wait + input
		if q.Request.Stream {
			d.Timeline = timeline.Stream(message, delays, d.look)
		} else {
			d.Timeline = timeline.Whole(message, delays, d.look)
		}
		d.breaks(q, o)
		return nil
	})
}

// message is what the answer says.
func (r *Run) message(d *Decision, q *Query, o *scenario.Outcome) (*wire.Message, error) {
	ask := reply.Ask{Spec: reply.For(o.Reply, q.Request), Request: q.Request, Chance: r.chances.For(d.Ordinal), Ordinal: d.Ordinal, Room: d.room.block[:]}
	if !ask.Spec.Own() {
		ask.Choice = r.draw(d, ask.Spec.Place)
	}
	if ask.Spec.Tokens.Max > 0 {
		ask.Length = r.draw(d, ask.Spec.TokensPlace)
	}
	if t := ask.Spec.Thinking; t != nil && t.Tokens.Max > 0 {
		ask.Thought = r.draw(d, t.Place)
	}
	said, err := r.replies.Compose(ask)
	if err != nil {
		return nil, fmt.Errorf("reply: %w", err)
	}
	m := &d.room.message
	*m = wire.Message{
		ID:           wire.MessageID(r.messages.Hash(2*d.Ordinal), r.messages.Hash(2*d.Ordinal+1)),
		Model:        q.Request.Answering.ID,
		Blocks:       said.Blocks,
		StopReason:   said.StopReason,
		StopSequence: said.StopSequence,
		Refusal:      said.Refusal,
		Generation:   q.Request.Answering.Generation,
	}
	m.Usage = wire.NewUsage(q.Request.InputTokens, said.Output, m.Generation)
	d.cached.usage(&m.Usage)
	m.Usage.Thinking, m.Usage.ServerTools = said.Thinking, said.ServerTools
	m.Usage.WebSearches, m.Usage.WebFetches = said.Searches, said.Fetches
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
