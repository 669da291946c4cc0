package scenario

// This file holds the kinds of faults as they are written, each with the keys that go with it. Their
// comments become the descriptions in the JSON Schema, so they speak to a scenario's author.

// insertFault is something put into a stream: before or behind an event, or on a timer.
type insertFault struct {
	spot
	// ping, or a map with one of event, data, comment, raw, raw_base64, delta and error.
	Insert *content `yaml:"insert" jsonschema:"required"`
	// The place before which it stands.
	Before *place `yaml:"before"`
	// The place behind which it stands.
	After *place `yaml:"after"`
	// How many in a row. Default 1.
	Count *count `yaml:"count"`
	// In place of before and after: so often, from the headers to the last event, also in silences.
	Every *duration `yaml:"every"`
}

// errorEventFault is an error event in the middle of a 200, behind which the body ends cleanly.
type errorEventFault struct {
	spot
	// The error's type, or {type, message, data}.
	ErrorEvent *errorEventFile `yaml:"error_event" jsonschema:"required"`
	// The event behind which it stands; start: before message_start.
	After *place `yaml:"after" jsonschema:"required"`
}

// dropFault is events left out; what is behind them keeps its instants.
type dropFault struct {
	spot
	// Which events.
	Drop *place `yaml:"drop" jsonschema:"required"`
}

// duplicateFault is events sent twice.
type duplicateFault struct {
	spot
	// Which events.
	Duplicate *place `yaml:"duplicate" jsonschema:"required"`
}

// moveFault is events sent elsewhere.
type moveFault struct {
	spot
	// Which events.
	Move *place `yaml:"move" jsonschema:"required"`
	// The place before which they stand then.
	Before *place `yaml:"before"`
	// The place behind which they stand then.
	After *place `yaml:"after"`
}

// replaceFault is something else sent in the place of events.
type replaceFault struct {
	spot
	// Which events.
	Replace *place `yaml:"replace" jsonschema:"required"`
	// What is sent: as in an insert.
	With *content `yaml:"with" jsonschema:"required"`
}

// editFault is a change in the JSON of events' data, or of a body that is no stream.
type editFault struct {
	spot
	// Which events, or body.
	Edit *editPlace `yaml:"edit" jsonschema:"required"`
	// Values by their path, such as usage.input_tokens or content.0.text.
	Set *jsonEdits `yaml:"set"`
	// Paths to remove.
	Unset []label `yaml:"unset"`
}

// lineEndingFault is the end of each line of a stream.
type lineEndingFault struct {
	spot
	// lf, crlf, cr, mixed (lf and crlf in turn), or a list of the first three that is gone through over and over.
	LineEnding *newlines `yaml:"line_ending" jsonschema:"required"`
}

// eventLinesFault is events without their `event:` line.
type eventLinesFault struct {
	spot
	// Always false.
	EventLines *flag `yaml:"event_lines" jsonschema:"required"`
	// Which events. Default all.
	Of *place `yaml:"of"`
}

// dataLinesFault is an odd but valid form of events' lines.
type dataLinesFault struct {
	spot
	// split: the JSON over two data lines; no-space: none behind the colon; data-first: before the event line.
	DataLines *dataForm `yaml:"data_lines" jsonschema:"required"`
	// Which events. Default all.
	Of *place `yaml:"of"`
}

// fieldsFault is further lines of events.
type fieldsFault struct {
	spot
	// The lines, by name, such as {id: "1", retry: 3000}.
	Fields map[string]word `yaml:"fields" jsonschema:"required"`
	// Which events. Default all.
	Of *place `yaml:"of"`
}

// escapeFault is JSON without a character beyond ASCII.
type escapeFault struct {
	spot
	// Always ascii: characters beyond it are written as \uXXXX.
	Escape *escaping `yaml:"escape" jsonschema:"required"`
}

// gzipFault is a compressed body.
type gzipFault struct {
	spot
	// flushed: bytes leave when they are due; unflushed: when the compressor gives them; truncated: without the end.
	Gzip *gzipMode `yaml:"gzip" jsonschema:"required"`
	// asked: only for clients that accept it; always. Default asked.
	When *gzipWhen `yaml:"when"`
}

// holdFault is bytes kept back, as a proxy's buffer does, and let go together, over and over.
type holdFault struct {
	spot
	// Until so many bytes are there (4KB), so many events (5 events), so often (3s), or until the end (end).
	Hold *holding `yaml:"hold" jsonschema:"required"`
}

// writeSizeFault is a stream cut into writes of one size, whatever they hold.
type writeSizeFault struct {
	spot
	// The bytes of a write; only the last may have fewer.
	WriteSize *size `yaml:"write_size" jsonschema:"required"`
	// The time between the writes of what was due at one instant. Default 0.
	Gap *duration `yaml:"gap"`
	// events: each event starts a write of its own.
	Within *within `yaml:"within"`
}

// cutFault is writes cut in two.
type cutFault struct {
	spot
	// inside-character, inside-event, inside-crlf, before-blank-line, or byte 100 of the body.
	Cut *cutSpot `yaml:"cut" jsonschema:"required"`
	// Which events. Default all.
	At *place `yaml:"at"`
	// The time between the halves. Default 0.
	Gap *duration `yaml:"gap"`
}

// coalesceFault is several events in one write, which leaves when its last is due.
type coalesceFault struct {
	spot
	// How many events, or all.
	Coalesce *eventsPerWrite `yaml:"coalesce" jsonschema:"required"`
}

// stallFault is silence with the connection open; all that is behind it comes so much later.
type stallFault struct {
	spot
	// How long: a duration, forever, or {gate: NAME}: until the gate of that name is released.
	Stall *silence `yaml:"stall" jsonschema:"required"`
	// The place behind which it is silent; start: between headers and body, headers: before the headers.
	After *place `yaml:"after"`
	// The place before which it is silent.
	Before *place `yaml:"before"`
	// The event in the middle of whose bytes it is silent.
	Inside *place `yaml:"inside"`
}

// paceFault is a factor on all instants of the answer.
type paceFault struct {
	spot
	// From 0.01 to 1000; 2 takes twice as long.
	Pace *figure `yaml:"pace" jsonschema:"required"`
}

// endFault is how the answer is over.
type endFault struct {
	spot
	// finish, close, cut (no terminator), reset (RST), short (less than content-length says), delimited (only the
	// connection's end ends it), keep-open, stream-reset, goaway, reset-next (the next request meets an RST), idle-close.
	End *ending `yaml:"end" jsonschema:"required"`
	// The place behind which nothing is sent any more: start is behind the headers. Default the answer's own end.
	After *place `yaml:"after"`
	// headers: nothing is sent at all.
	Before *place `yaml:"before"`
	// With idle-close: how long the connection is kept without a request.
	Idle *duration `yaml:"idle"`
	// With stream-reset and goaway: the error code, a number or the RFC's name. Default INTERNAL_ERROR, and NO_ERROR of goaway.
	Code *errorCode `yaml:"code"`
	// With goaway: whether this request is the last that was processed (current), or the one before. Default current.
	Last *lastStream `yaml:"last"`
}

// errorEventForm is what an error event says.
type errorEventForm struct {
	spot
	// The error's type.
	Type *errorName `yaml:"type"`
	// What it says. Default the API's words for the type.
	Message *label `yaml:"message"`
	// In place of type and message: the data line as it stands, or a map to be written as JSON.
	Data *payload `yaml:"data"`
}

// eventContent is any event.
type eventContent struct {
	spot
	// Its name; absent: it has no event line.
	Event *label `yaml:"event"`
	// Its data: text as it stands, or a map to be written as JSON.
	Data *payload `yaml:"data"`
	// Its id line.
	ID *word `yaml:"id"`
	// Its retry line.
	Retry *word `yaml:"retry"`
}

// commentContent is a line that starts with a colon.
type commentContent struct {
	spot
	// What stands right behind the colon.
	Comment *label `yaml:"comment" jsonschema:"required"`
	// Whether a blank line follows. Default false.
	Blank *flag `yaml:"blank"`
}

// rawContent is text as it stands.
type rawContent struct {
	spot
	// The text, line breaks and all.
	Raw *label `yaml:"raw" jsonschema:"required"`
}

// base64Content is bytes as they stand.
type base64Content struct {
	spot
	// The bytes in base64.
	Raw *base64Text `yaml:"raw_base64" jsonschema:"required"`
}

// deltaContent is one text_delta, of any length, in one line.
type deltaContent struct {
	spot
	// The text, which is repeated up to the size.
	Delta *label `yaml:"delta" jsonschema:"required"`
	// How many bytes of text, at most 64MB. Default the text once.
	Size *size `yaml:"size"`
	// The content block that it belongs to. Default 0.
	Index *wholeNumber `yaml:"index"`
}

// errorContent is an error event behind which the stream goes on.
type errorContent struct {
	spot
	// The error's type.
	Error *errorName `yaml:"error" jsonschema:"required"`
	// What it says. Default the API's words for the type.
	Message *label `yaml:"message"`
	// The data line as it stands, or a map to be written as JSON.
	Data *payload `yaml:"data"`
}
