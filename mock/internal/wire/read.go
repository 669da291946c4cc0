package wire

import "io"

// Validation says what becomes of a body that the API would refuse.
type Validation uint8

const (
	// Strict refuses it as the API does.
	Strict Validation = iota
	// Warn notes the first fault in Request.Warnings and reads what can be read.
	Warn
	// Off reads what can be read.
	Off
)

// ReadOptions says how to read a body.
type ReadOptions struct {
	Version    string   // the anthropic-version header
	Betas      []string // the values of the anthropic-beta headers, split at their commas
	CountOnly  bool     // a body for count_tokens
	Validation Validation
	// Extra are the body fields to accept beside the API's own.
	Extra []ExtraField
	// Listed makes an unlisted or retired model a 404. Otherwise any is answered; one that is listed
	// and not retired obeys its own caps and refusals all the same.
	Listed bool
	// Models is the table of models; nil: that of [Models].
	Models []Model
	// Signature says whether a thinking block's signature belongs to its text; nil takes any.
	Signature func(text, signature string) bool
	// Kept says whether a file is there for the request to name; nil: any is.
	Kept func(fileID string) bool
	// Open returns a file's media type and contents, nil when they can't be read; a nil Open has
	// none. Its documents and images then count as those that are given by address.
	Open func(fileID string) (kind string, contents io.ReadCloser)
}

// ExtraField is a top-level body field that the API doesn't have.
type ExtraField struct {
	Name string
	// Check returns what is wrong with a value, nil for nothing; a nil Check takes any. Its error
	// comes after those of the API's own fields.
	Check func(*Value) *Error
}

// Reader reads requests. It holds the table of rules, so make one and keep it. It is safe for
// concurrent use.
type Reader struct {
	messages2023, messages2026, counts *rule
	essential                          *rule
	together                           []func(*scope) *fault
	parsers                            parsers
	schemas                            schemas
	models                             []Model
}

// NewReader returns a Reader.
func NewReader() *Reader {
	return &Reader{
		messages2023: requestRules(Version2023, false),
		messages2026: requestRules(Version2026, false),
		counts:       requestRules(Version2026, true), // Both versions count the same fields.
		essential: anyObject(
			required("model", text().atLeast(1)),
			required("messages", array(anyValue())),
		),
		together: append(conversationRules(), togetherRules()...),
		models:   Models(),
	}
}

// Read reads a body, which it doesn't keep. Of several faults it reports the one that the API
// reports: fields in the order of the table, then fields that don't exist, then the conversation
// as a whole, then fields that contradict each other. Even when not Strict, a body has to be
// JSON, an object, and to have a model and an array of messages.
func (r *Reader) Read(body []byte, o ReadOptions) (*Request, *Error) {
	root, err := r.parsers.parse(body)
	if err != nil {
		return nil, NotJSON(explain(body, err))
	}
	if root.kind != Object {
		return nil, NotObject()
	}
	table := o.Models
	if table == nil {
		table = r.models
	}
	s := &scope{ReadOptions: o, body: &root, schemas: &r.schemas}
	if m := find(table, root.Get("model").Text()); m != nil && (o.Listed || m.Lifecycle != Retired) {
		s.model = m
	}
	var fault *Error
	if o.Validation != Off {
		fault = r.fault(s)
	}
	if o.Validation != Strict {
		if f := r.essential.check(&root, &scope{}); f != nil {
			return nil, f.problem()
		}
	} else if fault != nil {
		return nil, fault
	}
	req := s.request()
	req.Answering = answering(table, req.Model)
	if !o.CountOnly {
		req.Prefixes = s.prefixes(req)
	}
	if fault == nil && s.model != nil && req.InputTokens > s.model.Window {
		fault = PromptTooLong(req.InputTokens, s.model.Window)
	}
	if fault != nil && o.Validation == Strict {
		return nil, fault
	}
	if fault != nil && o.Validation == Warn {
		req.Warnings = []string{fault.Message}
	}
	return req, nil
}

// fault returns the first thing that is wrong with a body.
func (r *Reader) fault(s *scope) *Error {
	if f := r.rules(s.ReadOptions).check(s.body, s); f != nil {
		return f.problem()
	}
	if thread := s.body.Get("thread"); thread.Get("type").Text() == "continue" {
		return UnknownThread(thread.Get("previous_message_id").Text())
	}
	for _, check := range r.together {
		if f := check(s); f != nil {
			return f.problem()
		}
	}
	return nil
}

func (r *Reader) rules(o ReadOptions) *rule {
	switch {
	case o.CountOnly:
		return r.counts
	case o.Version == Version2026:
		return r.messages2026
	}
	return r.messages2023
}

// request takes what a request says out of a body that may be faulty: what is missing or of
// another type is left empty.
func (s *scope) request() *Request {
	body := s.body
	req := &Request{
		Version:    s.Version,
		Model:      body.Get("model").Text(),
		Stream:     body.Get("stream").Bool(),
		ToolChoice: body.Get("tool_choice").Get("type").Text(),
		ChosenTool: body.Get("tool_choice").Get("name").Text(),
		Thinking:   s.thinkingType(),
		Identity:   identity(body),
		Body:       body,
	}
	req.MaxTokens, _ = body.Get("max_tokens").Int()
	for _, m := range body.Get("stop_sequences").Members() {
		req.StopSequences = append(req.StopSequences, m.Value.Text())
	}
	s.readExtra(req)
	count := counter{scope: s}
	req.System = textIn(body.Get("system"))
	req.SystemTokens = CountTokens(req.System)
	for _, m := range body.Get("tools").Members() {
		req.Tools = append(req.Tools, toolOf(&m.Value))
		count.json(&m.Value)
	}
	req.Messages = count.turns(body.Get("messages"))
	req.Blocks = count.blocks
	req.FileTexts = count.fileTexts
	req.InputTokens = perRequest + req.SystemTokens + count.tokens
	return req
}

func (s *scope) readExtra(req *Request) {
	for i := range s.Extra {
		name := s.Extra[i].Name
		v := s.body.Get(name)
		if v == nil {
			continue
		}
		if req.Extra == nil {
			req.Extra = make(map[string]any, len(s.Extra))
		}
		switch v.kind {
		case Null:
			req.Extra[name] = nil
		case Bool:
			req.Extra[name] = v.Bool()
		case Number:
			req.Extra[name], _ = v.Float()
		case String:
			req.Extra[name] = v.text
		default:
			req.Extra[name] = v
		}
	}
}

func toolOf(v *Value) Tool {
	t := Tool{Type: v.Get("type").Text(), Name: v.Get("name").Text()}
	if t.Type == "" {
		t.Type = "custom"
	}
	return t
}

// textIn returns a text, or the text of the blocks in an array, joined by newlines.
func textIn(v *Value) string {
	if v.Kind() == String {
		return v.text
	}
	var joined lines
	for i := range v.Members() {
		if t := v.items[i].Value.Get("text"); t.Kind() == String {
			joined.add(t.text)
		}
	}
	return joined.String()
}
