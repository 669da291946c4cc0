package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	_ "image/gif"  // for image.DecodeConfig
	_ "image/jpeg" // as above
	_ "image/png"  // as above
	"io"
	"strings"
)

// media is what can be told about an image or a PDF that lies in a request or that it names,
// without decoding its picture or its text. It is worked out once for a request.
type media struct {
	bad    bool   // it isn't base64
	size   int    // in bytes, decoded
	kind   string // image/png and so on, by its first bytes; "" for none that is known
	width  int    // in pixels; 0 when the header can't be read
	height int
	pages  int // of a PDF; 0 when they can't be told, as when they lie compressed
}

// headerSize is how much of a file is looked at to tell what it is; a JPEG's dimensions may stand
// behind a long preview.
const headerSize = 256 << 10

// look tells what the data of a base64 source is. The whole of it is only gone through when a
// check asks for it (whole), or for a PDF's pages.
func (s *scope) look(source *Value, whole bool) media {
	if m, ok := s.media[source]; ok {
		return m
	}
	var m media
	data := source.Get("data").Text()
	pdf := source.Get("media_type").Text() == "application/pdf"
	if pdf {
		var err error
		m, err = lookAtPDF(decoder(data))
		m.bad = !ended(err) || !rightLength(data)
	} else {
		m = lookAtImage(data, whole)
	}
	if whole || pdf {
		if s.media == nil {
			s.media = map[*Value]media{}
		}
		s.media[source] = m
	}
	return m
}

func decoder(data string) io.Reader {
	encoding := base64.StdEncoding
	if !strings.HasSuffix(data, "=") {
		encoding = base64.RawStdEncoding // Padding may be left out.
	}
	return base64.NewDecoder(encoding, strings.NewReader(data))
}

func lookAtImage(data string, whole bool) media {
	r := decoder(data)
	header := make([]byte, min(headerSize, len(data)))
	n, err := io.ReadFull(r, header)
	m := lookAtHeader(header[:n])
	m.bad = !ended(err) || !rightLength(data)
	if whole && err == nil {
		more, err := io.Copy(io.Discard, r)
		m.size += int(more)
		m.bad = m.bad || err != nil
	}
	return m
}

// lookAtHeader tells what an image is that begins with these bytes.
func lookAtHeader(header []byte) media {
	m := media{size: len(header), kind: kindOf(header)}
	if m.kind == "image/webp" {
		m.width, m.height = webpSize(header)
	} else if c, _, err := image.DecodeConfig(bytes.NewReader(header)); err == nil {
		m.width, m.height = c.Width, c.Height
	}
	return m
}

// ended says whether an error of io.ReadFull is none but the end.
func ended(err error) bool {
	// The decoder of base64 has io.ErrUnexpectedEOF for data that is cut off, too: rightLength
	// tells.
	return err == nil || err == io.EOF || err == io.ErrUnexpectedEOF
}

// rightLength says whether base64 of that length can be whole.
func rightLength(data string) bool {
	n := len(data) - strings.Count(data, "\n") - strings.Count(data, "\r")
	return n%4 == 0 || n%4 > 1 && !strings.HasSuffix(data, "=")
}

func kindOf(header []byte) string {
	switch {
	case bytes.HasPrefix(header, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(header, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(header, []byte("GIF8")):
		return "image/gif"
	case len(header) >= 12 && string(header[:4]) == "RIFF" && string(header[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

// webpSize reads the size from the first chunk: lossy, lossless or extended.
func webpSize(b []byte) (width, height int) {
	if len(b) < 30 {
		return 0, 0
	}
	chunk := b[20:]
	switch string(b[12:16]) {
	case "VP8 ":
		return int(binary.LittleEndian.Uint16(chunk[6:])) & 0x3fff, int(binary.LittleEndian.Uint16(chunk[8:])) & 0x3fff
	case "VP8L":
		bits := binary.LittleEndian.Uint32(chunk[1:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1
	case "VP8X":
		return int(uint24(chunk[4:])) + 1, int(uint24(chunk[7:])) + 1
	}
	return 0, 0
}

func uint24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }

// lookAtPDF counts the objects that say /Type /Page. The error is the one that the reading ended in.
func lookAtPDF(r io.Reader) (m media, err error) {
	const chunk, overlap = 32 << 10, 64
	buf := make([]byte, 0, chunk+overlap)
	for {
		n, err := io.ReadFull(r, buf[len(buf):min(cap(buf), len(buf)+chunk)])
		first := m.size == 0
		m.size += n
		buf = buf[:len(buf)+n]
		if first && bytes.Contains(buf[:min(len(buf), 1024)], []byte("%PDF-")) {
			m.kind = "application/pdf"
		}
		done := err != nil
		cut := len(buf)
		if !done {
			cut -= overlap // what begins in the last bytes is counted with the next piece
		}
		m.pages += pagesIn(buf, cut)
		if done {
			return m, err
		}
		buf = append(buf[:0], buf[cut:]...)
	}
}

// pagesIn counts the pages whose mark begins before cut.
func pagesIn(b []byte, cut int) (pages int) {
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte("/Type"))
		if i < 0 || at+i >= cut {
			return pages
		}
		at += i + len("/Type")
		rest, ok := bytes.CutPrefix(bytes.TrimLeft(b[at:], " \t\r\n"), []byte("/Page"))
		if ok && (len(rest) == 0 || !letter(rest[0])) {
			pages++
		}
	}
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
