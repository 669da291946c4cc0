package claim

import (
	"bytes"
	"compress/gzip"
	"io"
	"time"
	"unicode/utf8"

	"github.com/seed-954e9acd/orrery/mock/internal/run"
	"github.com/seed-954e9acd/orrery/mock/internal/timeline"
	"github.com/seed-954e9acd/orrery/mock/scenario"
)

// delivery is a body as it leaves: in writes, each at its instant.
type delivery struct {
	bytes  []byte // as they are on the wire, mostBody of them at most
	writes []write
	gzip   bool
	events bool // whether they are server-sent events
}

// write is bytes that leave together.
type write struct {
	at   time.Duration
	size int64
}

// mostBody bounds what is kept of a body.
const mostBody = 16 << 20

// delivered is the body up to an instant, in the writes that the player makes of it: what is due at
// one instant shares a write, unless a fault gives it one of its own.
func (d decided) delivered(until time.Duration) delivery {
	t := d.Timeline
	made := delivery{events: t.Streams() && !t.RawText()}
	if b := t.Broken(); b != nil {
		made.gzip = b.Encoding == "gzip"
	}
	var room []byte
	keepsToItself := false
	for i := range t.Len() {
		s := t.Step(i)
		if s.Due > until {
			break
		}
		if s.Kind == timeline.Head || s.Kind == timeline.End {
			continue
		}
		times, alone, gate := t.Write(i)
		alone = alone || times > 1
		room = t.Append(room[:0], i)
		for n := max(times, 1); n > 0 && len(room) > 0 && len(made.bytes) < mostBody; n-- {
			made.bytes = append(made.bytes, room[:min(len(room), mostBody-len(made.bytes))]...)
		}
		size := int64(len(room)) * max(times, 1)
		last := len(made.writes) - 1
		if last < 0 || alone || keepsToItself || gate != "" || made.writes[last].at != s.Due {
			made.writes = append(made.writes, write{s.Due, size})
			keepsToItself = alone
			continue
		}
		made.writes[last].size += size
	}
	return made
}

// body is what a client makes of the bytes: without their encoding, as far as it can be undone. The
// error says that it can't be to the end.
func (d *delivery) body() ([]byte, error) {
	if !d.gzip {
		return d.bytes, nil
	}
	unzip, err := gzip.NewReader(bytes.NewReader(d.bytes))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(unzip, mostBody))
}

// splitsCharacter tells whether a character of several bytes goes on behind the offset.
func (d *delivery) splitsCharacter(at int64) bool {
	return !d.gzip && at < int64(len(d.bytes)) && !utf8.RuneStart(d.bytes[at])
}

// inside is what of a stream the offset lies inside of.
func (d *delivery) inside(at int64) string {
	if !d.events || d.gzip || at <= 0 || at >= int64(len(d.bytes)) {
		return ""
	}
	before := d.bytes[:at]
	if before[at-1] == '\r' && d.bytes[at] == '\n' { // the line isn't over
		before = before[:at-1]
	}
	line := before[bytes.LastIndexAny(before, "\r\n")+1:]
	switch {
	case bytes.HasPrefix(line, []byte("data:")):
		return "data line"
	case len(line) > 0:
		return "other line"
	case endsBlank(before):
		return ""
	}
	return "event"
}

// endsBlank tells whether the last of some whole lines is a blank one.
func endsBlank(lines []byte) bool {
	rest, found := bytes.CutSuffix(lines, []byte("\r\n"))
	if !found {
		rest = lines[:len(lines)-1]
	}
	return len(rest) == 0 || bytes.HasSuffix(rest, []byte("\n")) || bytes.HasSuffix(rest, []byte("\r"))
}

// writeRow is one write of a row's body.
type writeRow struct {
	write
	index  int
	last   bool
	inside string
	splits bool
}

// writes calls each with the row as it is for every write of the body, up to the end.
func (r *row) writes(each func(*row)) {
	whole := r.has
	r.has |= scenario.OfAWrite
	d := r.seen.delivered(r.ended)
	at := int64(0)
	for i, w := range d.writes {
		at += w.size
		r.write = writeRow{w, i + 1, i+1 == len(d.writes), d.inside(at), d.splitsCharacter(at)}
		each(r)
	}
	r.has = whole
}

// splitCharacters is how many writes end inside a character.
func (r *row) splitCharacters() int {
	d, n, at := r.seen.delivered(r.ended), 0, int64(0)
	for _, w := range d.writes {
		if at += w.size; d.splitsCharacter(at) {
			n++
		}
	}
	return n
}

// body is the row's body as its client has it; not ok when its encoding can't be undone.
func (r *row) body() (body []byte, ok bool) {
	d := r.seen.delivered(r.ended)
	body, err := d.body()
	return body, err == nil
}

// whole tells whether a client gets all of an answer, and to know that it does.
func whole(d *run.Decision) bool {
	t := d.Timeline
	b := t.Broken()
	switch {
	case b == nil:
		return true
	case !b.Ending.End.Terminates() || b.EndDue >= timeline.Never:
		return false
	case !t.Streams() || t.RawText():
		return true
	}
	all := decided{d}.delivered(b.EndDue)
	body, _ := all.body() // a client has read what comes before an error
	return !bytes.Contains(body, []byte(`"type":"error"`)) &&
		(bytes.Contains(body, []byte(`"message_stop"`)) || bytes.Contains(body, []byte(`"type":"completion"`)))
}
