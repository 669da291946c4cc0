package scenario

import (
	"strings"
	"unicode/utf8"
)

// template compiles text with ${EXPR} in it. $${ stands for a plain ${.
func (l *language) template(t *template) Template { return l.rendered(t, l.compile) }

// lateTemplate is template, for texts that may speak of the plan.
func (l *language) lateTemplate(t *template) Template { return l.rendered(t, l.compileLate) }

func (l *language) rendered(t *template, compile func(*node, string, int, want) *Expr) Template {
	if t == nil || t.at == nil {
		return Template{}
	}
	var made Template
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			made.parts = append(made.parts, templatePart{text: plain.String()})
			plain.Reset()
		}
	}
	text := t.text
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], "$${"):
			plain.WriteString("${")
			i += 3
		case strings.HasPrefix(text[i:], "${"):
			end := closing(text[i+2:])
			if end < 0 {
				l.at(t.at, "close it with }, or write $${ for a plain ${", "${ is never closed")
				return Template{}
			}
			flush()
			inner := text[i+2 : i+2+end]
			if strings.TrimSpace(inner) == "" {
				l.at(t.at, "", "${} holds no expression")
			} else if x := compile(t.at, inner, utf8.RuneCountInString(text[:i+2]), wantValue); x != nil {
				made.parts = append(made.parts, templatePart{expr: x})
			}
			i += 2 + end + 1
		default:
			plain.WriteByte(text[i])
			i++
		}
	}
	flush()
	return made
}

// closing finds the } that ends an expression, past quotes and inner braces; -1 when there is none.
func closing(s string) int {
	depth := 0
	var open byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case open != 0 && c == '\\' && open != '`':
			i++
		case open != 0:
			if c == open {
				open = 0
			}
		case c == '"' || c == '\'' || c == '`':
			open = c
		case c == '{':
			depth++
		case c == '}' && depth == 0:
			return i
		case c == '}':
			depth--
		}
	}
	return -1
}
