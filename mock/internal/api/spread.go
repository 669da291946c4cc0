package api

import (
	"maps"
	"math"
	"slices"
	"time"
)

// spread counts durations by their logarithm, so that many of them take little room: each is told from
// those that are 2 % longer, and a percentile is off by 1 % at most. The nil map is an empty one.
type spread map[int16]uint32

// spreadBase is how much longer the durations of the next bucket are.
const spreadBase = 1.02

func (s *spread) add(d time.Duration) {
	if *s == nil {
		*s = spread{}
	}
	bucket := math.Floor(math.Log(max(float64(d), 1e3)/1e3) / math.Log(spreadBase)) // below a microsecond all are one
	(*s)[int16(bucket)]++
}

func (s *spread) merge(other spread) {
	if *s == nil && len(other) > 0 {
		*s = spread{}
	}
	for bucket, n := range other {
		(*s)[bucket] += n
	}
}

// percentile is the nearest rank's duration in milliseconds; nil when there is none.
func (s spread) percentile(p float64) *float64 {
	total := uint64(0)
	for _, n := range s {
		total += uint64(n)
	}
	if total == 0 {
		return nil
	}
	rank, below := uint64(math.Ceil(p*float64(total))), uint64(0)
	for _, bucket := range slices.Sorted(maps.Keys(s)) {
		if below += uint64(s[bucket]); below >= rank {
			middle := toThousandths(math.Pow(spreadBase, float64(bucket)+0.5) / 1e3)
			return &middle
		}
	}
	return nil
}

// toThousandths leaves what a picture can show.
func toThousandths(x float64) float64 { return math.Round(x*1e3) / 1e3 }
