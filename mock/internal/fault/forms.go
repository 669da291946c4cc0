package fault

import (
	"errors"
	"slices"
)

// DataLines writes the lines of events in an odd but valid form, of all events or of those at Of.
type DataLines struct {
	Form DataForm
	Of   Place
}

// DataForm is a form of an event's lines.
type DataForm uint8

// The forms.
const (
	Split     DataForm = iota // the JSON over two data lines, broken behind a comma or a colon
	NoSpace                   // no space behind the colon
	DataFirst                 // the data lines before the event line
)

var errNoBreak = errors.New("the data there has neither comma nor colon to break it behind")

func (f DataLines) apply(w *work) error {
	switch f.Form {
	case NoSpace:
		return w.lines(f.Of, withoutSpaces)
	case DataFirst:
		return f.dataFirst(w)
	}
	broken := false
	err := w.lines(f.Of, func(lines []line) ([]line, error) {
		lines, did := splitData(lines)
		broken = broken || did
		return lines, nil
	})
	if err == nil && !broken && w.Stream {
		return errNoBreak
	}
	return err
}

func withoutSpaces(lines []line) ([]line, error) {
	for i, l := range lines {
		if name, between, value := l.field(); len(between) == 2 {
			lines[i].text = slices.Concat(name, between[:1], value)
		}
	}
	return lines, nil
}

// splitData breaks the first data line in two where JSON may have a newline.
func splitData(lines []line) ([]line, bool) {
	for i, l := range lines {
		if !l.is("data") {
			continue
		}
		name, between, value := l.field()
		at := breakOf(value)
		if at == 0 {
			return lines, false
		}
		end := l.end
		if end == nil { // it ends in a filler
			end = []byte("\n")
			if i > 0 {
				end = lines[i-1].end
			}
		}
		first := line{text: slices.Concat(name, between, value[:at]), end: end}
		second := line{text: slices.Concat(name, between, value[at:]), end: l.end}
		return slices.Replace(lines, i, i+1, first, second), true
	}
	return lines, false
}

// breakOf is behind the first comma of JSON outside its strings, else behind the first colon; 0 when
// there is neither.
func breakOf(json []byte) int {
	colon, inString := 0, false
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == ',':
			return i + 1
		case c == ':' && colon == 0:
			colon = i + 1
		}
	}
	return colon
}

// dataFirst moves the event line behind the data lines.
func (f DataLines) dataFirst(w *work) error {
	if !w.Stream {
		return nil
	}
	at, err := w.chosen(f.Of)
	if err != nil {
		return err
	}
	for i := range w.units {
		u := &w.units[i]
		if !at[i] || u.form != event {
			continue
		}
		var moved []line
		err := w.change(u, func(lines []line) ([]line, error) {
			kept := make([]line, 0, len(lines))
			for _, l := range lines {
				if l.is("event") && l.end != nil {
					moved = append(moved, l)
				} else {
					kept = append(kept, l)
				}
			}
			if u.fill != nil {
				return kept, nil
			}
			return append(kept, moved...), nil
		})
		if err != nil {
			return err
		}
		if u.fill != nil {
			u.fill = u.fill.behindLine(moved)
		}
	}
	return nil
}

// behindLine puts lines behind the line in which a filler ends.
func (f *filler) behindLine(lines []line) *filler {
	var rest []byte
	for l := range linesOf(f.rest) {
		rest = l.appendTo(rest)
		for _, m := range lines {
			rest = m.appendTo(rest)
		}
		lines = nil
	}
	return &filler{bytes: f.bytes, times: f.times, rest: rest}
}
