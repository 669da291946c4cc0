package scenario

import (
	"encoding/json"
	"reflect"
	"strings"
)

// replyFile is a reply: text as it stands, or a map.
type replyFile struct{ replyForm }

func (r *replyFile) decode(d *decoder, n *node) {
	d.mapOrWord(n, valueOf(&r.replyForm), "`reply`", &r.Text)
}

// mapOrWord reads a map into v, or a text that stands for a map of this one field of v's.
func (d *decoder) mapOrWord(n *node, v reflect.Value, what string, field **label) {
	if n.kind == mapping {
		d.into(n, v, what)
		return
	}
	*field = &label{spot: spot{n}}
	(*field).decode(d, n)
}

// thoughtFile is a thought: text as it stands, or a map.
type thoughtFile struct{ thoughtForm }

func (t *thoughtFile) decode(d *decoder, n *node) {
	d.mapOrWord(n, valueOf(&t.thoughtForm), "`thinking`", &t.Text)
}

// toolFile is a tool's name, or a map.
type toolFile struct{ toolForm }

func (t *toolFile) decode(d *decoder, n *node) {
	d.mapOrWord(n, valueOf(&t.toolForm), d.what, &t.Name)
}

// toolUseFile is a tool's name, or a map.
type toolUseFile struct{ toolUseForm }

func (t *toolUseFile) decode(d *decoder, n *node) {
	d.mapOrWord(n, valueOf(&t.toolUseForm), d.what, &t.Name)
}

// pieceText is text as it stands, or a map of its pieces.
type pieceText struct {
	pieceForm
	text label
}

func (t *pieceText) decode(d *decoder, n *node) {
	if n.kind == mapping {
		d.into(n, valueOf(&t.pieceForm), "`text`")
		return
	}
	t.text.decode(d, n)
}

type tongue struct{ choice }

func (*tongue) words() []string              { return []string{"prompt"} }
func (c *tongue) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

type toolUse struct{ choice }

func (*toolUse) words() []string              { return []string{"auto", "always", "never", "parallel"} }
func (c *toolUse) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

// stopReason is one of the API's, or a word of the file's own.
type stopReason struct{ choice }

func (*stopReason) words() []string {
	return []string{"end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"}
}
func (c *stopReason) decode(d *decoder, n *node) { c.text = d.openWord(n, c.words()) }

type refusalCategory struct{ choice }

func (*refusalCategory) words() []string {
	return []string{"cyber", "bio", "frontier_llm", "reasoning_extraction", "general_harms"}
}
func (c *refusalCategory) decode(d *decoder, n *node) { c.pick(d, n, c.words()) }

// jsonMap is a JSON object, written as YAML.
type jsonMap struct{ spot }

func (m *jsonMap) decode(d *decoder, n *node) { d.expect(n, mapping, d.what) }

// writeJSON writes a node as JSON: as a model does, with a space after : and , or without.
func writeJSON(b *strings.Builder, n *node, space string) {
	switch n.kind {
	case mapping:
		b.WriteByte('{')
		for i, p := range n.pairs {
			if i > 0 {
				b.WriteString("," + space)
			}
			b.WriteString(quoteJSON(p.key.text) + ":" + space)
			writeJSON(b, p.value, space)
		}
		b.WriteByte('}')
	case list:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteString("," + space)
			}
			writeJSON(b, item, space)
		}
		b.WriteByte(']')
	case boolean:
		b.WriteString(strings.ToLower(n.text))
	case number:
		if json.Valid([]byte(n.text)) {
			b.WriteString(n.text)
			return
		}
		v, _ := decimal(strings.ReplaceAll(n.text, "_", ""))
		text, _ := json.Marshal(v)
		b.Write(text)
	case words:
		b.WriteString(quoteJSON(n.text))
	default:
		b.WriteString("null")
	}
}

// quoteJSON is a text as a JSON string, with < > & as they are.
func quoteJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be written
	return strings.TrimSuffix(b.String(), "\n")
}
