package fault

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// spelling writes a map as a file's line, key by key.
type spelling []string

func (s spelling) String() string { return "{" + strings.Join(s, ", ") + "}" }

// with adds a key unless its value is "".
func (s spelling) with(key, value string) spelling {
	if value == "" {
		return s
	}
	return append(s, key+": "+value)
}

func (s spelling) at(key string, p Place) spelling { return s.with(key, p.String()) }

func (s spelling) lasting(key string, d time.Duration) spelling {
	if d == 0 {
		return s
	}
	return s.with(key, d.String())
}

func (s spelling) counted(key string, n int64) spelling {
	if n == 0 {
		return s
	}
	return s.with(key, strconv.FormatInt(n, 10))
}

func (s spelling) quoted(key string, text *string) spelling {
	if text == nil {
		return s
	}
	return s.with(key, quote(*text))
}

var plainText = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// quote keeps long texts short: a message needs no 40 MiB.
func quote(text string) string {
	const most = 60
	if plainText.MatchString(text) && len(text) <= most {
		return text
	}
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}

// content adds what is put in.
func (s spelling) content(key string, c Content) spelling {
	if c == nil {
		return s.with(key, "nothing")
	}
	return s.with(key, c.String())
}

func (Ping) String() string { return "ping" }

func (e Event) String() string {
	s := spelling{}
	if e.Name != "" {
		s = s.with("event", quote(e.Name))
	}
	return s.quoted("data", e.Data).quoted("id", e.ID).quoted("retry", e.Retry).String()
}

func (c Comment) String() string {
	s := spelling{}.quoted("comment", &c.Text)
	if c.Blank {
		s = s.with("blank", "true")
	}
	return s.String()
}

func (r Raw) String() string {
	if text := string(r.Bytes); utf8.ValidString(text) {
		return spelling{}.quoted("raw", &text).String()
	}
	text := base64.StdEncoding.EncodeToString(r.Bytes[:min(len(r.Bytes), 60)])
	return spelling{}.quoted("raw_base64", &text).String()
}

func (d Delta) String() string {
	return spelling{}.quoted("delta", &d.Text).counted("size", d.Size).counted("index", int64(d.Index)).String()
}

func (e ErrorEvent) String() string { return e.spelled("error") }

// spelled is the event with its type under the key.
func (e ErrorEvent) spelled(key string) string {
	s := spelling{}
	if e.Type != "" {
		s = s.with(key, quote(e.Type))
	}
	if e.Data != nil {
		return s.quoted("data", e.Data).String()
	}
	return s.quoted("message", &e.Message).String()
}

func (f Insert) String() string {
	s := spelling{}.content("insert", f.Content)
	if e, ok := f.Content.(ErrorEvent); ok && f.Ends {
		s = spelling{}.with("error_event", e.spelled("type"))
	}
	return s.at("before", f.Before).at("after", f.After).counted("count", int64(f.Count)).lasting("every", f.Every).String()
}

func (f Drop) String() string { return spelling{}.at("drop", f.At).String() }

func (f Duplicate) String() string { return spelling{}.at("duplicate", f.At).String() }

func (f Move) String() string {
	return spelling{}.at("move", f.At).at("before", f.Before).at("after", f.After).String()
}

func (f Replace) String() string {
	return spelling{}.at("replace", f.At).content("with", f.With).String()
}

func (f Edit) String() string {
	s := spelling{}.at("edit", f.At)
	if f.Body {
		s = spelling{"edit: body"}
	}
	var set, unset []string
	for _, v := range f.Set {
		set = append(set, quote(v.Path)+": "+v.JSON[:min(len(v.JSON), 60)])
	}
	for _, path := range f.Unset {
		unset = append(unset, quote(path))
	}
	if set != nil {
		s = s.with("set", "{"+strings.Join(set, ", ")+"}")
	}
	if unset != nil {
		s = s.with("unset", "["+strings.Join(unset, ", ")+"]")
	}
	return s.String()
}

func (n Newline) String() string { return nameOf(int(n), "lf", "crlf", "cr") }

func (f LineEnding) String() string {
	var names []string
	for _, n := range f.Cycle {
		names = append(names, n.String())
	}
	switch text := strings.Join(names, ", "); {
	case text == "lf, crlf":
		return "{line_ending: mixed}"
	case len(names) == 1:
		return "{line_ending: " + text + "}"
	default:
		return "{line_ending: [" + text + "]}"
	}
}

func (f EventLines) String() string { return spelling{"event_lines: false"}.at("of", f.Of).String() }

func (f DataForm) String() string { return nameOf(int(f), "split", "no-space", "data-first") }

func (f DataLines) String() string {
	return spelling{}.with("data_lines", f.Form.String()).at("of", f.Of).String()
}

func (f Fields) String() string {
	var lines []string
	for _, l := range f.Lines {
		lines = append(lines, quote(l.Name)+": "+quote(l.Value))
	}
	return spelling{}.with("fields", "{"+strings.Join(lines, ", ")+"}").at("of", f.Of).String()
}

func (Escape) String() string { return "{escape: ascii}" }

func (m GzipMode) String() string { return nameOf(int(m), "flushed", "unflushed", "truncated") }

func (f Gzip) String() string {
	s := spelling{}.with("gzip", f.Mode.String())
	if f.Always {
		s = s.with("when", "always")
	}
	return s.String()
}

func (f Hold) String() string {
	switch {
	case f.End:
		return "{hold: end}"
	case f.Every != 0:
		return spelling{}.lasting("hold", f.Every).String()
	case f.Events != 0:
		return fmt.Sprintf("{hold: %d events}", f.Events)
	default:
		return fmt.Sprintf("{hold: %dB}", f.Bytes)
	}
}

func (f WriteSize) String() string {
	s := spelling{}.with("write_size", strconv.Itoa(f.Size)).lasting("gap", f.Gap)
	if f.Within {
		s = s.with("within", "events")
	}
	return s.String()
}

func (f Cuts) String() string {
	spot := nameOf(int(f.At), "inside-character", "inside-event", "inside-crlf", "before-blank-line", fmt.Sprint("byte ", f.Byte))
	return spelling{}.with("cut", spot).at("at", f.Of).lasting("gap", f.Gap).String()
}

func (f Coalesce) String() string {
	if f.All {
		return "{coalesce: all}"
	}
	return spelling{}.with("coalesce", strconv.Itoa(f.Events)).String()
}

func (f Stall) String() string {
	what := f.For.String()
	switch {
	case f.Gate != "":
		what = "{gate: " + quote(f.Gate) + "}"
	case f.For >= Never:
		what = "forever"
	}
	return spelling{}.with("stall", what).at("after", f.After).at("before", f.Before).at("inside", f.Inside).String()
}

func (f Pace) String() string { return fmt.Sprintf("{pace: %v}", f.Factor) }

func (e End) String() string {
	return nameOf(int(e), "finish", "close", "cut", "reset", "short", "delimited", "keep-open", "goaway", "stream-reset", "reset-next", "idle-close")
}

func (f Ending) String() string {
	place := "after"
	if f.After.Headers {
		place = "before"
	}
	s := spelling{}.with("end", f.End.String()).at(place, f.After).lasting("idle", f.Idle).counted("code", int64(f.Code))
	if f.LastBefore {
		s = s.with("last", "before")
	}
	return s.String()
}

// nameOf is the i-th name.
func nameOf(i int, names ...string) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}
