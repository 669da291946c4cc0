package latency

// TokenRange returns how few and how many tokens an event of the mix part that u falls in may
// carry; 0, 0 when the part doesn't say.
func (t *Table) TokenRange(u U) (least, most int) {
	for _, r := range t.tokens {
		if u < r.end {
			return int(r.min), int(r.max)
		}
	}
	return 0, 0
}
