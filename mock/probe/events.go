package probe

import "bytes"

// events cuts a stream of server-sent events, in whatever pieces it comes, and tolerates what the
// standard does: lines that end in LF, CR or both, comments, fields that nobody knows, a byte order
// mark. An event without its blank line doesn't count.
type events struct {
	// each is told of every event. name is "" without an event line; data is only good until it
	// returns. An error of it ends the reading.
	each func(name, data []byte) error
	// limit bounds a line, and an event's data, in bytes.
	limit int64

	begun      bool // past the place of a byte order mark
	returned   bool // the last byte was a CR
	line       []byte
	name, data []byte
	some       bool // there was a data line
}

// take reads the next piece.
func (e *events) take(piece []byte) error {
	for len(piece) > 0 {
		if e.returned && piece[0] == '\n' {
			piece = piece[1:]
		}
		e.returned = false
		end := bytes.IndexAny(piece, "\r\n")
		if end < 0 {
			end = len(piece)
		}
		if int64(len(e.line)+end) > e.limit {
			return errTooLong
		}
		whole := piece[:end]
		if len(e.line) > 0 || end == len(piece) {
			e.line = append(e.line, whole...)
			whole = e.line
		}
		if end == len(piece) {
			return nil
		}
		e.returned = piece[end] == '\r'
		piece = piece[end+1:]
		if err := e.read(whole); err != nil {
			return err
		}
		e.line = e.line[:0]
	}
	return nil
}

// read reads a whole line.
func (e *events) read(line []byte) error {
	if !e.begun {
		e.begun = true
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	if len(line) == 0 {
		return e.dispatch()
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) { // a comment's is empty
	case "event":
		e.name = append(e.name[:0], value...)
	case "data":
		if e.some {
			e.data = append(e.data, '\n')
		}
		if int64(len(e.data)+len(value)) > e.limit {
			return errTooLong
		}
		e.some = true
		e.data = append(e.data, value...)
	}
	return nil
}

func (e *events) dispatch() error {
	var err error
	if e.some {
		err = e.each(e.name, e.data)
	}
	e.name, e.data, e.some = e.name[:0], e.data[:0], false
	return err
}
