package wire

import (
	"strings"
)

// The marks of a prompt's turns.
const (
	humanMark     = "\n\nHuman:"
	assistantMark = "\n\nAssistant:"
)

// Completions reads the bodies of the older endpoint, /v1/complete, which only 2023-06-01 has.
// Make one and keep it. It is safe for concurrent use.
type Completions struct {
	rules, essential *rule
	parsers          parsers
}

// NewCompletions returns a Completions.
func NewCompletions() *Completions {
	return &Completions{
		rules: object(
			required("model", text().atLeast(1).and(knownModel)),
			required("prompt", text().atLeast(1).and(markedPrompt)),
			required("max_tokens_to_sample", whole().atLeast(1)),
			optional("stop_sequences", array(text())),
			optional("temperature", number(0, 1)),
			optional("top_p", number(0, 1)),
			optional("top_k", whole().atLeast(0)),
			optional("metadata", object(optional("user_id", text().atMost(512).orNull()))),
			optional("stream", boolean()),
		),
		essential: anyObject(required("model", text().atLeast(1)), required("prompt", text())),
	}
}

// Read reads a body, which it doesn't keep, as the request for a message that it amounts to: the
// prompt's turns are the messages, what comes before them is the system prompt. It obeys the
// options as [Reader.Read] does.
func (c *Completions) Read(body []byte, o ReadOptions) (*Request, *Error) {
	root, err := c.parsers.parse(body)
	if err != nil {
		return nil, NotJSON(explain(body, err))
	}
	if root.kind != Object {
		return nil, NotObject()
	}
	if o.Models == nil {
		o.Models = Models()
	}
	s := &scope{ReadOptions: o, body: &root}
	if o.Listed {
		s.model = find(o.Models, root.Get("model").Text())
	}
	var fault *Error
	if o.Validation != Off {
		if f := c.rules.check(&root, s); f != nil {
			fault = f.problem()
		}
	}
	switch {
	case fault != nil && o.Validation == Strict:
		return nil, fault
	case o.Validation != Strict:
		if f := c.essential.check(&root, &scope{}); f != nil {
			return nil, f.problem()
		}
	}
	req := s.completion()
	if fault != nil && o.Validation == Warn {
		req.Warnings = []string{fault.Message}
	}
	return req, nil
}

// markedPrompt has the words that the API was known for; no schema holds them.
func markedPrompt(v *Value, _ *scope) *fault {
	switch {
	case !strings.Contains(v.text, humanMark):
		return wrongRequest(`prompt must start with "\n\nHuman:" turn after an optional system prompt`)
	case !strings.Contains(v.text, assistantMark):
		return wrongRequest(`prompt must end with "\n\nAssistant:" turn`)
	}
	return nil
}

func (s *scope) completion() *Request {
	body := s.body
	req := &Request{
		Version:  s.Version,
		Model:    body.Get("model").Text(),
		Stream:   body.Get("stream").Bool(),
		Identity: identity(body),
		Body:     body,
	}
	req.Answering = answering(s.Models, req.Model)
	req.MaxTokens, _ = body.Get("max_tokens_to_sample").Int()
	for _, m := range body.Get("stop_sequences").Members() {
		req.StopSequences = append(req.StopSequences, m.Value.Text())
	}
	s.readExtra(req)
	prompt := body.Get("prompt").Text()
	req.System, req.Messages = turnsOf(prompt)
	req.SystemTokens = CountTokens(req.System)
	req.InputTokens = perRequest + CountTokens(prompt)
	req.Blocks.Text = len(req.Messages)
	return req
}

// turnsOf cuts a prompt at its marks. A last turn that is still empty is the answer's place.
func turnsOf(prompt string) (system string, turns []Turn) {
	role := ""
	for rest := prompt; ; {
		human, assistant := strings.Index(rest, humanMark), strings.Index(rest, assistantMark)
		next, mark, marked := human, humanMark, "user"
		if human < 0 || assistant >= 0 && assistant < human {
			next, mark, marked = assistant, assistantMark, "assistant"
		}
		said := rest
		if next >= 0 {
			said = rest[:next]
		}
		said = strings.TrimSpace(said)
		switch {
		case role == "":
			system = said
		case said != "" || next >= 0:
			turns = append(turns, Turn{Role: role, Content: []Content{{Type: "text", Text: said}}})
		}
		if next < 0 {
			return system, turns
		}
		role, rest = marked, rest[next+len(mark):]
	}
}

// AppendCompletion appends the body of a completion that isn't streamed.
func AppendCompletion(dst []byte, m *Message) []byte {
	text := ""
	for i := range m.Blocks {
		if m.Blocks[i].Type == "text" {
			text += m.Blocks[i].Text
		}
	}
	return appendCompletion(dst, m, " "+text, completionStop(m.StopReason))
}

// AppendCompletionDelta appends the event that carries a piece of a completion; the first piece
// begins with a space.
func AppendCompletionDelta(dst []byte, m *Message, text string, first bool) []byte {
	if first {
		text = " " + text
	}
	return appendCompletionEvent(dst, m, text, "")
}

// AppendCompletionStop appends the event that ends a streamed completion.
func AppendCompletionStop(dst []byte, m *Message) []byte {
	return appendCompletionEvent(dst, m, "", completionStop(m.StopReason))
}

func appendCompletionEvent(dst []byte, m *Message, text, reason string) []byte {
	dst = appendCompletion(append(dst, "event: completion\ndata: "...), m, text, reason)
	return append(dst, "\n\n"...)
}

func appendCompletion(dst []byte, m *Message, text, reason string) []byte {
	dst = appendString(append(dst, `{"type":"completion","id":`...), completionID(m.ID))
	dst = appendString(append(dst, `,"completion":`...), text)
	dst = appendStringOrNull(append(dst, `,"stop_reason":`...), reason)
	dst = appendString(append(dst, `,"model":`...), m.Model)
	return append(dst, '}')
}

// completionID gives the message's characters the start that completions have.
func completionID(message string) string {
	return "compl_" + strings.TrimPrefix(message, "msg_")
}

// completionStop is a stop reason as completions had it, whose natural end was the mark of a turn.
func completionStop(reason string) string {
	if reason == "max_tokens" {
		return reason
	}
	return "stop_sequence"
}
