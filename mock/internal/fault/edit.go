package fault

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// Edit changes the JSON of events' data lines or, with Body, of a body that isn't a stream. The order of
// keys stays. Paths are those of tidwall/sjson: usage.input_tokens, content.0.text.
type Edit struct {
	At    Place
	Body  bool
	Set   []Setting // in this order, before Unset
	Unset []string
}

// Setting is a JSON value for a path.
type Setting struct{ Path, JSON string }

var (
	errNotJSON = errors.New("what is there isn't JSON, so it can't be edited: replace it")
	errNoPath  = errors.New("none of its paths to unset is there")
	errPieces  = errors.New("the body leaves in several pieces, so it can't be edited")
)

func (f Edit) apply(w *work) error {
	if f.Body == w.Stream {
		return nil
	}
	if f.Body {
		return f.body(w)
	}
	hits, err := w.events(f.At)
	if err != nil {
		return err
	}
	found := len(f.Unset) == 0
	for _, hit := range hits {
		if err := f.event(w, &w.units[hit], &found); err != nil {
			return err
		}
	}
	if !found {
		return errNoPath
	}
	return nil
}

func (f Edit) body(w *work) error {
	switch {
	case len(w.units) == 0:
		return errMissing
	case len(w.units) > 1:
		return errPieces
	case w.units[0].Times > 1:
		return errFiller
	}
	found := len(f.Unset) == 0
	edited, err := f.edit(w, w.units[0].Bytes, &found)
	if err == nil && !found {
		err = errNoPath
	}
	w.units[0].Bytes = edited
	return err
}

// event edits the first data line.
func (f Edit) event(w *work, u *unit, found *bool) error {
	if u.fill != nil || u.form != event {
		return errFiller
	}
	from := 0
	for l := range linesOf(u.Bytes) {
		if !l.is("data") {
			from += len(l.text) + len(l.end)
			continue
		}
		_, _, value := l.field()
		edited, err := f.edit(w, value, found)
		if err != nil {
			return err
		}
		start := from + len(l.text) - len(value)
		u.Bytes = bytes.Join([][]byte{u.Bytes[:start], edited, u.Bytes[start+len(value):]}, nil)
		return nil
	}
	return errNotJSON
}

// edit notes in found whether one of the paths to take out is there.
func (f Edit) edit(w *work, json []byte, found *bool) ([]byte, error) {
	if !gjson.ValidBytes(json) {
		return nil, errNotJSON
	}
	for _, s := range f.Set {
		if !gjson.Valid(s.JSON) {
			return nil, fmt.Errorf("the value for %s isn't JSON: write it as JSON", quote(s.Path))
		}
		edited, err := sjson.SetRawBytes(json, s.Path, []byte(s.JSON))
		if err == nil {
			json, err = edited, w.make(int64(len(edited)))
		}
		if err != nil {
			return nil, fmt.Errorf("%s can't be set: %w", quote(s.Path), err)
		}
	}
	for _, path := range f.Unset {
		*found = *found || gjson.GetBytes(json, path).Exists()
		edited, err := sjson.DeleteBytes(json, path)
		if err == nil {
			json, err = edited, w.make(int64(len(edited)))
		}
		if err != nil {
			return nil, fmt.Errorf("%s can't be taken out: %w", quote(path), err)
		}
	}
	return json, nil
}
