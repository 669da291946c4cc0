package mock_test

import "testing"

// noise is how far beyond its bound a measured time must lie before a benchmark fails: machines are
// shared, and what else they do isn't a defect. Whether a bound is met is told by the figure, on a
// machine with nothing else to do; the benchmark says so when it isn't.
const noise = 2

// bounded reports a figure and holds it against the most that it should be.
func bounded(b *testing.B, name string, figure, most float64) {
	b.Helper()
	b.ReportMetric(figure, name)
	switch {
	case figure > most*noise:
		b.Errorf("%s is %.3g, far more than %.3g", name, figure, most)
	case figure > most:
		b.Logf("%s is %.3g, more than %.3g: run it again on a quiet machine", name, figure, most)
	}
}
