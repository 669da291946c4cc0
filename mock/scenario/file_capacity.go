package scenario

// This file holds the types behind a profile's capacity as they are written. Their comments become
// the descriptions in the JSON Schema, so they speak to a scenario's author.

// queueFile is a profile's simulated capacity: slots that are taken first come, first served.
type queueFile struct {
	spot
	// How many requests are served at once.
	Slots *count `yaml:"slots" jsonschema:"required"`
	// The GPUs that all slots together stand for, for gpu_seconds.
	GPUs *count `yaml:"gpus"`
	// The longest wait for a slot; whoever would wait longer is refused on arrival. Absent: as long as it takes.
	Wait *duration `yaml:"wait"`
	// The error of whoever is refused. Default status 529.
	Full *errorFile `yaml:"full"`
	// How long a slot stays taken after its client has left. Default 0.
	Cancel *duration `yaml:"cancel"`
}
