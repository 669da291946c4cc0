package wire

import (
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// MostBatchRequests is how many requests a batch may hold.
const MostBatchRequests = 100_000

var customID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// ReadBatch reads the body of a new batch as it comes and hands each its requests in order: the
// params as compact JSON, whose bytes are only lent. Params are any object: the API looks at them
// when it runs them. It returns how many requests there are. The first problem ends the reading;
// an error is the reader's or each's.
func ReadBatch(r io.Reader, each func(customID string, params []byte) error) (int, *Error, error) {
	b := batchReader{json: jsontext.NewDecoder(r), each: each, seen: map[string]struct{}{}}
	err := b.body()
	if err == nil {
		if _, err = b.json.ReadToken(); err == io.EOF {
			return b.n, nil, nil
		}
		if err == nil {
			err = NotJSON("unexpected content after document")
		}
	}
	problem, syntax := new(Error), new(jsontext.SyntacticError)
	switch {
	case errors.As(err, &problem):
		return 0, problem, nil
	case errors.As(err, &syntax):
		return 0, NotJSON(fmt.Sprintf("%v: char %d", syntax.Err, syntax.ByteOffset)), nil
	case err == io.EOF:
		return 0, NotJSON("unexpected end of data: char 0"), nil
	}
	return 0, nil, err
}

// batchReader reads one body. Its methods return an *Error as an error.
type batchReader struct {
	json *jsontext.Decoder
	each func(string, []byte) error
	seen map[string]struct{}
	n    int
}

func (b *batchReader) body() error {
	if err := b.expect(jsontext.KindBeginObject, NotObject().Message); err != nil {
		return err
	}
	unknown, found := "", false
	err := b.object(func(name string) error {
		if name != "requests" {
			if unknown == "" {
				unknown = name
			}
			return b.json.SkipValue()
		}
		found = true
		return b.requests()
	})
	switch {
	case err != nil:
		return err
	case !found:
		return Invalid("requests: Field required")
	case b.n == 0:
		return Invalid("requests: List should have at least 1 item after validation, not 0")
	case unknown != "":
		return Invalid(unknown + ": Extra inputs are not permitted")
	}
	return nil
}

// object reads an object and has member read each member's value.
func (b *batchReader) object(member func(name string) error) error {
	if _, err := b.json.ReadToken(); err != nil {
		return err
	}
	for b.json.PeekKind() != jsontext.KindEndObject {
		name, err := b.json.ReadToken()
		if err != nil {
			return err
		}
		if err := member(name.String()); err != nil {
			return err
		}
	}
	_, err := b.json.ReadToken()
	return err
}

// expect refuses a value of another kind, once it is one.
func (b *batchReader) expect(kind jsontext.Kind, message string) error {
	if b.json.PeekKind() == kind {
		return nil
	}
	if err := b.json.SkipValue(); err != nil {
		return err
	}
	return Invalid(message)
}

func (b *batchReader) requests() error {
	if err := b.expect(jsontext.KindBeginArray, "requests: Input should be a valid array"); err != nil {
		return err
	}
	if _, err := b.json.ReadToken(); err != nil {
		return err
	}
	for b.json.PeekKind() != jsontext.KindEndArray {
		if b.n == MostBatchRequests {
			return Invalid(fmt.Sprintf("requests: List should have at most %d items", MostBatchRequests))
		}
		if err := b.request(fmt.Sprintf("requests.%d", b.n)); err != nil {
			return err
		}
		b.n++
	}
	_, err := b.json.ReadToken()
	return err
}

func (b *batchReader) request(path string) error {
	if err := b.expect(jsontext.KindBeginObject, path+": Input should be an object"); err != nil {
		return err
	}
	var id, params jsontext.Value
	unknown := ""
	err := b.object(func(name string) error {
		v, err := b.json.ReadValue()
		switch {
		case err != nil:
			return err
		case name == "custom_id":
			id = v.Clone()
		case name == "params":
			params = v.Clone()
		case unknown == "":
			unknown = name
		}
		return nil
	})
	if err != nil {
		return err
	}
	if fault := b.fault(id, params); fault != "" {
		return Invalid(path + "." + fault)
	}
	if unknown != "" {
		return Invalid(path + "." + unknown + ": Extra inputs are not permitted")
	}
	if err := params.Compact(); err != nil {
		return err
	}
	name, _ := jsontext.AppendUnquote(nil, id) // the decoder has checked it
	return b.each(string(name), params)
}

func (b *batchReader) fault(id, params jsontext.Value) string {
	switch {
	case id == nil:
		return "custom_id: Field required"
	case id.Kind() != jsontext.KindString:
		return "custom_id: Input should be a valid string"
	}
	text, _ := jsontext.AppendUnquote(nil, id)
	switch {
	case len(text) == 0:
		return "custom_id: String should have at least 1 character"
	case len(text) > 64:
		return "custom_id: String should have at most 64 characters"
	case !customID.Match(text):
		return "custom_id: String should match pattern '" + customID.String() + "'"
	}
	if _, twice := b.seen[string(text)]; twice {
		return "custom_id: custom_id must be unique within a batch. Found duplicate: " + string(text)
	}
	b.seen[string(text)] = struct{}{}
	switch {
	case params == nil:
		return "params: Field required"
	case params.Kind() != jsontext.KindBeginObject:
		return "params: Input should be an object"
	}
	return ""
}
