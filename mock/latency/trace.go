package latency

// Trace is recorded values, which are played back in their order, and from the first again after the last. The zero
// value is not useful.
type Trace struct{ values []int64 }

// NewTrace returns the trace of at least one value.
func NewTrace(values []int64) (*Trace, error) {
	if len(values) == 0 {
		return nil, wrong("a trace holds at least one value")
	}
	for i, v := range values {
		switch {
		case v < 0:
			return nil, wrong("value %d must not be negative: it is %v", i+1, amount(v))
		case v >= ceiling:
			return nil, wrong("value %d must be shorter: it is %v", i+1, amount(v))
		}
	}
	return &Trace{append([]int64(nil), values...)}, nil
}

// At returns the value of draw n, counted from 0.
func (t *Trace) At(n uint64) int64 { return t.values[n%uint64(len(t.values))] }

// Len returns the number of values.
func (t *Trace) Len() int { return len(t.values) }
