package scenario

// This file holds the types of a scenario file as it is written. Their comments become the
// descriptions in the JSON Schema, so they speak to a scenario's author.

// scenarioFile is a scenario: what is accepted, how it is routed, how long it takes, what goes wrong.
type scenarioFile struct {
	spot
	// The version of the format; always 1.
	Orrery *version `yaml:"orrery" jsonschema:"required"`
	// The scenario's name, as clients choose it; also the file's name without .yaml.
	Name *label `yaml:"name" jsonschema:"required"`
	// One line for lists.
	Title *label `yaml:"title"`
	// The scenario whose parts this one takes over: maps merge, this file's routes come before the parent's.
	Extends *label `yaml:"extends"`
	// The seed of its runs, unless one is told another; a whole number from 0.
	Seed *seed `yaml:"seed"`
	// Body fields that are accepted beside the API's own; any other stays a 400.
	Parameters map[string]parameterFile `yaml:"parameters"`
	// Named conditions, so that routes read like prose.
	Facts map[string]expression `yaml:"facts"`
	// Stretches of a run, by time or by count.
	Phases *phasesFile `yaml:"phases"`
	// What date it is in a run.
	Clock *clockFile `yaml:"clock"`
	// The API keys that the scenario knows.
	Keys []keyFile `yaml:"keys"`
	// What a key may ask of a class of models in a minute. Absent: there are no limits, and no headers that tell of them.
	Limits *limitsFile `yaml:"limits"`
	// The API's prompt cache, for requests with cache_control.
	Cache *cacheFile `yaml:"cache"`
	// How requests' bodies are taken in.
	Upload *uploadFile `yaml:"upload"`
	// Stretches of a run in which nothing leaves, for anybody; what was due leaves at their end.
	Freeze []windowFile `yaml:"freeze"`
	// Latency behaviours by name.
	Profiles map[string]profileFile `yaml:"profiles"`
	// What answers: the first route whose condition holds.
	Routes []routeFile `yaml:"routes"`
	// Conditions on a finished plan that may refuse it.
	Guards []guardFile `yaml:"guards"`
	// Named numbers of each request that is answered with a message, for the journal and the billing listing.
	Figures map[string]quantityFile `yaml:"figures"`
	// Warnings for the journal, which clients don't see.
	Warn *warnFile `yaml:"warn"`
	// How the API's own side behaves.
	API *apiFile `yaml:"api"`
	// Models of the scenario's own, by id, in place of the API's of that id or beside them.
	Models map[string]modelFile `yaml:"models"`
	// What the clients of each run find, as if they had left it there before.
	Preload *preloadFile `yaml:"preload"`
	// Time series of the scenario's own, for Prometheus, by name. A name is also a function of claims' measures: NAME(steady).
	Metrics map[string]metricFile `yaml:"metrics"`
	// Traffic of which claims measure something. Not inherited.
	Workloads map[string]workloadFile `yaml:"workloads"`
	// Figures measured on the workloads, and the ranges they must lie in. Not inherited.
	Claims map[string]claimFile `yaml:"claims"`
	// What is claimed but can't be true together, by its id, and what is done about it. Not inherited.
	Contradictions map[string]label `yaml:"contradictions"`
}

// parameterFile is a body field accepted beside the API's own. It has a type or an enum.
type parameterFile struct {
	spot
	// What its values are.
	Type parameterType `yaml:"type"`
	// The words it may be.
	Enum []label `yaml:"enum"`
	// Its value in requests that don't have it.
	Default *anything `yaml:"default"`
	// The least it may be.
	Minimum *figure `yaml:"minimum"`
	// The most it may be.
	Maximum *figure `yaml:"maximum"`
}

// profileFile is one latency behaviour. Times count from the request's arrival unless said otherwise.
type profileFile struct {
	spot
	// Arrival to the response's headers; absent: with message_start.
	Headers *distribution `yaml:"headers"`
	// Arrival to message_start; absent: with the first token.
	MessageStart *distribution `yaml:"message-start"`
	// Arrival to the first content delta (TTFT).
	FirstToken *distribution `yaml:"first-token"`
	// From one delta event to the next (ITL).
	TokenGap *gapDistribution `yaml:"token-gap"`
	// One plain factor per request on its gaps.
	Pace *factorDistribution `yaml:"pace"`
	// Last delta to message_stop; absent: none.
	Stop *distribution `yaml:"stop"`
	// Arrival to the whole answer when it isn't streamed; absent: as long as the stream takes.
	Respond *distribution `yaml:"respond"`
	// How many tokens a delta event carries; a mix part's own tokens win.
	TokensPerEvent *span `yaml:"tokens_per_event"`
	// The silence after which a ping goes out.
	PingEvery *duration `yaml:"ping_every"`
	// A factor on all drawn durations that follows a number such as the concurrency.
	Load *loadFile `yaml:"load"`
	// Added to the first token, or to a whole answer, for each input token that isn't read from the cache.
	PerInputToken *duration `yaml:"per_input_token"`
	// Simulated capacity: slots, the wait for one, and an error when the wait would be too long.
	Queue *queueFile `yaml:"queue"`
	// exact: every 100 draws hold each percentile once; random: independent draws. Default exact.
	Sampling sampling `yaml:"sampling"`
	// What a draw follows: the request's ordinal or its body. Default ordinal.
	DrawBy drawBy `yaml:"draw_by"`
}

// loadFile is a curve: straight between its points, flat outside.
type loadFile struct {
	spot
	// The number that the factor follows, an expression.
	By *expression `yaml:"by" jsonschema:"required"`
	// The factor at each number.
	At map[string]figure `yaml:"at" jsonschema:"required"`
}

// routeFile is a condition and what answers when it holds: a profile, an error, or both (the error then takes the profile's respond).
type routeFile struct {
	spot
	// The route's name, unique in the file.
	Name *label `yaml:"name" jsonschema:"required"`
	// Takes only requests over it.
	Protocol protocol `yaml:"protocol"`
	// Whose requests it takes. Default messages.
	Endpoint routeEndpoint `yaml:"endpoint"`
	// The condition; absent: always.
	When *expression `yaml:"when"`
	// Takes exactly this part of those whose condition holds.
	Share *share `yaml:"share"`
	// Takes the first 3, the second to fourth (2..4), or every third (every 3), then lets requests fall through.
	Times *times `yaml:"times"`
	// What times counts per. Default run.
	Per per `yaml:"per"`
	// The profile that the answer takes its times from.
	Profile *label `yaml:"profile"`
	// What the answer says; absent: any fixture.
	Reply *replyFile `yaml:"reply"`
	// Response headers. Values may hold ${EXPR}; a list sends the header several times, an empty text removes it.
	Headers map[string]headerFile `yaml:"headers"`
	// Numbers of the answer's usage to override: whole numbers or expressions.
	Usage map[string]expression `yaml:"usage"`
	// Named yes-or-no values for the journal: true, an exact share such as 30%, or a condition.
	Marks map[string]markFile `yaml:"marks"`
	// Figures of the file to replace, or further ones.
	Figures map[string]quantityFile `yaml:"figures"`
	// Warnings beside the file's.
	Warn *warnFile `yaml:"warn"`
	// An error in place of a message.
	Error *errorFile `yaml:"error"`
	// true: the request is accepted and never answered; the client waits until it leaves.
	Never *flag `yaml:"never"`
	// An answer as it stands, in place of the API's.
	HTTP *httpFile `yaml:"http"`
	// raw-text: a stream is the text itself, without events. Default sse.
	Framing framing `yaml:"framing"`
	// What goes wrong with the answer. They apply in the order of a path from model to client, whatever their order here.
	Faults []faultFile `yaml:"faults"`
	// true: response headers leave with these names, in this order and with the spaces around their values. Over HTTP/1.1.
	VerbatimHead *flag `yaml:"verbatim_head"`
}

// guardFile is a condition on the finished plan; its error refuses the request at once.
type guardFile struct {
	spot
	// The guard's name, unique in the file.
	Name *label `yaml:"name"`
	// The condition; it may use planned.duration_ms and the like.
	When *expression `yaml:"when" jsonschema:"required"`
	// Named yes-or-no values for the journal.
	Marks map[string]markFile `yaml:"marks"`
	// The error that is sent in place of the plan.
	Error *errorFile `yaml:"error"`
}

// errorFile is an answer in the API's error shape, or a body as it stands.
type errorFile struct {
	spot
	// The HTTP status, 300 to 599.
	Status *status `yaml:"status" jsonschema:"required"`
	// The API's error type; absent: the one that belongs to the status.
	Type errorType `yaml:"type"`
	// What the error says; may hold ${EXPR}.
	Message *template `yaml:"message"`
	// The retry-after header, a duration.
	RetryAfter *duration `yaml:"retry_after"`
	// Further response headers.
	Headers map[string]headerFile `yaml:"headers"`
	// Sent in place of the JSON envelope.
	Body *label `yaml:"body"`
}

// apiFile says how the API's own side behaves.
type apiFile struct {
	spot
	// What happens to requests that the API would refuse. Default strict.
	Validation validation `yaml:"validation"`
	// Which model names are known. Default any.
	Models models `yaml:"models"`
	// Random spaces before a data line's last brace, as the API sends them. Default true.
	Padding *flag `yaml:"padding"`
	// Further paths of endpoints, such as /v1/completions: complete.
	Paths map[string]endpoint `yaml:"paths"`
	// Uploaded files may be downloaded, which the API doesn't allow. Default false.
	Downloadable *flag `yaml:"downloadable"`
	// Headers such as cf-ray and via, which a content delivery network in front of the API adds. Default false.
	CDNHeaders *flag `yaml:"cdn_headers"`
}
