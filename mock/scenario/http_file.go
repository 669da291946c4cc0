package scenario

// This file holds answers as they stand, uploads and outages as they are written. Its comments go into
// the JSON Schema, too.

// httpFile is an answer as it stands, in place of the API's: a page of a proxy, say.
type httpFile struct {
	spot
	// The HTTP status, 200 to 599.
	Status *httpStatus `yaml:"status" jsonschema:"required"`
	// The content-type header; an empty one is not sent. Default: by the body's first character, text/html, application/json or text/plain.
	ContentType *label `yaml:"content_type"`
	// The body: text as it stands, or a map to be written as JSON. Default none.
	Body *payload `yaml:"body"`
	// The bytes that the body is repeated to, at most 64MB. Default the body once.
	Size *size `yaml:"size"`
}

// uploadFile says how requests' bodies are taken in.
type uploadFile struct {
	spot
	// The most bytes of a body; a longer one gets the API's 413.
	Limit *size `yaml:"limit"`
	// true: a body that is declared too long is answered without reading any of it.
	Early *flag `yaml:"early"`
	// How fast bodies are read, such as 10KB/s. Default as fast as they come.
	Rate *byteRate `yaml:"rate"`
	// How late "100 Continue" is sent to clients that wait for it, or never. Default at once.
	Continue *lateness `yaml:"continue"`
}

// windowFile is a stretch in which nothing leaves; what was due in it leaves at its end.
type windowFile struct {
	spot
	// When it begins, from the run's first request on.
	From *duration `yaml:"from" jsonschema:"required"`
	// When it ends.
	To *duration `yaml:"to" jsonschema:"required"`
}
