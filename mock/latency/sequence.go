package latency

// Sequence makes the draws 0, 1, 2, … of a place one by one, cheaper than one at a time. It is made by Place.Sequence,
// needs no heap, and is for one goroutine. A copy goes on from where the original stood.
type Sequence struct {
	place  Place
	n      uint64
	block  block
	order  [100]uint8
	at     uint8
	random bool
}

// Sequence returns the place's draws in order: Exact(0), Exact(1), …, or Random(0), Random(1), … when random is true.
func (p Place) Sequence(random bool) Sequence {
	return Sequence{place: p, random: random}
}

// Next returns the next draw.
func (s *Sequence) Next() U {
	n := s.n
	s.n++
	if s.random {
		return s.place.Random(n)
	}
	if s.at == 0 {
		s.block = s.place.block(n / 100)
		shuffle(&s.order, s.block.shuffle)
	}
	percentile := uint64(s.order[s.at])
	if s.at++; s.at == 100 {
		s.at = 0
	}
	return s.block.draw(percentile, n)
}
