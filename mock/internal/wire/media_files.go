package wire

import (
	"io"
	"strings"
)

// How many bytes of a file are read. A longer text has more tokens than any model's window.
const (
	mostOfPDF  = 32 << 20
	mostOfText = 8 << 20
)

// fileUse is a file and what a request takes it for: an image or a document.
type fileUse struct {
	id      string
	picture bool
}

// fileMedia is what can be told about a file. It is worked out once for a request, however often
// that names the file.
type fileMedia struct {
	media
	said string // its media type, as its owner has it
	text string // of a text file
}

// lookAtFile tells what the file of a source is; ok is false when it isn't to be had.
func (s *scope) lookAtFile(source *Value, picture bool) (m fileMedia, ok bool) {
	use := fileUse{source.Get("file_id").Text(), picture}
	if m, ok := s.files[use]; ok {
		return m, true
	}
	if s.Open == nil {
		return m, false
	}
	said, contents := s.Open(use.id)
	if contents == nil {
		return m, false
	}
	defer func() { _ = contents.Close() }()
	var err error
	switch {
	case picture:
		var header []byte
		header, err = io.ReadAll(io.LimitReader(contents, headerSize))
		m.media = lookAtHeader(header)
	case said == "application/pdf":
		m.media, err = lookAtPDF(io.LimitReader(contents, mostOfPDF))
	case said == "text/plain":
		var text []byte
		text, err = io.ReadAll(io.LimitReader(contents, mostOfText))
		m.text = strings.ToValidUTF8(string(text), "\uFFFD")
	}
	m.said, m.bad = said, !ended(err)
	if s.files == nil {
		s.files = map[fileUse]fileMedia{}
	}
	s.files[use] = m
	return m, true
}

// imageFile refuses a file that is no image.
func (c *mediaCheck) imageFile(source *Value) *fault {
	m, ok := c.lookAtFile(source, true)
	if ok && (m.bad || m.kind == "" || m.width == 0 || m.height == 0) {
		return wrongRequest("Could not process image")
	}
	return nil
}

// documentFile refuses a file that is neither a PDF nor a text, by what its owner says it is.
func (c *mediaCheck) documentFile(source *Value) *fault {
	m, ok := c.lookAtFile(source, false)
	switch {
	case !ok:
		return nil
	case m.said == "application/pdf":
		if f := c.pdf(m.media); f != nil {
			return f.in("file_id")
		}
	case m.said != "text/plain":
		return wrongRequest("Unsupported document file format: " + m.said + ". Only PDF and plaintext documents are supported.")
	}
	return nil
}
