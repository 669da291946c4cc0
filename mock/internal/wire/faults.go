package wire

import (
	"slices"
	"strconv"
	"strings"
)

// fault is one thing that is wrong with a body, and where.
type fault struct {
	path []string // from the inside out
	text string
	// whole faults speak of the request: their text stands alone.
	whole bool
	// shallow faults name only the top-level field that they are in.
	shallow bool
	// maxSide, when it isn't 0, is told in the details: the longest side in pixels an image may have.
	maxSide int
	err     *Error // in place of all this
}

func wrong(text string) *fault        { return &fault{text: text} }
func wrongRequest(text string) *fault { return &fault{text: text, whole: true} }

func (f *fault) in(name string) *fault {
	f.path = append(f.path, name)
	return f
}

func (f *fault) at(i int) *fault { return f.in(strconv.Itoa(i)) }

func (f *fault) problem() *Error {
	switch {
	case f.err != nil:
		return f.err
	case f.whole || len(f.path) == 0:
		return Invalid(f.text)
	case f.shallow:
		return Invalid(f.path[len(f.path)-1] + ": " + f.text)
	}
	slices.Reverse(f.path)
	path := strings.Join(f.path, ".")
	e := Invalid(path + ": " + f.text)
	if f.maxSide > 0 {
		e.Details = imageTooLarge(f.maxSide, path)
	}
	return e
}

// scope is what a check may look at beside the value.
type scope struct {
	ReadOptions
	body *Value
	// model is the table's row, for requests that are checked against it, else nil.
	model *Model
	// schemas is nil for a check that needn't look at any.
	schemas *schemas
	media   map[*Value]media // by source
	files   map[fileUse]fileMedia
}

func (s *scope) hasBeta(start string) bool {
	return slices.ContainsFunc(s.Betas, func(b string) bool { return strings.HasPrefix(b, start) })
}

// isOn says whether the request sends one of the values that turn something on; without any it
// always is.
func (s *scope) isOn(betas []string) bool {
	return len(betas) == 0 || slices.ContainsFunc(betas, s.hasBeta)
}

func (s *scope) extraField(name string) *ExtraField {
	for i := range s.Extra {
		if s.Extra[i].Name == name {
			return &s.Extra[i]
		}
	}
	return nil
}

// refuses says whether the request is checked against its model, and that model refuses it.
func (s *scope) refuses(what refusal) bool { return s.model != nil && s.model.refuses&what != 0 }

func (s *scope) checkExtra() *fault {
	for i := range s.Extra {
		v := s.body.Get(s.Extra[i].Name)
		if v == nil || s.Extra[i].Check == nil {
			continue
		}
		if err := s.Extra[i].Check(v); err != nil {
			return &fault{err: err}
		}
	}
	return nil
}
