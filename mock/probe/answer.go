package probe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// errAfterStop marks what went wrong after a message was whole.
var errAfterStop = errors.New("after the end of the message")

// answer reads a body, streamed or whole, into a result.
type answer struct {
	r      *Result
	keep   bool
	stream bool
	raw    bool // a stream of the text itself, without events
	limit  int64

	events  events
	at      time.Duration // of the piece that is being read
	text    strings.Builder
	stopped bool
	whole   bytes.Buffer // what isn't a stream
}

// take reads the next piece of the body, which came at the given time.
func (a *answer) take(piece []byte, at time.Duration) error {
	if a.raw {
		a.at = at
		a.delta(string(piece), len(piece), string(piece))
		return nil
	}
	if !a.stream {
		if int64(a.whole.Len()+len(piece)) > a.limit {
			return errTooLong
		}
		a.whole.Write(piece)
		return nil
	}
	a.at = at
	if a.events.each == nil {
		a.events.each, a.events.limit = a.event, a.limit
	}
	return a.events.take(piece)
}

// finish reads what could only be read at the body's end. It says what is missing.
func (a *answer) finish() error {
	switch {
	case a.raw, a.stream && a.stopped:
		return nil
	case a.stream:
		return fmt.Errorf("the stream has no message_stop: %w", io.ErrUnexpectedEOF)
	case a.r.Status/100 != 2:
		// A refusal of something between client and API needn't be JSON.
		var refused part
		if json.Unmarshal(a.whole.Bytes(), &refused) == nil && refused.Error != nil {
			a.r.ErrorType = word(refused.Error.Type)
		}
		return nil
	case a.whole.Len() == 0:
		return nil
	}
	return a.message()
}

// word is a word of the server's that can be printed: without what isn't a graphic character, and
// not too long.
func word(s string) string {
	const most = 64
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsGraphic(r) {
			return '?'
		}
		return r
	}, s[:min(len(s), 4*most)])
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most])
	}
	return s
}

// part has the fields of events, whole messages and errors that are looked at.
type part struct {
	Type       string  `json:"type"`
	Message    *part   `json:"message"`
	Usage      *spent  `json:"usage"`
	StopReason string  `json:"stop_reason"`
	Completion *string `json:"completion"`
	Delta      struct {
		Text        string `json:"text"`
		Thinking    string `json:"thinking"`
		PartialJSON string `json:"partial_json"`
		Signature   string `json:"signature"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
	ContentBlock struct {
		Type string `json:"type"`
	} `json:"content_block"`
	Error *struct {
		Type string `json:"type"`
	} `json:"error"`
}

// spent keeps apart what is 0 and what isn't there: an event's usage may have only some of it.
type spent struct {
	Input         *int `json:"input_tokens"`
	Output        *int `json:"output_tokens"`
	CacheCreation *int `json:"cache_creation_input_tokens"`
	CacheRead     *int `json:"cache_read_input_tokens"`
}

// onto puts what is there in place of what was.
func (s *spent) onto(u *Usage) {
	if s == nil {
		return
	}
	for _, count := range [...]struct {
		from *int
		to   *int
	}{{s.Input, &u.Input}, {s.Output, &u.Output}, {s.CacheCreation, &u.CacheCreation}, {s.CacheRead, &u.CacheRead}} {
		if count.from != nil {
			*count.to = *count.from
		}
	}
}

// event reads one event of a stream.
func (a *answer) event(name, data []byte) error {
	a.r.Events++
	switch string(name) {
	case "", "message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop", "error", "completion":
	default:
		return nil // ping, the ends of blocks, what isn't known
	}
	var p part
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("event %d has data that can't be read: %w", a.r.Events, err)
	}
	kind := string(name)
	if kind == "" {
		kind = p.Type
	}
	switch kind {
	case "message_start":
		if p.Message != nil {
			p.Message.Usage.onto(&a.r.Usage)
		}
	case "content_block_start":
		a.block(p.ContentBlock.Type)
	case "content_block_delta":
		d := p.Delta
		a.delta(d.Text, len(d.Text)+len(d.Thinking)+len(d.PartialJSON)+len(d.Signature), d.Text+d.Thinking+d.PartialJSON)
	case "message_delta":
		p.Usage.onto(&a.r.Usage)
		a.r.StopReason = p.Delta.StopReason
	case "message_stop":
		a.stopped = true
	case "completion": // of /v1/complete, whose last event has the reason
		if p.Completion != nil && *p.Completion != "" {
			a.delta(*p.Completion, len(*p.Completion), *p.Completion)
		}
		a.r.StopReason, a.stopped = p.StopReason, p.StopReason != ""
	case "error":
		if p.Error != nil {
			a.r.ErrorType = word(p.Error.Type)
		}
		return fmt.Errorf("an error event ended the stream: %s", a.r.ErrorType)
	}
	return nil
}

// block notes a block of that type.
func (a *answer) block(kind string) {
	if kind == "tool_use" {
		a.r.Calls++
	}
}

// delta notes content; text is what belongs to the answer's own text.
func (a *answer) delta(text string, size int, all string) {
	if a.r.FirstToken == Never {
		a.r.FirstToken = a.at
	}
	d := Delta{At: a.at, Bytes: size}
	if a.keep {
		d.Text = all
		a.text.WriteString(text)
	}
	a.r.Deltas = append(a.r.Deltas, d)
}

// message reads a whole body, which needn't be a message but has to be JSON.
func (a *answer) message() error {
	var m struct {
		part
		Content json.RawMessage `json:"content"`
	}
	if !json.Valid(a.whole.Bytes()) {
		return errors.New("the answer is no whole JSON")
	}
	if json.Unmarshal(a.whole.Bytes(), &m) != nil {
		return nil // some other JSON: a list, a path's own answer
	}
	m.Usage.onto(&a.r.Usage)
	a.r.StopReason = m.StopReason
	var blocks []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(m.Content, &blocks) == nil {
		for _, b := range blocks {
			a.block(b.Type)
			if a.keep {
				a.text.WriteString(b.Text)
			}
		}
	}
	if a.keep && m.Completion != nil {
		a.text.WriteString(*m.Completion)
	}
	return nil
}
