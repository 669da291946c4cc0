package latency

import "math"

// Part is one part of a mix: its share of all draws, what it draws from, and how many tokens its events carry, from
// TokensMin to TokensMax. Both are 0 when it doesn't say.
type Part struct {
	Share                U
	Table                *Table
	TokensMin, TokensMax int
}

// Mix returns one table of several, for one draw (R34): the shares lie one after another in the order given, and where
// a draw lies within its share is its place in the part's table. The shares must add up to Whole.
func Mix(parts []Part) (*Table, error) {
	if err := checkParts(parts); err != nil {
		return nil, err
	}
	var points []Point
	var tokens []tokenRange
	var start U
	said := false
	for _, p := range parts {
		for i, u := range p.Table.us {
			points = append(points, Point{start + within(u, p.Share), p.Table.vs[i]})
		}
		ranges := p.Table.tokens
		if p.TokensMax > 0 || len(ranges) == 0 {
			ranges = []tokenRange{{Whole, uint16(p.TokensMin), uint16(p.TokensMax)}}
		}
		for _, r := range ranges {
			r.end = start + within(r.end, p.Share)
			tokens = append(tokens, r)
			said = said || r.max > 0
		}
		start += p.Share
	}
	if !said {
		tokens = nil
	}
	return newTable(points, tokens), nil
}

func within(u, share U) U { return U(uint64(u) * uint64(share) / uint64(Whole)) }

func checkParts(parts []Part) error {
	if len(parts) == 0 {
		return wrong("a mix needs at least one part")
	}
	var sum uint64
	for i, p := range parts {
		switch {
		case p.Table == nil:
			return wrong("part %d has no distribution", i+1)
		case p.Share == 0:
			return wrong("part %d has no share of the draws: give it one above 0%%, or leave the part out", i+1)
		case p.TokensMin < 0 || p.TokensMax > 0 && p.TokensMin == 0:
			return wrong("part %d: an event carries at least one token", i+1)
		case p.TokensMax < p.TokensMin:
			return wrong("part %d: the tokens must not fall: %d..%d", i+1, p.TokensMin, p.TokensMax)
		case p.TokensMax-p.TokensMin >= 1_000 || p.TokensMax > math.MaxUint16:
			return wrong("part %d: at most 1000 different counts of tokens, none above %d", i+1, math.MaxUint16)
		}
		sum += uint64(p.Share)
	}
	if sum != uint64(Whole) {
		return wrong("the shares add up to %s, not to 100%%", percent(sum))
	}
	return nil
}

// Dist is what a timing point draws from: one table, or named parts that add up, each drawn at a place of its own (R35).
type Dist struct{ Parts []Component }

// Component is one part of a sum. Name is "" when it is the only one; Place is a number that whoever made the Dist gave
// to the place where it draws. It has one of Table, Blend and Trace.
type Component struct {
	Name  string
	Place int
	Table *Table
	// Blend follows a number, By, which whoever made the Dist gave to what it follows.
	Blend *Blend
	By    int
	Trace *Trace
}

// Values returns what a request draws from for which the number that a blend follows is x.
func (c *Component) Values(x float64) Values {
	if c.Blend != nil {
		return c.Blend.At(x)
	}
	return Values{table: c.Table, trace: c.Trace}
}
