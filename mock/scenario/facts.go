package scenario

import "strings"

// BuiltinFact is a fact of every request that expressions may use.
type BuiltinFact struct {
	// Name is as expressions write it and as [Env.Set] takes it: dotted names are set one by one.
	Name string
	// Type is string, int, float, bool, strings (a list) or function.
	Type string
	// Doc is one line, without a full stop.
	Doc string
}

// BuiltinFacts lists the facts that expressions may use beside the file's own and params.NAME, which is
// typed by the file's parameters. The Go types behind them are string, int, float64, bool, []string and
// func(string) string.
func BuiltinFacts() []BuiltinFact {
	return []BuiltinFact{
		{"model", "string", "the model as it was sent"},
		{"model_date", "int", "the last 8-digit group of the model's name, else the day the models table has for it, else 0"},
		{"version", "string", "the anthropic-version header"},
		{"stream", "bool", "whether a stream was asked for"},
		{"messages", "int", "how many messages the request holds"},
		{"system", "string", "the joined system text"},
		{"system_tokens", "int", "the tokens of the system text"},
		{"input_tokens", "int", "the tokens of the whole request, as count_tokens gives them"},
		{"max_tokens", "int", "the most tokens the answer may have"},
		{"tools", "int", "how many tools the request offers"},
		{"text", "string", "the text of the last user turn"},
		{"stop_sequences", "strings", "the stop sequences"},
		{"betas", "strings", "the values of the anthropic-beta header"},
		{"blocks.text", "int", "how many text blocks the messages hold"},
		{"blocks.image", "int", "how many images the messages hold"},
		{"blocks.document", "int", "how many documents the messages hold"},
		{"blocks.search_result", "int", "how many search results the messages hold"},
		{"blocks.tool_use", "int", "how many tool uses the messages hold"},
		{"blocks.tool_result", "int", "how many tool results the messages hold"},
		{"blocks.thinking", "int", "how many thinking blocks the messages hold"},
		{"request_bytes", "int", "the length of the request's body"},
		{"header", "function", `header("name") is all values of a request header joined by ", ", or "" when it is absent`},
		{"path", "string", "the path of the request, without scenario and run"},
		{"method", "string", "the HTTP method"},
		{"protocol", "string", "HTTP/1.1, HTTP/2.0 or HTTP/3.0"},
		{"client", "string", "the key's fingerprint, else the remote IP address"},
		{"connection.requests", "int", "how many requests this connection has carried, this one included"},
		{"api_keys", "int", "how many times the request has the header x-api-key"},
		{"key.name", "string", "the name of the key in the scenario; \"*\" or \"\" for others"},
		{"key.created", "string", "when the key was made, as 2024-09-30T12:00:00Z, which compares as text; \"\" when not given"},
		{"key.created_unix", "int", "when the key was made, in seconds since 1970; 0 when not given"},
		{"key.tier", "string", "the tier of the key in the scenario"},
		{"sdk.language", "string", "the client SDK's language, in small letters: python, js, go…; \"\" when none is told"},
		{"sdk.version", "string", "the client SDK's version, \"\" when none is told"},
		{"template_tokens", "int", "the tokens of the prompt's lines and sentences that stood in it before"},
		{"cache.read_tokens", "int", "the tokens of the longest earlier prompt of the run that this one begins with"},
		{"cache.near", "bool", "whether an earlier prompt was equal but for white space, and none was equal"},
		{"ordinal", "int", "the number of the request in its run, from 1"},
		{"repeats", "int", "how many requests in a row of this key had this body, this one included"},
		{"repeats_of.system", "int", "how many requests in a row of this key had this system prompt, this one included"},
		{"attempt", "int", "which attempt of a retrying client this is, from 1"},
		{"elapsed_ms", "float", "milliseconds since the run's first request, on the run's clock"},
		{"last_status", "int", "the status of this client's last request, 0 for its first"},
		{"since_last_ms", "float", "milliseconds since this client's last request arrived, 0 for its first"},
		{"phase", "string", "the name of the present phase"},
		{"hour", "int", "the hour of the day on the run's clock, 0 to 23, UTC"},
		{"now_unix_s", "int", "the run's date in seconds since 1970"},
		{"arrived_unix_ns", "int", "the real time of arrival, in nanoseconds since 1970"},
		{"skew_ms", "float", "milliseconds between the time in X-Request-Timestamp and the real time of arrival; 0 without that header"},
		{"concurrency", "int", "requests of the run whose planned end lies ahead, this one included"},
		{"utilization", "function", `utilization("profile") is the share of the profile's slots that are busy on arrival, from 0 to 1, this request not counted`},
		{"qps", "int", "arrivals in the last second, this one included"},
		{"client_qps", "int", "this client's arrivals in the last second, this one included"},
		{"planned.duration_ms", "float", "planned milliseconds from arrival to the last byte; for guards, marks, figures and warnings only"},
		{"planned.ttft_ms", "float", "planned milliseconds from arrival to the first token; for guards, marks, figures and warnings only"},
		{"planned.output_tokens", "int", "planned tokens of the answer; for guards, marks, figures and warnings only"},
		{"usage.input_tokens", "int", "input_tokens of the answer's usage; where planned.* may stand"},
		{"usage.output_tokens", "int", "output_tokens of the answer's usage; where planned.* may stand"},
		{"usage.cache_creation_input_tokens", "int", "the usage's tokens written to the cache; where planned.* may stand"},
		{"usage.cache_read_input_tokens", "int", "the usage's tokens read from the cache; where planned.* may stand"},
		{"usage.total_tokens", "int", "the sum of the usage's four numbers; where planned.* may stand"},
	}
}

// zero is a value of a fact's type, by which expressions are checked.
func (f BuiltinFact) zero() any {
	switch f.Type {
	case "string":
		return ""
	case "int":
		return 0
	case "float":
		return 0.0
	case "bool":
		return false
	case "strings":
		return []string(nil)
	}
	return func(string) string { return "" }
}

// group is the part of a dotted name before the dot, "" without one.
func group(name string) string {
	g, _, dotted := strings.Cut(name, ".")
	if !dotted {
		return ""
	}
	return g
}

// allowedFunctions are the functions of the expression language that read no clock, keep no order
// of their own and have one type.
func allowedFunctions() []string {
	return []string{
		"all", "none", "any", "one", "filter", "map", "find", "findIndex", "findLast", "findLastIndex", "count", "len",
		"abs", "ceil", "floor", "round", "int", "float", "string", "trim", "trimPrefix", "trimSuffix", "upper", "lower",
		"split", "join", "replace", "indexOf", "lastIndexOf", "hasPrefix", "hasSuffix", "max", "min",
	}
}

// reservedWords can't name facts or parameters.
func reservedWords() []string {
	return []string{
		"true", "false", "nil", "and", "or", "not", "in", "let", "if", "else", "matches", "contains", "startsWith", "endsWith",
		"params", "blocks", "connection", "key", "cache", "sdk", "repeats_of", "planned", "usage",
	}
}
