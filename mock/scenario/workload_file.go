package scenario

// This file holds the types of a file's workloads, claims and contradictions as they are written.
// Their comments become the descriptions in the JSON Schema.

// workloadFile is traffic: how many requests, how fast, of what kind. It plays in a fresh run.
type workloadFile struct {
	spot
	// How many requests are measured; with chain, how many chains.
	Requests *wholes `yaml:"requests"`
	// How long requests are sent, in place of how many.
	For *duration `yaml:"for"`
	// The rate of an open loop: 500/s, or a map of steps or of a rise.
	Rate *rate `yaml:"rate"`
	// Several rates, a fresh run for each.
	Rates []rate `yaml:"rates"`
	// Requests come at random (seeded), not evenly.
	Poisson *flag `yaml:"poisson"`
	// How many clients a closed loop has, each with one request at a time; a list gives a fresh run for each.
	Clients *wholes `yaml:"clients"`
	// How long a client waits between an answer and its next request.
	Think *distribution `yaml:"think"`
	// How many requests come first and are not measured.
	Warmup *wholes `yaml:"warmup"`
	// What each request is.
	Request *askFile `yaml:"request"`
	// Kinds of requests with their exact shares of all.
	Mix map[string]kindFile `yaml:"mix"`
	// Sources of requests that send at the same time.
	Parts map[string]partFile `yaml:"parts"`
	// The texts of the requests, by any name, in this order over and over. `near a` is text a with one more blank; a map changes the request.
	Sequence []stepFile `yaml:"sequence"`
	// What differs from request to request. Default text.
	Vary vary `yaml:"vary"`
	// Sends a request again that was refused or never answered.
	Retry *retryFile `yaml:"retry"`
	// When clients leave that have no whole answer yet, counted from arrival.
	CancelAfter *distribution `yaml:"cancel_after"`
	// How long clients wait for the end of an answer. Default 10m.
	GiveUp *duration `yaml:"give_up"`
	// Each unit of the workload is several requests, one after the other.
	Chain *chainFile `yaml:"chain"`
	// How long a soak of this workload is, in its own time; orrery verify --soak plays it.
	Soak *longDuration `yaml:"soak"`
}

// askFile is what each request is. A list in place of a value gives a fresh run for each of its values.
type askFile struct {
	spot
	// The model asked for.
	Model *texts `yaml:"model"`
	// Whether a stream is asked for.
	Stream *flags `yaml:"stream"`
	// The most tokens that the answer may have.
	MaxTokens *wholes `yaml:"max_tokens"`
	// The tokens of the whole request, which its text is made to.
	InputTokens *wholes `yaml:"input_tokens"`
	// The tokens of a system prompt that is made to this length; 1118..1318 spreads them evenly over the requests.
	SystemTokens *wholes `yaml:"system_tokens"`
	// How many of its text's tokens repeat others.
	TemplateTokens *wholes `yaml:"template_tokens"`
	// The system prompt as it stands.
	System *texts `yaml:"system"`
	// How many turns the conversation has.
	Messages *wholes `yaml:"messages"`
	// The text of the last turn as it stands.
	Text *texts `yaml:"text"`
	// How many images the last turn has.
	Images *wholes `yaml:"images"`
	// How many documents the last turn has.
	Documents *wholes `yaml:"documents"`
	// How many tools are offered: tool_1, tool_2 and so on.
	Tools *wholes `yaml:"tools"`
	// Whether one of them is to be called: auto, any, tool (which asks for tool_1) or none. Without it the request says nothing.
	ToolChoice *texts `yaml:"tool_choice"`
	// How often a tool was called before, each time in a turn of the assistant's that a turn with the result answers. Each adds two messages; the last turn's text stands behind the last result.
	ToolTurns *wholes `yaml:"tool_turns"`
	// How many tokens the text of each of these results has, 12 without it; 373..439 spreads them evenly over the requests.
	ResultTokens *wholes `yaml:"result_tokens"`
	// Request headers. ${unix_ns}, ${unix_ms}, ${http_date} are the client's time; ${http_date+600ms} and ${unix_ns-40ms} another.
	Headers map[string]texts `yaml:"headers"`
	// Body fields of the scenario's own.
	Params map[string]scalars `yaml:"params"`
	// The API key.
	Key *texts `yaml:"key"`
	// How many different keys take turns: KEY-1, KEY-2 and so on.
	Keys *wholes `yaml:"keys"`
	// The protocol that requests come over. Default HTTP/1.1.
	Protocol *texts `yaml:"protocol"`
	// Whether each request has a connection of its own (new) or not (reuse, the default).
	Connection *texts `yaml:"connection"`
	// The path. Default /v1/messages.
	Path *texts `yaml:"path"`
	// Facts that a simulation can't bring about otherwise, as they are to be.
	Facts map[string]scalars `yaml:"facts"`
}

// kindFile is one kind of requests of a mix.
type kindFile struct {
	spot
	// Its exact part of all requests.
	Share *share `yaml:"share" jsonschema:"required"`
	// How its requests differ from the workload's.
	Request *askFile `yaml:"request"`
	// What differs from request to request of this kind.
	Vary vary `yaml:"vary"`
}

// partFile is one source of requests among several.
type partFile struct {
	spot
	// Its rate.
	Rate *rate `yaml:"rate"`
	// Its clients, in place of a rate.
	Clients *wholes `yaml:"clients"`
	// Requests come at random (seeded), not evenly.
	Poisson *flag `yaml:"poisson"`
	// How its requests differ from the workload's.
	Request *askFile `yaml:"request"`
	// What differs from request to request of this source.
	Vary vary `yaml:"vary"`
}

// retryFile says when a request is sent again.
type retryFile struct {
	spot
	// How long after the refusal.
	After *duration `yaml:"after" jsonschema:"required"`
	// How often a request is sent at most, the first time included. Default 2.
	Tries *wholes `yaml:"tries"`
	// Whether x-stainless-retry-count is sent, as SDKs do. Default false.
	Counted *flag `yaml:"counted"`
}

// chainFile says how many requests a chain has.
type chainFile struct {
	spot
	// A number, or numbers with their exact shares: {5: 70%, 4: 30%}.
	Calls calls `yaml:"calls" jsonschema:"required"`
}

// claimFile is a figure measured on workloads, and the range it must lie in.
type claimFile struct {
	spot
	// What is claimed, in a sentence.
	Says *label `yaml:"says" jsonschema:"required"`
	// The figure.
	Measure *expression `yaml:"measure"`
	// The range of the figure, its ends included, with units: [182ms, 188ms].
	Within *bounds `yaml:"within"`
	// The least that the figure may be.
	AtLeast *quantity `yaml:"at_least"`
	// The most that the figure may be.
	AtMost *quantity `yaml:"at_most"`
	// The contradiction because of which the figure lies outside.
	Contradicts *label `yaml:"contradicts"`
	// Several figures of one claim, in place of measure.
	Checks []checkFile `yaml:"checks"`
	// The test or scenario that shows what can't be measured here.
	ShownBy *label `yaml:"shown_by"`
	// Why nothing is measured.
	NotMeasured *label `yaml:"not_measured"`
}

// checkFile is one figure of a claim.
type checkFile struct {
	spot
	// What this figure is, when the claim's sentence doesn't say.
	Says *label `yaml:"says"`
	// The figure.
	Measure *expression `yaml:"measure" jsonschema:"required"`
	// The range of the figure, its ends included, with units: [182ms, 188ms].
	Within *bounds `yaml:"within"`
	// The least that the figure may be.
	AtLeast *quantity `yaml:"at_least"`
	// The most that the figure may be.
	AtMost *quantity `yaml:"at_most"`
	// The contradiction because of which the figure lies outside.
	Contradicts *label `yaml:"contradicts"`
}
