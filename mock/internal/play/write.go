package play

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// scratch is what one write needs. It is taken after the wait and given back after the write, so
// a stalled stream holds none.
type scratch struct {
	bytes []byte
	sizes []int // bytes of each step of the write
}

// A scratch starts at startBytes, and one beyond keepBytes isn't kept: a reader that doesn't read
// may hold it for as long as it likes.
const (
	startBytes = 512
	keepBytes  = 3 << 10
	keepSizes  = 64
)

func (p *Player) take() *scratch {
	if s, ok := p.pool.Get().(*scratch); ok {
		return s
	}
	return &scratch{bytes: make([]byte, 0, startBytes), sizes: make([]int, 0, 4)}
}

func (p *Player) giveBack(s *scratch) {
	if cap(s.bytes) > keepBytes || cap(s.sizes) > keepSizes {
		return
	}
	s.bytes, s.sizes = s.bytes[:0], s.sizes[:0]
	p.pool.Put(s)
}

// moment is what happens at one instant.
type moment struct {
	head         bool
	ends, breaks bool
	writes       int
	times        int64 // of the only write's bytes
}

// gather makes the bytes of the steps from first on that leave together: those due at its instant,
// up to one that wants a write of its own.
func (c *scratch) gather(prog Program, first int) (m moment) {
	n, lead := prog.Len(), prog.Step(first)
	for i := first; i < n && !m.ends && !m.breaks; i++ {
		step := prog.Step(i)
		if step.Due != lead.Due || i > first && (step.Gate != "" || m.writes > 0 && (step.alone() || lead.alone())) {
			return m
		}
		if m.writes == 0 {
			lead = step // a head may share the instant of what wants a write of its own
		}
		before := len(c.bytes)
		switch step.Kind {
		case Head:
			m.head = true
		case Write:
			m.writes++
			m.times = step.Times
			c.bytes = prog.Append(c.bytes, i)
		case End:
			m.ends = true
		case Break:
			m.breaks = true
		}
		c.sizes = append(c.sizes, (len(c.bytes)-before)*int(max(step.Times, 1)))
	}
	m.ends = m.ends || !m.breaks // by End, or by there being no more
	return m
}

// alone reports whether the step is a write that no other may share.
func (s Step) alone() bool { return s.Kind == Write && (s.Alone || s.Times > 1) }

// head sends the headers on their way. An answer that is over at once looks alike to net/http
// whether it is whole or a stream, so it is told here: a whole one gets its length (which net/http
// only works out up to 2 KB), a stream of several writes is chunked however short it is.
func (c *scratch) head(w http.ResponseWriter, prog Program, m moment, framed bool) {
	h := w.Header()
	prog.Header(h)
	switch {
	case !m.ends || h["Content-Length"] != nil || h["Transfer-Encoding"] != nil:
	case m.writes > 1:
		h["Transfer-Encoding"] = []string{"chunked"}
	case len(c.bytes) > 0:
		h["Content-Length"] = []string{strconv.Itoa(len(c.bytes))}
	}
	if framed {
		delete(h, "Transfer-Encoding") // which HTTP/3 would send, and clients refuse
	}
	w.WriteHeader(prog.Status())
}

// send writes what there is, and flushes it unless the handler's return will.
func (c *scratch) send(w http.ResponseWriter, m moment) error {
	if m.times > 1 {
		if err := fill(w, c.bytes, m.times); err != nil {
			return left(err)
		}
	} else if len(c.bytes) > 0 {
		if _, err := w.Write(c.bytes); err != nil {
			return left(err)
		}
	}
	if m.ends {
		return nil
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		if errors.Is(err, http.ErrNotSupported) {
			return fmt.Errorf("the response writer can't flush: %w", err)
		}
		return left(err)
	}
	return nil
}

// fillBytes is about how much of a repeated text is written at once.
const fillBytes = 64 << 10

// fill writes the unit so many times, without ever holding them all.
func fill(w io.Writer, unit []byte, times int64) error {
	if len(unit) == 0 {
		return nil
	}
	atOnce := min(times, int64(max(fillBytes/len(unit), 1)))
	block := bytes.Repeat(unit, int(atOnce))
	for ; times > 0; times -= atOnce {
		if _, err := w.Write(block[:int(min(times, atOnce))*len(unit)]); err != nil {
			return err
		}
	}
	return nil
}
