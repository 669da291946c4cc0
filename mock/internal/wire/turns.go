package wire

import "strings"

// LastUserText is the text of the last user turn, its blocks joined by newlines (R11); "" without one.
func (r *Request) LastUserText() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return r.Messages[i].Text()
		}
	}
	return ""
}

// Text is the turn's text blocks joined by newlines.
func (t *Turn) Text() string {
	var texts []string
	for _, c := range t.Content {
		if c.Type == "text" {
			texts = append(texts, c.Text)
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return strings.Join(texts, "\n")
}
