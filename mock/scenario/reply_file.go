package scenario

// replyForm says what an answer says, in a map; a text alone stands for {text: …}.
type replyForm struct {
	spot
	// The text as it stands.
	Text *label `yaml:"text"`
	// A fixture by name.
	Fixture *label `yaml:"fixture"`
	// Fixtures, one of which is drawn.
	Fixtures []label `yaml:"fixtures"`
	// The length in tokens that a fixture is made to: 200 or 200..400.
	Tokens *span `yaml:"tokens"`
	// prompt: a fixture in the language of the request's last user turn.
	Language *tongue `yaml:"language"`
	// true: the text of the last user turn comes back.
	Echo *flag `yaml:"echo"`
	// A text with {{…}} over the request: .Model, .System, .Text, .Messages, .Tools, .MaxTokens, .Ordinal.
	Template *label `yaml:"template"`
	// The blocks, one by one.
	Blocks []blockFile `yaml:"blocks"`
	// A thought, whether the request enables thinking or not.
	Thinking *thoughtFile `yaml:"thinking"`
	// A tool to call, by name or as {name, input}.
	Tool *toolFile `yaml:"tool"`
	// Whether offered tools are called. Default auto: once for each of the user's turns.
	Tools *toolUse `yaml:"tools"`
	// Why the answer stops, in place of end_turn or tool_use: one of the API's words, or one of your own.
	StopReason *stopReason `yaml:"stop_reason"`
	// The answer is a refusal, for these reasons.
	Refusal *refusalFile `yaml:"refusal"`
	// Answers to certain requests. The first that matches answers; when none does, the rest of the reply.
	Dialogue []dialogueFile `yaml:"dialogue"`
}

// thoughtForm is a thought: its text, or its length.
type thoughtForm struct {
	spot
	// The thought as it stands.
	Text *label `yaml:"text"`
	// Its length in tokens: 200 or 200..400.
	Tokens *span `yaml:"tokens"`
	// true: a redacted_thinking block follows.
	Redacted *flag `yaml:"redacted"`
}

// toolForm is a tool to call.
type toolForm struct {
	spot
	// The tool's name.
	Name *label `yaml:"name" jsonschema:"required"`
	// What it is called with; absent: made to fit the tool's schema.
	Input *jsonMap `yaml:"input"`
}

// toolUseForm is a call of a tool, whose input may be given delta by delta.
type toolUseForm struct {
	spot
	// The tool's name.
	Name *label `yaml:"name" jsonschema:"required"`
	// What it is called with; absent: made to fit the tool's schema.
	Input *jsonMap `yaml:"input"`
	// The deltas of its input, one by one; they needn't be JSON.
	Pieces []label `yaml:"pieces"`
}

// pieceForm is a text given delta by delta.
type pieceForm struct {
	spot
	// The deltas, one by one.
	Pieces []label `yaml:"pieces" jsonschema:"required"`
}

// blockFile is one block: exactly one of its keys.
type blockFile struct {
	spot
	// A text block: its text, or {pieces: [...]}: its deltas.
	Text *pieceText `yaml:"text"`
	// A thinking block; its signature is made.
	Thinking *label `yaml:"thinking"`
	// true: a redacted_thinking block.
	Redacted *flag `yaml:"redacted_thinking"`
	// A tool's call, by name, as {name, input}, or as {name, pieces: [...]}: the deltas of its input.
	ToolUse *toolUseFile `yaml:"tool_use"`
	// A server tool's call.
	ServerToolUse *toolFile `yaml:"server_tool_use"`
	// A whole block as it stands on the wire, such as a server tool's result.
	Raw *jsonMap `yaml:"raw"`
}

// refusalFile is what stop_details says of a refusal.
type refusalFile struct {
	spot
	// What it was refused for; absent: null.
	Category *refusalCategory `yaml:"category"`
	// Why, in words; absent: null.
	Explanation *label `yaml:"explanation"`
}

// dialogueFile is the answer to certain requests.
type dialogueFile struct {
	spot
	// Which requests; absent: all.
	When *turnFile `yaml:"when"`
	// What is answered.
	Reply *replyFile `yaml:"reply" jsonschema:"required"`
}

// turnFile is what a request must be like, in all that is given.
type turnFile struct {
	spot
	// A text within the last user turn.
	Contains *label `yaml:"contains"`
	// A regular expression (RE2) that the last user turn's text matches.
	Matches *label `yaml:"matches"`
	// The name of a tool whose result is in the last user turn.
	ToolResult *label `yaml:"tool_result"`
	// The number of the answer in the conversation, from 1: 2 or 2..4.
	Turn *span `yaml:"turn"`
}
