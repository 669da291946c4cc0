package scenario

// This file holds the type of a file's metrics as they are written. Its comments become the
// descriptions in the JSON Schema, so they speak to a scenario's author.

// metricFile is a time series of the scenario's own: a figure of the requests in the journal that is worked out at each scrape.
type metricFile struct {
	spot
	// What the series says, in a sentence, with its unit unless the name has it.
	Help *label `yaml:"help" jsonschema:"required"`
	// The figure, as claims have it, of the one workload `journal`: share(journal, marks.hit).
	Measure *expression `yaml:"measure" jsonschema:"required"`
	// How long a request counts after it has ended, on its run's clock, up to 1h. Default 5m.
	Over *duration `yaml:"over"`
}
