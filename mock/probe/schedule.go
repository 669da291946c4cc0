package probe

import (
	"iter"
	"math"
	"math/rand/v2"
	"time"
)

// Constant is the schedule of an even rate, above 0 and in shots per second, without end: offsets
// for [Shot] At, the first of them 0. Each is reckoned from the start, so that they don't drift.
func Constant(rate float64) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		for k := 0.0; yield(offset(k / rate)); k++ {
		}
	}
}

// Poisson is the schedule of independent arrivals at a mean rate, above 0 and in shots per second,
// without end. The same seed gives the same one.
func Poisson(rate float64, seed uint64) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		random := rand.New(rand.NewPCG(seed, 0))
		for at := random.ExpFloat64(); yield(offset(at / rate)); at += random.ExpFloat64() {
		}
	}
}

// offset is a number of seconds as a duration, at most the longest there is.
func offset(seconds float64) time.Duration {
	ns := math.Round(seconds * 1e9)
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}
