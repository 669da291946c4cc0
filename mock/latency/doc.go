// Package latency says how long things take: distributions as tables of whole numbers (Table), the draws that are
// looked up in them (Place, Sequence), and curves by which a load stretches them (Curve).
//
// Floating point is used while tables are made and for the number that a Curve follows; draws and look-ups are
// integers. What a draw gives is therefore the same on every CPU. Values are not negative; a table's values are
// nanoseconds, or billionths of a plain factor, and the package doesn't care which. There is no clock here, no state
// and no lock: whoever draws counts for itself.
//
//	table, err := latency.Quantiles([]latency.Point{{U: 500_000_000, V: 172e6}, {U: 990_000_000, V: 185e6}})
//	place := latency.NewPlace(seed, "zero-plane respond")
//	wait := time.Duration(table.At(place.Exact(n)))
package latency
