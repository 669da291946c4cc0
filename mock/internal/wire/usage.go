package wire

// Usage is what a message says it cost, in tokens.
type Usage struct {
	Input, CacheCreation, CacheRead, Output int
	CacheCreation5m, CacheCreation1h        int
	Thinking                                int
	// ServerTools says that server tools ran, and so many of these.
	ServerTools             bool
	WebSearches, WebFetches int
	// First is the output count that message_start already shows: the API sends 1 to 24 there.
	// It is written as at least 1 and at most Output.
	First       int
	ServiceTier string // standard; "" is written as standard
	// InferenceGeo is global, or not_available for older models; "" is the generation's own.
	InferenceGeo string
}

// firstOutput is the highest first count seen in recorded streams.
const firstOutput = 24

// NewUsage is the usage of an answer that used no cache and did no thinking. An answer costs at
// least one output token, even an empty one.
func NewUsage(input, output int, g Generation) Usage {
	output = max(output, 1)
	return Usage{
		Input:        input,
		Output:       output,
		First:        1 + output%min(output, firstOutput),
		ServiceTier:  "standard",
		InferenceGeo: g.InferenceGeo(),
	}
}

// Set overrides the number that usage shows under this name, and reports whether it is one of
// input_tokens, output_tokens, cache_creation_input_tokens and cache_read_input_tokens. What is
// written to the cache counts as written for five minutes.
func (u *Usage) Set(field string, n int) bool {
	switch field {
	case "input_tokens":
		u.Input = n
	case "output_tokens":
		u.Output = n
	case "cache_read_input_tokens":
		u.CacheRead = n
	case "cache_creation_input_tokens":
		u.CacheCreation, u.CacheCreation5m, u.CacheCreation1h = n, n, 0
	default:
		return false
	}
	return true
}
