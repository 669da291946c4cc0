package wire

// Generation says which answer shape a model has.
type Generation uint8

const (
	// Newer is the shape of 4.6 and everything after it, and of ids that aren't listed and have
	// no date in them.
	Newer Generation = iota
	// Older is the shape of 4.5 and everything before it: no stop_details, no caller in a
	// tool_use, inference_geo "not_available", and output_tokens alone in message_delta's usage.
	Older
)

// InferenceGeo is what usage.inference_geo says of a model of this generation.
func (g Generation) InferenceGeo() string {
	if g == Older {
		return "not_available"
	}
	return "global"
}

// A model's lifecycle, as the models list words it.
const (
	Active     = "active"
	Deprecated = "deprecated"
	Retired    = "retired"
)

// Model is one row of the table of models.
type Model struct {
	ID        string // as answered
	Alias     string // a shorter id that is answered with ID; "" for none
	Name      string // for people
	Line      string // haiku, sonnet, opus, fable or mythos
	Created   int    // yyyymmdd
	Window    int    // tokens of prompt and answer together
	MaxOutput int    // most tokens of one answer
	Lifecycle string
	Retires   int // yyyymmdd, 0 when no date is set
	refuses   refusal
	Generation
}

// refusal is the set of request features that a model turns down.
type refusal uint8

const (
	noSampling    refusal = 1 << iota // temperature, top_p, top_k
	noBudget                          // thinking.type "enabled"
	alwaysThinks                      // thinking.type "disabled"
	noForcedTool                      // tool_choice "any" and "tool"
	noPrefill                         // a last turn of the assistant
	noSystemTurns                     // role "system" among the messages
	noAdaptive                        // thinking.type "adaptive"
	noBetween                         // thinking.type "between_tools"
)

const million = 1_000_000

// What the models of an age or a habit refuse.
const (
	old      = noSystemTurns | noAdaptive | noBetween
	four6    = noPrefill | noSystemTurns | noBetween
	four7    = four6 | noSampling
	five     = noPrefill | noBetween
	firm     = five | noSampling
	adaptive = firm | noBudget
	always   = adaptive | alwaysThinks | noForcedTool
)

const modelCount = 33

// models is the table of known models, newest first: dates of the newest are those on which the
// official SDKs began to list them. It is built anew for each caller, so nobody can change it.
func models() [modelCount]Model {
	return [modelCount]Model{
		{"claude-fable-5-2", "", "Claude Fable 5.2", "fable", 20261109, million, 128_000, Active, 0, five, Newer},
		{"claude-mythos-5-2", "", "Claude Mythos 5.2", "mythos", 20261109, million, 128_000, Active, 0, five, Newer},
		{"claude-haiku-5-5", "", "Claude Haiku 5.5", "haiku", 20261007, million, 128_000, Active, 0, adaptive, Newer},
		{"claude-sonnet-5-5", "", "Claude Sonnet 5.5", "sonnet", 20260928, million, 128_000, Active, 0, always &^ noBetween, Newer},
		{"claude-opus-5-5", "", "Claude Opus 5.5", "opus", 20260922, million, 128_000, Active, 0, always, Newer},
		{"claude-fable-5-1", "", "Claude Fable 5.1", "fable", 20260908, million, 128_000, Active, 0, always, Newer},
		{"claude-mythos-5-1", "", "Claude Mythos 5.1", "mythos", 20260908, million, 128_000, Active, 0, five, Newer},
		{"claude-opus-5", "", "Claude Opus 5", "opus", 20260724, million, 128_000, Active, 0, firm, Newer},
		{"claude-sonnet-5", "", "Claude Sonnet 5", "sonnet", 20260630, million, 128_000, Active, 0, firm, Newer},
		{"claude-fable-5", "", "Claude Fable 5", "fable", 20260609, million, 128_000, Active, 0, five, Newer},
		{"claude-mythos-5", "", "Claude Mythos 5", "mythos", 20260609, million, 128_000, Active, 0, five, Newer},
		{"claude-opus-4-8", "", "Claude Opus 4.8", "opus", 20260528, million, 128_000, Active, 0, firm, Newer},
		{"claude-opus-4-7", "", "Claude Opus 4.7", "opus", 20260416, million, 128_000, Active, 0, four7, Newer},
		{"claude-mythos-preview", "", "Claude Mythos Preview", "mythos", 20260407, million, 128_000, Deprecated, 20260630, four6, Newer},
		{"claude-sonnet-4-6", "", "Claude Sonnet 4.6", "sonnet", 20260217, million, 128_000, Active, 0, four6, Newer},
		{"claude-opus-4-6", "", "Claude Opus 4.6", "opus", 20260204, million, 128_000, Active, 0, four6, Newer},
		{"claude-opus-4-5-20251101", "claude-opus-4-5", "Claude Opus 4.5", "opus", 20251124, 200_000, 64_000, Deprecated, 20270122, old, Older},
		{"claude-haiku-4-5-20251001", "claude-haiku-4-5", "Claude Haiku 4.5", "haiku", 20251015, 200_000, 64_000, Active, 0, old, Older},
		{"claude-sonnet-4-5-20250929", "claude-sonnet-4-5", "Claude Sonnet 4.5", "sonnet", 20250929, 200_000, 64_000, Deprecated, 20261130, old, Older},
		{"claude-opus-4-1-20250805", "claude-opus-4-1", "Claude Opus 4.1", "opus", 20250805, 200_000, 32_000, Retired, 0, old, Older},
		{"claude-opus-4-20250514", "claude-opus-4-0", "Claude Opus 4", "opus", 20250522, 200_000, 32_000, Retired, 0, old, Older},
		{"claude-sonnet-4-20250514", "claude-sonnet-4-0", "Claude Sonnet 4", "sonnet", 20250522, 200_000, 64_000, Retired, 0, old, Older},
		{"claude-3-7-sonnet-20250219", "claude-3-7-sonnet-latest", "Claude Sonnet 3.7", "sonnet", 20250224, 200_000, 64_000, Retired, 0, old, Older},
		{"claude-3-5-sonnet-20241022", "claude-3-5-sonnet-latest", "Claude Sonnet 3.5 (New)", "sonnet", 20241022, 200_000, 8_192, Retired, 0, old, Older},
		{"claude-3-5-haiku-20241022", "claude-3-5-haiku-latest", "Claude Haiku 3.5", "haiku", 20241022, 200_000, 8_192, Retired, 0, old, Older},
		{"claude-3-5-sonnet-20240620", "", "Claude Sonnet 3.5 (Old)", "sonnet", 20240620, 200_000, 8_192, Retired, 0, old, Older},
		{"claude-3-haiku-20240307", "", "Claude Haiku 3", "haiku", 20240307, 200_000, 4_096, Retired, 0, old, Older},
		{"claude-3-opus-20240229", "claude-3-opus-latest", "Claude Opus 3", "opus", 20240229, 200_000, 4_096, Retired, 0, old, Older},
		{"claude-3-sonnet-20240229", "", "Claude Sonnet 3", "sonnet", 20240229, 200_000, 4_096, Retired, 0, old, Older},
		{"claude-2.1", "", "Claude 2.1", "", 20231121, 200_000, 4_096, Retired, 0, old, Older},
		{"claude-instant-1.2", "", "Claude Instant 1.2", "", 20230809, 100_000, 4_096, Retired, 0, old, Older},
		{"claude-2.0", "", "Claude 2.0", "", 20230711, 100_000, 4_096, Retired, 0, old, Older},
		{"claude-1.3", "", "Claude 1.3", "", 20230418, 100_000, 4_096, Retired, 0, old, Older},
	}
}
