package scenario

// This file goes on from file.go with what a scenario knows beside the request: phases, the date,
// keys, figures and warnings. Its comments go into the JSON Schema, too.

// phasesFile is the stretches of a run, one after the other; the fact phase names the present one.
type phasesFile struct {
	spot
	// What ends a phase: the time since the run's first request, or the number of requests.
	By phasesBy `yaml:"by" jsonschema:"required"`
	// The phases in their order.
	Steps []phaseFile `yaml:"steps" jsonschema:"required"`
}

// phaseFile is one stretch of a run.
type phaseFile struct {
	spot
	// What the fact phase says while it lasts. Several may have one name.
	Name *label `yaml:"name" jsonschema:"required"`
	// How long it lasts: a duration such as 10m, or a number of requests. The last phase has none: it lasts to the end.
	For *phaseLength `yaml:"for"`
}

// clockFile says what date it is in a run.
type clockFile struct {
	spot
	// The date and time at a run's first request, such as 2024-10-18T00:00:00Z; absent: the real one.
	Starts *instant `yaml:"starts" jsonschema:"required"`
}

// keyFile is an API key that the scenario knows, or with the name "*" all others.
type keyFile struct {
	spot
	// What the fact key.name says; "*" stands for every key that isn't listed.
	Name *label `yaml:"name" jsonschema:"required"`
	// The key as clients send it: made up for this file.
	Key *label `yaml:"key"`
	// When it was made, such as 2024-09-30T12:00:00Z.
	Created *instant `yaml:"created"`
	// What the fact key.tier says.
	Tier *word `yaml:"tier"`
}
