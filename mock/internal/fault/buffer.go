package fault

import (
	"bytes"
	"compress/gzip"
	"errors"
	"slices"
	"time"
)

// Gzip compresses the body. Whether the client asked for that is the caller's to decide: it leaves the
// fault out when Always is false and the client didn't.
type Gzip struct {
	Mode   GzipMode
	Always bool
}

// GzipMode is when compressed bytes leave.
type GzipMode uint8

// The modes. The trailer is sent only when the answer ends with its terminator.
const (
	Flushed   GzipMode = iota // what is due at one instant leaves at it
	Unflushed                 // bytes leave when the compressor gives them: of a short answer, at the end
	Truncated                 // as Flushed, but the last block and the trailer are missing
)

// Hold keeps bytes back and lets them go together, over and over, and what is left at the end. One of
// its fields is given.
type Hold struct {
	Bytes  int64         // until at least so many are there
	Events int           // until so many events are there
	Every  time.Duration // from the head on
	End    bool          // until the last is there
}

// maxGzip bounds what is compressed, for the time it takes.
const maxGzip = 256 << 20

var (
	errEncoded = errors.New("the body is encoded already: take one gzip away")
	errMaxGzip = errors.New("the body is above 256 MiB, too much to compress: make it smaller")
	errHold    = errors.New("it needs exactly one of a size, a number of events, a time and the end: give one above 0")
)

func (f Gzip) apply(w *work) error {
	switch {
	case w.Encoding != "":
		return errEncoded
	case total(w.writes) > maxGzip:
		return errMaxGzip
	}
	w.Encoding = "gzip"
	c := compressor{in: w.writes, marks: w.marks}
	c.zip = gzip.NewWriter(&c.out)
	for i := range c.in {
		c.add(&c.in[i])
		switch {
		case f.Mode == Unflushed:
			c.leave(c.in[i].due, false)
		case c.ends(i):
			_ = c.zip.Flush() // a buffer takes everything
			c.leave(c.in[i].due, true)
		}
	}
	if w.Ending.End.Terminates() && f.Mode != Truncated && !w.Headless {
		_ = c.zip.Close()
		c.trail(w)
	}
	w.writes, w.marks = c.writes, c.marked
	return w.make(c.made)
}

// compressor turns writes into compressed ones.
type compressor struct {
	zip *gzip.Writer
	out bytes.Buffer

	in    []write
	marks []mark // of what came in and hasn't left

	from, taken, made int64 // bytes in before this group, bytes in, bytes out
	gate              string
	writes            []write
	marked            []mark
}

func (c *compressor) add(p *write) {
	if c.gate == "" {
		c.gate = p.gate
	}
	for range max(p.times, 1) {
		_, _ = c.zip.Write(p.bytes)
	}
	c.taken += p.len()
}

// ends reports whether write i is the last of its instant.
func (c *compressor) ends(i int) bool {
	if i+1 == len(c.in) {
		return true
	}
	next := &c.in[i+1]
	return next.due != c.in[i].due || next.gate != "" || next.alone || c.in[i].alone
}

// leave sends what the compressor has given. All that was taken has left with it if that was flushed;
// otherwise only what had been taken when it gave something before is sure to have left.
func (c *compressor) leave(due time.Duration, flushed bool) {
	if c.out.Len() == 0 {
		return
	}
	begin, sure := c.made, c.taken
	if !flushed {
		sure = c.from
	}
	b := bytes.Clone(c.out.Bytes())
	c.out.Reset()
	c.made += int64(len(b))
	c.writes = append(c.writes, write{due: due, bytes: b, gate: c.gate})
	for len(c.marks) > 0 && c.marks[0].end <= sure {
		m := c.marks[0]
		if m.begin == c.from {
			m.begin = begin
		} else {
			m.begin = unknown
		}
		m.end = c.made
		c.marked, c.marks = append(c.marked, m), c.marks[1:]
	}
	c.gate, c.from = "", c.taken
}

// trail sends what the compressor has given at its end, with the last write if it is of that instant.
func (c *compressor) trail(w *work) {
	due := w.EndDue
	if n := len(c.in); n > 0 {
		due = max(due, c.in[n-1].due)
	}
	if n := len(c.writes); n > 0 && c.writes[n-1].due == due && w.Gate == "" && c.gate == "" && len(c.marks) == 0 {
		p := &c.writes[n-1]
		before := c.made
		p.bytes = append(p.bytes, c.out.Bytes()...)
		c.made += int64(c.out.Len())
		for i := len(c.marked) - 1; i >= 0 && c.marked[i].end == before; i-- {
			c.marked[i].end = c.made
		}
		return
	}
	if c.gate == "" {
		c.gate, w.Gate = w.Gate, ""
	}
	c.leave(due, true)
}

func (f Hold) apply(w *work) error {
	switch {
	case f.Bytes < 0 || f.Events < 0 || f.Every < 0, f.given() != 1:
		return errHold
	case f.Every > 0:
		f.byTime(w)
		return nil
	}
	first, size, events := 0, int64(0), 0
	from := int64(0)
	marks := w.marks
	for i := range w.writes {
		n := w.writes[i].len()
		size, from = size+n, from+n
		for len(marks) > 0 && marks[0].end <= from {
			if marks[0].event != "" {
				events++
			}
			marks = marks[1:]
		}
		if i+1 == len(w.writes) || f.Bytes > 0 && size >= f.Bytes || f.Events > 0 && events >= f.Events {
			w.together(first, i+1, w.writes[i].due)
			first, size, events = i+1, 0, 0
		}
	}
	return nil
}

// given is how many of its fields are.
func (f Hold) given() int {
	n := 0
	for _, is := range [...]bool{f.Bytes > 0, f.Events > 0, f.Every > 0, f.End} {
		if is {
			n++
		}
	}
	return n
}

func (f Hold) byTime(w *work) {
	first := 0
	for i := range w.writes {
		due := f.release(w, i)
		if i+1 == len(w.writes) || f.release(w, i+1) != due {
			w.together(first, i+1, due)
			first = i + 1
		}
	}
	if n := len(w.writes); n > 0 {
		w.EndDue = max(w.EndDue, w.writes[n-1].due)
	}
}

// release is when write i is let go.
func (f Hold) release(w *work, i int) time.Duration {
	late := w.writes[i].due - w.Head
	if over := late % f.Every; over > 0 {
		return plus(w.writes[i].due, f.Every-over)
	}
	return w.writes[i].due
}

// together lets writes leave at one instant. A gate among them holds all of them.
func (w *work) together(from, to int, due time.Duration) {
	writes := w.writes[from:to]
	gated := slices.IndexFunc(writes, func(p write) bool { return p.gate != "" })
	if gated > 0 {
		writes[0].gate, writes[gated].gate = writes[gated].gate, ""
	}
	for i := range writes {
		writes[i].due = due
	}
}
