package reply

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-954e9acd/orrery/mock/internal/wire"
)

// text writes a string: of the format or pattern if there is one, else words that suit the name.
func (m *maker) text(d demands, name string) {
	least, most := int(min(d.most("minLength", 0), mostMade)), int(min(d.least("maxLength", math.MaxInt32), mostMade))
	s := ""
	switch pattern := d.first("pattern").Text(); {
	case pattern != "":
		s = m.matching(pattern, least, most)
	default:
		s = m.formatted(d.first("format").Text())
		if s == "" {
			s = sized(m.named(name), least, most)
		}
	}
	m.out = wire.AppendString(m.out, s)
}

// sized makes a text at least and at most so many characters long.
func sized(s string, least, most int) string {
	least = min(least, most)
	for n := utf8.RuneCountInString(s); n < least; n = utf8.RuneCountInString(s) {
		s += " " + s + "."
	}
	if most >= len(s) {
		return s
	}
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	s = string(runes[:most])
	if cut := strings.TrimRight(s, " ,.;"); utf8.RuneCountInString(cut) >= least {
		return cut
	}
	return s
}

// formatted is a text of the named format, "" for one that isn't known.
func (m *maker) formatted(format string) string {
	day := fmt.Sprintf("2026-%02d-%02d", 1+m.below(12), 1+m.below(28))
	hour := fmt.Sprintf("%02d:%02d:%02d", m.below(24), m.below(60), m.below(60))
	switch format {
	case "date":
		return day
	case "date-time":
		return day + "T" + hour + "Z"
	case "time":
		return hour + "Z"
	case "duration":
		return fmt.Sprintf("PT%dM", 1+m.below(90))
	case "email", "idn-email":
		return m.word() + "@example.com"
	case "hostname", "idn-hostname":
		return m.word() + ".example.com"
	case "uri", "iri", "url":
		return "https://example.com/" + m.word()
	case "uri-reference", "iri-reference":
		return "/" + m.word()
	case "uuid":
		h, l := m.chance(), m.chance()
		return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", h>>32, h>>16&0xffff, h&0xfff, l>>48&0x3fff|0x8000, l&0xffffffffffff)
	case "ipv4":
		return fmt.Sprintf("192.0.2.%d", 1+m.below(254))
	case "ipv6":
		return fmt.Sprintf("2001:db8::%x", 1+m.below(0xffff))
	}
	return ""
}

// word is a lower-case word of letters a to z alone.
func (m *maker) word() string {
	words := [...]string{"amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "iris", "juniper", "kestrel", "lumen", "maple", "north", "orbit", "pine"}
	return words[m.below(len(words))]
}

// named is a text that suits a property's name.
func (m *maker) named(name string) string {
	name = strings.ToLower(name)
	one := func(of ...string) string { return of[m.below(len(of))] }
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(name, part) {
				return true
			}
		}
		return false
	}
	switch {
	case has("city", "location", "place"):
		return one("Oslo", "Lisbon", "Nairobi", "Kyoto", "Quito")
	case has("country"):
		return one("Norway", "Portugal", "Kenya", "Japan", "Ecuador")
	case has("timezone", "time_zone"):
		return one("Europe/Oslo", "Africa/Nairobi", "Asia/Tokyo")
	case has("unit"):
		return one("celsius", "fahrenheit")
	case has("currency"):
		return one("EUR", "USD", "JPY")
	case has("language", "locale"):
		return one("en", "de", "fr")
	case has("email"):
		return m.formatted("email")
	case has("url", "link"):
		return m.formatted("uri")
	case has("path", "file"):
		return "/" + m.word() + "/" + m.word() + ".txt"
	case has("date"):
		return m.formatted("date")
	case has("query", "question", "prompt", "search", "task", "expression") && m.prompt != "":
		return opening(m.prompt, 60)
	case name == "name" || has("first_name", "author", "person", "user"):
		return one("Ada", "Grace", "Alan", "Edsger", "Barbara")
	case name == "id" || strings.HasSuffix(name, "_id"):
		return fmt.Sprintf("%s-%d", m.word(), 1+m.below(999))
	}
	return m.words(2 + m.below(6))
}

// opening is the first line of a text, up to about so many bytes.
func opening(s string, most int) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) <= most {
		return s
	}
	if cut := strings.LastIndexByte(s[:most], ' '); cut > 0 {
		return s[:cut]
	}
	for !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// matching is a text that the pattern matches, of a fitting length if one is found.
func (m *maker) matching(pattern string, least, most int) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return sized(m.words(3), least, most)
	}
	compiled, err := regexp.Compile(pattern)
	best := ""
	for try := range 40 {
		m.steps = 0
		var b strings.Builder
		m.pattern(&b, parsed, try/4)
		s := b.String()
		anchored := strings.HasPrefix(pattern, "^") && strings.HasSuffix(pattern, "$")
		if n := utf8.RuneCountInString(s); n < least && !anchored {
			s += strings.Repeat("a", least-n)
		}
		if n := utf8.RuneCountInString(s); err == nil && compiled.MatchString(s) {
			best = s
			if n >= least && n <= most {
				return s
			}
		}
	}
	return best
}

// pattern writes a text for a regular expression; more is how often beyond the least repetitions go.
func (m *maker) pattern(b *strings.Builder, re *syntax.Regexp, more int) {
	if m.steps++; m.steps > mostMade {
		return
	}
	times := func(least, most int) {
		n := least + more
		if most >= 0 {
			n = min(n, most)
		}
		for range min(n, 1000) {
			m.pattern(b, re.Sub[0], more)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			b.WriteRune(r)
		}
	case syntax.OpCharClass:
		b.WriteRune(m.rune(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a' + byte(m.below(26)))
	case syntax.OpStar:
		times(0, -1)
	case syntax.OpPlus:
		times(1, -1)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		times(re.Min, re.Max)
	case syntax.OpAlternate:
		m.pattern(b, re.Sub[m.below(len(re.Sub))], more)
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			m.pattern(b, sub, more)
		}
	}
}

// rune is a character of a class, given as pairs of first and last; a readable one if there is any.
func (m *maker) rune(class []rune) rune {
	var readable []rune
	for i := 0; i+1 < len(class); i += 2 {
		for r := class[i]; r <= min(class[i+1], unicode.MaxASCII); r++ {
			if r > ' ' && r < 0x7f {
				readable = append(readable, r)
			}
		}
	}
	switch {
	case len(readable) > 0:
		return readable[m.below(len(readable))]
	case len(class) > 0:
		return class[0]
	}
	return 'a'
}
