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
	// Its own limits, each in place of the scenario's.
	Limits *limitsFile `yaml:"limits"`
}

// limitsFile is what may be asked in a minute: a bucket each, full at first, that fills evenly.
type limitsFile struct {
	spot
	// Requests a minute.
	Requests *amount `yaml:"requests"`
	// Input tokens a minute, but for those read from the cache.
	InputTokens *amount `yaml:"input_tokens"`
	// Output tokens a minute; they count when the answer ends.
	OutputTokens *amount `yaml:"output_tokens"`
	// false: nobody is refused, responses only say how much is left. Default true.
	Enforce *flag `yaml:"enforce"`
	// false: a refusal has no retry-after, only the rate-limit headers say when to come back. Default true.
	RetryAfter *flag `yaml:"retry_after"`
}

// cacheFile is the API's prompt cache: what cache_control marks is kept for a while.
type cacheFile struct {
	spot
	// The tokens that a prefix must have to be cached. Default the model's own, 1024 to 4096.
	Minimum *amount `yaml:"minimum"`
	// How long what is marked for 5m, or without a ttl, is kept after its last use. Default 5m.
	TTL *duration `yaml:"ttl"`
	// true: nothing is cached.
	Off *flag `yaml:"off"`
}

// preloadFile is what the clients of each run find, as if they had left it there before.
type preloadFile struct {
	spot
	// Ids of batches that have ended.
	Batches []label `yaml:"batches"`
	// Ids of small text files.
	Files []label `yaml:"files"`
	// Skills, each as its id, a slash, and the id of its only version.
	Skills []label `yaml:"skills"`
	// Names of models that can be asked for one by one, but aren't listed.
	Models []label `yaml:"models"`
}

// modelFile is a model of the scenario's own. What it doesn't say is as with the API's model of that id.
type modelFile struct {
	spot
	// The API's model that it is like in all that isn't given. Default the one of its id, else the newest.
	Like *label `yaml:"like"`
	// A shorter id for it.
	Alias *label `yaml:"alias"`
	// Its name for people.
	Name *label `yaml:"name"`
	// When it came out, such as 2026-11-01T00:00:00Z.
	Created *instant `yaml:"created"`
	// The most tokens of a prompt and its answer together.
	Window *amount `yaml:"window"`
	// The most tokens of an answer.
	MaxOutput *amount `yaml:"max_output"`
	// Whether it is listed, and with api.models: listed, whether it answers.
	Lifecycle lifecycle `yaml:"lifecycle"`
}
